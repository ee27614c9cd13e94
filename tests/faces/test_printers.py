"""What the plain terminal prints, compared with what rich prints without styles."""

from __future__ import annotations

import io

from hypothesis import given, settings
from hypothesis import strategies as st

from plyscope.faces.printed import Column, Grid, Printed, Row, Table, Text
from plyscope.faces.richterminal import RichTerminal
from plyscope.faces.terminal import Terminal
from sizes import sized

SIGNS = ["a", "b", "−", "é", "e\u0301", "…", "\x1b"]
WORDS = st.lists(st.sampled_from(SIGNS), min_size=1, max_size=12).map("".join)
LINES = st.lists(WORDS, max_size=6).map(" ".join) | st.lists(WORDS, max_size=3).map("\t".join)
CELLS = LINES | st.lists(LINES.filter(bool), max_size=3).map("\n".join)
STYLES = st.sampled_from(["", "bold", "dim cyan"])
COLUMNS = st.builds(Column, LINES, st.booleans(), st.just(False), st.booleans())


@st.composite
def tables(draw: st.DrawFn) -> Table:
    columns = draw(st.lists(COLUMNS, min_size=1, max_size=5))
    cells = [CELLS for _ in columns]
    if draw(st.booleans()):  # a column of ratings
        columns.append(Column("Elo", is_fixed=True))
        cells.append(WORDS)
    rows = st.lists(st.builds(Row, st.just(()) | st.tuples(*cells), STYLES), max_size=5)
    return Table(draw(LINES), columns, draw(rows))


TEXTS = st.builds(
    lambda text, style, is_cut: Text(text, style, is_cut=is_cut), CELLS, STYLES, st.booleans()
)
GRIDS = st.builds(
    Grid,
    st.lists(TEXTS, min_size=1, max_size=5),
    st.integers(1, 3),
    st.integers(4, 12),
    st.integers(1, 3),
)
BLOCKS = st.lists(CELLS | TEXTS | tables() | GRIDS, max_size=4)


def lines(terminal: Terminal, printed: Printed) -> list[str]:
    terminal.print(printed)
    assert isinstance(terminal.file, io.StringIO)
    return [line.rstrip() for line in terminal.file.getvalue().splitlines()]


@settings(max_examples=sized(100, 10_000), deadline=None)
@given(BLOCKS, st.integers(50, 120))
def test_prints_the_lines_of_rich_without_styles(printed: Printed, width: int) -> None:
    assert lines(Terminal(io.StringIO(), width), printed) == lines(
        RichTerminal(io.StringIO(), width), printed
    )


def test_gives_two_columns_to_a_wide_sign() -> None:
    rows = [Row(("象棋", "1")), Row(("ab", "22"))]
    table = Table("", [Column("名", is_left=True), Column("n")], rows)
    printed = lines(Terminal(io.StringIO(), 40), [table, "象 " * 30])
    assert printed == lines(RichTerminal(io.StringIO(), 40), [table, "象 " * 30])
    assert printed[3:5] == [" 象棋    1", " ab     22"]

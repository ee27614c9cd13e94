"""What came of a tuning: `tune`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.table import Column, Table
from rich.text import Text

from plyscope.faces.boards import draw_board
from plyscope.faces.report.families import comparison_section
from plyscope.faces.report.section import Figure, Section
from plyscope.faces.report.tuning import tuning_sections
from plyscope.faces.tables import new_table

if TYPE_CHECKING:
    from plyscope.lab.tuning.comparison import Comparison
    from plyscope.lab.tuning.result import TuningResult

WIDTH, GAP, LEAST = 80, 3, 22
"""Of a row of boards, between two, and of a board with its caption."""


def tuning_card(result: TuningResult, file: str = "") -> RenderableType:
    """Return the card: what came of it first; `file` is where the table was written."""
    first, *sections = tuning_sections(result.as_dict(), file=file)
    headline, *words = first.words
    parts: list[RenderableType] = [Text(headline, style="bold"), *map(Text, words)]
    for section in sections:
        parts += [] if section.drawing else _section(section)  # a drawing is the file's text
    return Group(*parts)


def families_table(comparison: Comparison) -> RenderableType:
    """Return the families by size, with their wrong moves by depth."""
    return Group(*_section(comparison_section(comparison.as_dict(), is_brief=True)))


def _section(section: Section) -> Iterator[RenderableType]:
    yield Text(f"\n{section.heading}", style="bold")
    yield from map(Text, section.words)
    if section.head:
        left = [name for name in section.head if name in ("weight", "family", "note")]
        table = new_table("", *section.head, left=left)
        for row in section.rows:
            table.add_row(*row)
        yield table
    if section.figures:
        yield _boards(section.figures)
        commands = [figure.command for figure in section.figures if figure.command]
        yield from (Text(text, "dim") for text in commands)


def _boards(figures: Sequence[Figure]) -> Table:
    """Return boards side by side, each below what is said of it."""
    drawn = [draw_board(figure.drawn) for figure in figures]
    width = max(LEAST, *(len(line) for board in drawn for line in board.plain.splitlines()))
    per_row = max(1, (WIDTH + GAP) // (width + GAP))
    grid = Table.grid(*[Column(width=width) for _ in drawn[:per_row]], padding=(0, GAP, 0, 0))
    cells = [
        Group(Text(figure.caption), board, Text(""))
        for figure, board in zip(figures, drawn, strict=True)
    ]
    for begin in range(0, len(cells), per_row):
        grid.add_row(*cells[begin : begin + per_row])
    return grid

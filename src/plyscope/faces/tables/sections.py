"""Sections of results in the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Column, Table
from rich.text import Text

from plyscope.faces.boards import draw_board
from plyscope.faces.findings.results import SECTIONS
from plyscope.faces.findings.section import Figure, Section
from plyscope.faces.tables import new_table
from plyscope.rules.position import Position

WIDTH, GAP, LEAST = 80, 3, 22
"""Of a row of boards, between two, and of a board with its caption."""
NOTE = "note"
"""A column of words wherever it stands."""


def finding(section: Section) -> RenderableType:
    """Return a single result: the position that it is about, its table, and its conclusion."""
    parts: list[RenderableType] = []
    title = " ".join(section.words)
    if section.about is not None:
        caption, drawn = section.about.caption, section.about.drawn
        gap = "" if not title else "\n" if "\n" in caption else "   "
        parts.append(Text.assemble((title, "bold"), f"{gap}{caption}"))
        parts += [draw_board(drawn)] if isinstance(drawn, Position) else []
        title = ""
    if section.head:
        parts.append(_table(section, title))
    if section.heading:
        parts.append(Text(section.heading, "bold"))
    parts += map(Text, section.notes)
    for figure in section.figures:
        parts += [Text(f"\n{figure.caption}"), draw_board(figure.drawn)]
    return Group(*parts)


def result_text(result: Any) -> RenderableType:
    """Return a single result, as `SECTIONS` has it."""
    return finding(SECTIONS[type(result)](result))


def card(sections: Sequence[Section]) -> RenderableType:
    """Return the sections of a card, the first of which says in a line what came of it."""
    first, *rest = sections
    headline, *words = first.words
    parts: list[RenderableType] = [Text(headline, style="bold"), *map(Text, words)]
    for section in rest:
        parts += [] if section.drawing else part(section)  # a drawing is the file's text
    return Group(*parts)


def part(section: Section) -> Iterator[RenderableType]:
    """Yield a section of several, below its heading."""
    yield Text(f"\n{section.heading}", style="bold")
    yield from map(Text, section.words)
    if section.head:
        yield _table(section)
    if section.figures:
        yield _boards(section.figures)
        commands = [figure.command for figure in section.figures if figure.command]
        yield from (Text(text, "dim") for text in commands)


def _table(section: Section, title: str = "") -> Table:
    left = [name for at, name in enumerate(section.head) if at < section.names or name == NOTE]
    table = new_table(title, *section.head, left=left)
    for column in table.columns:
        if column.header == "agent":  # whose name stays on one line
            column.no_wrap, column.overflow = True, "ellipsis"
    for at, row in enumerate(section.rows):
        if row:
            table.add_row(*row, style="bold" if at in section.best else "")
        else:
            table.add_section()
    if section.sums:
        table.add_section()
    for row in section.sums:
        table.add_row(*row)
    return table


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

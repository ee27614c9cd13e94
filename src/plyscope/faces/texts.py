"""The sections of results on the terminal, and the plain text of results, 80 columns wide."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.table import Column, Table
from rich.text import Text

from plyscope.faces.boards import draw_board
from plyscope.faces.findings.results import sections_of
from plyscope.faces.findings.section import Figure, Section
from plyscope.faces.terminal import Terminal
from plyscope.faces.wording import headed
from plyscope.rules.position import Position

TEXT_COLUMNS, GAP_COLUMNS, MIN_BOARD_COLUMNS = 80, 3, 22
"""Columns: the width of a text or a row of boards, the gap between two boards, and the least width
of a board with its caption."""


def finding(*sections: Section) -> RenderableType:
    """Return the sections of a single result: position, table, conclusion, notes and figures."""
    parts: list[RenderableType] = []
    for section in sections:
        title = "   ".join(section.words)
        if section.about is not None:
            caption, drawn = section.about.caption, section.about.drawn
            gap = "" if not title else "\n" if "\n" in caption else "   "
            title = title if caption else headed(drawn, title)
            parts.append(Text.assemble((title, "bold"), f"{gap}{caption}".rstrip()))
            parts += [draw_board(drawn)] if isinstance(drawn, Position) else []
            title = ""
        if section.head:
            parts.append(_table(section, title))
        elif title:
            parts += map(Text, section.words)
        if section.heading:
            parts.append(Text(section.heading, "bold"))
        parts += map(Text, section.notes)
        for figure in section.figures:
            parts += [Text(f"\n{figure.caption}"), draw_board(figure.drawn)]
    return Group(*parts)


def result_text(result: Any) -> RenderableType:
    """Return the sections of a single result."""
    sections = sections_of(result)
    return card(sections) if len(sections) > 1 else finding(*sections)


def card(sections: Iterable[Section]) -> RenderableType:
    """Return the sections of a result. The first words of the first section are its headline."""
    first, *rest = sections
    headline, *words = first.words
    parts: list[RenderableType] = [Text(headline, style="bold"), *map(Text, words)]
    for section in rest:
        parts += [] if section.drawing else part(section)  # a drawing is the file's text
    return Group(*parts)


def part(section: Section) -> Iterator[RenderableType]:
    """Yield one of several sections, below its heading."""
    yield Text(f"\n{section.heading}", style="bold")
    yield from map(Text, section.words)
    if section.head:
        yield _table(section)
    if section.figures:
        yield _boards(section.figures)
        commands = [figure.command for figure in section.figures if figure.command]
        yield from (Text(text, "dim") for text in commands)
    yield from map(Text, section.notes)


def _table(section: Section, title: str = "") -> Table:
    table = Table(
        title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False
    )
    for name, is_left in zip(section.head, section.has_words, strict=True):
        is_fixed = name.startswith("Elo")  # on a narrow terminal, cut names and not ratings
        table.add_column(
            name, justify="left" if is_left else "right", overflow="fold", no_wrap=is_fixed
        )
    for at, row in enumerate(section.rows):
        if not row:
            table.add_section()
        elif at in section.best:
            table.add_row(*_cells(section, (f"{row[0]} ←", *row[1:])), style="bold")
        else:
            table.add_row(*_cells(section, row))
    if section.sums:
        table.add_section()
    for row in section.sums:
        table.add_row(*_cells(section, row))
    return table


def _cells(section: Section, row: Sequence[str]) -> Iterator[RenderableType]:
    """Yield the cells of a row; cells of the columns `section.cut` are shortened to one line."""
    for name, cell in zip(section.head, row, strict=False):
        yield Text(cell, no_wrap=True, overflow="ellipsis") if name in section.cut else cell


def _boards(figures: Sequence[Figure]) -> Table:
    """Return boards side by side, each below its caption."""
    drawn = [draw_board(figure.drawn) for figure in figures]
    width = max(
        MIN_BOARD_COLUMNS, *(len(line) for board in drawn for line in board.plain.splitlines())
    )
    per_row = max(1, (TEXT_COLUMNS + GAP_COLUMNS) // (width + GAP_COLUMNS))
    grid = Table.grid(
        *[Column(width=width) for _ in drawn[:per_row]], padding=(0, GAP_COLUMNS, 0, 0)
    )
    cells = [
        Group(Text(figure.caption), board, Text(""))
        for figure, board in zip(figures, drawn, strict=True)
    ]
    for begin in range(0, len(cells), per_row):
        grid.add_row(*cells[begin : begin + per_row])
    return grid


def plain_text(shown: RenderableType) -> str:
    """Return the text that a terminal prints, without styles and without spaces at the ends of
    lines."""
    file = StringIO()
    Terminal(
        file=file, width=TEXT_COLUMNS, color_system=None, highlight=False, markup=False, emoji=False
    ).print(shown)
    return re.sub(r" +(?=\n|$)", "", file.getvalue()).strip("\n")


def text(shown: Any) -> str:
    """Return a result, or the sheet of an exam, as the command line prints it."""
    if type(shown).__name__ == "Exam":
        from plyscope.faces.sheets.paper import sheet_text

        return sheet_text(shown.questions, "md", shown.has_key)
    return plain_text(result_text(shown))

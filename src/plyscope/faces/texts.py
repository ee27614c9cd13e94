"""The sections of results on the terminal, and the plain text of results, 80 columns wide."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from typing import Any

from plyscope.faces.boards import draw_board
from plyscope.faces.findings.results import sections_of
from plyscope.faces.findings.section import Figure, Section
from plyscope.faces.printed import Column, Grid, Printed, Row, Table, Text
from plyscope.faces.terminal import Terminal
from plyscope.faces.wording import headed
from plyscope.rules.position import Position

TEXT_COLUMNS, GAP_COLUMNS, MIN_BOARD_COLUMNS = 80, 3, 22
"""Columns: the width of a text or a row of boards, the gap between two boards, and the least width
of a board with its caption."""


def finding(*sections: Section) -> Printed:
    """Return the sections of a single result: position, table, conclusion, notes and figures."""
    parts: list[Printed] = []
    for section in sections:
        title = "   ".join(section.words)
        if section.about is not None:
            caption, drawn = section.about.caption, section.about.drawn
            gap = "" if not title else "\n" if "\n" in caption else "   "
            title = title if caption else headed(drawn, title)
            parts.append(Text(title, "bold").append(f"{gap}{caption}".rstrip()))
            parts += [draw_board(drawn)] if isinstance(drawn, Position) else []
            title = ""
        if section.head:
            parts.append(_table(section, title))
        elif title:
            parts += section.words
        if section.heading:
            parts.append(Text(section.heading, "bold"))
        parts += section.notes
        for figure in section.figures:
            parts += [f"\n{figure.caption}", draw_board(figure.drawn)]
    return parts


def result_text(result: Any) -> Printed:
    """Return the sections of a single result."""
    sections = sections_of(result)
    return card(sections) if len(sections) > 1 else finding(*sections)


def card(sections: Iterable[Section]) -> Printed:
    """Return the sections of a result. The first words of the first section are its headline."""
    first, *rest = sections
    headline, *words = first.words
    parts: list[Printed] = [Text(headline, "bold"), *words]
    for section in rest:
        parts += [] if section.drawing else part(section)  # a drawing is the file's text
    return parts


def part(section: Section) -> Iterator[Printed]:
    """Yield one of several sections, below its heading."""
    yield Text(f"\n{section.heading}", "bold")
    yield from section.words
    if section.head:
        yield _table(section)
    if section.figures:
        yield _boards(section.figures)
        commands = [figure.command for figure in section.figures if figure.command]
        yield from (Text(text, "dim") for text in commands)
    yield from section.notes


def _table(section: Section, title: str = "") -> Table:
    columns = [
        # on a narrow terminal, cut names and not ratings
        Column(name, is_left, name.startswith("Elo"), name in section.cut)
        for name, is_left in zip(section.head, section.has_words, strict=True)
    ]
    rows = [
        Row((f"{row[0]} ←", *row[1:]), "bold") if row and at in section.best else Row(row)
        for at, row in enumerate(section.rows)
    ]
    return Table(title, columns, [*rows, *[Row()] * bool(section.sums), *map(Row, section.sums)])


def _boards(figures: Sequence[Figure]) -> Grid:
    """Return boards side by side, each below its caption."""
    drawn = [draw_board(figure.drawn) for figure in figures]
    width = max(
        MIN_BOARD_COLUMNS, *(len(line) for board in drawn for line in board.plain.splitlines())
    )
    per_row = max(1, (TEXT_COLUMNS + GAP_COLUMNS) // (width + GAP_COLUMNS))
    texts = [
        Text(f"{figure.caption}\n").append(board).append("\n")
        for figure, board in zip(figures, drawn, strict=True)
    ]
    return Grid(texts, per_row, width, GAP_COLUMNS)


def plain_text(printed: Printed) -> str:
    """Return the text that a terminal prints, without styles and without spaces at the ends of
    lines."""
    file = StringIO()
    Terminal(file, TEXT_COLUMNS).print(printed)
    return file.getvalue().strip("\n")


def text(shown: Any) -> str:
    """Return a result, or the sheet of an exam, as the command line prints it."""
    if type(shown).__name__ == "Exam":
        from plyscope.faces.sheets.paper import sheet_text

        return sheet_text(shown.questions, "md", shown.has_key)
    return plain_text(result_text(shown))

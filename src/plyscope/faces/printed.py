"""What a terminal prints: styled texts, tables, and boards side by side.

A style is words separated by spaces: bold, dim, reverse, strike, cyan, yellow, magenta.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Text:
    """A text of styled pieces.

    With `is_cut`, lines that are too long for the terminal are shortened instead of wrapped.
    """

    def __init__(self, text: str = "", style: str = "", *, is_cut: bool = False) -> None:
        self.pieces = [(text, style)] if text else []
        self.is_cut = is_cut

    @property
    def plain(self) -> str:
        """The text without styles."""
        return "".join(text for text, _ in self.pieces)

    def __len__(self) -> int:
        return sum(len(text) for text, _ in self.pieces)

    def append(self, text: str | Text, style: str = "") -> Text:
        """Append a text; return this one."""
        self.pieces += text.pieces if isinstance(text, Text) else [(text, style)]
        return self

    def stylize(self, style: str) -> None:
        """Add a style to all pieces."""
        self.pieces = [(text, f"{own} {style}".strip()) for text, own in self.pieces]

    def rstrip(self) -> Text:
        """Remove the white space at the end; return this text."""
        while self.pieces and not self.pieces[-1][0].strip():
            self.pieces.pop()
        if self.pieces:
            text, style = self.pieces[-1]
            self.pieces[-1] = text.rstrip(), style
        return self

    def lines(self) -> list[Text]:
        """Return the lines."""
        lines = [Text(is_cut=self.is_cut)]
        for text, style in self.pieces:
            first, *rest = text.split("\n")
            lines[-1].append(first, style)
            lines += [Text(line, style, is_cut=self.is_cut) for line in rest]
        return lines


class Column(NamedTuple):
    """A column of a table."""

    name: str
    is_left: bool = False
    """Whether cells are aligned left, not right."""
    is_fixed: bool = False
    """Whether the column keeps its width on a narrow terminal."""
    is_cut: bool = False
    """Whether cells are shortened to one line instead of wrapped."""


class Row(NamedTuple):
    """A row of a table; a separator has no cells."""

    cells: Sequence[str] = ()
    style: str = ""


class Table(NamedTuple):
    """A table below its title, which may be empty."""

    title: str
    columns: Sequence[Column]
    rows: Sequence[Row]


class Grid(NamedTuple):
    """Texts side by side, `per_row` in a row, each in a column of `width`, with `gap` between."""

    texts: Sequence[Text]
    per_row: int
    width: int
    gap: int


Printed = str | Text | Table | Grid | Sequence["Printed"]
"""What can be printed; the parts of a sequence are printed one below the other."""

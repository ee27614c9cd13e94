"""The sections of a report, independent of the output format."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from plyscope.errors import PlyscopeError
from plyscope.faces.diagrams.values import CellValue
from plyscope.rules.notation import parse


class Figure(NamedTuple):
    """A position with a caption."""

    position: Any
    """A position or its text. Without `is_own`, the text begins with the name of the game."""
    caption: str
    is_own: bool = False
    """Whether `position` is the text of a position of a user-defined game, which is not drawn."""
    command: str = ""
    """A command that examines the position; may be empty."""
    place: str = ""
    """The part after `#` of the position's address on the page."""
    values: Mapping[int, CellValue] = {}
    """The values of moves, by cell number."""
    legend: str = ""
    """A sentence that explains the values; may be empty."""

    @property
    def drawn(self) -> Any:
        """The position, or its text if the text cannot be parsed here."""
        if not isinstance(self.position, str):
            return self.position
        try:
            return self.position if self.is_own else parse(self.position)
        except PlyscopeError:
            return self.position


@dataclass(frozen=True)
class Section:
    """A part of a report: a heading, paragraphs, a table, a picture."""

    level: int
    """The level of the heading: 1 for a game, 2 for a result about it."""
    heading: str
    """A title, or the conclusion in the section of a single result."""
    words: tuple[str, ...] = ()
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    """The rows of the table. An empty row is a separator."""
    picture: str = ""
    """A chart as SVG, for HTML."""
    drawing: str = ""
    """A drawing as text, for Markdown, and for HTML if there is no picture."""
    figures: tuple[Figure, ...] = ()
    names: int = 1
    """The number of text columns at the left of the table."""
    left: tuple[str, ...] = ()
    """The heads of further text columns, which are aligned left."""
    cut: tuple[str, ...] = ()
    """The heads of columns whose cells a terminal shortens to one line."""
    best: frozenset[int] = frozenset()
    """The indices of the rows to highlight."""
    sums: tuple[tuple[str, ...], ...] = ()
    """The rows of totals, at the end of the table."""
    bars: tuple[tuple[float, ...], ...] = ()
    """The numbers that a row's bar shows: none, a value, or the games won, drawn and lost."""
    hollow: frozenset[int] = frozenset()
    """The indices of the rows whose values are bounds."""
    notes: tuple[str, ...] = ()
    """Sentences below the table."""
    about: Figure | None = None
    """The position that the section is about."""

    @property
    def has_words(self) -> tuple[bool, ...]:
        """Whether each column holds text instead of numbers."""
        return tuple(at < self.names or name in self.left for at, name in enumerate(self.head))

    @property
    def all_rows(self) -> tuple[tuple[str, ...], ...]:
        """All rows except separators, with the totals last."""
        return tuple(row for row in (*self.rows, *self.sums) if row)

    @property
    def all_figures(self) -> tuple[Figure, ...]:
        """The figure that the section is about, if any, and the others."""
        return (*filter(None, [self.about]), *self.figures)

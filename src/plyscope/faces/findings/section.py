"""A part of a report, before anybody says on what it is printed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from plyscope.errors import PlyscopeError
from plyscope.rules.notation import parse


class Figure(NamedTuple):
    """A position, and what is said of it."""

    position: Any
    """A position; or its text, with the name of its game, of a game of one's own the text alone."""
    caption: str
    is_own: bool = False
    """Whether it is of a game of one's own, of which nobody has a drawing."""
    command: str = ""
    """A command that looks at it, where there is one."""
    place: str = ""
    """Where it is on the page: the part of the address after `#`."""
    labels: Mapping[int, str] = {}
    """Short texts on empty cells."""
    legend: str = ""
    """What the labels mean, where that has to be said."""

    @property
    def drawn(self) -> Any:
        """The position; its text where nobody here knows its game."""
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
    """1 for a game, 2 for what was found of it."""
    heading: str
    """A title; of a single result its conclusion."""
    words: tuple[str, ...] = ()
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    """An empty row parts those above it from those below."""
    picture: str = ""
    """SVG, for HTML."""
    drawing: str = ""
    """Text, for Markdown; for HTML too where there is no picture."""
    figures: tuple[Figure, ...] = ()
    names: int = 1
    """The columns of words, at the left of those of numbers."""
    left: tuple[str, ...] = ()
    """Further columns of words, by their heads."""
    cut: tuple[str, ...] = ()
    """Columns whose cells a terminal cuts where they need more than one line."""
    best: frozenset[int] = frozenset()
    """The numbers of the rows that stand out."""
    sums: tuple[tuple[str, ...], ...] = ()
    """The last rows, which add the others up."""
    bars: tuple[tuple[float, ...], ...] = ()
    """What a row's bar shows: a value, the games won, drawn and lost, or nothing."""
    hollow: frozenset[int] = frozenset()
    """The numbers of the rows whose values are bounds."""
    notes: tuple[str, ...] = ()
    """Sentences below the table."""
    about: Figure | None = None
    """The position that it is about."""

    @property
    def has_words(self) -> tuple[bool, ...]:
        """Whether a column holds words, one after another."""
        return tuple(at < self.names or name in self.left for at, name in enumerate(self.head))

    @property
    def all_rows(self) -> tuple[tuple[str, ...], ...]:
        """All rows with cells, the sums last."""
        return tuple(row for row in (*self.rows, *self.sums) if row)

    @property
    def all_figures(self) -> tuple[Figure, ...]:
        """The position that it is about, and the others."""
        return (*filter(None, [self.about]), *self.figures)

"""The `Heuristic` protocol, and the explanation of an evaluation line by line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from plyscope.datafile import DataFrame, frame
from plyscope.display import drawn, printed
from plyscope.jsonable import by_name
from plyscope.rules.game import SIDES
from plyscope.rules.tree import AnyPosition


@dataclass(frozen=True, kw_only=True)
class LineShare:
    """The contribution of one line to an evaluation."""

    cells: tuple[str, ...]
    """The names of its cells."""
    kind: str
    mine: int
    """Stones of the side evaluated for."""
    theirs: int
    table: int
    """The value of these stones in the table."""
    weight: int
    """The weight of this kind of line."""
    value: int
    """`table` times `weight`."""

    def __str__(self) -> str:
        stones = f"{self.mine} of mine, {self.theirs} of theirs"
        return f"{'–'.join(self.cells)} ({self.kind}): {stones}, value {self.value}"


@dataclass(frozen=True, kw_only=True)
class PartShare:
    """The contribution of one cell, or of one side's moves, to a term."""

    what: str
    value: int

    def __str__(self) -> str:
        return f"{self.what}: {self.value}".replace("-", "−")


@dataclass(frozen=True, kw_only=True)
class TermShare:
    """The contribution of one term to an evaluation."""

    term: str
    """lines, tempo, ends, cells, threats or mobility."""
    value: int
    parts: tuple[PartShare, ...] = ()
    """The cells or moves that count; empty for terms of lines."""

    def __str__(self) -> str:
        return f"{self.term}: {self.value}"


@dataclass(frozen=True, kw_only=True)
class Explanation:
    """An evaluation with the contributions of lines and terms.

    >>> from plyscope import explain
    >>> found = explain("X../.O./...", "open-lines", side="x")
    >>> found.total, [("".join(line.cells), line.value) for line in found.lines if line.value < 0]
    (-1, [('a2b2c2', -1), ('b3b2b1', -1), ('c3b2a1', -1)])
    """

    position: AnyPosition
    heuristic: str
    """The name of the heuristic."""
    side: int
    """The side evaluated for."""
    lines: tuple[LineShare, ...] | None
    """The contribution of each line, None if the heuristic does not count lines."""
    total: int
    """The evaluation."""
    terms: tuple[TermShare, ...] = ()
    """The contribution of each term, if there are several; those of lines are in `lines` too."""
    notes: tuple[str, ...] = ()
    """Sentences about entries without effect on this game, or odd behaviour of a function."""

    @property
    def sum(self) -> int:
        """The sum of all contributions; it differs from `total` if the table is clamped."""
        return sum(share.value for share in self.terms or self.lines or ())

    def as_dict(self) -> dict[str, Any]:
        """Return the explanation as JSON-ready data."""
        return by_name(
            self,
            *("position", "game", "heuristic", "side", "value", "lines", "terms", "notes"),
            game=self.position.game.name,
            side=SIDES[self.side],
            value=self.total,
        )

    def to_frame(self) -> DataFrame:
        """Return the lines with their shares as a pandas DataFrame, a row for each."""
        return frame(self.lines or ())

    __str__ = printed
    _repr_html_ = drawn


@runtime_checkable
class Heuristic(Protocol):
    """A static evaluation function; greater values are better for `side`."""

    @property
    def name(self) -> str:
        """The name that identifies the heuristic."""

    def evaluate(self, position: Any, side: int) -> int:
        """Return the evaluation of `position` in the view of `side`."""

    def explain(self, position: Any, side: int) -> Explanation:
        """Return the evaluation with its parts."""


HeuristicLike = Heuristic | str | Callable[..., int]
"""A heuristic, its text, or a function."""

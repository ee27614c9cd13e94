"""The `Heuristic` protocol, and the explanation of an evaluation line by line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from plyscope.display import drawn, printed


@dataclass(frozen=True, kw_only=True)
class LineShare:
    """What one line gives to an evaluation."""

    cells: tuple[str, ...]
    """Their names."""
    kind: str
    mine: int
    """The stones on it of the side evaluated for."""
    theirs: int
    table: int
    """What the table says of these stones."""
    weight: int
    """What the table says of this kind of line."""
    value: int
    """`table` times `weight`."""


@dataclass(frozen=True, kw_only=True)
class PartShare:
    """What one cell, or one side's moves, give to a term."""

    what: str
    value: int


@dataclass(frozen=True, kw_only=True)
class TermShare:
    """What one term of several gives to an evaluation."""

    term: str
    """lines, tempo, ends, cells, threats or mobility."""
    value: int
    parts: tuple[PartShare, ...] = ()
    """Those that count, in terms that are not of lines."""


@dataclass(frozen=True, kw_only=True)
class Explanation:
    """Where an evaluation comes from."""

    position: Any
    heuristic: str
    """Its name."""
    side: int
    """The side evaluated for."""
    lines: tuple[LineShare, ...] | None
    """None where the heuristic has no lines to show."""
    total: int
    """The evaluation."""
    terms: tuple[TermShare, ...] = ()
    """What each term gives, where there are several; lines, tempo and ends are in `lines` too."""
    notes: tuple[str, ...] = ()
    """What the heuristic says in vain on this game, in a sentence each."""

    @property
    def sum(self) -> int:
        """The sum of all shares; another number than `total` where the table is clamped."""
        return sum(share.value for share in self.terms or self.lines or ())

    __str__ = printed
    _repr_html_ = drawn


@runtime_checkable
class Heuristic(Protocol):
    """A static evaluation: a whole number, greater is better for `side`."""

    @property
    def name(self) -> str:
        """What people type."""

    def evaluate(self, position: Any, side: int) -> int:
        """Return what `position` is worth to `side`."""

    def explain(self, position: Any, side: int) -> Explanation:
        """Return the same number with its parts."""


HeuristicLike = Heuristic | str | Callable[..., int]
"""What people give for a heuristic: itself, a text, a function."""

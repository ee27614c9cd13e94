"""The `Heuristic` protocol, and the explanation of an evaluation line by line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from plyscope.display import drawn

__all__ = ["Explanation", "Heuristic", "LineShare"]


@dataclass(frozen=True, kw_only=True)
class LineShare:
    """What one line gives: `value` is `table` (for these stones) times `weight` (for this kind of
    line), in the explanation's view."""

    cells: tuple[str, ...]
    kind: str
    mine: int
    theirs: int
    table: int
    weight: int
    value: int


@dataclass(frozen=True, kw_only=True)
class Explanation:
    """Where an evaluation comes from, in the view of `side`; `total` is the evaluation. `lines` is
    None where the heuristic has no lines to show.

    `sum` is the sum of the lines; it differs from `total` only when the table is clamped.
    """

    position: Any
    heuristic: str
    side: int
    lines: tuple[LineShare, ...] | None
    total: int

    @property
    def sum(self) -> int:
        """The sum of the lines' shares."""
        return sum(share.value for share in self.lines or ())

    _repr_html_ = drawn


class Heuristic(Protocol):
    """A static evaluation: a whole number, greater is better for `side`."""

    @property
    def name(self) -> str:
        """What people type."""

    def evaluate(self, position: Any, side: int) -> int:
        """Return what `position` is worth to `side`."""

    def explain(self, position: Any, side: int) -> Explanation:
        """Return the same number with its parts."""

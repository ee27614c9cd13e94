"""The transposition table of the reference algorithms: positions that were searched, and what that
proved.

A dictionary without limit, so that nothing is ever forgotten. The key holds the ply beside the
position: games may come back to a position, and wins are scored by their distance from the root.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from plyscope.searching.score import INFINITY, Bound


class Table(dict[Any, Any]):
    """Entries by the key of their node, or intervals by that and the depth of the search."""


class TableEntry(NamedTuple):
    """What a search of `depth` proved: `score` with its `bound`, in the view of the side to move,
    and the best move (None at a leaf)."""

    depth: int
    score: int
    bound: Bound
    move: Any

    def decides(self, alpha: int, beta: int) -> bool:
        """Return whether the score answers the question that the window asks."""
        return (
            self.bound is Bound.EXACT
            or (self.bound is Bound.LOWER and self.score >= beta)
            or (self.bound is Bound.UPPER and self.score <= alpha)
        )


UNKNOWN = TableEntry(-1, 0, Bound.ESTIMATE, None)
"""The entry of a node that has none."""


class Interval(NamedTuple):
    """What is proven of a value: it lies from `lower` to `upper`, in the root's view."""

    lower: int = -INFINITY
    upper: int = INFINITY

    def proves(self, end: int) -> Bound:
        """Return what an `end` of it says about the value."""
        if self.lower == self.upper:
            return Bound.EXACT
        return Bound.LOWER if end == self.lower else Bound.UPPER

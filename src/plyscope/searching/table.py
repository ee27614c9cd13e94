"""The transposition table of the reference algorithms: a dictionary of unlimited size.

The key holds the position and the ply: games may repeat a position, and wins are scored by their
distance from the root.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from plyscope.searching.score import INFINITY, Bound


class Table(dict[Any, Any]):
    """Entries by the key of their node, or intervals by the key and the depth of the search."""


class TableEntry(NamedTuple):
    """The result of a search to `depth`: the `score` with its `bound`, in the view of the side to
    move, and the best move, None at a leaf."""

    depth: int
    score: int
    bound: Bound
    move: Any

    def decides(self, alpha: int, beta: int) -> bool:
        """Return whether the entry makes a search within the window unnecessary."""
        return (
            self.bound is Bound.EXACT
            or (self.bound is Bound.LOWER and self.score >= beta)
            or (self.bound is Bound.UPPER and self.score <= alpha)
        )


UNKNOWN = TableEntry(-1, 0, Bound.ESTIMATE, None)
"""The entry returned for a node without one."""


class Interval(NamedTuple):
    """Proven bounds of a value, `lower` and `upper`, in the root's view."""

    lower: int = -INFINITY
    upper: int = INFINITY

    def proves(self, end: int) -> Bound:
        """Return the bound that `end`, an end of the interval, proves as a score."""
        if self.lower == self.upper:
            return Bound.EXACT
        return Bound.LOWER if end == self.lower else Bound.UPPER

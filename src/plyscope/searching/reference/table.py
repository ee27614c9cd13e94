"""The transposition table of the reference algorithms: positions that were searched, and what that
proved.

A dictionary without limit, so that nothing is ever forgotten. The key holds the ply beside the
position: games may come back to a position, and wins are scored by their distance from the root.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol, TypeVar

from plyscope.searching.score import INFINITY, Bound
from plyscope.searching.walk import Node

Found = TypeVar("Found")


class TableEntry(NamedTuple):
    """What a search of `depth` proved: `score` with its `bound`, in the view of the side to move,
    and the best move (None at a leaf)."""

    depth: int
    score: int
    bound: Bound
    move: Any


class Interval(NamedTuple):
    """What is proven of a value: it lies from `lower` to `upper`, in the root's view."""

    lower: int = -INFINITY
    upper: int = INFINITY


def table_key(node: Node) -> tuple[Any, int]:
    """Return the key of `node`."""
    return node.position, node.ply


class Entries(dict[tuple[Any, int], TableEntry]):
    """Entries by the key of their node."""


class Intervals(dict[tuple[Any, int, int], Interval]):
    """Intervals by the key of their node and the depth of the search."""


class Lookup(Protocol[Found]):
    """A table that is only read, of either form of a search."""

    def get(self, key: Any, missing: Found, /) -> Found:
        """Return what is kept under `key`, or `missing`."""

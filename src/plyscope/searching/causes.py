"""Causes of cutoffs: for every cutoff of a search, the event that set the bound it met."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from plyscope.searching.events import Cutoff, Enter, Event, WindowMoved


@dataclass(frozen=True)
class Cause:
    """The cause of one cutoff."""

    cutoff: Cutoff
    is_moved: bool
    """Whether one end of the window was set by a move of the node itself."""
    origin: WindowMoved | None
    """The event at an ancestor that set the other end of the window; None if the root window had
    it."""
    turns: int
    """The number of changes of the side to move from the origin to the cutoff: the plies between
    them if sides alternate, 0 without an origin."""

    @property
    def is_deep(self) -> bool:
        """Whether this is a deep cutoff: the other bound was set more than one turn above (Knuth &
        Moore 1975)."""
        return self.turns > 1


def causes(events: Iterable[Event]) -> Iterator[Cause]:
    """Yield the cause of every cutoff, in the order of the events."""
    moved: dict[tuple[tuple[Any, ...], str], WindowMoved] = {}
    is_max: dict[tuple[Any, ...], bool] = {}
    for event in events:
        if isinstance(event, Enter):
            is_max[event.path] = event.is_max
            moved.pop((event.path, "alpha"), None)
            moved.pop((event.path, "beta"), None)
        elif isinstance(event, WindowMoved):
            moved[event.path, event.which] = event
        elif isinstance(event, Cutoff):
            own, other = ("alpha", "beta") if event.which == "beta" else ("beta", "alpha")
            value = event.beta if other == "beta" else event.alpha
            ancestors = [event.path[:end] for end in range(len(event.path) - 1, -1, -1)]
            givers = filter(None, (moved.get((path, other)) for path in ancestors))
            origin = next((giver for giver in givers if giver.after == value), None)
            turns = 0
            if origin is not None:
                ends = range(len(origin.path), len(event.path) + 1)
                sides = [is_max[event.path[:end]] for end in ends]
                turns = sum(before != after for before, after in pairwise(sides))
            yield Cause(event, (event.path, own) in moved, origin, turns)

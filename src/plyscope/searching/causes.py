"""Why windows closed: for every cutoff of a search, the event that gave the bound it ran into."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from plyscope.searching.events import Cutoff, Enter, Event, WindowMoved

__all__ = ["Cause", "causes"]


@dataclass(frozen=True)
class Cause:
    """A `cutoff`, whether a move of its node had moved the bound that met the other (`is_moved`),
    and the event at an ancestor that gave the other bound (`origin`), None where the window came
    with it. `turns` is how often the side to move changes from there to the cutoff: the plies
    between them where sides alternate, 0 without an origin."""

    cutoff: Cutoff
    is_moved: bool
    origin: WindowMoved | None
    turns: int

    @property
    def is_deep(self) -> bool:
        """Whether the other bound was handed down by more than one turn: a deep cutoff (Knuth &
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
            givers = (
                moved.get((event.path[:end], other)) for end in range(len(event.path) - 1, -1, -1)
            )
            origin = next(
                (giver for giver in givers if giver is not None and giver.after == value), None
            )
            sides = (
                []
                if origin is None
                else [
                    is_max[event.path[:end]] for end in range(len(origin.path), len(event.path) + 1)
                ]
            )
            turns = sum(before != after for before, after in pairwise(sides))
            yield Cause(event, (event.path, own) in moved, origin, turns)

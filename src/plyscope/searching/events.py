"""Events: the steps of a search in order, for pictures, steppers, counts and comparisons.

The `path` of an event holds the moves from the root to its node. Scores and windows are in the
root's view, also if the algorithm is in negamax form. `kind` is the name of the event in JSON.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from plyscope.jsonable import by_name
from plyscope.searching.score import INFINITY, Bound, format_score

Path = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Event:
    """A step of a search at the node `path`."""

    kind: ClassVar[str] = "event"
    path: Path

    def __str__(self) -> str:
        node = " ".join(map(str, self.path)) or "the root"
        facts = (
            f"{name} {format_score(fact) if type(fact) in (int, float) else fact}"
            for name, fact in by_name(self).items()
            if name != "path" and fact is not None
        )
        return f"{self.kind} at {node}: {', '.join(facts)}"

    def as_dict(self) -> dict[str, Any]:
        """Return the event as JSON-ready data; an infinite bound is None."""
        return {
            "event": self.kind,
            **{
                name: None if isinstance(value, int) and abs(value) >= INFINITY else value
                for name, value in by_name(self).items()
            },
        }


@dataclass(frozen=True, slots=True)
class Enter(Event):
    """A node was called with the window (alpha, beta).

    `is_max` is true if MAX is to move; `depth` is the depth left to the horizon, None without one.
    """

    kind: ClassVar[str] = "enter"
    depth: int | None
    alpha: int
    beta: int
    is_max: bool


@dataclass(frozen=True, slots=True)
class Leaf(Event):
    """A leaf was scored: the game is over, or it is at the horizon."""

    kind: ClassVar[str] = "leaf"
    score: float
    horizon: bool


@dataclass(frozen=True, slots=True)
class WindowMoved(Event):
    """The score of `move` moved alpha or beta (`which`) from `before` to `after`."""

    kind: ClassVar[str] = "bound"
    which: str
    before: int
    after: int
    move: Any


@dataclass(frozen=True, slots=True)
class Cutoff(Event):
    """The window closed after `move`, and the `skipped` moves were not searched.

    `which` is the kind of cutoff: beta at MAX nodes, alpha at MIN nodes.
    """

    kind: ClassVar[str] = "cutoff"
    which: str
    alpha: int
    beta: int
    move: Any
    skipped: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Return(Event):
    """A node returned its score, with the bound that it proves."""

    kind: ClassVar[str] = "return"
    score: float
    bound: Bound


@dataclass(frozen=True, slots=True)
class TableHit(Event):
    """The transposition table had the score of the node."""

    kind: ClassVar[str] = "table-hit"
    score: int
    bound: Bound


@dataclass(frozen=True, slots=True)
class Research(Event):
    """A null window failed high: the node is searched again with the window (alpha, beta)."""

    kind: ClassVar[str] = "re-search"
    alpha: int
    beta: int


@dataclass(frozen=True, slots=True)
class Iteration(Event):
    """A new pass from the root began: to `depth`, or with the test value `guess`."""

    kind: ClassVar[str] = "iteration"
    number: int
    depth: int | None
    guess: int | None = None


SCORES = ("score", "alpha", "beta", "before", "after", "guess")
"""The fields of events that are scores."""
Watcher = Callable[[Event], None]

"""`trace`: a search with all its events."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Unpack

from plyscope.catalogue import checks_keywords
from plyscope.datafile import DataFrame, frame
from plyscope.display import drawn
from plyscope.errors import OptionError
from plyscope.evaluation.heuristic import HeuristicLike
from plyscope.jsonable import by_name
from plyscope.rules.game import PositionLike
from plyscope.rules.tree import TreePosition
from plyscope.searching.algorithm import Algorithm
from plyscope.searching.events import Enter, Event
from plyscope.searching.places import Place, located
from plyscope.searching.request import SearchOptions
from plyscope.searching.result import SearchResult, line_text
from plyscope.searching.search import search


@dataclass(frozen=True)
class Trace:
    """A search with all its events.

    >>> from plyscope import trace
    >>> [type(event).__name__ for event in trace("[[3,5],[2,9]]").events][8:]
    ['WindowMoved', 'Enter', 'Enter', 'Leaf', 'WindowMoved', 'Cutoff', 'Return', 'Return']
    """

    result: SearchResult
    events: tuple[Event, ...] = field(repr=False)
    places: tuple[Place, ...] = field(repr=False)
    """The source line that sent each event."""

    def __iter__(self) -> Iterator[Event]:
        return iter(self.events)

    def __len__(self) -> int:
        return len(self.events)

    @property
    def visited(self) -> tuple[str, ...]:
        """The nodes in the order of their visits: names in a tree, the moves to them elsewhere."""
        start = self.result.position
        paths = [event.path for event in self.events if isinstance(event, Enter)]
        if isinstance(start, TreePosition):
            return tuple(start.game.name_of((*start.path, *path)) for path in paths)
        return tuple(" ".join(line_text(start, path)) for path in paths)

    def as_dict(self) -> dict[str, Any]:
        """Return the result and the events as JSON-ready data."""
        return by_name(self, "result", "events")

    def to_frame(self) -> DataFrame:
        """Return the events as a pandas DataFrame, a row for each."""
        return frame(self.events)

    def __str__(self) -> str:
        return f"{self.result}\n{len(self):,} events"

    _repr_html_ = drawn


@checks_keywords
def trace(
    position: PositionLike,
    algorithm: str | Algorithm = "alphabeta",
    heuristic: HeuristicLike | None = None,
    *,
    max_events: int = 1_000_000,
    **options: Unpack[SearchOptions],
) -> Trace:
    """Search like `search`, with its options, and return the result with all events.

    Raises OptionError beyond `max_events` events, and what `search` raises.

    >>> len(trace([[3, 5], [6, 9]]))
    18
    """
    events: list[Event] = []
    places: list[Place] = []

    def watch(event: Event, place: Place) -> None:
        if len(events) >= max_events:
            raise OptionError(
                f"the search has more than {max_events:,} events; expected a smaller depth"
            )
        events.append(event)
        places.append(place)

    result = search(position, algorithm, heuristic, watch=located(watch), **options)
    return Trace(result, tuple(events), tuple(places))

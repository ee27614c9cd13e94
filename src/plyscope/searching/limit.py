"""Limits: how far a search may go."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from plyscope.errors import OptionError
from plyscope.rules.position import Position

NO_LIMIT = 1 << 60
"""More nodes than any search visits."""
MOST = 10**15


class SearchStopped(Exception):
    """Raised inside a search when its budget is spent; `reason` says which: `nodes` or
    `seconds`."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, kw_only=True)
class Limit:
    """When a search stops; None is no limit.

    With `nodes` or `seconds` every algorithm deepens ply by ply, so that a search that is stopped
    has a finished depth to answer with.
    """

    depth: int | None = None
    """At most so many plies."""
    nodes: int | None = None
    """At most so many nodes."""
    seconds: float | None = None
    """At most so many seconds of wall time."""

    def __post_init__(self) -> None:
        for name, kind, least, expected in (
            ("depth", int, 1, "a whole number from 1"),
            ("nodes", int, 1, "a whole number from 1"),
            ("seconds", (int, float), 0, "a number of seconds from 0"),
        ):
            value = getattr(self, name)
            if value is None:
                continue
            if not isinstance(value, kind) or isinstance(value, bool) or not least <= value <= MOST:
                raise OptionError(f"{name} {value!r}; expected {expected}")

    @property
    def is_timed(self) -> bool:
        """Whether the search may have to stop before its depth is reached."""
        return self.nodes is not None or self.seconds is not None


LIMITS = tuple(item.name for item in fields(Limit))
"""The names of the limits."""


FEWEST_MOVES_LEFT = 8
SURE = 0.95
"""The part of a share that is used, so that the clock does not run out on overheads."""


def share_of(clock: float, position: Any) -> float:
    """Return how many of the `clock` seconds left for the whole game one move may take; raise
    OptionError.

    As if half of the moves that the board has room for were still to come, shared by both sides,
    and never fewer than eight.
    """
    Limit(seconds=clock)
    room = 4 * FEWEST_MOVES_LEFT
    if isinstance(position, Position):
        room = position.empty.bit_count()
    return SURE * clock / max(FEWEST_MOVES_LEFT, room / 4)

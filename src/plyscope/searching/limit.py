"""Limits: how far a search may go."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from plyscope.errors import OptionError
from plyscope.rules.linegame import Position

__all__ = ["NO_LIMIT", "Limit", "SearchStopped", "share_of"]

NO_LIMIT = 1 << 60
"""More nodes than any search visits."""


class SearchStopped(Exception):
    """Raised inside a search when its budget is spent; `reason` says which: `nodes` or
    `seconds`."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, kw_only=True)
class Limit:
    """At most `depth` plies, `nodes` nodes and `seconds` of wall time; None is no limit.

    With `nodes` or `seconds` every algorithm deepens ply by ply, so that a search that is stopped
    has a finished depth to answer with.
    """

    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        for name, least in (("depth", 1), ("nodes", 1), ("seconds", 0.0)):
            value, number = getattr(self, name), (int | float if name == "seconds" else int)
            if value is not None and (
                isinstance(value, bool)
                or not isinstance(value, number)
                or not least <= value <= 10**15
            ):
                raise OptionError(
                    f"{name} {value!r}; expected {'a number of seconds from 0' if name == 'seconds' else f'a whole number from {least}'}"
                )

    @property
    def is_timed(self) -> bool:
        """Whether the search may have to stop before its depth is reached."""
        return self.nodes is not None or self.seconds is not None


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
    room = (
        position.game.size - (position.first | position.second).bit_count()
        if isinstance(position, Position)
        else 4 * FEWEST_MOVES_LEFT
    )
    return SURE * clock / max(FEWEST_MOVES_LEFT, room / 4)

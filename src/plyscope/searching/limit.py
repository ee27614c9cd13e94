"""Limits of depth, nodes and time for a search."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from plyscope.errors import OptionError
from plyscope.rules.position import Position

NO_LIMIT = 1 << 60
"""More nodes than any search visits."""
MAX_LIMIT = 10**15


class SearchStopped(Exception):
    """Raised inside a search at a limit; `reason` names it, such as `nodes` or `seconds`."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Late(Exception):
    """Raised by a solver at its deadline."""


@dataclass(frozen=True, kw_only=True)
class Limit:
    """The limits of a search; None is no limit.

    With `nodes` or `seconds` algorithms deepen ply by ply, so that a stopped search can return the
    result of its last finished depth.

    >>> from plyscope import search
    >>> result = search(".X./O../X.O", heuristic="counted-lines", nodes=50)
    >>> result.stopped, result.depth, result.complete
    ('nodes', 2, False)
    """

    depth: int | None = None
    """The greatest depth in plies."""
    nodes: int | None = None
    """The greatest number of nodes."""
    seconds: float | None = None
    """The greatest wall time."""

    def __post_init__(self) -> None:
        for name, kind, least, expected in (
            ("depth", int, 1, "a whole number from 1"),
            ("nodes", int, 1, "a whole number from 1"),
            ("seconds", (int, float), 0, "a number of seconds from 0"),
        ):
            value = getattr(self, name)
            if value is None:
                continue
            if (
                not isinstance(value, kind)
                or isinstance(value, bool)
                or not least <= value <= MAX_LIMIT
            ):
                raise OptionError(f"{name} {value!r}; expected {expected}")

    def __str__(self) -> str:
        given = [(name, getattr(self, name)) for name in ("depth", "nodes", "seconds")]
        return ", ".join(f"{name} {value:,}" for name, value in given if value) or "no limit"

    @property
    def is_timed(self) -> bool:
        """Whether the search may stop before its depth is reached."""
        return self.nodes is not None or self.seconds is not None


LIMITS = tuple(item.name for item in fields(Limit))
"""The names of the limits."""


MIN_MOVES_LEFT = 8
USED_SHARE = 0.95
"""The fraction of a move's share that is used; the rest is reserved for overheads."""


def share_of(clock: float, position: Any) -> float:
    """Return the seconds for one move, of `clock` seconds left for the whole game.

    A quarter of the empty cells, but at least MIN_MOVES_LEFT, is taken as the number of moves that
    the side will still make. Raises OptionError for a bad clock.
    """
    Limit(seconds=clock)
    room = 4 * MIN_MOVES_LEFT
    if isinstance(position, Position):
        room = position.empty.bit_count()
    return USED_SHARE * clock / max(MIN_MOVES_LEFT, room / 4)

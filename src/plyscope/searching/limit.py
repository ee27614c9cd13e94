"""Limits: how far a search may go."""

from __future__ import annotations

from dataclasses import dataclass

from plyscope.errors import OptionError

__all__ = ["Limit", "SearchStopped"]


class SearchStopped(Exception):
    """Raised inside a search when its budget is spent; `reason` says which: `nodes` or `seconds`."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, kw_only=True)
class Limit:
    """At most `depth` plies, `nodes` nodes and `seconds` of wall time; None is no limit.

    With `nodes` or `seconds` every algorithm deepens ply by ply, so that a search that is stopped has a finished depth to answer with.
    """

    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        for name, least in (("depth", 1), ("nodes", 1), ("seconds", 0.0)):
            value, number = getattr(self, name), (int | float if name == "seconds" else int)
            if value is not None and (isinstance(value, bool) or not isinstance(value, number) or not least <= value <= 10**15):
                raise OptionError(
                    f"{name} {value!r}; expected {'a number of seconds from 0' if name == 'seconds' else f'a whole number from {least}'}"
                )

    @property
    def is_timed(self) -> bool:
        """Whether the search may have to stop before its depth is reached."""
        return self.nodes is not None or self.seconds is not None

"""The playing engine as the rest of the search knows it: its options, and when it need not deepen.

The search itself is `compiled/engine.py`; the textbook algorithms have none of this.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from plyscope.errors import OptionError
from plyscope.searching.score import MAX_EVALUATION

if TYPE_CHECKING:
    from plyscope.searching.compiled.buckets import BucketTable
    from plyscope.searching.walk import Walk

MOST_THREADS, MOST_VARIATIONS, MOST_MEGABYTES = 256, 1000, 1 << 16


@dataclass(frozen=True, kw_only=True)
class EngineOptions:
    """How the engine works."""

    threads: int = 1
    """Threads that search beside each other."""
    multipv: int = 1
    """The number of best variations to find."""
    megabytes: int = 64
    """The size of its transposition table."""
    table: BucketTable | None = None
    """A table that is kept from search to search, in place of one of its own."""

    def __post_init__(self) -> None:
        for name, most in (
            ("threads", MOST_THREADS),
            ("multipv", MOST_VARIATIONS),
            ("megabytes", MOST_MEGABYTES),
        ):
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= most:
                raise OptionError(
                    f"{name} {repr(value)[:40]}; expected a whole number from 1 to {most}"
                )


ENGINE_OPTIONS = tuple(item.name for item in fields(EngineOptions))
"""The names of the engine's own options."""
DEFAULTS = EngineOptions()


def make_engine_options(algorithm: str, is_engine: bool, given: dict[str, Any]) -> EngineOptions:
    """Return the options `given`; raise OptionError for one that is given to an algorithm that is
    not the engine."""
    if not given:
        return DEFAULTS
    if not is_engine:
        raise OptionError(
            f"{algorithm!r} takes no option {next(iter(given))!r}; "
            f"'engine' alone takes {', '.join(ENGINE_OPTIONS)}"
        )
    return EngineOptions(**given)


def is_settled(walk: Walk, value: float) -> bool:
    """Whether no deeper search could change the value: a win is proven, or the board is full at
    the depth searched."""
    position = walk.root.position
    return abs(value) > MAX_EVALUATION or walk.depth >= position.empty.bit_count()

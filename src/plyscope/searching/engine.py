"""The options of the playing engine, and the rule that ends its deepening.

The search itself is in `plyscope_fast/searching/engine.py`.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from plyscope.errors import OptionError
from plyscope.extras import why_no_kernels
from plyscope.rules.position import Position
from plyscope.searching.score import MAX_EVALUATION

if TYPE_CHECKING:
    from plyscope.searching.walk import Walk

MAX_THREADS, MAX_VARIATIONS, MAX_MEGABYTES = 256, 1000, 1 << 16


@dataclass(frozen=True, kw_only=True)
class EngineOptions:
    """The options of the engine."""

    threads: int = 1
    """The number of threads that search in parallel."""
    multipv: int = 1
    """The number of best variations to find."""
    megabytes: int = 64
    """The size of its transposition table."""
    table: Any = None
    """A table to share between searches (`Accelerator.table`), in place of a new one."""

    def __str__(self) -> str:
        return f"threads {self.threads}, multipv {self.multipv}, megabytes {self.megabytes}"

    def __post_init__(self) -> None:
        for name, most in (
            ("threads", MAX_THREADS),
            ("multipv", MAX_VARIATIONS),
            ("megabytes", MAX_MEGABYTES),
        ):
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= most:
                raise OptionError(
                    f"{name} {repr(value)[:40]}; expected a whole number from 1 to {most}"
                )


ENGINE_OPTIONS = tuple(item.name for item in fields(EngineOptions))
"""The names of the engine's options."""
DEFAULTS = EngineOptions()


def make_engine_options(algorithm: str, is_engine: bool, given: dict[str, Any]) -> EngineOptions:
    """Return the options `given`; raise OptionError if the algorithm is not the engine."""
    if not given:
        return DEFAULTS
    if not is_engine:
        raise OptionError(
            f"{algorithm!r} takes no option {next(iter(given))!r}; "
            f"only 'engine' takes {', '.join(ENGINE_OPTIONS)}"
        )
    return EngineOptions(**given)


def has_engine(position: Any) -> bool:
    """Return whether the engine can search positions of this game: a line game with one stone a
    turn, and machine code can run."""
    is_of_lines = isinstance(position, Position) and position.game.alternates
    return is_of_lines and not why_no_kernels()


def is_settled(walk: Walk, value: float) -> bool:
    """Return whether a deeper search cannot change the value: a win is proved, or the search has
    reached a full board."""
    position = walk.root.position
    return abs(value) > MAX_EVALUATION or walk.depth >= position.empty.bit_count()

"""Options of the playing engine, which the textbook algorithms do not have."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from plyscope.errors import OptionError

__all__ = ["EngineOptions", "make_engine_options"]

MOST_MEGABYTES = 1 << 16


@dataclass(frozen=True, kw_only=True)
class EngineOptions:
    """How the engine works: so many `threads` search beside each other; it finds the `multipv` best
    lines; its table has so many `megabytes`, or is the `table` given, a BucketTable that is kept
    from search to search."""

    threads: int = 1
    multipv: int = 1
    megabytes: int = 64
    table: Any = None

    def __post_init__(self) -> None:
        for name, most in (("threads", 256), ("multipv", 1000), ("megabytes", MOST_MEGABYTES)):
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= most:
                raise OptionError(
                    f"{name} {repr(value)[:40]}; expected a whole number from 1 to {most}"
                )


def make_engine_options(algorithm: str, is_engine: bool, options: dict[str, Any]) -> EngineOptions:
    """Return the options that are not None; raise OptionError for one that is given to an algorithm
    that is not the engine."""
    given = {name: value for name, value in options.items() if value is not None}
    if given and not is_engine:
        known = ", ".join(item.name for item in fields(EngineOptions))
        raise OptionError(
            f"{algorithm!r} takes no option {next(iter(given))!r}; 'engine' alone takes {known}"
        )
    return EngineOptions(**given)

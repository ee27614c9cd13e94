"""The interface to machine code: what searches know of it.

`accelerator()` returns that of `plyscope-fast`, or one that runs nothing. It refuses every search
where the packages for machine code are missing, so callers need not ask for them: whoever is
refused runs the reference form, and states the reason.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, cast

from plyscope.extras import MissingPackageError, load, needs, why_no_kernels

if TYPE_CHECKING:
    from plyscope.searching.algorithm import SearchRequest
    from plyscope.searching.walk import Walk


class CannotCompile(Exception):
    """A function cannot be compiled; the message is the reason in one line."""


class Readiness(NamedTuple):
    """How much has to be done before a search can run as machine code."""

    state: Literal["loaded", "stored", "missing"]
    """`loaded`: this process has tried it, and runs or refuses it at once. `stored`: the machine
    code is on disk or in memory. `missing`: it has to be compiled."""
    seconds: float
    """An upper bound of the CPU seconds for compiling or loading a user's function or game. For
    line games it is 0 unless the search has a limit of seconds."""


class Prepared(NamedTuple):
    """The result of `Accelerator.prepare`."""

    why_not: str = ""
    """The reason why the search cannot run as machine code; empty if it can."""
    code_seconds: float = 0.0
    """Seconds of compiling or loading a user's function or game."""
    algorithm_seconds: float = 0.0
    """Seconds of compiling the algorithm."""
    code: Any = None
    """The compiled game, if it is a user's."""


class Accelerator(Protocol):
    """What runs searches as machine code."""

    @property
    def is_loaded(self) -> bool:
        """Whether this process has run a search of a line game as machine code."""

    def refuses(self, request: SearchRequest) -> str:
        """Return the reason why it cannot run a search of a line game or a tree, without
        compiling; empty if it can. For a user-defined game `prepare` has it."""

    def readiness(self, request: SearchRequest) -> Readiness:
        """Return how much has to be done before it can run a search that it does not refuse."""

    def prepare(self, request: SearchRequest) -> Prepared:
        """Compile or load everything for a search. Raises HeuristicError if a user's function
        hangs."""

    def run(self, request: SearchRequest, walk: Walk, prepared: Prepared) -> float:
        """Run a search and return the value; write the other results to `walk`, also partial ones
        before an exception.

        Raises SearchStopped, KeyboardInterrupt, HeuristicError and an error of the game, and
        CannotCompile if a user's game cannot be run to its end.
        """

    def table(self, megabytes: float) -> Any:
        """Return an empty transposition table of the engine, for searches to share."""


def accelerator() -> Accelerator:
    """Return what runs searches as machine code."""
    try:
        module = load("plyscope_fast.searching.accelerator", "a compiled search", "fast")
    except MissingPackageError as error:  # missing, or broken
        return cast(Accelerator, _NoAccelerator(why_no_kernels() or str(error)))
    return cast(Accelerator, module.ACCELERATOR)


class _NoAccelerator:
    """What stands for the accelerator where its package cannot be imported; it runs nothing."""

    is_loaded = False

    def __init__(self, why_not: str) -> None:
        self.refuses = lambda request: why_not
        self.readiness = lambda request: Readiness("loaded", 0.0)
        self.prepare = lambda request: Prepared(why_not)

    def table(self, megabytes: float) -> Any:
        raise needs("a transposition table of the engine", "plyscope-fast", "fast")

"""The interface of solvers: `Ask`, a question, and `Solver`, an entry of the catalogue.

A solver takes an `Ask` and returns a `Verdict`, or None if it found none. It raises `Late` at the
deadline, and `SearchStopped` if it stops for another reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import KW_ONLY, dataclass, field, replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, TypedDict

from plyscope.errors import OptionError
from plyscope.extras import needs
from plyscope.rules.game import position_of
from plyscope.rules.position import Position
from plyscope.searching.limit import NO_LIMIT, Late, SearchStopped
from plyscope.solving.verdict import Verdict

if TYPE_CHECKING:
    from plyscope_fast.solving.running import KernelSolver


def ignore(message: str) -> None:
    """Ignore a message."""


class Cost(TypedDict):
    """The fields of a verdict that `Ask.cost` fills in: the question and its cost."""

    position: Position
    nodes: int
    seconds: float
    megabytes: float
    maker_breaker: bool


@dataclass
class Spent:
    """The cost of a question up to now, for all solvers together."""

    began: float = field(default_factory=perf_counter)
    compiling: float = 0.0
    """Seconds of compiling, which do not count as time of the question."""
    method: str = ""
    """The name of the last solver."""
    nodes: int = 0
    """Nodes of a search, or of jobs."""
    megabytes: float = 0.0
    used: dict[KernelSolver, int] = field(default_factory=dict)
    """The solvers used, and the number of nodes that each had visited before this question."""

    @property
    def seconds(self) -> float:
        """The seconds since the question began, without compiling."""
        return perf_counter() - self.began - self.compiling


@dataclass
class Stop:
    """The reason why a solver stopped early, None if it did not."""

    reason: str | None = None


@dataclass
class Ask:
    """A question to a solver: the value of `position`, within limits."""

    position: Position
    """The position to solve; a GamePosition or TreePosition for solvers of any game."""
    _: KW_ONLY
    seconds: float | None = None
    """The time limit, from the beginning of the question; None for no limit."""
    limit: int = NO_LIMIT
    """The node limit of each search."""
    nodes: int = NO_LIMIT
    """The node limit of a solver for the whole question."""
    is_fresh: bool = False
    """Whether solvers start with small empty tables, so that the answer does not depend on earlier
    questions."""
    with_moves: bool = True
    """Whether to find the value of every move too."""
    keep_interrupted: bool = False
    """Whether Ctrl-C returns the partial result; otherwise it raises KeyboardInterrupt."""
    report: Callable[[str], None] = ignore
    """A callback that receives a line of text about the progress."""
    maker_breaker: bool = False
    """Whether the game is Maker–Breaker: a line of O's does not end it."""
    megabytes: int | None = None
    """The size of the solver's table; None for the default."""
    checkpoint: Path | None = None
    """The file of the solver's table, or of the journal of jobs."""
    executor: Executor | None = None
    """The executor of jobs; None to solve in this process."""
    jobs: int = 1
    """The number of jobs at a time."""
    threads: int = 1
    """The number of threads, for solvers that can use several."""
    spent: Spent = field(default_factory=Spent)
    began: float = field(default_factory=perf_counter)
    nodes_before: int = 0

    @property
    def deadline(self) -> float | None:
        """The end of the time limit, a time of `perf_counter`."""
        if self.seconds is None:
            return None
        return self.spent.began + self.spent.compiling + self.seconds

    @property
    def options(self) -> set[str]:
        """The names of the options in use that only some solvers support."""
        asked = {
            "maker_breaker": self.maker_breaker,
            "megabytes": self.megabytes is not None,
            "checkpoint": self.checkpoint is not None,
            "jobs": self.executor is not None,
        }
        return {name for name, is_asked in asked.items() if is_asked}

    def left(self, solver: KernelSolver) -> int:
        """Return the nodes that a solver may still visit; raise SearchStopped if there are none."""
        left = self.nodes - (solver.nodes - self.spent.used.get(solver, solver.nodes))
        if left <= 0:
            raise SearchStopped("nodes")
        return left

    def about(self, position: Position, limit: int = NO_LIMIT) -> Ask:
        """Return the question about another position: with the same deadline, and no messages."""
        return replace(self, position=position, limit=limit, report=ignore)

    @contextmanager
    def until_stopped(self) -> Iterator[Stop]:
        """Catch the exceptions that stop a solver, and store the reason in the result.

        They are raised at the deadline, at the node limit, and on Ctrl-C with `keep_interrupted`.
        """
        stop = Stop()
        try:
            yield stop
        except Late:
            stop.reason = "seconds"
        except SearchStopped as error:
            stop.reason = error.reason
        except KeyboardInterrupt:
            if not self.keep_interrupted:
                raise
            stop.reason = "interrupted"

    def pause(self, count: int, interval: int, what: str) -> None:
        """Record that `count` items are done, and raise Late after the deadline.

        The solver calls this every `interval` items; every eighth call reports the count.
        """
        self.spent.nodes = count
        if count % (interval * 8) == 0:
            self.report(f"{count:,} {what}")
        if self.deadline is not None and perf_counter() >= self.deadline:
            raise Late

    def use(self, solver: KernelSolver) -> None:
        """Prepare a solver, and start to count its nodes and time."""
        self.spent.used.setdefault(solver, solver.nodes)
        if not solver.is_prepared:
            is_ready, began = solver.is_ready, perf_counter()
            solver.prepare()
            if not is_ready:
                self.spent.compiling += perf_counter() - began
        self.began, self.nodes_before = perf_counter(), solver.nodes

    def cost(self, solver: KernelSolver) -> Cost:
        """Return the fields of a verdict for the question and the cost of `solver`."""
        return Cost(
            position=self.position,
            nodes=solver.nodes - self.nodes_before,
            seconds=perf_counter() - self.began,
            megabytes=solver.megabytes,
            maker_breaker=self.maker_breaker,
        )

    def unsolved(self, reason: str | None) -> Verdict:
        """Return the verdict on a position that was not solved."""
        spent = self.spent
        used = spent.used.items()
        return Verdict(
            position=self.position,
            value=None,
            method=spent.method,
            proof="stopped before it was proved",
            nodes=spent.nodes + sum(solver.nodes - before for solver, before in used),
            seconds=spent.seconds,
            megabytes=spent.megabytes + sum(solver.megabytes for solver, _ in used),
            stopped=reason,
            maker_breaker=self.maker_breaker,
        )


@dataclass(frozen=True, kw_only=True)
class Solver:
    """An entry of the catalogue: a solver, and the positions that it accepts."""

    name: str
    summary: str
    why_not: Callable[[Position], str] = lambda position: ""
    """Return the kind of position that the solver expects if it does not accept this one, else
    ''."""
    solve: Callable[[Ask], Verdict | None]
    lacking: Callable[[], tuple[str, str]] = lambda: ("", "")
    """Return the packages that are missing, and the extra that installs them."""
    options: frozenset[str] = frozenset()
    """The names of `Ask.options` that it supports."""
    has_distances: bool = False
    """Whether the solver also finds distances and the values of all moves, with little more
    work."""
    is_quick: Callable[[Position], bool] = lambda position: False
    """Return whether the solver needs almost no time for a position and all later positions."""
    needs_lines: bool = True
    """Whether the solver accepts only line games."""

    def plays(self, position: Position) -> bool:
        """Return whether the solver accepts a position, and has the packages that it needs."""
        return not self._reason(position) and not self.lacking()[0]

    def _reason(self, position: Position) -> str:
        """Return `why_not` of a position, which may also be of a game that is no line game."""
        if self.needs_lines and not isinstance(position, Position):
            return "a position of a line game"
        return self.why_not(position)

    def require(self, position: Position, options: Iterable[str] = ()) -> None:
        """Raise OptionError for a position that it does not accept, and MissingPackageError.

        The error names the `options` that chose this solver, or else the solver.
        """
        if why := self._reason(position):
            game = position.game
            start = position_of(game, game.start())
            text = str(position) if self.plays(start) else game.name
            asked = " and ".join(sorted(options)) or f"method {self.name!r}"
            raise OptionError(f"{asked} on {text!r}; expected {why}")
        if (lacking := self.lacking())[0]:
            raise needs(f"method {self.name!r}", *lacking)

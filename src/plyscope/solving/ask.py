"""What a solver is asked, and what a solver is.

An `Ask` goes to a solver and a `Verdict` comes back, or None where it found none. At the deadline a
solver raises `Late`, for other reasons to stop `SearchStopped`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import KW_ONLY, dataclass, field, replace
from pathlib import Path
from time import perf_counter
from typing import TypedDict

from plyscope.errors import OptionError
from plyscope.machine.run import Late
from plyscope.rules.game import position_of
from plyscope.rules.position import Position
from plyscope.searching.limit import NO_LIMIT, SearchStopped
from plyscope.solving.running import KernelSolver
from plyscope.solving.verdict import Verdict


def tell_nobody(message: str) -> None:
    """Take no notice of a message."""


class Cost(TypedDict):
    """What every verdict says of the question and its cost."""

    position: Position
    nodes: int
    seconds: float
    megabytes: float
    maker_breaker: bool


@dataclass
class Spent:
    """What a question has cost so far, whichever solvers were asked."""

    began: float = field(default_factory=perf_counter)
    compiling: float = 0.0
    """Seconds of compiling, this once, which are no part of the time."""
    method: str = ""
    """The solver that was asked last."""
    nodes: int = 0
    """Nodes of a search, or of jobs."""
    megabytes: float = 0.0
    used: dict[KernelSolver, int] = field(default_factory=dict)
    """The solvers that were used, and the nodes that each had visited for earlier questions."""

    @property
    def seconds(self) -> float:
        """The seconds since the question was asked."""
        return perf_counter() - self.began - self.compiling


@dataclass
class Stop:
    """What ended a solver before it had found all, None where nothing did."""

    reason: str | None = None


@dataclass
class Ask:
    """A question to a solver: what is `position` worth, and within which limits?"""

    position: Position
    """A GamePosition or TreePosition for solvers of any game."""
    _: KW_ONLY
    seconds: float | None = None
    """From when the question was asked; None for no limit."""
    limit: int = NO_LIMIT
    """Nodes that each search may visit."""
    nodes: int = NO_LIMIT
    """Nodes that a solver may visit for the whole question."""
    is_fresh: bool = False
    """Whether solvers begin with small empty tables, so that earlier questions do not change the
    answer."""
    with_moves: bool = True
    """Whether the value of every move is wanted."""
    keep_interrupted: bool = False
    """Whether Ctrl-C ends the question with what is known, and is not raised."""
    tell: Callable[[str], None] = tell_nobody
    """Called with what is being done."""
    maker_breaker: bool = False
    """Whether the game is Maker–Breaker: a line of O's ends nothing."""
    megabytes: int | None = None
    """The size of the solver's table; None for the usual one."""
    checkpoint: Path | None = None
    """The file in which the solver's table lies, or the answers of jobs."""
    executor: Executor | None = None
    """Who does the jobs; None for a solve in this process."""
    jobs: int = 1
    """Jobs at a time."""
    spent: Spent = field(default_factory=Spent)
    began: float = field(default_factory=perf_counter)
    nodes_before: int = 0

    @property
    def deadline(self) -> float | None:
        """When the time is over, by `perf_counter`."""
        if self.seconds is None:
            return None
        return self.spent.began + self.spent.compiling + self.seconds

    @property
    def options(self) -> set[str]:
        """What is asked for that not every solver has."""
        asked = {
            "maker_breaker": self.maker_breaker,
            "megabytes": self.megabytes is not None,
            "checkpoint": self.checkpoint is not None,
            "jobs": self.executor is not None,
        }
        return {name for name, is_asked in asked.items() if is_asked}

    def left(self, solver: KernelSolver) -> int:
        """Return the nodes that a solver may still visit. Raises SearchStopped where there are
        none."""
        left = self.nodes - (solver.nodes - self.spent.used.get(solver, solver.nodes))
        if left <= 0:
            raise SearchStopped("nodes")
        return left

    def about(self, position: Position, limit: int = NO_LIMIT) -> Ask:
        """Return the question about another position, quietly, in what is left of the time."""
        return replace(self, position=position, limit=limit, tell=tell_nobody)

    @contextmanager
    def until_stopped(self) -> Iterator[Stop]:
        """Catch what stops a solver within, and keep the reason.

        That is the deadline, the last of the nodes, and Ctrl-C with `keep_interrupted`.
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

    def pause(self, count: int, look: int, what: str) -> None:
        """Note that `count` pieces of work are done, and tell so at every eighth `look`; raise Late
        after the deadline."""
        self.spent.nodes = count
        if count % (look * 8) == 0:
            self.tell(f"{count:,} {what}")
        if self.deadline is not None and perf_counter() >= self.deadline:
            raise Late

    def use(self, solver: KernelSolver) -> None:
        """Make a solver ready, and count its nodes and its time from here."""
        self.spent.used.setdefault(solver, solver.nodes)
        if not solver.is_prepared:
            is_ready, began = solver.is_ready, perf_counter()
            if not is_ready:
                self.tell("compiling the solver, this once")
            solver.prepare()
            if not is_ready:
                self.spent.compiling += perf_counter() - began
        self.began, self.nodes_before = perf_counter(), solver.nodes

    def cost(self, solver: KernelSolver) -> Cost:
        """Return what a verdict says of the question and its cost."""
        return Cost(
            position=self.position,
            nodes=solver.nodes - self.nodes_before,
            seconds=perf_counter() - self.began,
            megabytes=solver.megabytes,
            maker_breaker=self.maker_breaker,
        )

    def unsolved(self, reason: str | None) -> Verdict:
        """Return the verdict where the value was not found."""
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
    """An entry of the catalogue: who is asked, and about which positions."""

    name: str
    summary: str
    why_not: Callable[[Position], str] = lambda position: ""
    """Says what it expects of a position that it does not play; empty for one that it does."""
    solve: Callable[[Ask], Verdict | None]
    options: frozenset[str] = frozenset()
    """What it heeds of `Ask.options`."""
    has_distances: bool = False
    """Whether it finds how long wins take, and the value of every move with no more work."""
    is_quick: Callable[[Position], bool] = lambda position: False
    """Whether it has the value of a position, and of all that follow, at once."""
    needs_lines: bool = True
    """Whether it plays line games alone; any other is asked about any game."""

    def plays(self, position: Position) -> bool:
        """Return whether it can be asked about a position."""
        return not self._reason(position)

    def _reason(self, position: Position) -> str:
        """Return what it expects of a position that it does not play."""
        if self.needs_lines and not isinstance(position, Position):
            return "a position of a line game"
        return self.why_not(position)

    def require(self, position: Position) -> None:
        """Raise OptionError for a position that it does not play."""
        if why := self._reason(position):
            game = position.game
            start = position_of(game, game.start())
            text = str(position) if self.plays(start) else game.name
            raise OptionError(f"method {self.name!r} on {text!r}; expected {why}")

"""Runs compiled searches: lays the board out, waits for the kernel beside it, and takes over what
it found."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable
from functools import cached_property, partial
from importlib import import_module
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

from plyscope.errors import HeuristicError
from plyscope.evaluation.function import FunctionHeuristic
from plyscope.machine.kernel import CannotCompile, Kernel, native
from plyscope.machine.run import Beside, Late, Left
from plyscope.rules.linegame import LineGame, Position
from plyscope.searching.compiled import layout
from plyscope.searching.compiled.layout import CompiledBoard
from plyscope.searching.limit import NO_LIMIT, SearchStopped
from plyscope.searching.timeout import LONGEST, no_answer, time_limited
from plyscope.searching.walk import Counts, Walk

if TYPE_CHECKING:
    from plyscope.searching.algorithms import Algorithm

__all__ = [
    "Runner",
    "Twin",
    "compile_heuristic",
    "entries",
    "is_ready",
    "native_heuristic",
    "prepare",
    "run",
]

Board = TypeVar("Board", bound=CompiledBoard)
LONGEST_TRIAL, TRIAL_PART = 0.5, 0.25
TRIALS = 500
"""Positions on which the native form of a heuristic has to answer as Python does, the seconds for
that at the most, and the part of the search's."""


class Twin(Protocol):
    """The contract of a compiled form: a module of this folder that has these two."""

    @property
    def ENTRIES(self) -> tuple[Callable[..., Any], ...]:
        """The kernels that `search` calls."""

    def search(self, walk: Walk, runner: Runner) -> float:
        """Search as `walk` asks, by the runner's calls, and return the value."""


def twin_of(algorithm: Algorithm) -> Twin:
    """Return the compiled form of an algorithm."""
    return cast(Twin, import_module(f"plyscope.searching.compiled.{algorithm.compiled}"))


def entries(algorithm: Algorithm) -> tuple[Kernel, ...]:
    """Return the kernels that the algorithm calls: those of minimax are negamax's too."""
    return cast(tuple[Kernel, ...], twin_of(algorithm).ENTRIES)


def is_ready(algorithm: Algorithm) -> bool:
    """Return whether all that the algorithm runs is compiled."""
    return all(kernel.is_ready for kernel in entries(algorithm))


def prepare(algorithm: Algorithm) -> float:
    """Compile what the algorithm runs, or load it, and return the seconds of compiling, which do
    not come off the time of the search."""
    began, was_ready = perf_counter(), is_ready(algorithm)
    for kernel in entries(algorithm):
        kernel.prepare()
    return 0.0 if was_ready else perf_counter() - began


def run(algorithm: Algorithm, walk: Walk) -> float:
    """Search as `walk` asks and return the value, what was found in the walk; raise SearchStopped,
    KeyboardInterrupt or HeuristicError with what was found so far."""
    return twin_of(algorithm).search(walk, Runner(walk))


class Runner:
    """Calls kernels on the board of one walk, beside the interpreter: they look at their stop flag
    at every node."""

    def __init__(self, walk: Walk) -> None:
        self.walk = walk
        self.nodes_before = walk.nodes
        self.is_left = False
        """Whether a kernel that was told to stop still runs, so that the memory that it extends is
        not to be read."""
        self._beside = Beside(lambda: self.board.stop())
        self._asked = (0, perf_counter())

    @cached_property
    def board(self) -> CompiledBoard:
        """The board that kernels are called with."""
        return self.new_board(CompiledBoard)

    @cached_property
    def native(self) -> Any:
        """The native form of a heuristic that is a Python function, None for any other."""
        heuristic, game = self.walk.heuristic, self.walk.root.position.game
        if not isinstance(heuristic, FunctionHeuristic):
            return None
        return native_heuristic(heuristic, game)

    def new_board(self, kind: type[Board]) -> Board:
        """Return a board of this `kind` for the walk."""
        walk, limit = self.walk, self.walk.limit
        budget = NO_LIMIT if limit.nodes is None else limit.nodes - self.nodes_before
        function = 0 if self.native is None else self.native.address
        position, conventions = walk.root.position, walk.conventions
        return kind(position, walk.heuristic, conventions, walk.depth, budget, function)

    def call(self, kernel: Callable[..., Any], *arguments: Any) -> Any:
        """Return `kernel(base, *arguments)`, and take over into the walk what it counted and found.
        What has an address is passed by it, and lives as long as the kernel runs."""
        self._asked = (-1, perf_counter())
        found, is_late = 0, False
        try:
            try:
                found = self._beside.run(
                    partial(self._ask, kernel, arguments), self.walk.deadline, self._glance
                )
            except Late as late:
                is_late, self.is_left = True, isinstance(late, Left)
            except BaseException:
                self.is_left = not self._beside.end(0.0)
                raise
        finally:
            try:
                self._take_over()
            except KeyboardInterrupt:
                self._take_over()
                raise
        stop = self.board[layout.STOP]
        if stop == layout.HEURISTIC_FAILED:
            raise self._failure(self.board[layout.FAILED_MINE], self.board[layout.FAILED_THEIRS])
        if self.is_left and self.board[layout.IS_ASKING]:
            raise self._failure(
                self.board[layout.MINE], self.board[layout.THEIRS], perf_counter() - self._asked[1]
            )
        if stop or is_late:
            raise SearchStopped(
                {layout.NODES_SPENT: "nodes", layout.MEMORY_SPENT: "memory"}.get(stop, "seconds")
            )
        return found

    def _ask(self, kernel: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        return kernel(self.board.base, *map(_address, arguments))

    def _glance(self) -> None:
        """Raise HeuristicError where a heuristic has not answered for long."""
        now, calls = perf_counter(), self.board[layout.CALLS]
        if calls != self._asked[0] or not self.board[layout.IS_ASKING]:
            self._asked = (calls, now)
        elif now - self._asked[1] > LONGEST:
            raise self._failure(
                self.board[layout.MINE], self.board[layout.THEIRS], now - self._asked[1]
            )

    def _failure(self, mine: int, theirs: int, seconds: float | None = None) -> HeuristicError:
        """Return what to say of a heuristic that failed, or has been at it for some `seconds`, on
        the board of these stones."""
        root: Position = self.walk.root.position
        stones = [mine % (1 << 64), theirs % (1 << 64)]
        position = root.game.position(*(reversed(stones) if root.side else stones))
        if seconds is not None:
            return no_answer(self.walk.heuristic.name, position, seconds)
        try:
            self.walk.heuristic.evaluate(position, root.side)
        except HeuristicError as error:
            return error
        return HeuristicError(
            f"heuristic {self.walk.heuristic.name!r} fails compiled on '{position}'; expected a whole number"
        )

    def _take_over(self) -> None:
        """Write into the walk what the kernel has counted and found."""
        walk, board = self.walk, self.board
        walk.nodes = self.nodes_before + board[layout.NODES]
        walk.researches, walk.table_hits = board[layout.RESEARCHES], board[layout.HITS]
        walk.horizon_leaves, walk.deepest = board[layout.HORIZON], board[layout.DEEPEST]
        walk.pv = board.line()
        walk.below = {}
        for cell in walk.game.moves(walk.root.position):
            if board.root(cell, layout.ROOT_SEARCHED):
                score = board.root(cell, layout.ROOT_VALUE)
                walk.values[cell] = (
                    score,
                    walk.proves(
                        score,
                        board.root(cell, layout.ROOT_ALPHA),
                        board.root(cell, layout.ROOT_BETA),
                    ),
                )
            counts = Counts()
            counts.nodes, counts.leaves = (
                board.root(cell, layout.ROOT_NODES),
                board.root(cell, layout.ROOT_LEAVES),
            )
            counts.cutoffs = board.root(cell, layout.ROOT_CUTOFFS)
            if counts.nodes > 0:
                walk.below[cell] = counts
        walk.at_root.nodes = board[layout.NODES] - sum(
            counts.nodes for counts in walk.below.values()
        )
        walk.at_root.leaves = board[layout.LEAVES] - sum(
            counts.leaves for counts in walk.below.values()
        )
        walk.at_root.cutoffs = board[layout.CUTOFFS] - sum(
            counts.cutoffs for counts in walk.below.values()
        )
        spans = [
            (board.ply(ply, layout.LEAST_WIDTH), board.ply(ply, layout.GREATEST_WIDTH))
            for ply in range(board.plies)
        ]
        while spans and spans[-1][1] < 0:
            spans.pop()
        walk.widths = [{least, greatest} if greatest >= 0 else set() for least, greatest in spans]
        for ply in range(board.plies):
            if board.ply(ply, layout.LEAVES_AT):
                walk.leaf_plies.add(ply)


def compile_heuristic(heuristic: FunctionHeuristic, game: LineGame) -> Any:
    """Return the native form of `heuristic` on `game`, not tried yet; raise CannotCompile with the
    reason in one line."""
    if game.size > 64:
        raise CannotCompile(f"{game.name!r} has more than 64 cells")
    if (heuristic, game) not in _compiled:
        _compiled[heuristic, game] = native(heuristic.function, game.masks)
    return _compiled[heuristic, game]


def _address(argument: Any) -> int:
    """Return a number, or where what it stands for lies."""
    if isinstance(argument, array):
        return argument.buffer_info()[0]
    found: int = getattr(argument, "address", argument)
    return found


def native_heuristic(
    heuristic: FunctionHeuristic, game: LineGame, seconds: float | None = None
) -> Any:
    """Return the native form of `heuristic` on `game`, which has an `address`; raise CannotCompile
    with the reason in one line.

    Whole numbers have 64 bits there and no limit in Python, so it has to give Python's answers on
    positions of random games first, for which there is a part of the `seconds` of the search.
    Raises HeuristicError when the function does not come back.
    """
    form = compile_heuristic(heuristic, game)
    if (heuristic, game) not in _tried:
        _try(form, heuristic, game, seconds)
        _tried.add((heuristic, game))
    return form


_compiled: dict[tuple[FunctionHeuristic, LineGame], Any] = {}
_tried: set[tuple[FunctionHeuristic, LineGame]] = set()


def _try(form: Any, heuristic: FunctionHeuristic, game: LineGame, seconds: float | None) -> None:
    """Raise CannotCompile where the native form does not answer as Python does."""
    answer = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_uint64, ctypes.c_uint64)(form.address)
    draw, position, began = Random(1), game.start(), perf_counter()
    deadline = began + (
        LONGEST_TRIAL if seconds is None else min(LONGEST_TRIAL, TRIAL_PART * seconds)
    )
    with time_limited(heuristic, None if seconds is None else began + seconds) as asked:
        for number in range(TRIALS):
            side = number & 1
            try:
                expected = asked.evaluate(position, side)
            except (HeuristicError, SearchStopped):
                return  # the search will say so, if it comes to such a position
            found = answer(position.stones(side), position.stones(1 - side))
            if found != expected:
                raise CannotCompile(
                    f"compiled it answers {found} on '{position}' and not {expected}"
                )
            if perf_counter() > deadline:
                return
            position = (
                game.start() if position.is_over else position.play(draw.choice(position.moves))
            )

"""Runs compiled searches: lays the board out, waits for the kernel beside it, and takes over what it found."""

from __future__ import annotations

import ctypes
from _thread import LockType, allocate_lock, start_new_thread
from collections.abc import Callable
from importlib import import_module
from random import Random
from time import perf_counter
from typing import Any

from plyscope._jit import CannotCompile, Kernel, native
from plyscope.errors import HeuristicError
from plyscope.evaluation.function import FunctionHeuristic
from plyscope.rules.linegame import LineGame, Position
from plyscope.searching.compiled import layout
from plyscope.searching.compiled.layout import CompiledBoard
from plyscope.searching.limit import NO_LIMIT, SearchStopped
from plyscope.searching.patience import GRACE, PATIENCE, no_answer, patient
from plyscope.searching.walk import Counts, Walk

__all__ = ["Runner", "entries", "is_ready", "native_heuristic", "prepare", "run"]

GLANCE = 0.02
"""Seconds between two looks for Ctrl-C."""
LONGEST_TRIAL = 0.5
TRIALS = 500
"""Positions, and seconds at most, on which the native form of a heuristic has to answer as Python does."""


def is_ready(algorithm: str) -> bool:
    """Return whether all that the algorithm runs is compiled."""
    return all(kernel.is_ready for kernel in entries(algorithm))


def prepare(algorithm: str) -> None:
    """Compile what the algorithm runs, or load it, so that it does not come off the time of the search."""
    for kernel in entries(algorithm):
        kernel.prepare()


def entries(algorithm: str) -> tuple[Kernel, ...]:
    """Return the kernels that the algorithm calls: those of minimax are negamax's too."""
    found: tuple[Kernel, ...] = _twin(algorithm).ENTRIES
    return found


def _twin(algorithm: str) -> Any:
    return import_module(f"plyscope.searching.compiled.{algorithm.replace('-', '_')}")


def run(algorithm: str, walk: Walk) -> float:
    """Search as `walk` asks and return the value, what was found in the walk; raise SearchStopped, KeyboardInterrupt or HeuristicError with
    what was found so far."""
    twin = _twin(algorithm)
    value: float = twin.search(walk, Runner(walk, getattr(twin, "BOARD", CompiledBoard)))
    return value


class Runner:
    """Calls kernels on the board of one walk. They run in a thread of their own, so that the deadline and Ctrl-C reach them: they look at
    their stop flag at every node. The thread is a bare one, which starts in half the time: searches may be over in microseconds."""

    def __init__(self, walk: Walk, form: type[CompiledBoard] = CompiledBoard) -> None:
        position, heuristic, limit = walk.root.position, walk.heuristic, walk.limit
        assert isinstance(position, Position)
        budget = NO_LIMIT if limit.nodes is None else limit.nodes - walk.nodes
        self.native = native_heuristic(heuristic, position.game) if isinstance(heuristic, FunctionHeuristic) else None
        function = 0 if self.native is None else self.native.address

        def new_board() -> CompiledBoard:
            return form(position, heuristic, walk.conventions, walk.depth, budget, function)

        self.board = walk.memory["board"] if "board" in (walk.memory or ()) else new_board()
        self.another_board = new_board
        self.walk = walk
        self.nodes_before = walk.nodes

    def call(self, kernel: Callable[..., Any], *arguments: Any) -> Any:
        """Return `kernel(base, *arguments)`, and take over into the walk what it counted and found."""
        found: list[Any] = []
        raised: list[BaseException] = []

        def call() -> None:
            try:
                found.append(kernel(self.board.base, *arguments))
            except BaseException as error:
                raised.append(error)
            finally:
                running.release()

        running = allocate_lock()
        running.acquire()
        start_new_thread(call, ())
        try:
            self._wait(running)
        except KeyboardInterrupt:
            self.board.stop()
            running.acquire(timeout=GRACE)
            self._take_over()
            raise
        self._take_over()
        if raised:
            raise raised[0]
        stop = self.board[layout.STOP]
        if stop == layout.HEURISTIC_FAILED:
            raise self._failure(self.board[layout.FAILED_MINE], self.board[layout.FAILED_THEIRS])
        if stop:
            raise SearchStopped({layout.NODES_SPENT: "nodes", layout.MEMORY_SPENT: "memory"}.get(stop, "seconds"))
        return found[0]

    def _wait(self, running: LockType) -> None:
        """Wait for the kernel, which releases `running`; ask it to stop at the deadline, and leave it when a heuristic does not let it."""
        deadline, calls, since = self.walk.deadline, 0, perf_counter()
        while True:
            now = perf_counter()
            left = GLANCE if deadline is None else deadline - now
            if left <= 0:
                self.board.stop()
            if running.acquire(timeout=min(GLANCE, left) if left > 0 else GRACE):
                return
            if self.board[layout.CALLS] != calls or not self.board[layout.IS_ASKING]:
                calls, since = self.board[layout.CALLS], now
            elif now - since > PATIENCE or left <= 0:
                raise self._failure(self.board[layout.MINE], self.board[layout.THEIRS], perf_counter() - since)

    def _failure(self, mine: int, theirs: int, seconds: float | None = None) -> HeuristicError:
        """Return what to say of a heuristic that failed, or has been at it for some `seconds`, on the board of these stones."""
        root: Position = self.walk.root.position
        stones = [mine % (1 << 64), theirs % (1 << 64)]
        position = root.game.position(*(reversed(stones) if root.side else stones))
        if seconds is not None:
            return no_answer(self.walk.heuristic.name, position, seconds)
        try:
            self.walk.heuristic.evaluate(position, root.side)
        except HeuristicError as error:
            return error
        return HeuristicError(f"heuristic {self.walk.heuristic.name!r} fails compiled on '{position}'; expected a whole number")

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
                walk.values[cell] = (score, walk.proves(score, board.root(cell, layout.ROOT_ALPHA), board.root(cell, layout.ROOT_BETA)))
            counts = Counts()
            counts.nodes, counts.leaves = board.root(cell, layout.ROOT_NODES), board.root(cell, layout.ROOT_LEAVES)
            counts.cutoffs = board.root(cell, layout.ROOT_CUTOFFS)
            if counts.nodes > 0:
                walk.below[cell] = counts
        walk.at_root.nodes = board[layout.NODES] - sum(counts.nodes for counts in walk.below.values())
        walk.at_root.leaves = board[layout.LEAVES] - sum(counts.leaves for counts in walk.below.values())
        walk.at_root.cutoffs = board[layout.CUTOFFS] - sum(counts.cutoffs for counts in walk.below.values())
        spans = [(board.ply(ply, layout.LEAST_WIDTH), board.ply(ply, layout.GREATEST_WIDTH)) for ply in range(board.plies)]
        while spans and spans[-1][1] < 0:
            spans.pop()
        walk.widths = [{least, greatest} if greatest >= 0 else set() for least, greatest in spans]
        for ply in range(board.plies):
            if board.ply(ply, layout.LEAVES_AT):
                walk.leaf_plies.add(ply)


def native_heuristic(heuristic: FunctionHeuristic, game: LineGame, seconds: float | None = None) -> Any:
    """Return the native form of `heuristic` on `game`, which has an `address`; raise CannotCompile with the reason in one line.

    Whole numbers have 64 bits there and no limit in Python, so it has to give Python's answers on positions of random games first, within
    the `seconds` of the search. Raises HeuristicError when the function does not come back.
    """
    if game.size > 64:
        raise CannotCompile(f"{game.name!r} has more than 64 cells")
    if (heuristic, game) not in _forms:
        form = native(heuristic.function, game.masks)
        _try(form, heuristic, game, LONGEST_TRIAL if seconds is None else min(LONGEST_TRIAL, seconds))
        _forms[heuristic, game] = form
    return _forms[heuristic, game]


_forms: dict[tuple[FunctionHeuristic, LineGame], Any] = {}


def _try(form: Any, heuristic: FunctionHeuristic, game: LineGame, seconds: float) -> None:
    """Raise CannotCompile where the native form does not answer as Python does."""
    answer = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_uint64, ctypes.c_uint64)(form.address)
    draw, position, deadline = Random(1), game.start(), perf_counter() + seconds
    with patient(heuristic, deadline) as asked:
        for number in range(TRIALS):
            side = number & 1
            try:
                expected = asked.evaluate(position, side)
            except HeuristicError:
                return  # the search will say so, if it comes to such a position
            found = answer(position.stones(side), position.stones(1 - side))
            if found != expected:
                raise CannotCompile(f"compiled it answers {found} on '{position}' and not {expected}")
            if perf_counter() > deadline:
                return
            position = game.start() if position.is_over else position.play(draw.choice(position.moves))

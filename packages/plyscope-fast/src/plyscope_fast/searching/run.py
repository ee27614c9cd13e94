"""Runs compiled searches: calls kernels in a thread and copies their results into the walk."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property, partial
from importlib import import_module
from random import Random
from time import perf_counter
from types import MethodType
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

from plyscope.errors import HeuristicError
from plyscope.evaluation.function import FunctionHeuristic
from plyscope.evaluation.signatures import (
    EMPTY,
    MARKS,
    NO_CELL,
    OF_BITBOARDS,
    OF_COUNTS,
    OF_PLAYER,
    OF_PLAYERS,
    OF_POSITION,
    Signature,
)
from plyscope.identity import Identity, digest_of
from plyscope.owntime import OwnTime
from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position
from plyscope.searching.accelerator import CannotCompile
from plyscope.searching.limit import NO_LIMIT, Late, SearchStopped
from plyscope.searching.timeout import CALL_SECONDS, GRACE_SECONDS, no_answer, time_limited
from plyscope.searching.walk import Walk
from plyscope_fast.machine.block import Words
from plyscope_fast.machine.compiling import compiles
from plyscope_fast.machine.kernel import NO_ANSWER, BoardRows, Kernel, compile_alone, load_function
from plyscope_fast.machine.store import has_function
from plyscope_fast.machine.threads import Abandoned, ThreadRunner
from plyscope_fast.searching.layout import (
    HEURISTIC_FAILED,
    MEMORY_SPENT,
    NODES_SPENT,
    CompiledBoard,
)
from plyscope_fast.searching.results import take_over

if TYPE_CHECKING:
    from plyscope.searching.algorithm import Algorithm

Board = TypeVar("Board", bound=CompiledBoard)
MAX_FUNCTION_CELLS = 64
"""The most cells of a board for which functions are compiled."""
TRIAL_SECONDS, TRIAL_SHARE = 0.5, 0.25
TRIAL_POSITIONS = 500
"""Limits of the test whether a heuristic's native form returns the same values as Python: seconds,
the fraction of the search's seconds, and positions."""


class CompiledForm(Protocol):
    """The interface of a compiled form: a module of this folder that defines `entries` and
    `search`, or an entry in the `TEXTS` of such a module."""

    @property
    def ENTRIES(self) -> tuple[Callable[..., Any], ...]:
        """The kernels that `search` calls."""

    def search(self, walk: Walk, runner: Runner) -> float:
        """Run the search of `walk` by calls of the runner, and return the value."""


def compiled_form_of(algorithm: Algorithm) -> CompiledForm:
    """Return the compiled form of an algorithm."""
    module = import_module(f"plyscope_fast.searching.{algorithm.compiled}")
    return cast(CompiledForm, getattr(module, "TEXTS", {}).get(algorithm.name, module))


def entries(algorithm: Algorithm) -> tuple[Kernel, ...]:
    """Return the kernels that the algorithm calls, () if it has no compiled form."""
    if algorithm.compiled is None:
        return ()
    return cast(tuple[Kernel, ...], compiled_form_of(algorithm).ENTRIES)


def is_ready(algorithm: Algorithm) -> bool:
    """Return whether all kernels of the algorithm are compiled."""
    return all(kernel.is_ready for kernel in entries(algorithm))


def prepare(algorithm: Algorithm) -> float:
    """Load or compile the kernels of the algorithm. Return the seconds if some kernel had to be
    compiled, else 0; they do not count against the time of the search."""
    began, was_ready = perf_counter(), is_ready(algorithm)
    for kernel in entries(algorithm):
        kernel.prepare()
    return 0.0 if was_ready else perf_counter() - began


def run(algorithm: Algorithm, walk: Walk) -> float:
    """Run the search and return the value; write the other results to `walk`, also partial ones
    before an exception. Raises SearchStopped, KeyboardInterrupt or HeuristicError."""
    return compiled_form_of(algorithm).search(walk, Runner(walk))


class Runner:
    """Calls kernels on the board of one walk, in another thread. Kernels check their stop flag at
    every node."""

    def __init__(self, walk: Walk) -> None:
        self.walk = walk
        self.nodes_before = walk.nodes
        self.is_abandoned = False
        """Whether a kernel still runs after the request to stop. If so, memory that the kernel may
        reallocate must not be read."""
        self._thread_runner = ThreadRunner(lambda: self.board.stop())
        self._asked: tuple[int, OwnTime | None] = (-1, None)
        """The number of the heuristic's current call, and a stopwatch that was started when the
        call was first noticed."""

    @cached_property
    def board(self) -> CompiledBoard:
        """The board that is passed to the kernels."""
        return self.new_board(CompiledBoard)

    @cached_property
    def native(self) -> Any:
        """The native form of a heuristic that is a Python function, None for any other."""
        heuristic, game = self.walk.heuristic, self.walk.root.position.game
        if not isinstance(heuristic, FunctionHeuristic):
            return None
        return native_heuristic(heuristic, game, self.walk.root_side)

    def new_board(self, kind: type[Board]) -> Board:
        """Return a board of this `kind` for the walk."""
        walk, limit = self.walk, self.walk.limit
        budget = NO_LIMIT if limit.nodes is None else limit.nodes - self.nodes_before
        function = 0 if self.native is None else self.native.address
        position, conventions = walk.root.position, walk.conventions
        return kind(position, walk.heuristic, conventions, walk.depth, budget, function)

    def call(self, kernel: Callable[..., Any], *arguments: Any) -> Any:
        """Return `kernel(board, *arguments)`, and copy its counts and results into the walk."""
        self._asked = (-1, None)
        found, is_late = 0, False
        try:
            try:
                found = self._thread_runner.run(
                    partial(self._ask, kernel, arguments), self.walk.deadline, self._check_call
                )
            except Late as late:
                is_late, self.is_abandoned = True, isinstance(late, Abandoned)
            except BaseException:
                self.is_abandoned = not self._thread_runner.end(0.0)
                raise
        finally:
            try:
                self._take_over()
            except KeyboardInterrupt:
                self._take_over()
                raise
        board, stopped = self.board, self.board.stopped
        if stopped == HEURISTIC_FAILED:
            raise self._failure(board.failed)
        if self.is_abandoned and board.is_asking and self._seconds_of_answer() > GRACE_SECONDS:
            raise self._failure(board.stones, self._seconds_of_answer())
        if stopped or is_late:
            reasons = {NODES_SPENT: "nodes", MEMORY_SPENT: "memory"}
            raise SearchStopped(reasons.get(stopped, "seconds"))
        return found

    def _ask(self, kernel: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        return kernel(self.board, *arguments)

    def _check_call(self) -> None:
        """Raise HeuristicError if a call of the heuristic has exceeded CALL_SECONDS."""
        board = self.board
        if board.calls != self._asked[0] or not board.is_asking:
            self._asked = (board.calls, self._thread_runner.own_time())
        elif (seconds := self._seconds_of_answer()) > CALL_SECONDS:
            raise self._failure(board.stones, seconds)

    def _seconds_of_answer(self) -> float:
        """Return the own time of the heuristic's current call since `_check_call` first noticed the
        call."""
        calls, spent = self._asked
        return spent.seconds() if spent is not None and calls == self.board.calls else 0.0

    def _failure(self, stones: Words, seconds: float | None = None) -> HeuristicError:
        """Return the error for a heuristic that failed on the board with these stones, or that has
        taken `seconds` there without an answer."""
        root: Position = self.walk.root.position
        sides = [stones[side] % (1 << 64) for side in (root.side, 1 - root.side)]
        position = root.game.position(*sides)
        if seconds is not None:
            return no_answer(self.walk.heuristic.name, position, seconds)
        try:
            self.walk.heuristic.evaluate(position, root.side)
        except HeuristicError as error:
            return error
        name = self.walk.heuristic.name
        return HeuristicError(
            f"heuristic {name!r} fails compiled on '{position}'; expected a whole number"
        )

    def _take_over(self) -> None:
        """Copy the counts and results of the kernel into the walk."""
        walk, board = self.walk, self.board
        board.settle()
        rows = board.rows("root_moves", board.cells)
        roots = {cell: rows[cell] for cell in walk.game.moves(walk.root.position)}
        take_over(walk, board, self.nodes_before, roots, board.rows("plies", board.ply_count))
        walk.pv = board.variation()
        walk.alternates = walk.root.position.game.alternates or all(
            board.movers[ply] == ply & 1 for ply in range(len(walk.widths))
        )


def compile_heuristic(heuristic: FunctionHeuristic, game: LineGame, side: int) -> Any:
    """Return the native form of `heuristic` on `game` for `side`, not yet compared with Python;
    raise CannotCompile with the reason in one line if there is none."""
    return _form(heuristic, game, side)[1]


def is_compiled(heuristic: FunctionHeuristic, game: LineGame, side: int) -> bool:
    """Return whether nothing has to be compiled for `heuristic`: the native form is in memory or on
    disk, or is known to be impossible."""
    try:
        digest = _digest(heuristic, game, side)
    except CannotCompile:
        return True
    return digest in _compiled or has_function(digest)


def native_heuristic(
    heuristic: FunctionHeuristic, game: LineGame, side: int, seconds: float | None = None
) -> Any:
    """Return the native form of `heuristic` on `game` for `side`, which has an `address`; raise
    CannotCompile with the reason in one line if there is none.

    Machine code limits whole numbers to 64 bits; Python does not. So the native form must first
    return the same values as Python on positions of random games. This test takes at most
    TRIAL_SHARE of the `seconds` of the search. Raises HeuristicError if the function hangs.
    """
    digest, form = _form(heuristic, game, side)
    if digest not in _tested:
        try:
            _try(form, heuristic, game, side, seconds)
        except CannotCompile:
            if not hasattr(form, "called"):  # compiled in this process, not read
                raise
            form = _compiled[digest] = _made(heuristic, game, side, digest)
            _try(form, heuristic, game, side, seconds)
        _tested.add(digest)
    return form


_compiled: dict[str, Any] = {}
"""The native forms, or the CannotCompile that says why there is none, by `_digest`."""
_tested: set[str] = set()
"""The digests of the native forms that passed the test."""


def _form(heuristic: FunctionHeuristic, game: LineGame, side: int) -> tuple[str, Any]:
    """Return the digest of the heuristic as it is now, and its native form; raise CannotCompile."""
    digest = _digest(heuristic, game, side)
    if digest not in _compiled:
        try:
            _compiled[digest] = load_function(digest) or _made(heuristic, game, side, digest)
        except CannotCompile as reason:
            if _digest(heuristic, game, side) == digest:  # else it was changed meanwhile
                _compiled[digest] = reason
            raise
    if isinstance(found := _compiled[digest], CannotCompile):
        raise found
    return digest, found


def _digest(heuristic: FunctionHeuristic, game: LineGame, side: int) -> str:
    """Return the digest of the heuristic as it is now and of its arguments, which names the native
    form in memory and on disk; raise CannotCompile if there is none for such functions."""
    if game.size > MAX_FUNCTION_CELLS:
        raise CannotCompile(f"{game.name!r} has more than {MAX_FUNCTION_CELLS} cells")
    if not hasattr(heuristic.function, "__code__"):
        kind = type(heuristic.function).__name__
        raise CannotCompile(f"{kind!r} is an object that can be called; expected a function")
    if isinstance(heuristic.function, MethodType):
        raise CannotCompile("a method reads its object; expected a function")
    if heuristic.form:
        raise CannotCompile(f"compiled code has no {heuristic.form}")
    if heuristic.signature is OF_POSITION:
        raise CannotCompile(f"f(position) reads objects of Python, expected {OF_PLAYER.text}")
    identity = Identity([heuristic.function])
    if identity.unknown:
        raise CannotCompile(f"it {identity.unknown} between searches")
    rows = _rows(heuristic.signature, game, side)
    return digest_of(identity.digest, game.masks, heuristic.scale, rows)


def _made(heuristic: FunctionHeuristic, game: LineGame, side: int, digest: str) -> Any:
    """Compile the native form with this `digest`, and write it to disk; raise CannotCompile if the
    heuristic was changed meanwhile."""

    def compiled() -> Any:
        from plyscope_fast.machine.python import stored
        from plyscope_fast.machine.python.compiler import native

        rows = _rows(heuristic.signature, game, side)
        with compiles(heuristic.name):
            made = native(heuristic.function, game.masks, heuristic.scale, rows)
        if _digest(heuristic, game, side) != digest:
            raise CannotCompile("it was changed while it was compiled")
        stored.save(digest, made._library, made.native_name)
        return made

    return compile_alone(compiled)


def _rows(signature: Signature, game: LineGame, side: int) -> BoardRows | None:
    """Return the arguments of a function of the board for `side`, None for a function of
    bitboards or counts."""
    if signature in (OF_COUNTS, OF_BITBOARDS):
        return None
    return BoardRows(
        shape=game.shape[::-1] if len(game.shape) > 1 else (1, *game.shape),
        empty=tuple(NO_CELL if game.holes >> cell & 1 else EMPTY for cell in range(game.size)),
        own=MARKS[side],
        other=MARKS[1 - side],
        given={OF_PLAYER: (MARKS[side],), OF_PLAYERS: (MARKS[side], MARKS[1 - side])}.get(
            signature, ()
        ),
        sign=-1 if side and signature.is_of_x else 1,
    )


def _try(
    form: Any, heuristic: FunctionHeuristic, game: LineGame, side: int, seconds: float | None
) -> None:
    """Raise CannotCompile if the native form returns another value than Python on a position."""
    answer = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_uint64, ctypes.c_uint64)(form.address)
    draw, position, began = Random(1), game.start(), perf_counter()
    deadline = began + (
        TRIAL_SECONDS if seconds is None else min(TRIAL_SECONDS, TRIAL_SHARE * seconds)
    )
    is_of_words = heuristic.signature in (OF_COUNTS, OF_BITBOARDS)
    end = None if seconds is None else began + seconds
    with suppress(SearchStopped), time_limited(heuristic, end) as asked:
        for number in range(TRIAL_POSITIONS):
            seen_by = number & 1 if is_of_words else side
            try:
                expected = asked.evaluate(position, seen_by)
            except (HeuristicError, SearchStopped):
                return  # the search raises it too, if it reaches such a position
            found = answer(position.stones(seen_by), position.stones(1 - seen_by))
            if found != expected:
                with suppress(HeuristicError, SearchStopped):
                    if (repeated := asked.evaluate(position, seen_by)) != expected:
                        raise CannotCompile(
                            f"it returns {expected} and then {repeated} on '{position}'; "
                            "expected the same value each time"
                        )
                result = "raises an error" if found == NO_ANSWER else f"returns {found}"
                raise CannotCompile(
                    f"the compiled function {result} on '{position}' and not {expected}"
                )
            if perf_counter() > deadline:
                return
            position = (
                game.start() if position.is_over else position.play(draw.choice(position.moves))
            )

"""The accelerator of searches: which of them run as machine code, and what that takes.

It imports NumPy only for searches that it runs, and Numba and llvmlite only for what has to be
compiled: people's functions and games, and kernels that did not come with plyscope.
"""

from __future__ import annotations

import sys
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

from plyscope.evaluation.function import FunctionHeuristic, RandomHeuristic
from plyscope.evaluation.linetable import LineTable
from plyscope.evaluation.patterns import has_patterns
from plyscope.evaluation.signatures import OF_CONFIG
from plyscope.evaluation.terms import ONLY_PATTERNS
from plyscope.extras import JIT_PACKAGES, missing, needs, why_no_kernels
from plyscope.owntime import thread_time
from plyscope.pythonfile import in_one_line
from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position
from plyscope.searching.accelerator import CannotCompile, Prepared, Readiness
from plyscope.searching.score import MAX_PAIRED_SUM, WIN

if TYPE_CHECKING:
    from plyscope.searching.algorithm import SearchRequest
    from plyscope.searching.walk import Walk


class CompileTime(NamedTuple):
    """Measured upper bounds of the CPU seconds of a compilation: of the first one in a process,
    which imports Numba, and of later ones."""

    first: float
    later: float


GAME_COMPILE_TIME, FUNCTION_COMPILE_TIME = CompileTime(10.0, 3.0), CompileTime(2.0, 1.0)
"""The times for a user-defined game with an algorithm, and for a Python function as heuristic."""
READ_SECONDS = 1.0
"""An upper bound of the CPU seconds for reading stored machine code and importing Numba."""
SUPPORTED_RULES = {"torus", "gravity", "misere", "exactly", "holes", "stones"}
"""The rules of line games that kernels implement."""
RULES_OF_PATTERNS = {"renju", "caro"}
"""The rules that the engine implements by patterns."""
WORD_CELLS = 64
"""The greatest number of cells of a board that fits in one word."""
BROKEN = ImportError, OSError
"""The errors of a package that is there, but cannot be loaded."""
RUN = "plyscope_fast.searching.run"
"""The module that runs searches of line games."""


class KernelAccelerator:
    """The accelerator by kernels, which Numba compiles."""

    @property
    def is_loaded(self) -> bool:
        """Whether this process has run a search of a line game as machine code."""
        return RUN in sys.modules

    def refuses(self, request: SearchRequest) -> str:
        """Return the reason why it cannot run a search of a line game; empty if it can."""
        return _why_not(request) or why_no_kernels() or _why_not_own(request)

    def readiness(self, request: SearchRequest) -> Readiness:
        """Return how much has to be done before a search can run."""
        if not isinstance(request.game, LineGame):
            return _readiness_of_own(request)
        from plyscope_fast.searching.run import is_ready

        try:
            is_stored = is_ready(request.algorithm)
        except BROKEN:
            return Readiness("loaded", 0.0)  # `prepare` has the reason
        return Readiness("stored" if is_stored else "missing", _function_seconds(request))

    def prepare(self, request: SearchRequest) -> Prepared:
        """Compile or load everything for a search."""
        if refused := why_no_kernels():
            return Prepared(refused)
        if refused := _why_not_own(request):
            return Prepared(refused)
        try:
            if isinstance(request.game, LineGame):
                return _prepare_lines(request)
            return _prepare_own(request)
        except BROKEN as error:
            return Prepared(f"machine code cannot be loaded: {in_one_line(error)}")

    def run(self, request: SearchRequest, walk: Walk, prepared: Prepared) -> float:
        """Run a search and return the value."""
        if prepared.code is not None:
            from plyscope_fast.searching.own import run as own

            return own.run(request.algorithm.name, walk, prepared.code)
        from plyscope_fast.searching.run import run

        return run(request.algorithm, walk)

    def table(self, megabytes: float) -> Any:
        """Return an empty transposition table of the engine."""
        from plyscope_fast.searching.buckets import BucketTable

        return BucketTable(megabytes)


ACCELERATOR = KernelAccelerator()


# Line games


def _why_not(request: SearchRequest) -> str:
    """Return the reason why no kernel can run a search of a line game; empty if one can."""
    game, position, heuristic = request.game, request.position, request.heuristic
    if not isinstance(game, LineGame) or not isinstance(position, Position):
        return f"{game.name!r} is not a line game"
    if game.variants & RULES_OF_PATTERNS:
        terms = set(heuristic.terms) if isinstance(heuristic, LineTable) else set()
        if not request.algorithm.is_engine or not {"patterns"} <= terms <= ONLY_PATTERNS:
            return f"{game.name!r} is compiled for 'engine heuristic=patterns' alone"
        if not has_patterns(game):
            return f"the lines of {game.name!r} are too long for patterns"
    if not game.variants <= SUPPORTED_RULES | RULES_OF_PATTERNS:
        return f"{game.name!r} has rules that no kernel knows"
    if request.algorithm.is_engine and not game.alternates:
        return f"{game.name!r} has turns of several stones"
    if not isinstance(heuristic, LineTable | FunctionHeuristic | RandomHeuristic):
        return f"heuristic {heuristic.name!r} is neither a table nor a function"
    if isinstance(heuristic, FunctionHeuristic) and heuristic.signature is OF_CONFIG:
        return f"heuristic {heuristic.name!r} takes a configuration, which is an object"
    return _why_not_table(request, heuristic) if isinstance(heuristic, LineTable) else ""


def _why_not_own(request: SearchRequest) -> str:
    """Return the reason why people's own function or game cannot be compiled here; empty if the
    packages that compile are there, or nothing has to be compiled."""
    if not (lacking := missing(JIT_PACKAGES)):
        return ""
    why_not = str(needs("compiling", lacking, "jit"))
    if not isinstance(request.game, LineGame):
        return why_not
    is_function = isinstance(request.heuristic, FunctionHeuristic)
    return f"{request.heuristic.name!r} cannot be compiled: {why_not}" if is_function else ""


def _why_not_table(request: SearchRequest, table: LineTable) -> str:
    """Return the reason why no kernel can evaluate by a table; empty if one can."""
    game: Any = request.game
    if table.is_of_lines and table.greatest(game) > WIN:
        return f"values of {table.name!r} may exceed ±{WIN:,}"
    if table.clamp is not None and table.greatest_sum(game) >= 1 << 62:
        return f"values of {table.name!r} may sum beyond 64 bits"
    if not table.is_of_lines and table.greatest_sum(game) > MAX_PAIRED_SUM:
        return f"the terms of {table.name!r} may sum beyond ±{MAX_PAIRED_SUM:,}"
    if "patterns" in table.terms and not request.algorithm.is_engine:
        return f"only 'engine' compiles the patterns of {table.name!r}"
    if table.mobility and game.size > WORD_CELLS:
        return f"the safe moves of {table.name!r} are counted on at most {WORD_CELLS} cells"
    return ""


def _function_seconds(request: SearchRequest) -> float:
    """Return the CPU seconds that compiling the heuristic may take, if the search has a limit of
    seconds; 0 if it is no function, or is compiled."""
    heuristic, game = request.heuristic, request.game
    if request.limit.seconds is None or not isinstance(heuristic, FunctionHeuristic):
        return 0.0
    from plyscope_fast.searching.run import is_compiled

    assert isinstance(game, LineGame)
    if is_compiled(heuristic, game, game.side(request.position)):
        return 0.0
    return FUNCTION_COMPILE_TIME.later if "numba" in sys.modules else FUNCTION_COMPILE_TIME.first


def _prepare_lines(request: SearchRequest) -> Prepared:
    """Compile the heuristic, if it is a Python function, and then the algorithm."""
    from plyscope_fast.searching.run import compile_heuristic, native_heuristic, prepare

    heuristic, game, compiling = request.heuristic, request.game, 0.0
    if isinstance(heuristic, FunctionHeuristic) and isinstance(game, LineGame):
        side, began = game.side(request.position), perf_counter()
        try:
            compile_heuristic(heuristic, game, side)
            compiling = perf_counter() - began
            native_heuristic(heuristic, game, side, request.limit.seconds)
        except CannotCompile as reason:
            seconds = compiling or perf_counter() - began
            return Prepared(f"{heuristic.name!r} cannot be compiled: {reason}", seconds)
    return Prepared("", compiling, prepare(request.algorithm))


# User-defined games

_compile_times: list[float] = []
"""CPU seconds of compiling user-defined games in this process, in order."""


def _readiness_of_own(request: SearchRequest) -> Readiness:
    """Return how much has to be done before a search of a user-defined game can run."""
    if why_no_kernels() or _why_not_own(request):
        return Readiness("loaded", 0.0)
    from plyscope_fast.searching.own.run import is_stored, state_of

    if state_of(request) != "unknown":
        return Readiness("loaded", 0.0)
    if is_stored(request):
        return Readiness("stored", READ_SECONDS)
    if not _compile_times:
        return Readiness("missing", GAME_COMPILE_TIME.first)
    return Readiness("missing", max([GAME_COMPILE_TIME.later, *_compile_times[1:]]))


def _prepare_own(request: SearchRequest) -> Prepared:
    """Compile or load a user-defined game with the algorithm."""
    from plyscope_fast.machine.kernel import compile_seconds
    from plyscope_fast.searching.own.run import compiled_game

    began, own_began = perf_counter(), thread_time() + compile_seconds()
    try:
        own = compiled_game(request)
    except CannotCompile as reason:
        return Prepared(str(reason), perf_counter() - began)
    finally:
        if (spent := thread_time() + compile_seconds() - own_began) > FUNCTION_COMPILE_TIME.later:
            _compile_times.append(spent)
    return Prepared("", perf_counter() - began, code=own)

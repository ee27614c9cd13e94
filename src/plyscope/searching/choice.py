"""The choice between the `reference` form and the `compiled` form of a search, with the reason."""

from __future__ import annotations

import sys
from time import perf_counter, thread_time
from typing import TYPE_CHECKING, Literal, NamedTuple

from plyscope.errors import OptionError
from plyscope.evaluation.function import FunctionHeuristic, RandomHeuristic
from plyscope.evaluation.linetable import LineTable
from plyscope.evaluation.terms import ONLY_PATTERNS
from plyscope.owntime import OwnTime
from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position
from plyscope.rules.tree import ExplicitTree
from plyscope.searching.algorithm import SearchRequest
from plyscope.searching.score import MAX_PAIRED_SUM, WIN

if TYPE_CHECKING:
    from plyscope.fast.machine.own import OwnGame

UNCOMPILED_CELLS = 9
"""The greatest number of cells of a board for which no algorithm is compiled automatically."""
MIN_CALL_NODES, MIN_LOAD_NODES, MIN_COMPILE_NODES = 2_000, 5_000, 300_000
"""The least number of expected nodes for which the compiled form saves time: in a process that has
run compiled searches, with machine code on disk, and if the code has to be compiled."""
IMPORT_NODES = 30_000
"""The nodes of a user-defined game that take as long as the import of Numba, which stored machine
code needs."""
MIN_REPEATED_NODES = 60
"""The same for one of many searches, which share the cost of loading: a call of a compiled search
takes as long as 60 nodes of the reference."""


class CompileTime(NamedTuple):
    """Measured upper bounds of the CPU seconds of a compilation: of the first one in a process,
    which imports Numba, and of later ones."""

    first: float
    later: float


GAME_COMPILE_TIME, FUNCTION_COMPILE_TIME = CompileTime(10.0, 3.0), CompileTime(2.0, 1.0)
"""The times for a user-defined game with an algorithm, and for a Python function as heuristic."""
READ_SECONDS = 1.0
"""An upper bound of the CPU seconds for reading stored machine code and importing Numba."""
MIN_TIME_FACTOR = 1.25
"""Compiling starts if the time left is at least this factor times the expected compile time."""
SUPPORTED_RULES = {"torus", "gravity", "misere", "exactly", "holes", "stones"}
"""The rules of line games that kernels implement."""
RULES_OF_PATTERNS = {"renju", "caro"}
"""The rules that the engine implements by patterns."""
USUAL_CELLS = 42
"""The number of cells of a usual board. On larger boards, the time per node of the reference form
is proportional to the cells."""
NODES_PER_SECOND = 60_000
"""The nodes per second of the reference on a usual board."""
WORD_CELLS = 64
"""The greatest number of cells of a board that fits in one word."""
RUN_MODULE = "plyscope.fast.searching.run"


class Form(NamedTuple):
    """The form in which an algorithm runs, and the reason in a few words."""

    name: Literal["reference", "compiled"]
    reason: str
    compiling: float = 0.0
    """Seconds of compiling that do not count against the time of the search."""
    own: OwnGame | None = None
    """The compiled form of a user-defined game."""
    switch_nodes: int | None = None
    """The number of nodes after which a reference search of a user-defined game switches to the
    compiled form."""


def choose_form(
    request: SearchRequest, is_watched: bool = False, is_prepared: bool = False
) -> Form:
    """Return the form for a request; raise OptionError if the requested form cannot run it.

    `is_watched`: the caller wants the events. `is_prepared`: compile time does not count.
    """
    algorithm, wanted = request.algorithm, request.form
    if wanted == "reference":
        if algorithm.reference is None:
            raise OptionError(
                f"{algorithm.name!r} on {request.game.name!r} in reference form; "
                "expected the compiled form, its only one"
            )
        return Form("reference", "asked for")
    if _is_own(request):
        return _form_of_own(request, is_watched)
    is_forced = wanted == "compiled" or algorithm.reference is None
    why_not, compiling = _why_not(request, is_watched), 0.0
    if not (why_not or is_forced or _saves_time(request)):
        return Form("reference", "done before the compiled form had started")
    if not (why_not or is_forced or is_prepared):
        why_not = _no_time_for_function(request)
    if not why_not:
        why_not, compiling = _compile_function(request)
        compiling = compiling if is_forced or is_prepared else 0.0
    if why_not and algorithm.reference is None:
        raise OptionError(f"algorithm {algorithm.name!r}: {why_not}; expected another algorithm")
    if why_not:
        return _reference_since(request, why_not, compiling)
    reason = "faster" if not is_forced else "asked for" if wanted == "compiled" else "its only form"
    return Form("compiled", reason, compiling)


def _is_own(request: SearchRequest) -> bool:
    return not isinstance(request.game, LineGame | ExplicitTree)


def _form_of_own(request: SearchRequest, is_watched: bool) -> Form:
    """Return the form for a user-defined game. Its number of nodes is not known in advance, so a
    search begins as the reference and switches after about the time that compiling takes."""
    if is_watched:
        return _reference_since(request, "only the reference form sends events")
    if request.form == "compiled":
        return own_form(request, "asked for")
    from plyscope.fast.searching.own.run import state_of

    if state_of(request) != "unknown":
        return own_form(request, "faster")
    switch_nodes = min(IMPORT_NODES, _remaining_nodes(request))
    return Form(
        "reference", "done before its game could have been compiled", switch_nodes=switch_nodes
    )


def nodes_before_compiling(request: SearchRequest) -> int:
    """Return the number of reference nodes after which a user-defined game is compiled: 0 if its
    machine code is stored, else MIN_COMPILE_NODES minus the nodes already searched in this
    process."""
    from plyscope.fast.searching.own.run import is_stored

    return 0 if is_stored(request) else _remaining_nodes(request)


def _remaining_nodes(request: SearchRequest) -> int:
    key = type(request.game), request.algorithm.name
    return max(0, MIN_COMPILE_NODES - _spent_on_own.get(key, 0))


def own_form(request: SearchRequest, reason: str) -> Form:
    """Return the compiled form for a user-defined game, or the reference if it has none; raise
    OptionError if the request insists on the compiled form."""
    from plyscope.fast.machine.kernel import CannotCompile, compile_seconds
    from plyscope.fast.searching.own.run import compiled_game

    began, own_began = perf_counter(), thread_time() + compile_seconds()
    try:
        own = compiled_game(request)
    except CannotCompile as error:
        return without_own_form(request, str(error), perf_counter() - began)
    finally:
        if (spent := thread_time() + compile_seconds() - own_began) > FUNCTION_COMPILE_TIME.later:
            _compile_times.append(spent)
    return Form("compiled", reason, perf_counter() - began, own)


_compile_times: list[float] = []
"""Processor seconds of compiling user-defined games in this process, in order."""


def no_time_for_game(request: SearchRequest, seconds: float, load: float) -> str:
    """Return the reason for not compiling a user-defined game if `seconds` are left and one
    processor second takes `load` seconds; empty if it should be compiled."""
    from plyscope.fast.searching.own.run import is_stored

    if is_stored(request):
        return _no_time(READ_SECONDS * load, seconds)
    expected = (
        max([GAME_COMPILE_TIME.later, *_compile_times[1:]])
        if _compile_times
        else GAME_COMPILE_TIME.first
    )
    return _no_time(expected * load, seconds)


def _no_time_for_function(request: SearchRequest) -> str:
    """Return the reason for not compiling a heuristic that is a function; empty if it should be
    compiled."""
    heuristic, game, seconds = request.heuristic, request.game, request.limit.seconds
    if seconds is None or not isinstance(game, LineGame):
        return ""
    if not isinstance(heuristic, FunctionHeuristic):
        return ""
    from plyscope.fast.searching.run import is_compiled

    if is_compiled(heuristic, game, game.side(request.position)):
        return ""
    expected = (
        FUNCTION_COMPILE_TIME.later if "numba" in sys.modules else FUNCTION_COMPILE_TIME.first
    )
    return _no_time(expected * OwnTime.of_process().load(), seconds)


def _no_time(expected: float, left: float) -> str:
    if left >= MIN_TIME_FACTOR * expected:
        return ""
    return f"compiling takes up to {expected:.1f} s, and {max(0.0, left):.1f} s are left"


def without_own_form(request: SearchRequest, why_not: str, compiling: float = 0.0) -> Form:
    """Return the reference form for a game that cannot be searched compiled; raise OptionError if
    the request insists on the compiled form."""
    said = f"{request.game.name!r} cannot be searched compiled: {why_not}"
    return _reference_since(request, said, compiling)


def _reference_since(request: SearchRequest, why_not: str, compiling: float = 0.0) -> Form:
    """Return the reference form, since the compiled one cannot run; raise OptionError if the
    request insists on it."""
    if request.form == "compiled":
        raise OptionError(f"form 'compiled': {why_not}; expected auto or reference")
    return Form("reference", why_not, compiling)


def note_spent(request: SearchRequest, nodes: int) -> None:
    """Add the nodes of a reference search of a user-defined game to its total in this process; at
    MIN_COMPILE_NODES nodes the game is compiled."""
    if _is_own(request):
        key = type(request.game), request.algorithm.name
        _spent_on_own[key] = _spent_on_own.get(key, 0) + nodes


_spent_on_own: dict[tuple[type, str], int] = {}
"""The total nodes of reference searches in this process, by class of game and algorithm."""
_spent: dict[str, float] = {}
"""The total expected nodes of calls of `form_of_many` in this process that found no machine code,
by algorithm."""


def form_of_many(request: SearchRequest) -> Literal["auto", "compiled"]:
    """Return the form to request for a search that is one of many: `compiled` if that saves time
    from the first one on, else `auto`.

    Without stored machine code, the result is `auto` until compiling would have paid off for all
    searches of this process together.
    """
    position, algorithm = request.position, request.algorithm
    is_table = isinstance(request.heuristic, LineTable | RandomHeuristic)
    if not isinstance(position, Position) or not is_table or algorithm.is_engine:
        return "auto"
    expected = _expected_nodes(request, position)
    if expected < MIN_REPEATED_NODES or _why_not(request, False):
        return "auto"
    from plyscope.fast.searching.run import is_ready

    if is_ready(algorithm):
        return "compiled"
    _spent[algorithm.name] = _spent.get(algorithm.name, 0.0) + expected
    is_paid = position.game.size > UNCOMPILED_CELLS and _spent[algorithm.name] >= MIN_COMPILE_NODES
    return "compiled" if is_paid else "auto"


def _expected_nodes(request: SearchRequest, position: Position) -> float:
    """Return an upper estimate of the cost of a search, in nodes of the reference on a board of
    USUAL_CELLS cells."""
    limit = request.limit
    expected = request.algorithm.estimate_nodes(position, limit)
    expected = min(expected, limit.nodes or expected) * max(1.0, position.game.size / USUAL_CELLS)
    return expected if limit.seconds is None else min(expected, limit.seconds * NODES_PER_SECOND)


def _saves_time(request: SearchRequest) -> bool:
    """Return whether the compiled form saves time in a single search."""
    expected = _expected_nodes(request, request.position)
    if expected < (MIN_CALL_NODES if RUN_MODULE in sys.modules else MIN_LOAD_NODES):
        return False
    from plyscope.fast.searching.run import is_ready

    is_paid = request.position.game.size > UNCOMPILED_CELLS and expected >= MIN_COMPILE_NODES
    return is_paid or is_ready(request.algorithm)


def _compile_function(request: SearchRequest) -> tuple[str, float]:
    """Compile a heuristic that is a Python function. Return the reason if that is impossible, else
    an empty text, and the seconds it took."""
    heuristic, game = request.heuristic, request.game
    if not isinstance(heuristic, FunctionHeuristic) or not isinstance(game, LineGame):
        return "", 0.0
    from plyscope.fast.machine.kernel import CannotCompile
    from plyscope.fast.searching.run import compile_heuristic, native_heuristic

    side, began, compiling = game.side(request.position), perf_counter(), 0.0
    try:
        compile_heuristic(heuristic, game, side)
        compiling = perf_counter() - began
        native_heuristic(heuristic, game, side, request.limit.seconds)
    except CannotCompile as reason:
        seconds = compiling or perf_counter() - began
        return f"{heuristic.name!r} cannot be compiled: {reason}", seconds
    return "", compiling


def _why_not(request: SearchRequest, is_watched: bool) -> str:
    """Return the reason why the compiled form cannot run the search; empty if it can."""
    game, position, heuristic = request.game, request.position, request.heuristic
    if not isinstance(game, LineGame) or not isinstance(position, Position):
        return f"{game.name!r} is not a line game"
    if request.algorithm.compiled is None:
        return f"{request.algorithm.name!r} has no compiled form"
    if game.variants & RULES_OF_PATTERNS:
        terms = set(heuristic.terms) if isinstance(heuristic, LineTable) else set()
        if not request.algorithm.is_engine or not {"patterns"} <= terms <= ONLY_PATTERNS:
            return f"{game.name!r} is compiled for 'engine heuristic=patterns' alone"
        from plyscope.fast.evaluation.patterns import pattern_map  # late: it imports NumPy

        if pattern_map(game) is None:
            return f"the lines of {game.name!r} are too long for patterns"
    if not game.variants <= SUPPORTED_RULES | RULES_OF_PATTERNS:
        return f"{game.name!r} has rules that no kernel knows"
    if request.algorithm.is_engine and not game.alternates:
        return f"{game.name!r} has turns of several stones"
    if not isinstance(heuristic, LineTable | FunctionHeuristic | RandomHeuristic):
        return f"heuristic {heuristic.name!r} is neither a table nor a function"
    if isinstance(heuristic, LineTable):
        if heuristic.is_of_lines and heuristic.greatest(game) > WIN:
            return f"values of {heuristic.name!r} may exceed ±{WIN:,}"
        if heuristic.clamp is not None and heuristic.greatest_sum(game) >= 1 << 62:
            return f"values of {heuristic.name!r} may sum beyond 64 bits"
        if not heuristic.is_of_lines and heuristic.greatest_sum(game) > MAX_PAIRED_SUM:
            return f"the terms of {heuristic.name!r} may sum beyond ±{MAX_PAIRED_SUM:,}"
        if "patterns" in heuristic.terms and not request.algorithm.is_engine:
            return f"only 'engine' compiles the patterns of {heuristic.name!r}"
        if heuristic.mobility and game.size > WORD_CELLS:
            return f"the safe moves of {heuristic.name!r} are counted on at most {WORD_CELLS} cells"
    if is_watched:
        return "only the reference form sends events"
    return "the game is over" if position.is_over else ""

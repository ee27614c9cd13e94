"""The choice of a form: the readable `reference`, or the `compiled` one, and why."""

from __future__ import annotations

import sys
from time import perf_counter, thread_time
from typing import TYPE_CHECKING, Literal, NamedTuple

from plyscope.errors import OptionError
from plyscope.evaluation.function import FunctionHeuristic, RandomHeuristic
from plyscope.evaluation.linetable import LineTable
from plyscope.owntime import OwnTime
from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position
from plyscope.rules.tree import ExplicitTree
from plyscope.searching.algorithm import SearchRequest
from plyscope.searching.score import MOST_PAIRED, WIN

if TYPE_CHECKING:
    from plyscope.machine.own import OwnGame

SMALL = 9
"""Cells of the largest board for which nothing is compiled automatically."""
WORTH_CALLING, WORTH_LOADING, WORTH_COMPILING = 2_000, 5_000, 300_000
"""Expected nodes from which the compiled form saves time: where compiled searches run already,
where the machine code is there, and where it has to be made."""
WORTH_READING = 30_000
"""Nodes of a user-defined game that take as long as importing Numba, which stored code needs."""
WORTH_REPEATING = 60
"""The same for one search of many, which share the cost of loading: calling a compiled search
takes as long as so many nodes of the reference."""


class CompileTime(NamedTuple):
    """Processor seconds that Numba takes at most, as measured: the first time in a process, with
    its own start, and each further time."""

    first: float
    later: float


OF_GAME, OF_FUNCTION = CompileTime(10.0, 3.0), CompileTime(2.0, 1.0)
"""For a user-defined game with an algorithm, and for a heuristic that is a Python function."""
READING = 1.0
"""Processor seconds that it takes at most to read either from disk, with Numba's own start."""
REPAID = 1.25
"""Compiling starts if this many times its expected time is left."""
KNOWN = {"torus", "gravity", "misere", "exactly", "holes", "stones"}
"""Rules of line games that kernels know."""
USUAL = 42
"""Cells of a usual board. On a larger one a node of the reference takes longer in proportion."""
NODES_A_SECOND = 60_000
"""The speed of the reference."""
WORD_CELLS = 64
"""Cells of a board of one word."""
RUN = "plyscope.searching.compiled.run"


class Form(NamedTuple):
    """The form of an algorithm, and why it is that one, in a few words."""

    name: Literal["reference", "compiled"]
    reason: str
    compiling: float = 0.0
    """Seconds of compiling that do not come off the time of the search."""
    own: OwnGame | None = None
    """The compiled form of a user-defined game."""
    patience: int | None = None
    """Nodes after which a reference search of a user-defined game switches to the compiled form."""


def choose_form(
    request: SearchRequest, is_watched: bool = False, is_prepared: bool = False
) -> Form:
    """Return the form for a request, `is_watched` where somebody wants its events, `is_prepared`
    where compiling comes before the clock; raise OptionError where the form that is wanted cannot
    do it."""
    algorithm, wanted = request.algorithm, request.form
    if wanted == "reference":
        if algorithm.reference is None:
            raise OptionError(
                f"{algorithm.name!r} on {request.game.name!r} in reference form; "
                "expected the compiled form, which it has alone"
            )
        return Form("reference", "asked for")
    if _is_own(request):
        return _form_of_own(request, is_watched)
    is_forced = wanted == "compiled" or algorithm.reference is None
    why_not, compiling = _why_not(request, is_watched), 0.0
    if not (why_not or is_forced or _is_worth_it(request)):
        return Form("reference", "done before the compiled form had started")
    if not (why_not or is_forced or is_prepared):
        why_not = _no_time_for_function(request)
    if not why_not:
        why_not, compiling = _compile_function(request)
        compiling = compiling if is_forced or is_prepared else 0.0
    if why_not and algorithm.reference is None:
        raise OptionError(f"algorithm {algorithm.name!r}: {why_not}; expected another algorithm")
    if why_not and is_forced:
        raise OptionError(f"form 'compiled': {why_not}; expected auto or reference")
    if why_not:
        return Form("reference", why_not, compiling)
    reason = "faster" if not is_forced else "asked for" if wanted == "compiled" else "its only form"
    return Form("compiled", reason, compiling)


def _is_own(request: SearchRequest) -> bool:
    return not isinstance(request.game, LineGame | ExplicitTree)


def _form_of_own(request: SearchRequest, is_watched: bool) -> Form:
    """Return the form for a user-defined game. Its number of nodes is not known in advance, so a
    search begins as the reference and switches after about the time that compiling takes."""
    if is_watched:
        why_not = "events are told by the reference alone"
        if request.form == "compiled":
            raise OptionError(f"form 'compiled': {why_not}; expected auto or reference")
        return Form("reference", why_not)
    if request.form == "compiled":
        return own_form(request, "asked for")
    from plyscope.searching.compiled.own.run import state_of

    if state_of(request) != "unknown":
        return own_form(request, "faster")
    patience = min(WORTH_READING, _unpaid_nodes(request))
    return Form("reference", "done before its game could have been compiled", patience=patience)


def nodes_worth_compiling(request: SearchRequest) -> int:
    """Return the reference nodes after which compiled code pays off for a user-defined game: 0 if
    it is stored, else WORTH_COMPILING less the nodes this process has already searched."""
    from plyscope.searching.compiled.own.run import is_kept

    return 0 if is_kept(request) else _unpaid_nodes(request)


def _unpaid_nodes(request: SearchRequest) -> int:
    key = type(request.game), request.algorithm.name
    return max(0, WORTH_COMPILING - _spent_on_own.get(key, 0))


def own_form(request: SearchRequest, reason: str) -> Form:
    """Return the compiled form for a user-defined game, or the reference if it has none; raise
    OptionError if the request insists on the compiled form."""
    from plyscope.machine.kernel import CannotCompile, compile_seconds
    from plyscope.searching.compiled.own.run import compiled_game

    began, own_began = perf_counter(), thread_time() + compile_seconds()
    try:
        own = compiled_game(request)
    except CannotCompile as error:
        return without_own_form(request, str(error), perf_counter() - began)
    finally:
        if (spent := thread_time() + compile_seconds() - own_began) > OF_FUNCTION.later:
            _compile_times.append(spent)
    return Form("compiled", reason, perf_counter() - began, own)


_compile_times: list[float] = []
"""Processor seconds of compiling user-defined games in this process, in order."""


def no_time_for_game(request: SearchRequest, seconds: float, load: float) -> str:
    """Return why a user-defined game is not compiled when `seconds` are left and one processor
    second takes `load` seconds, "" if it should be."""
    from plyscope.searching.compiled.own.run import is_kept

    if is_kept(request):
        return _no_time(READING * load, seconds)
    expected = max([OF_GAME.later, *_compile_times[1:]]) if _compile_times else OF_GAME.first
    return _no_time(expected * load, seconds)


def _no_time_for_function(request: SearchRequest) -> str:
    """Return why a heuristic that is a function is not compiled, nothing where it should be."""
    heuristic, game, seconds = request.heuristic, request.game, request.limit.seconds
    if seconds is None or not isinstance(game, LineGame):
        return ""
    if not isinstance(heuristic, FunctionHeuristic):
        return ""
    from plyscope.searching.compiled.run import is_compiled

    if is_compiled(heuristic, game, game.side(request.position)):
        return ""
    expected = OF_FUNCTION.later if "numba" in sys.modules else OF_FUNCTION.first
    return _no_time(expected * OwnTime.of_process().load(), seconds)


def _no_time(expected: float, left: float) -> str:
    if left >= REPAID * expected:
        return ""
    return f"compiling takes up to {expected:.1f} s, and {max(0.0, left):.1f} s are left"


def without_own_form(request: SearchRequest, why_not: str, compiling: float = 0.0) -> Form:
    """Return the reference form for a game that cannot be searched compiled; raise OptionError
    where that was asked for."""
    said = f"{request.game.name!r} cannot be searched compiled: {why_not}"
    if request.form == "compiled":
        raise OptionError(f"form 'compiled': {said}; expected auto or reference")
    return Form("reference", said, compiling)


def note_spent(request: SearchRequest, nodes: int) -> None:
    """Add the nodes of a reference search of a user-defined game to its total in this process; at
    WORTH_COMPILING nodes the game is compiled."""
    if _is_own(request):
        key = type(request.game), request.algorithm.name
        _spent_on_own[key] = _spent_on_own.get(key, 0) + nodes


_spent_on_own: dict[tuple[type, str], int] = {}
"""By game and algorithm, the nodes of searches that ran as references."""
_spent: dict[str, float] = {}
"""By algorithm, the expected nodes of the many searches that ran as references for want of machine
code."""


def form_of_many(request: SearchRequest) -> Literal["auto", "compiled"]:
    """Return the form to ask for in a search that is one of many: `compiled` where that saves time
    from the first one on, else `auto`.

    Missing machine code is made once the searches of this process would have paid for it.
    """
    position, algorithm = request.position, request.algorithm
    is_table = isinstance(request.heuristic, LineTable | RandomHeuristic)
    if not isinstance(position, Position) or not is_table or algorithm.is_engine:
        return "auto"
    expected = _expected_nodes(request, position)
    if expected < WORTH_REPEATING or _why_not(request, False):
        return "auto"
    from plyscope.searching.compiled.run import is_ready

    if is_ready(algorithm):
        return "compiled"
    _spent[algorithm.name] = _spent.get(algorithm.name, 0.0) + expected
    is_paid = position.game.size > SMALL and _spent[algorithm.name] >= WORTH_COMPILING
    return "compiled" if is_paid else "auto"


def _expected_nodes(request: SearchRequest, position: Position) -> float:
    """Return how many nodes of the reference, on a board of usual size, a search takes at most."""
    limit = request.limit
    expected = request.algorithm.estimate_nodes(position, limit)
    expected = min(expected, limit.nodes or expected) * max(1.0, position.game.size / USUAL)
    return expected if limit.seconds is None else min(expected, limit.seconds * NODES_A_SECOND)


def _is_worth_it(request: SearchRequest) -> bool:
    """Whether the compiled form saves time in a single search."""
    expected = _expected_nodes(request, request.position)
    if expected < (WORTH_CALLING if RUN in sys.modules else WORTH_LOADING):
        return False
    from plyscope.searching.compiled.run import is_ready

    is_paid = request.position.game.size > SMALL and expected >= WORTH_COMPILING
    return is_paid or is_ready(request.algorithm)


def _compile_function(request: SearchRequest) -> tuple[str, float]:
    """Compile a heuristic that is a Python function; return why that cannot be done, nothing if it
    can, and the seconds it took."""
    heuristic, game = request.heuristic, request.game
    if not isinstance(heuristic, FunctionHeuristic) or not isinstance(game, LineGame):
        return "", 0.0
    from plyscope.machine.kernel import CannotCompile
    from plyscope.searching.compiled.run import compile_heuristic, native_heuristic

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
    """Return why the compiled form cannot carry the search out, nothing if it can."""
    game, position, heuristic = request.game, request.position, request.heuristic
    if not isinstance(game, LineGame) or not isinstance(position, Position):
        return f"{game.name!r} is no line game"
    if request.algorithm.compiled is None:
        return f"{request.algorithm.name!r} has no compiled form"
    if not game.variants <= KNOWN:
        return f"{game.name!r} has rules that no kernel knows"
    if request.algorithm.is_engine and not game.alternates:
        return f"{game.name!r} has turns of several stones"
    if not isinstance(heuristic, LineTable | FunctionHeuristic | RandomHeuristic):
        return f"heuristic {heuristic.name!r} is neither a table nor a function"
    if isinstance(heuristic, LineTable):
        if heuristic.is_of_lines and heuristic.greatest(game) > WIN:
            return f"values of {heuristic.name!r} may leave ±{WIN:,}"
        if heuristic.clamp is not None and heuristic.greatest_sum(game) >= 1 << 62:
            return f"values of {heuristic.name!r} may sum beyond 64 bits"
        if not heuristic.is_of_lines and heuristic.greatest_sum(game) > MOST_PAIRED:
            return f"the terms of {heuristic.name!r} may sum beyond ±{MOST_PAIRED:,}"
        if heuristic.mobility and game.size > WORD_CELLS:
            return f"the safe moves of {heuristic.name!r} are counted on at most {WORD_CELLS} cells"
    if is_watched:
        return "events are told by the reference alone"
    return "the game is over" if position.is_over else ""

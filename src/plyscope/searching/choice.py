"""The choice between the `reference` form and the `compiled` form of a search, with the reason."""

from __future__ import annotations

from typing import Literal, NamedTuple

from plyscope.errors import OptionError
from plyscope.evaluation.function import FunctionHeuristic, RandomHeuristic
from plyscope.evaluation.linetable import LineTable
from plyscope.owntime import OwnTime
from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position
from plyscope.rules.tree import ExplicitTree
from plyscope.searching.accelerator import Prepared, accelerator
from plyscope.searching.algorithm import SearchRequest

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
MIN_TIME_FACTOR = 1.25
"""Compiling starts if the time left is at least this factor times the expected compile time."""
USUAL_CELLS = 42
"""The number of cells of a usual board. On larger boards, the time per node of the reference form
is proportional to the cells."""
NODES_PER_SECOND = 60_000
"""The nodes per second of the reference on a usual board."""


class Form(NamedTuple):
    """The form in which an algorithm runs, and the reason in a few words."""

    name: Literal["reference", "compiled"]
    reason: str
    compiling: float = 0.0
    """Seconds of compiling that do not count against the time of the search."""
    prepared: Prepared = Prepared()
    """The compiled search."""
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
    prepared = Prepared(why_not)
    if not why_not:
        prepared = accelerator().prepare(request)
        why_not = prepared.why_not
        compiling = prepared.code_seconds if is_forced or is_prepared else 0.0
    if why_not and algorithm.reference is None:
        raise OptionError(f"algorithm {algorithm.name!r}: {why_not}; expected another algorithm")
    if why_not:
        return _reference_since(request, why_not, compiling)
    reason = "faster" if not is_forced else "asked for" if wanted == "compiled" else "its only form"
    return Form("compiled", reason, compiling + prepared.algorithm_seconds, prepared)


def _is_own(request: SearchRequest) -> bool:
    return not isinstance(request.game, LineGame | ExplicitTree)


def _form_of_own(request: SearchRequest, is_watched: bool) -> Form:
    """Return the form for a user-defined game. Its number of nodes is not known in advance, so a
    search begins as the reference and switches after about the time that compiling takes."""
    if is_watched:
        return _reference_since(request, "only the reference form sends events")
    if request.form == "compiled":
        return own_form(request, "asked for")
    if accelerator().readiness(request).state == "loaded":
        return own_form(request, "faster")
    switch_nodes = min(IMPORT_NODES, _remaining_nodes(request))
    return Form(
        "reference", "done before its game could have been compiled", switch_nodes=switch_nodes
    )


def nodes_before_compiling(request: SearchRequest) -> int:
    """Return the number of reference nodes after which a user-defined game is compiled: 0 if its
    machine code is stored, else MIN_COMPILE_NODES minus the nodes already searched in this
    process."""
    is_missing = accelerator().readiness(request).state == "missing"
    return _remaining_nodes(request) if is_missing else 0


def _remaining_nodes(request: SearchRequest) -> int:
    key = type(request.game), request.algorithm.name
    return max(0, MIN_COMPILE_NODES - _spent_on_own.get(key, 0))


def own_form(request: SearchRequest, reason: str) -> Form:
    """Return the compiled form for a user-defined game, or the reference if it has none; raise
    OptionError if the request insists on the compiled form."""
    prepared = accelerator().prepare(request)
    if prepared.why_not:
        return without_own_form(request, prepared.why_not, prepared.code_seconds)
    return Form("compiled", reason, prepared.code_seconds, prepared)


def no_time_for_game(request: SearchRequest, seconds: float, load: float) -> str:
    """Return the reason for not compiling a user-defined game if `seconds` are left and one
    processor second takes `load` seconds; empty if it should be compiled."""
    return _no_time(accelerator().readiness(request).seconds * load, seconds)


def _no_time_for_function(request: SearchRequest) -> str:
    """Return the reason for not compiling a heuristic that is a function; empty if it should be
    compiled."""
    seconds = request.limit.seconds
    if seconds is None or not isinstance(request.heuristic, FunctionHeuristic):
        return ""
    expected = accelerator().readiness(request).seconds
    return _no_time(expected * OwnTime.of_process().load(), seconds) if expected else ""


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
    if accelerator().readiness(request).state != "missing":
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
    if expected < (MIN_CALL_NODES if accelerator().is_loaded else MIN_LOAD_NODES):
        return False
    is_paid = request.position.game.size > UNCOMPILED_CELLS and expected >= MIN_COMPILE_NODES
    return is_paid or accelerator().readiness(request).state != "missing"


def _why_not(request: SearchRequest, is_watched: bool) -> str:
    """Return the reason why the compiled form cannot run the search; empty if it can."""
    if request.algorithm.compiled is None:
        return f"{request.algorithm.name!r} has no compiled form"
    if why_not := accelerator().refuses(request):
        return why_not
    if is_watched:
        return "only the reference form sends events"
    return "the game is over" if request.position.is_over else ""

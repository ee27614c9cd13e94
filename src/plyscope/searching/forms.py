"""Which form of an algorithm carries a search out: the readable `reference`, or the `compiled`
one."""

from __future__ import annotations

import sys
from time import perf_counter
from typing import Literal, NamedTuple

from plyscope.errors import OptionError
from plyscope.evaluation.function import FunctionHeuristic, RandomHeuristic
from plyscope.evaluation.heuristic import Heuristic
from plyscope.evaluation.linetable import LineTable
from plyscope.rules.game import Game
from plyscope.rules.linegame import LineGame, Position
from plyscope.searching.algorithms import ALGORITHMS
from plyscope.searching.limit import Limit
from plyscope.searching.reference.uct import DEFAULT_PLAYOUTS
from plyscope.searching.score import WIN

__all__ = ["FORMS", "SMALL", "Form", "choose_form", "form_of_many", "sequences"]

FORMS = ("auto", "reference", "compiled")
SMALL = 9
"""Cells up to which nothing is compiled unasked: the reference is done before a compiler would
be."""
WORTH_CALLING, WORTH_LOADING, WORTH_COMPILING = 2_000, 5_000, 300_000
"""Nodes, as far as can be foretold, from which the compiled form saves time: where it runs already,
where its machine code is there, and where it has to be made."""
WORTH_REPEATING = 60
"""The same where searches are many, so that loading is paid for: a compiled search takes as long as
so many nodes of the reference."""
USUAL = 42
"""The cells of a board above which a node of the reference takes as much longer as there are
more."""
NODES_A_SECOND = 60_000
ALPHABETA_POWER = 0.75
"""Alpha-beta in generated order visits about that power of minimax's nodes: 0.79 on Connect Four to
depth 8."""


class Form(NamedTuple):
    """The form of an algorithm, and why it is that one, in a few words."""

    name: Literal["reference", "compiled"]
    reason: str
    compiling: float = 0.0
    """Seconds that went into compiling a heuristic."""


def choose_form(
    wanted: str,
    algorithm: str,
    game: Game,
    position: object,
    heuristic: Heuristic,
    limit: Limit,
    is_watched: bool,
) -> Form:
    """Return the form to use; raise OptionError when the compiled one is wanted and cannot do it,
    with the reason."""
    if wanted not in FORMS:
        raise OptionError(f"engine {wanted!r}; expected {', '.join(FORMS)}")
    if wanted == "reference":
        return Form("reference", "asked for")
    why_not = _why_not(game, position, heuristic, is_watched)
    if wanted == "compiled" or ALGORITHMS[algorithm].is_engine:
        compiling = 0.0
        if not why_not:
            why_not, compiling = _why_not_native(heuristic, position, limit)
        if why_not and ALGORITHMS[algorithm].is_engine:
            raise OptionError(f"algorithm {algorithm!r}: {why_not}; expected another algorithm")
        if why_not:
            raise OptionError(f"engine 'compiled': {why_not}; expected auto or reference")
        return Form("compiled", "asked for" if wanted == "compiled" else "its only form", compiling)
    if why_not or not isinstance(position, Position):
        return Form("reference", why_not)
    if not _is_worth_it(algorithm, position, limit):
        return Form("reference", "done before the compiled form had started")
    why_not, compiling = _why_not_native(heuristic, position, limit)
    return (
        Form("reference", why_not, compiling) if why_not else Form("compiled", "faster", compiling)
    )


_spent: dict[str, float] = {}
"""For each algorithm the nodes foretold of the many searches that ran as references, for want of
machine code."""


def form_of_many(algorithm: str, position: object, heuristic: Heuristic, limit: Limit) -> str:
    """Return the form to ask for where a search is one of many: `compiled` where that saves time
    from the first one on, else `auto`.

    Where the machine code is not there it is made once the searches of this process would have paid
    for it.
    """
    if not isinstance(position, Position) or not isinstance(heuristic, LineTable | RandomHeuristic):
        return "auto"
    if ALGORITHMS[algorithm].is_engine or _why_not(position.game, position, heuristic, False):
        return "auto"
    expected = _foretold(algorithm, position, limit)
    if expected < WORTH_REPEATING:
        return "auto"
    from plyscope.searching.compiled.run import is_ready

    if is_ready(algorithm):
        return "compiled"
    _spent[algorithm] = _spent.get(algorithm, 0.0) + expected
    return (
        "compiled"
        if position.game.size > SMALL and _spent[algorithm] >= WORTH_COMPILING
        else "auto"
    )


def _foretold(algorithm: str, position: Position, limit: Limit) -> float:
    """Return how many nodes of the reference, on a board of usual size, a search takes at the most,
    as far as can be foretold."""
    if algorithm == "uct":
        expected = float((limit.nodes or DEFAULT_PLAYOUTS) * position.game.size)
    else:
        expected = sequences(position, limit.depth) ** (
            1.0 if algorithm in ("minimax", "negamax") else ALPHABETA_POWER
        )
    expected = min(expected, limit.nodes or expected) * max(1.0, position.game.size / USUAL)
    return expected if limit.seconds is None else min(expected, limit.seconds * NODES_A_SECOND)


def _is_worth_it(algorithm: str, position: Position, limit: Limit) -> bool:
    expected = _foretold(algorithm, position, limit)
    if expected < (
        WORTH_CALLING if "plyscope.searching.compiled.run" in sys.modules else WORTH_LOADING
    ):
        return False
    from plyscope.searching.compiled.run import is_ready

    return is_ready(algorithm) or (position.game.size > SMALL and expected >= WORTH_COMPILING)


def _why_not_native(heuristic: Heuristic, position: object, limit: Limit) -> tuple[str, float]:
    """Return why a heuristic that is a Python function cannot be compiled, nothing if it can, and
    the seconds of compiling it."""
    if not isinstance(heuristic, FunctionHeuristic) or not isinstance(position, Position):
        return "", 0.0
    from plyscope.machine.kernel import CannotCompile
    from plyscope.searching.compiled.run import compile_heuristic, native_heuristic

    began, compiling = perf_counter(), 0.0
    try:
        compile_heuristic(heuristic, position.game)
        compiling = perf_counter() - began
        native_heuristic(heuristic, position.game, limit.seconds)
    except CannotCompile as reason:
        return (
            f"{heuristic.name!r} cannot be compiled: {reason}",
            compiling or perf_counter() - began,
        )
    return "", compiling


def _why_not(game: Game, position: object, heuristic: Heuristic, is_watched: bool) -> str:
    """Return why the compiled form cannot carry the search out, nothing if it can."""
    if not isinstance(game, LineGame) or not isinstance(position, Position):
        return f"{game.name!r} is no line game"
    if not game.variations <= {"torus", "gravity", "misere"}:
        return f"{game.name!r} has rules that no kernel knows"
    if not isinstance(heuristic, LineTable | FunctionHeuristic | RandomHeuristic):
        return f"heuristic {heuristic.name!r} is neither a table nor a function"
    if isinstance(heuristic, LineTable) and heuristic.greatest(game) > WIN:
        return f"values of {heuristic.name!r} may leave ±{WIN:,}"
    if is_watched:
        return "events are told by the reference alone"
    return "the game is over" if position.is_over else ""


def sequences(position: Position, depth: int | None) -> float:
    """Return a bound of the sequences of moves to `depth`: on a board moves only become fewer."""
    cells = position.game.size - (position.first | position.second).bit_count()
    width, bound = len(position.moves), 1.0
    for ply in range(min(cells, cells if depth is None else depth)):
        bound = min(1e300, bound * min(width, cells - ply))
    return bound

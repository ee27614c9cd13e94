"""Which form of an algorithm carries a search out: the readable `reference`, or the `compiled` one."""

from __future__ import annotations

import sys
from typing import Literal

from plyscope.errors import OptionError
from plyscope.evaluation.heuristic import Heuristic
from plyscope.evaluation.linetable import LineTable
from plyscope.rules.game import Game
from plyscope.rules.linegame import LineGame, Position
from plyscope.searching.limit import Limit
from plyscope.searching.score import WIN

__all__ = ["COMPILED", "choose_engine", "sequences"]

COMPILED = frozenset({"minimax", "negamax", "alphabeta", "pvs"})
"""The algorithms that have a compiled form."""

SMALL = 9
"""Cells up to which the compiled form is never chosen unasked: the reference is done before Numba has started."""
WORTH_STARTING = 15_000
WORTH_CALLING = 2_000
"""Nodes, as far as can be foretold, from which starting Numba, or calling it once it runs, saves time."""
NODES_A_SECOND = 60_000
ALPHABETA_POWER = 0.75
"""Alpha-beta in generated order visits about that power of minimax's nodes: 0.79 on Connect Four to depth 8."""

Engine = Literal["reference", "compiled"]


def choose_engine(
    wanted: str, algorithm: str, game: Game, position: object, heuristic: Heuristic, limit: Limit, is_watched: bool
) -> Engine:
    """Return the form to use; raise OptionError when the compiled one is wanted and cannot do it, with the reason."""
    if wanted not in ("auto", "reference", "compiled"):
        raise OptionError(f"engine {wanted!r}; expected auto, reference or compiled")
    if wanted == "reference":
        return "reference"
    why_not = _why_not(algorithm, game, position, heuristic, is_watched)
    if wanted == "compiled":
        if why_not:
            raise OptionError(f"engine 'compiled': {why_not}; expected auto or reference")
        return "compiled"
    if why_not or not isinstance(position, Position) or position.game.size <= SMALL:
        return "reference"
    expected = sequences(position, limit.depth) ** (1.0 if algorithm in ("minimax", "negamax") else ALPHABETA_POWER)
    expected = min(expected, limit.nodes or expected, expected if limit.seconds is None else limit.seconds * NODES_A_SECOND)
    is_running = "plyscope.searching.compiled.run" in sys.modules
    return "compiled" if expected >= (WORTH_CALLING if is_running else WORTH_STARTING) else "reference"


def _why_not(algorithm: str, game: Game, position: object, heuristic: Heuristic, is_watched: bool) -> str:
    """Return why the compiled form cannot carry the search out, nothing if it can."""
    if algorithm not in COMPILED:
        return f"{algorithm!r} has none, {', '.join(sorted(COMPILED))} have"
    if not isinstance(game, LineGame) or not isinstance(position, Position):
        return f"{game.name!r} is no line game"
    if not isinstance(heuristic, LineTable):
        return f"heuristic {heuristic.name!r} is no table"
    if heuristic.greatest(game) > WIN:
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

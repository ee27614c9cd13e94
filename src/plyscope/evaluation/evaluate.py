"""`evaluate` and `explain`: the static evaluation of one position, without any search."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from plyscope.errors import OptionError
from plyscope.evaluation.heuristic import Explanation, Heuristic, HeuristicLike
from plyscope.evaluation.heuristics import find_heuristic
from plyscope.rules.game import Game, GamePosition, parse_side
from plyscope.rules.notation import parse
from plyscope.rules.position import Position


def evaluate(
    position: GamePosition | str,
    heuristic: HeuristicLike | None = None,
    side: str | None = None,
) -> int:
    """Return what `heuristic` (counted-lines by default) gives for the side to move, or for `side`.

    `side` is x or o. Raises HeuristicError when a function's answer is no whole number.

    >>> evaluate("X../.O./..X", "open-lines", side="o")
    -1
    """
    chosen, position, seen_by = _resolved(position, heuristic, side)
    return chosen.evaluate(position, seen_by)


def explain(
    position: GamePosition | str,
    heuristic: HeuristicLike | None = None,
    side: str | None = None,
) -> Explanation:
    """Return the same evaluation with what each line gives.

    >>> [share.cells for share in explain("X../.../...", "open-lines").lines if share.value]
    [('a3', 'b3', 'c3'), ('a3', 'a2', 'a1'), ('a3', 'b2', 'c1')]
    """
    chosen, position, seen_by = _resolved(position, heuristic, side)
    return chosen.explain(position, seen_by)


def _resolved(
    position: GamePosition | str, heuristic: HeuristicLike | None, side: str | None
) -> tuple[Heuristic, GamePosition, int]:
    """Return the heuristic, the position and the side that are meant."""
    if isinstance(position, str):
        position = parse(position)
    if not hasattr(position, "game"):
        raise OptionError(
            f"position {str(position)[:60]!r} does not know its game; expected a position that does"
        )
    game = position.game
    seen_by = game.side(position) if side is None else parse_side(side)
    return find_heuristic(heuristic, game), position, seen_by


def evaluate_moves(
    game: Game, position: Any, heuristic: Heuristic, side: int, moves: Iterable[Any]
) -> dict[Any, int]:
    """Return by move what `heuristic` says of the position after it, for `side`.

    A line table says it of all moves at once.
    """
    at_once = getattr(heuristic, "evaluate_moves", None)
    if at_once is not None and isinstance(position, Position) and not position.is_over:
        evaluations: dict[Any, int] = at_once(position, side)
        return evaluations
    return {move: heuristic.evaluate(game.play(position, move), side) for move in moves}

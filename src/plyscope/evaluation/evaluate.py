"""`evaluate` and `explain`: a heuristic's opinion of one position, without any search."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from plyscope.evaluation.heuristic import Explanation, Heuristic
from plyscope.evaluation.heuristics import find_heuristic
from plyscope.rules.game import parse_side
from plyscope.rules.linegame import Position
from plyscope.rules.notation import parse

__all__ = ["evaluate", "explain", "opinions"]


def evaluate(position: Any, heuristic: Any = None, side: str | None = None) -> int:
    """Return what `heuristic` (counted-lines by default) gives for the side to move, or for `side`, x or o."""
    return explain(position, heuristic, side).total


def explain(position: Any, heuristic: Any = None, side: str | None = None) -> Explanation:
    """Return the same evaluation with what each line gives; raise HeuristicError when the heuristic's answer is no whole number."""
    position = parse(position) if isinstance(position, str) else position
    game = position.game
    chosen = game.side(position) if side is None else parse_side(side)
    return find_heuristic(heuristic, game).explain(position, chosen)


def opinions(game: Any, position: Any, heuristic: Heuristic, side: int, moves: Iterable[Any]) -> dict[Any, int]:
    """Return what `heuristic` says of the position after each of `moves`, for `side`: at once, where a table can."""
    at_once = getattr(heuristic, "evaluate_moves", None)
    if at_once is not None and isinstance(position, Position) and not position.is_over:
        found: dict[Any, int] = at_once(position, side)
        return found
    return {move: heuristic.evaluate(game.play(position, move), side) for move in moves}

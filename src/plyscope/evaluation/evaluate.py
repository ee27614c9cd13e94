"""`evaluate` and `explain`: a heuristic's opinion of one position, without any search."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from plyscope.evaluation.heuristic import Explanation, Heuristic
from plyscope.evaluation.heuristics import find_heuristic
from plyscope.rules.game import parse_side
from plyscope.rules.notation import parse
from plyscope.rules.position import Position

__all__ = ["evaluate", "explain", "opinions"]


def evaluate(position: Any, heuristic: Any = None, side: str | None = None) -> int:
    """Return what `heuristic` (counted-lines by default) gives for the side to move, or for `side`,
    x or o."""
    chosen, position, seen_by = _asked(position, heuristic, side)
    return chosen.evaluate(position, seen_by)


def explain(position: Any, heuristic: Any = None, side: str | None = None) -> Explanation:
    """Return the same evaluation with what each line gives; raise HeuristicError when the
    heuristic's answer is no whole number."""
    chosen, position, seen_by = _asked(position, heuristic, side)
    return chosen.explain(position, seen_by)


def _asked(position: Any, heuristic: Any, side: str | None) -> tuple[Heuristic, Any, int]:
    """Return the heuristic, the position and the side that are meant."""
    position = parse(position) if isinstance(position, str) else position
    game = position.game
    return (
        find_heuristic(heuristic, game),
        position,
        game.side(position) if side is None else parse_side(side),
    )


def opinions(
    game: Any, position: Any, heuristic: Heuristic, side: int, moves: Iterable[Any]
) -> dict[Any, int]:
    """Return what `heuristic` says of the position after each of `moves`, for `side`: at once,
    where a table can."""
    at_once = getattr(heuristic, "evaluate_moves", None)
    if at_once is not None and isinstance(position, Position) and not position.is_over:
        found: dict[Any, int] = at_once(position, side)
        return found
    return {move: heuristic.evaluate(game.play(position, move), side) for move in moves}

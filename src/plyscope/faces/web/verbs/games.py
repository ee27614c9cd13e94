"""A game that was played, as a graph of what each position is worth."""

from __future__ import annotations

from typing import Any

from plyscope.faces.web.requests import ReviewRequest
from plyscope.faces.web.verbs import REVIEW_FACTOR, Tell
from plyscope.faces.web.verbs.analysis import prepare_engine
from plyscope.faces.web.verbs.inputs import position_of
from plyscope.faces.wording import result_text
from plyscope.rules.position import Position
from plyscope.searching.score import MAX_EVALUATION, format_score
from plyscope.searching.search import search
from plyscope.solving import solve as solving
from plyscope.solving.book import BOOK
from plyscope.solving.solvers import plan_of

HALF_WON = 60.0
"""The evaluation that stands half-way between nothing and a win in the graph."""
MISTAKE, DOUBTFUL = 0.6, 0.3
"""Falls in that graph, whose heights lie within ±1, from which a move is marked."""


def review(request: ReviewRequest, tell: Tell) -> dict[str, Any]:
    """Return a point of the graph for each position, after telling all so far at each."""
    position = position_of(request.position)
    prepare_engine(tell)
    points: list[dict[str, Any]] = []
    for move in [None, *request.moves]:
        if move is not None:
            position = position.play(move)
        point = _point(position, request.seconds)
        point["slip"] = _slip(points[-1], point, 1 - position.side) if points else None
        points.append(point)
        tell({"points": points})
    return {"points": points}


def _slip(before: dict[str, Any], after: dict[str, Any], mover: int) -> str | None:
    """Return what a move was, by the fall of the graph; from a proof to an estimate, or back, it
    falls for other reasons."""
    if before["proved"] != after["proved"]:
        return None
    fall = (before["share"] - after["share"]) * _sign(mover)
    return "mistake" if fall > MISTAKE else "doubtful" if fall > DOUBTFUL else None


def _point(position: Position, seconds: float) -> dict[str, Any]:
    """Return how much of the game is X's in a position, from −1 to 1, and whether it is proved."""
    sign, share = _sign(position.side), 0.0
    if position.is_over:
        share = position.game.payoff(position) or 0
        return _point_data(True, share, result_text(position.winner))
    if plan_of(position.game).is_quick(position) or BOOK.plays(position):
        verdict = solving.solve(position, seconds=seconds * REVIEW_FACTOR)
        share = sign * (verdict.value or 0)
        return _point_data(verdict.value is not None, share, str(verdict), verdict.best_moves)
    result = search(position, "engine", seconds=seconds)
    value = sign * result.value
    is_sure = abs(value) > MAX_EVALUATION
    share = (1.0 if value > 0 else -1.0) if is_sure else value / (abs(value) + HALF_WON)
    text = f"{format_score(value, 'distance')} for X, depth {result.depth}"
    return _point_data(is_sure or result.complete, share, text, result.best_moves)


def _point_data(
    is_proved: bool, share: float, text: str, best: tuple[int, ...] = ()
) -> dict[str, Any]:
    return {"proved": is_proved, "share": float(share), "text": text, "best": list(best)}


def _sign(side: int) -> int:
    """Return the sign of X's gain in what `side` gains."""
    return -1 if side else 1

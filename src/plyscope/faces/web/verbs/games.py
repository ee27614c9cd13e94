"""A game that was played, as a graph of what each position is worth."""

from __future__ import annotations

from typing import Any

from plyscope.faces.reviews import review_text
from plyscope.faces.web.requests import ReviewRequest
from plyscope.faces.web.verbs import REVIEW_FACTOR, Tell
from plyscope.faces.web.verbs.analysis import prepare_engine
from plyscope.faces.web.verbs.inputs import position_of
from plyscope.faces.wording import result_text, score_words
from plyscope.lab.review import Assessment, MoveReview, review_game
from plyscope.searching.score import MAX_EVALUATION, format_score

HALF_WON = 60.0
"""The evaluation that stands half-way between nothing and a win in the graph."""
MISTAKE, DOUBTFUL = 0.6, 0.3
"""Falls in that graph, whose heights lie within ±1, from which a move is marked."""


def review(request: ReviewRequest, tell: Tell) -> dict[str, Any]:
    """Return a point of the graph for each position, after telling all so far at each."""
    position = start = position_of(request.position)
    moves = []
    for text in request.moves:
        moves.append(position.game.parse_move(position, text))
        position = position.play(moves[-1])
    prepare_engine(tell)
    points: list[dict[str, Any]] = []
    before: Assessment | None = None
    for here in review_game(start, moves, request.seconds, request.seconds * REVIEW_FACTOR):
        point = _point(here) | _said(here.review)
        slip = None if before is None else _slip(points[-1], point, before.position.side)
        points.append({**point, "slip": slip})
        before = here
        tell({"points": points})
    return {"points": points}


def _slip(before: dict[str, Any], after: dict[str, Any], mover: int) -> str | None:
    """Return what a move was, by the fall of the graph; from a proof to an estimate, or back, it
    falls for other reasons."""
    if before["proved"] != after["proved"]:
        return None
    fall = (before["share"] - after["share"]) * _sign(mover)
    return "mistake" if fall > MISTAKE else "doubtful" if fall > DOUBTFUL else None


def _said(review: MoveReview | None) -> dict[str, Any]:
    """Return what there is to say of the move that led to a point."""
    if review is None:
        return {"better": [], "gives": False, "sentence": ""}
    sentence = review_text(review)
    return {"better": list(review.better), "gives": review.gives_away, "sentence": sentence}


def _point(here: Assessment) -> dict[str, Any]:
    """Return how much of the game is X's in a position, from −1 to 1, and whether it is proved."""
    position, verdict, result = here.position, here.verdict, here.result
    sign, best = _sign(position.side), ()
    if result is not None:
        value, best = sign * result.value, result.best_moves
        is_sure = abs(value) > MAX_EVALUATION
        share = (1.0 if value > 0 else -1.0) if is_sure else value / (abs(value) + HALF_WON)
        worth = f"X {score_words(value, result.complete)}"
        if not here.is_proved:  # the graph says that it is an estimate
            worth = f"{format_score(value)} for X"
        text = f"{worth}, depth {result.depth}"
    elif verdict is not None:
        share, text, best = sign * (verdict.value or 0), str(verdict), verdict.best_moves
    else:
        share, text = position.game.payoff(position) or 0, result_text(position.winner)
    return {"proved": here.is_proved, "share": float(share), "text": text, "best": list(best)}


def _sign(side: int) -> int:
    """Return the sign of X's gain in what `side` gains."""
    return -1 if side else 1

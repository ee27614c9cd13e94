"""The endpoint that reviews a game: the values of its positions, as points of a graph."""

from __future__ import annotations

from typing import Any

from plyscope.faces.reviews import review_text
from plyscope.faces.wording import result_text
from plyscope.lab.judging.review import Assessment, MoveReview, review_game
from plyscope.lab.judging.tactics import tactic_of
from plyscope.searching.score import format_score
from plyscope_web.endpoints import Tell
from plyscope_web.endpoints.analysis import prepare
from plyscope_web.endpoints.inputs import position_of, proofs_of
from plyscope_web.endpoints.present import proof_data
from plyscope_web.requests import REVIEW_SECONDS, ReviewRequest

HALF_WON = 60.0
"""The search score that the graph shows half-way between 0 and a win."""


def review(request: ReviewRequest, tell: Tell) -> dict[str, Any]:
    """Return a point for each position of a game, after sending the points so far at each one, and
    after each later proof. A request that is cancelled while it proves returns what is judged."""
    position = start = position_of(request.position)
    moves = []
    for text in request.moves:
        moves.append(position.game.parse_move(position, text))
        position = position.play(moves[-1])
    prepare()
    points: list[dict[str, Any]] = []
    game: tuple[Assessment, ...] = ()
    effort = request.seconds / REVIEW_SECONDS
    proving = request.proving * min(1.0, effort)
    try:
        for game in review_game(start, moves, proofs_of(request.known), effort, proving):
            points = [_point(here) | _said(here.review) for here in game]
            tell({"points": points})
    except KeyboardInterrupt:
        if len(game) <= len(moves):
            raise
    for point, here in zip(points, game, strict=True):
        if here.review is not None and point["verdict"] == "mistake":
            point["asked"] = tactic_of(here.review.position)
    return {"points": points}


def _said(review: MoveReview | None) -> dict[str, Any]:
    """Return the judgement of the move that led to a point."""
    if review is None:
        return {"better": [], "gives": False, "sentence": "", "verdict": None}
    verdict = "mistake" if review.is_blunder else "slower win" if review.is_slow_win else None
    sentence = review_text(review)
    return {
        "better": list(review.better),
        "gives": review.is_blunder,
        "sentence": sentence,
        "verdict": verdict,
        "judged": review.is_proved,
    }


def _point(here: Assessment) -> dict[str, Any]:
    """Return the share of a position, from −1 (O wins) to 1 (X wins), and whether it is proved."""
    position, verdict, result = here.position, here.verdict, here.result
    sign = -1 if position.side else 1
    share, text = 0.0, ""
    if position.is_over:
        share, text = float(position.game.payoff(position) or 0), result_text(position.winner)
    elif verdict is not None:
        share, text = float(sign * (verdict.value or 0)), verdict.outcome
    elif result is not None:
        value = sign * result.value
        share = value / (abs(value) + HALF_WON)
        text = f"{format_score(value)} for X, depth {result.depth}"
    best = verdict.best_moves if verdict is not None else result.best_moves if result else ()
    return {
        "proved": here.is_proved,
        "share": share,
        "text": text,
        "best": list(best),
        "proof": None if verdict is None or position.is_over else proof_data(verdict),
    }

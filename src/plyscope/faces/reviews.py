"""Reviews of games in sentences."""

from __future__ import annotations

from plyscope.faces.wording import side_name
from plyscope.lab.review import MoveReview
from plyscope.rules.game import spoken
from plyscope.searching.score import format_score, plies_text

MOST_NAMED = 4
"""Better moves that a sentence names."""


def review_text(item: MoveReview) -> str:
    """Return what a move gave away, what was better, and how it is answered."""
    side = side_name(item.position.side)
    game = item.position.game
    head = f"move {item.ply + 1}, {side} {spoken(game, item.move)}"
    if not item.gives_away and item.is_proved:
        return f"{head} {_worth(item, item.after)}, and nothing is better."
    if not item.gives_away:
        score = format_score(item.after, "distance")
        return f"{head}: a search sees nothing better, and {score} for {side}."
    better = " or ".join(spoken(game, move) for move in item.better[:MOST_NAMED])
    more = len(item.better) - MOST_NAMED
    better += f" or {more} more" if more > 0 else ""
    in_plies = "" if item.plies is None else f" in {plies_text(item.plies)}"
    best = _worth(item, item.before)
    if len(item.better) > 1 and item.is_proved:
        best = best.removesuffix("s")
    text = f"{head} {_worth(item, item.after)}; {better} {best}{in_plies}"
    if not item.is_proved:
        text += ", as far as a search sees"
    line = " ".join(spoken(game, move) for move in item.line)
    return f"{text}. It is answered by {line}." if line else f"{text}."


def _worth(item: MoveReview, value: float) -> str:
    """Return what a move does to the game, for the side that makes it."""
    if not item.is_proved:
        return f"is worth {format_score(value, 'distance')}"
    if item.position.game.scored:
        return f"scores {format_score(value)}"
    return ("loses", "draws", "wins")[round(value) + 1]

"""Reviews of games in sentences."""

from __future__ import annotations

from typing import Any

from plyscope.faces.wording import score_words, side_name
from plyscope.lab.hint import Hint, Reason
from plyscope.lab.review import MoveReview
from plyscope.rules.game import spoken
from plyscope.searching.score import format_score, plies_text

MOST_NAMED = 4
"""Better moves that a sentence names."""


def review_text(item: MoveReview) -> str:
    """Return which move it was, and the judgement."""
    return f"move {item.ply + 1}, {judgement_text(item)}"


def judgement_text(item: MoveReview) -> str:
    """Return what a move gave away, what was better, and how it is answered."""
    side = side_name(item.position.side)
    game = item.position.game
    head = f"{side} {spoken(game, item.move)}"
    if not item.gives_away:
        nothing = "nothing is better" if item.is_proved else "a search sees nothing better"
        return f"{head} {_worth(item, item.after)}, and {nothing}."
    better = " or ".join(spoken(game, move) for move in item.better[:MOST_NAMED])
    more = len(item.better) - MOST_NAMED
    better += f" or {more} more" if more > 0 else ""
    in_plies = "" if item.plies is None else f" in {plies_text(item.plies)}"
    best = _worth(item, item.before)
    if len(item.better) > 1 and item.is_proved:
        best = best.removesuffix("s")
    reach = "" if item.is_proved else ", as far as a search sees"
    return f"{head} {_worth(item, item.after)}{_answered(item)}; {better} {best}{in_plies}{reach}."


def answer_text(item: MoveReview) -> str:
    """Return what a tried move does, without a word of what is better."""
    side, game = side_name(item.position.side), item.position.game
    move = spoken(game, item.move)
    if not item.gives_away:
        return f"{move} {_worth(item, item.after)}: nothing is better" + (
            "." if item.is_proved else ", as far as a search sees."
        )
    answered = _answered(item)
    if not item.is_proved:
        return f"{move} gives something away{answered}, as far as a search sees."
    kept = "a win" if item.before > 0 else "a draw"
    if game.scored:
        kept = f"{format_score(item.before - item.after)} points"
    return f"{move} {_worth(item, item.after)}{answered}: {side} gives {kept} away."


def _answered(item: MoveReview) -> str:
    """Return how a move is answered, after what it does."""
    line = " ".join(spoken(item.position.game, move) for move in item.line)
    return f", answered by {line}" if line else ""


def hint_text(hint: Hint) -> str:
    """Return a hint in a sentence: what the move is worth, and what it does."""
    game = hint.position.game
    move = spoken(game, hint.text)
    in_plies = "" if hint.plies is None else f" in {plies_text(hint.plies)}"
    if not hint.is_proved:
        head = f"{move} looks best, {hint.depth} plies deep"
    elif hint.value > 0:
        head = f"{move} wins{in_plies}"
    elif hint.value == 0:
        head = f"{move} holds the draw"
    elif hint.plies is None:
        head = f"every move loses, {move} too"
    else:
        head = f"every move loses; {move} holds out longest{in_plies}"
    if hint.is_only:
        head += ", and it is the only move that does"
    reasons = [_reason(game, reason, hint.position.side) for reason in hint.reasons]
    if reasons:
        return f"{head}: {', and '.join(reasons)}."
    rest = " ".join(spoken(game, each) for each in hint.line[1:])
    return f"{head}: play may go on {rest}." if rest else f"{head}."


def _reason(game: Any, reason: Reason, side: int) -> str:
    """Return what a move does, after *it* or the name of the move."""
    cells = " and ".join(spoken(game, cell) for cell in reason.cells)
    number = _NUMBERS.get(len(reason.cells), "several")
    other = side_name(1 - side)
    return {
        "line": "it completes a line",
        "double": f"it makes {number} threats at once, at {cells}",
        "threat": f"it threatens {cells}, where {other} has to answer",
        "block": f"it stops {other}'s line at {cells}",
        "prepare": f"it threatens to make two threats at once, at {cells}",
    }[reason.deed]


_NUMBERS = {2: "two", 3: "three", 4: "four"}


def _worth(item: MoveReview, value: float) -> str:
    """Return what a move does to the game, for the side that makes it."""
    if not item.is_proved:
        return score_words(value)
    if item.position.game.scored:
        return f"scores {format_score(value)}"
    return ("loses", "draws", "wins")[round(value) + 1]

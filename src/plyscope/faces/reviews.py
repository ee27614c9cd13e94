"""Sentences about reviewed moves and about hints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from plyscope.display import times
from plyscope.faces.wording import named, score_words, side_name
from plyscope.lab.judging.hint import Hint
from plyscope.lab.judging.review import MoveReview
from plyscope.lab.judging.wins import WinsTaken, WorseMove
from plyscope.rules.game import one_line, spoken
from plyscope.searching.score import format_score, plies_text

MAX_NAMED = 4
"""The greatest number of better moves that a sentence names."""


def review_text(item: MoveReview) -> str:
    """Return the number of the move and its judgement."""
    return f"move {item.ply + 1}, {judgement_text(item)}"


def judgement_text(item: MoveReview) -> str:
    """Return the result of a move, the reply to it, and the better moves if it loses value."""
    game = item.position.game
    head = f"{side_name(item.position.side)} {spoken(game, item.move)}"
    if item.half is not None:
        return f"{head} {_half_known(item)}."
    result = f"{head} {_result_words(item, item.after)}"
    if item.is_slow_win:
        return f"{result}{_in_plies(item.plies_after)}; {_sooner(item)}."
    if not item.is_blunder:
        return f"{result}, and nothing is better." if item.is_proved else f"{result}; not proved."
    reach = "" if item.is_proved else ", according to a search; not proved"
    return f"{result}{_answered(item)}; {_better(item)}{reach}."


def answer_text(item: MoveReview) -> str:
    """Return the result of a tried move and the reply to it, without naming a better move."""
    side, game = side_name(item.position.side), item.position.game
    move = spoken(game, item.move)
    if item.half is not None:
        return f"{move} {_half_known(replace(item, better=()))}."
    if not item.is_blunder:
        known = "nothing is better" if item.is_proved else "not proved"
        return f"{move} {_result_words(item, item.after)}: {known}."
    answered = _answered(item)
    if not item.is_proved:
        return f"A search prefers another move to {move}{answered}: not proved."
    kept = "a win" if (item.before or 0) > 0 else "a draw"
    if game.scored:
        kept = f"{format_score((item.before or 0) - (item.after or 0))} points"
    return f"{move} {_result_words(item, item.after)}{answered}: {side} gives {kept} away."


def why_not_text(item: MoveReview, answer: str) -> str:
    """Return the proved result of a move in comparison with the best one.

    `answer` is the text of the line that follows the move.
    """
    game, move = item.position.game, spoken(item.position.game, item.move)
    answered = f", answered by {answer}" if answer else ""
    if item.half is not None:
        return f"{move} {_half_known(item)}{answered}"
    best, own = item.plies, item.plies_after
    result = f"{move} {_result_words(item, item.after)}{_in_plies(own)}{answered}"
    if item.is_blunder:
        return f"{result}; {_better(item)}"
    if not item.after or None in (own, best):
        every = ": every move does" if item.after and item.after < 0 else "; nothing is better"
        return f"{result}{every}"
    if own == best:
        return f"{result}; no move {'holds out longer' if item.after < 0 else 'wins sooner'}"
    if item.after < 0:
        names = _or(game, item.quickest)
        return f"{result}; every move loses, and {names} holds out longest{_in_plies(best)}"
    return f"{result}; {_sooner(item)}"


def _sooner(item: MoveReview) -> str:
    """Return the moves that win sooner than the one played."""
    return f"{_or(item.position.game, item.quickest)} wins sooner{_in_plies(item.plies)}"


def wins_sentences(found: WinsTaken | None, who: str = "it") -> Iterator[str]:
    """Yield how `who` treats wins at hand, and wins in one move that the opponent threatens."""
    if found is None or not found.wins + found.unblocked:
        if found is not None and not found.positions:
            yield "wins in one turn were not looked for: a turn has too many moves"
        return
    takes, plays, gives, lets = (
        f"may {verb}" if found.may_vary else f"{verb}s" for verb in ("take", "play", "give", "let")
    )
    item = found.first or found.first_unblocked
    turn = "turn" if item and not getattr(item.position.game, "alternates", True) else "move"
    judged = f" (of the first {found.positions:,} positions)" * found.is_partial
    at_hand = "with a win at hand" if found.is_exact else f"with a win in one {turn}"
    if found.wins and found.first is None:
        fastest = "the fastest" if found.is_exact else "it"
        every = "all " * (found.wins > 1) + times(found.wins, "position")
        yield f"in {every} {at_hand}{judged} {who} takes {fastest}"
    elif found.first is not None:
        what = [(found.slower, f"{takes} a slower one" if found.is_exact else f"{plays} another")]
        what.append((found.given_away or 0, f"{gives} the win away"))
        (count, worst), *second = [each for each in what if each[0]]
        also = "".join(f", and in {more:,} {said}" for more, said in second)
        yield (
            f"in {count:,} of {times(found.wins, 'position')} {at_hand}{judged} {who} {worst}"
            f"{also}: {_worse_move(found.first, plays)}"
        )
    if found.is_exact and found.passed_in_one:
        yield (
            f"in {found.passed_in_one:,} of {times(found.wins_in_one, 'position')} with a win in "
            f"one {turn} {who} {plays} another"
        )
    if found.slower and found.scoring is not None:
        yield (
            f"{who} searches with scoring={found.scoring}, which does not count the plies of a "
            "win; scoring=distance does"
        )
    if found.unblocked and found.first_unblocked is not None:
        yield (
            f"in {found.unblocked:,} of {times(found.blocks, 'position')} with a win in one {turn} "
            f"to prevent{judged} {who} {lets} the opponent win: "
            f"{_worse_move(found.first_unblocked, plays)}"
        )


def _worse_move(item: WorseMove, plays: str) -> str:
    """Return the position of a move, the move with its result, and the better moves."""
    game = item.position.game
    names = _or(game, item.better)
    result = "" if item.value is None else f", which {('loses', 'draws', 'wins')[item.value + 1]}"
    result += _in_plies(item.plies) if result else ""
    better = f"{names} {'wins sooner' if item.value == 1 else 'wins'}{_in_plies(item.better_plies)}"
    if item.better_plies is None:
        better = f"{names} prevents it"
    move = spoken(game, item.move)
    return f"on '{one_line(named(item.position))}' it {plays} {move}{result}; {better}"


def _or(game: Any, moves: Sequence[str]) -> str:
    """Return some moves, such as `b1 or c1`."""
    more = len(moves) - MAX_NAMED
    named = " or ".join(spoken(game, move) for move in moves[:MAX_NAMED])
    return f"{named} or {more} more" if more > 0 else named


def _in_plies(plies: int | None) -> str:
    return "" if plies is None else f" in {plies_text(plies)}"


def _better(item: MoveReview) -> str:
    """Return the better moves and their result, and the quickest of them."""
    result = _result_words(item, item.before)
    quick = [move for move in item.better if move in item.quickest]
    late = [move for move in item.better if move not in item.quickest]
    if not quick or not late:
        return f"{_all(item, item.better, result)}{_in_plies(item.plies)}"
    return f"{_all(item, quick, result)}{_in_plies(item.plies)}, {_all(item, late, result)} later"


def _all(item: MoveReview, moves: Sequence[str], result: str) -> str:
    """Return some moves and their common result: `1 or 5 win`."""
    is_many = len(moves) > 1 and item.is_proved
    return f"{_or(item.position.game, moves)} {result.removesuffix('s') if is_many else result}"


def _half_known(item: MoveReview) -> str:
    """Return a clause about a move if only one of two values is proved.

    These are the value of the position before the move and the value of the move.
    """
    if item.half == "after":
        result = f"{_result_words(item, item.after, True)}{_in_plies(item.plies_after)}"
        if not item.better:
            return f"{result}; whether another move is better is not proved"
        return f"{result}; {_better(item)}, according to a search; not proved"
    kept = {1: "win", 0: "draw"}.get(round(item.before or 0), "")
    kept = "value" if item.position.game.scored or not kept else kept
    return f"is not proved to keep the {kept}"


def _answered(item: MoveReview) -> str:
    """Return the clause with the reply to a move, empty if there is none."""
    line = " ".join(spoken(item.position.game, move) for move in item.line)
    return f", answered by {line}" if line else ""


def hint_text(hint: Hint) -> str:
    """Return a hint in a sentence: the result of the move and its effect on the board."""
    game = hint.position.game
    move = spoken(game, hint.text)
    in_plies = _in_plies(hint.plies)
    if not hint.is_proved:
        head = f"{move} looks best, {hint.depth} plies deep"
    elif hint.value > 0:
        head = f"{move} wins{in_plies}"
        if hint.is_any:
            head = f"every move wins; {move} wins soonest{in_plies}"
            if hint.plies is None:
                head = f"every move wins, {move} too"
    elif hint.value == 0:
        head = f"{move} holds the draw"
        if hint.is_any:
            head = f"every move holds the draw, {move} too"
    elif hint.plies is None:
        head = f"every move loses, {move} too"
    else:
        head = f"every move loses; {move} holds out longest{in_plies}"
    if hint.is_only:
        head += ", and it is the only move that does"
    reason = hint.reason
    if reason is not None and reason.is_simple:
        if reason.kind in ("column", "ending", "lost"):
            return reason.sentence
        return f"{head}. It {reason.clause}."
    rest = " ".join(spoken(game, each) for each in hint.line[1:])
    return f"{head}: play may go on {rest}." if rest else f"{head}."


def value_cell(item: MoveReview, value: float | None, plies: int | None, is_proved: bool) -> str:
    """Return a value before or after a move for a table: `win in 5`, `draw`, `≈ −12` of a search;
    a dash if nothing is known."""
    if value is None:
        return "–"
    if not is_proved:
        return f"≈ {format_score(value, 'distance')}"
    if item.position.game.scored:
        return format_score(value)
    word = ("loss", "draw", "win")[round(value) + 1]
    return f"{word} in {plies}" if value and plies is not None else word


def _result_words(item: MoveReview, value: float | None, is_proved: bool = False) -> str:
    """Return a verb phrase for `value`, in the view of the side that moves, such as `wins`."""
    value = value or 0
    if not (item.is_proved or is_proved):
        return score_words(value)
    if item.position.game.scored:
        return f"scores {format_score(value)}"
    return ("loses", "draws", "wins")[round(value) + 1]

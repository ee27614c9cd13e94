"""Reviews of games: `review`."""

from __future__ import annotations

from plyscope.display import times
from plyscope.faces.findings.section import Section
from plyscope.faces.reviews import MAX_NAMED, review_text, value_cell
from plyscope.faces.wording import named, side_name
from plyscope.lab.judging.gamereview import GameReview, SideReview
from plyscope.lab.judging.review import MoveReview
from plyscope.lab.judging.why import reason_for
from plyscope.rules.game import SIDES, parse_side, read_move, spoken, state_of

HEAD = ("", "", "move", "before", "after", "best", "")


def review_section(review: GameReview) -> Section:
    """Return a table of the moves, a sentence about each that loses value or wins later than it
    could, and the counts of both players."""
    game = review.start.game
    start = game.name if state_of(review.start) == game.start() else named(review.start)
    told = [item for item in review.moves if item.is_blunder or item.is_slow_win]
    notes = [f"{review_text(item)}{_because(item)}" for item in told]
    notes += [_counted(side) for side in review.sides]
    notes += ["interrupted: the moves after these were not judged"] * bool(review.stopped)
    return Section(
        1,
        _result(review),
        (" ".join(filter(None, (start, f"({review.said})" * bool(review.said)))),),
        HEAD,
        tuple(map(_row, review.moves)),
        names=3,
        left=HEAD[3:],
        notes=tuple(notes),
    )


def _because(item: MoveReview) -> str:
    """Return a sentence with the reason for the reply to a move that is proved to lose value."""
    if not item.is_proved or not item.is_blunder:
        return ""
    position = item.position
    found = reason_for(position, read_move(position, item.move))
    reply = None if found is None else found.reply
    if reply is None or not reply.is_simple:
        return ""
    name = spoken(position.game, reply.move or "")
    return f" {side_name(reply.position.side)}'s {name} {reply.clause}."


def _row(item: MoveReview) -> tuple[str, ...]:
    game = item.position.game
    best = (item.quickest or item.better) if item.is_proved else item.better
    names = [spoken(game, move) for move in best]
    more = [f"and {len(names) - MAX_NAMED} more"] * (len(names) > MAX_NAMED)
    mark = "mistake" if item.is_blunder else "slower win" if item.is_slow_win else ""
    return (
        str(item.ply + 1),
        SIDES[item.position.side].upper(),
        spoken(game, item.move),
        value_cell(item, item.before, item.plies, item.is_proved or item.half == "before"),
        value_cell(item, item.after, item.plies_after, item.is_proved or item.half == "after"),
        " ".join([*names[:MAX_NAMED], *more]),
        mark,
    )


def _counted(side: SideReview) -> str:
    """Return the counts of a player in a sentence."""
    who = side_name(parse_side(side.side)) + (f" ({side.player})" if side.player else "")
    words = [times(side.moves, "move")]
    if not side.moves:
        return f"{who}: {words[0]}"
    words += [times(side.mistakes, "mistake")] if side.mistakes else ["no mistake"]
    if side.slow_wins:
        words.append(times(side.slow_wins, "slower win"))
    left = side.moves - side.proved
    judged = "all judged by proof" if not left else f"{side.proved} of them judged by proof"
    return f"{who}: {', '.join(words)}; {judged}"


def _result(review: GameReview) -> str:
    if review.winner is not None:
        return f"{side_name(parse_side(review.winner))} wins"
    if review.end.is_over:
        return "a draw"
    given = {None: "", 1: "; its text says that X won", 0: "; its text says that it was a draw"}
    return f"unfinished{given.get(review.result, '; its text says that O won')}"

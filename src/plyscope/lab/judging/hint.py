"""Hints: a good move, its value, and its effect on the board.

A hint is proved if a solver proves the position quickly; otherwise it is the estimate of a search.
The effects are the lines that it completes and the threats that it makes or stops.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from plyscope.evaluation.threats import Threat, threats
from plyscope.lab.agents.players import opening_move
from plyscope.lab.judging.review import (
    MAX_LINE_PLIES,
    search_within,
    solved_line,
    value_with_move,
    verdict_of_search,
)
from plyscope.rules.game import move_text
from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position
from plyscope.searching.result import line_text
from plyscope.searching.score import MAX_EVALUATION, WIN
from plyscope.solving.known import NOTHING, Proofs, proof_of
from plyscope.solving.verdict import Verdict

HINT_SECONDS = 1.0
"""Time limit of a hint."""

Effect = Literal["line", "double", "threat", "block", "prepare"]


@dataclass(frozen=True, kw_only=True)
class Reason:
    """An effect of a move on the board."""

    effect: Effect
    """The move completes a line, makes several threats or one, stops threats, or prepares a double
    threat."""
    cells: tuple[str, ...] = ()
    """The cells that complete the lines."""


@dataclass(frozen=True, kw_only=True)
class Hint:
    """A good move in a position."""

    position: Any
    move: Any
    is_proved: bool
    value: float
    """The value for the side to move: 1 won, 0 drawn or −1 lost if proved, else the score of a
    search."""
    plies: int | None
    """Plies to the end of the game, if known."""
    depth: int | None
    """Depth of the search, None if proved."""
    is_only: bool
    """Whether all other moves are proved wrong."""
    is_any: bool
    """Whether all moves are proved to have the same value, so that any will do."""
    reasons: tuple[Reason, ...]
    line: tuple[str, ...]
    """A line of play, beginning with the move."""

    @property
    def text(self) -> str:
        """The name of the move."""
        return move_text(self.position, self.move)


def hint(position: Any, seconds: float = HINT_SECONDS, proofs: Proofs = NOTHING) -> Hint | None:
    """Return a hint by a proof (known `proofs`, or a short solver call), else by a search within
    `seconds`.

    Return None if no move was found."""
    verdict = proof_of(position, proofs)
    if verdict is not None and verdict.best_moves:
        line = verdict.best_moves[:1]
        if not isinstance(position, Position):  # no effects are known for user-defined games
            line = solved_line(position, proofs)
        return _proved(verdict, tuple(line_text(position, line)), verdict.distance)
    first = opening_move(position)
    if first is None:
        result = search_within(position, seconds)
        value, pv = result.value, result.pv
    else:
        result = search_within(position.play(first), seconds)
        value, pv = value_with_move(position, result), (first, *result.pv)
    if not pv:
        return None
    line = tuple(line_text(position, pv[:MAX_LINE_PLIES]))
    found = None if first is not None else verdict_of_search(result)
    if found is not None and found.best_moves:
        is_win = result.value > MAX_EVALUATION  # there may be a quicker loss than the one found
        return _proved(found, line, WIN - round(result.value) if is_win else None)
    return Hint(
        position=position,
        move=pv[0],
        is_proved=False,
        value=value,
        plies=None,
        depth=result.depth + (first is not None),
        is_only=False,
        is_any=False,
        reasons=_reasons(position, pv[0]),
        line=line,
    )


def _proved(verdict: Verdict, line: tuple[str, ...], plies: int | None) -> Hint:
    position, move, values = verdict.position, verdict.best_moves[0], verdict.moves or ()
    keeping = [item for item in values if item.value == verdict.value]
    return Hint(
        position=position,
        move=move,
        is_proved=True,
        value=verdict.value or 0,
        plies=plies,
        depth=None,
        is_only=len(keeping) == 1 < len(values),
        is_any=len(keeping) == len(values) > 1,
        reasons=_reasons(position, move),
        line=line,
    )


def _reasons(position: Any, move: Any) -> tuple[Reason, ...]:
    return reasons_of(position, move) if isinstance(position, Position) else ()


def reasons_of(position: Position, move: int) -> tuple[Reason, ...]:
    """Return the effects of a move; () in misère games and with several stones a turn."""
    game, side = position.game, position.side
    if game.misere or not game.alternates:
        return ()
    after = position.play(move)
    if after.winner == side:
        return (Reason(effect="line"),)
    before, then = threats(position), threats(after)
    reasons = []
    made = _cells(then, side, "line")
    if made:
        reasons.append(
            Reason(effect="double" if len(made) > 1 else "threat", cells=_names(game, made))
        )
    stopped = _cells(before, 1 - side, "line") - _cells(then, 1 - side, "line")
    if stopped:
        reasons.append(Reason(effect="block", cells=_names(game, stopped)))
    coming = _cells(then, side, "double") - _cells(before, side, "double")
    if coming and not made:
        reasons.append(Reason(effect="prepare", cells=_names(game, coming)))
    return tuple(reasons)


def _cells(found: tuple[Threat, ...], side: int, kind: str) -> set[int]:
    return {threat.cell for threat in found if (threat.side, threat.kind) == (side, kind)}


def _names(game: LineGame, cells: set[int]) -> tuple[str, ...]:
    return tuple(game.format_cell(cell) for cell in sorted(cells))

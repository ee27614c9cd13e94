"""Hints: a good move, its value, and the reason for it.

A hint is proved if a solver proves the position quickly; otherwise it is the estimate of a search.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from plyscope.lab.agents.players import opening_move
from plyscope.lab.judging.review import (
    MAX_LINE_PLIES,
    search_within,
    solved_line,
    value_with_move,
    verdict_of_search,
)
from plyscope.lab.judging.why import reason_for
from plyscope.rules.game import move_text
from plyscope.rules.position import Position
from plyscope.searching.result import line_text
from plyscope.searching.score import MAX_EVALUATION, WIN
from plyscope.solving.known import NOTHING, Proofs, proof_of
from plyscope.solving.verdict import Verdict

if TYPE_CHECKING:
    from plyscope_fast.solving.why import Reason

HINT_SECONDS = 1.0
"""Time limit of a hint."""


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
    reason: Reason | None
    """The reason for the move; None without plyscope-fast."""
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
        reason=reason_for(position, pv[0]),
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
        reason=reason_for(position, move, {position: verdict}),
        line=line,
    )

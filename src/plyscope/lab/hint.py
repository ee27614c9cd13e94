"""Hints: a good move, what it is worth, and what it does on the board.

A solver says so where it knows the position at once; elsewhere a search does, and its word is an
opinion. What a move does is read off the board: lines completed, threats made and stopped.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from plyscope.evaluation.threats import Threat, threats
from plyscope.lab.review import LONGEST_LINE, is_soon_solved, search_within
from plyscope.rules.game import move_text
from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position
from plyscope.searching.result import line_text
from plyscope.searching.score import MAX_EVALUATION, WIN
from plyscope.solving.solve import solve

SECONDS = 1.0
"""For a hint."""

Deed = Literal["line", "double", "threat", "block", "prepare"]


@dataclass(frozen=True, kw_only=True)
class Reason:
    """What a move does on the board."""

    deed: Deed
    """It completes a line, makes several threats at once, or one, stops the other side's, or makes
    room for two threats at once."""
    cells: tuple[str, ...] = ()
    """Where the lines would be completed."""


@dataclass(frozen=True, kw_only=True)
class Hint:
    """A good move in a position."""

    position: Any
    move: Any
    is_proved: bool
    value: float
    """For the side to move: 1 won, 0 drawn, −1 lost where it is proved; else a search's score."""
    plies: int | None
    """To the end of the game, where that is known."""
    depth: int | None
    """Of the search, None where a solver says it."""
    is_only: bool
    """Whether every other move is proved to give something away."""
    reasons: tuple[Reason, ...]
    line: tuple[str, ...]
    """How it may go on, the move itself first."""

    @property
    def text(self) -> str:
        """The name of the move."""
        return move_text(self.position, self.move)


def hint(position: Any, seconds: float = SECONDS) -> Hint | None:
    """Return a hint, found within `seconds` as far as possible; None where no move was found."""
    if isinstance(position, Position) and is_soon_solved(position):
        verdict = solve(position, seconds=seconds)
        if verdict.value is not None and verdict.best_moves:
            move, values = verdict.best_moves[0], verdict.moves or ()
            keeping = [item for item in values if item.value == verdict.value]
            return Hint(
                position=position,
                move=move,
                is_proved=True,
                value=verdict.value,
                plies=verdict.distance,
                depth=None,
                is_only=len(keeping) == 1 < len(values),
                reasons=reasons_of(position, move),
                line=(move_text(position, move),),
            )
    result = search_within(position, seconds)
    if not result.pv:
        return None
    is_end = abs(result.value) > MAX_EVALUATION
    is_sure = is_end or (result.complete and not position.game.scored)
    return Hint(
        position=position,
        move=result.pv[0],
        is_proved=is_sure,
        value=(result.value > 0) - (result.value < 0) if is_sure else result.value,
        plies=WIN - abs(round(result.value)) if is_end else None,
        depth=None if is_sure else result.depth,
        is_only=False,
        reasons=reasons_of(position, result.pv[0]) if isinstance(position, Position) else (),
        line=tuple(line_text(position, result.pv[:LONGEST_LINE])),
    )


def reasons_of(position: Position, move: int) -> tuple[Reason, ...]:
    """Return what a move does on the board, where turns are one stone and a line does not lose."""
    game, side = position.game, position.side
    if game.misere or not game.alternates:
        return ()
    after = position.play(move)
    if after.winner == side:
        return (Reason(deed="line"),)
    before, then = threats(position), threats(after)
    reasons = []
    made = _cells(then, side, "line")
    if made:
        reasons.append(
            Reason(deed="double" if len(made) > 1 else "threat", cells=_names(game, made))
        )
    stopped = _cells(before, 1 - side, "line") - _cells(then, 1 - side, "line")
    if stopped:
        reasons.append(Reason(deed="block", cells=_names(game, stopped)))
    coming = _cells(then, side, "double") - _cells(before, side, "double")
    if coming and not made:
        reasons.append(Reason(deed="prepare", cells=_names(game, coming)))
    return tuple(reasons)


def _cells(found: tuple[Threat, ...], side: int, kind: str) -> set[int]:
    return {threat.cell for threat in found if (threat.side, threat.kind) == (side, kind)}


def _names(game: LineGame, cells: set[int]) -> tuple[str, ...]:
    return tuple(game.format_cell(cell) for cell in sorted(cells))

"""Verdicts: what a position is worth, and how that was proved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from plyscope.jsonable import by_name
from plyscope.rules.linegame import Position
from plyscope.searching.result import line_text
from plyscope.searching.score import format_score

__all__ = ["MoveVerdict", "Verdict", "connect_score", "move_of_score", "worth_of_score"]


def connect_score(position: Position, value: int, distance: int) -> int:
    """Return the field's usual score of Connect Four: the stones that the winner has left after its
    last one, plus one, negative for a loss, 0 for a draw."""
    stones = (position.first | position.second).bit_count()
    return value * ((position.game.size + 2 - stones - distance) // 2)


@dataclass(frozen=True, kw_only=True)
class MoveVerdict:
    """What a move is worth to the side that plays it: the `value` is 1, 0 or −1 for a win, a draw
    or a loss.

    The `distance` is the number of plies to the end of a game that is won as fast and lost as
    slowly as can be, counted with this move; None for draws, and where it was not proved.
    """

    move: int
    text: str
    value: int
    distance: int | None


def worth_of_score(position: Position, score: int) -> tuple[int, int | None]:
    """Return the value and the distance of a position of this score: a winner has its last stone at
    an end of its own parity."""
    if score == 0:
        return 0, None
    stones = (position.first | position.second).bit_count()
    value = 1 if score > 0 else -1
    distance = position.game.size - stones + 2 - 2 * abs(score)
    return value, distance - (distance % 2 != (value > 0)) if not position.is_over else 0


def move_of_score(position: Position, move: int, score: int) -> MoveVerdict:
    """Return what a move is worth that leads to a position of this score."""
    value, distance = worth_of_score(position.play(move), score)
    text = position.game.format_move(position, move)
    return MoveVerdict(
        move=move, text=text, value=-value, distance=None if distance is None else distance + 1
    )


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What a position is worth to the side to move: `value` 1, 0 or −1 for a win, a draw or a loss,
    None where the solver was stopped.

    `distance` counts the plies to the end, as in `MoveVerdict`; `score` is the field's of Connect
    Four, where gravity rules and the distance is known. `moves` are all moves with their worth,
    None where only the value was asked for; `best_moves` those that keep the value and, where
    distances are known, win fastest or lose slowest. `method` is the solver, `proof` what it did in
    a sentence, `megabytes` the memory of its tables, `stopped` what ended it before all was told.
    In the `weak` game X, the Maker, wins with a line, and O, the Breaker, when there is none.
    """

    position: Position
    value: int | None
    distance: int | None
    score: int | None
    best_moves: tuple[int, ...]
    moves: tuple[MoveVerdict, ...] | None
    method: str
    proof: str
    nodes: int
    seconds: float
    megabytes: float
    stopped: str | None = None
    weak: bool = False

    def as_dict(self) -> dict[str, Any]:
        """Return the verdict as JSON-ready data."""
        name = self.position.game.format_move
        return by_name(self, best_moves=[name(self.position, move) for move in self.best_moves])

    def __str__(self) -> str:
        """Return the verdict in words."""
        names = ("X, the Maker,", "O, the Breaker,") if self.weak else ("X", "O")
        side, other = names[self.position.side], names[1 - self.position.side]
        if self.value is None:
            return f"not solved: {self.stopped}"
        said = {1: f"{side} wins", 0: "a draw", -1: f"{other} wins"}[self.value]
        when = (
            ""
            if not self.distance
            else f" in {self.distance} pl{'y' if self.distance == 1 else 'ies'}"
        )
        score = "" if self.score is None else f", score {format_score(self.score)}"
        if 1 < len(self.best_moves) == len(self.position.moves):
            best = "; all moves alike"
        else:
            best = (
                ""
                if not self.best_moves
                else f"; best: {' '.join(line_text(self.position, (move,))[0] for move in self.best_moves)}"
            )
        cut = (
            "" if self.stopped is None else f"; stopped before every move was told: {self.stopped}"
        )
        return f"{said}{when}{score}{best}{cut}"

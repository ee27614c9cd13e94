"""Verdicts: the exact value of a position, and how it was proved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from plyscope.datafile import DataFrame, frame
from plyscope.display import drawn
from plyscope.jsonable import by_name
from plyscope.rules.game import result_for, spoken, state_of
from plyscope.rules.position import Position
from plyscope.rules.tree import AnyPosition, ExplicitTree
from plyscope.searching.score import format_score, plies_text


def connect_score(position: Position, value: int, distance: int) -> int:
    """Return the usual score of Connect Four, 0 for a draw and negative for a loss.

    A win scores one more than the number of stones that the winner has left at the end.
    """
    stones = (position.first | position.second).bit_count()
    return value * ((position.game.size + 2 - stones - distance) // 2)


@dataclass(frozen=True, kw_only=True)
class MoveVerdict:
    """The exact value of a move, in the view of the side that plays it."""

    move: Any
    text: str
    value: int
    """1 for a win, 0 for a draw, −1 for a loss."""
    distance: int | None
    """Plies to the end, this move included, if the winner wins as fast and the loser loses as
    slowly as possible; None for draws, and if it was not proved."""
    score: float | None = None
    """The payoff of a scored game, in the view of the side that plays the move."""

    def __str__(self) -> str:
        text = f"{self.text}: a {('loss', 'draw', 'win')[self.value + 1]}"
        text += f" in {plies_text(self.distance)}" if self.distance else ""
        return text if self.score is None else f"{text}, score {format_score(self.score)}"


def value_of_score(position: Position, score: int) -> tuple[int, int | None]:
    """Return the value and the distance of a position with this score of Connect Four.

    The winner makes the last move, which determines the parity of the distance.
    """
    if score == 0:
        return 0, None
    stones = (position.first | position.second).bit_count()
    value = 1 if score > 0 else -1
    distance = position.game.size - stones + 2 - 2 * abs(score)
    return value, distance - (distance % 2 != (value > 0)) if not position.is_over else 0


def move_of_score(position: Position, move: int, score: int) -> MoveVerdict:
    """Return the verdict on a move that leads to a position with this score."""
    value, distance = value_of_score(position.play(move), score)
    return move_verdict(position, move, value, distance)


def move_verdict(
    position: Position, move: int, value: int, distance: int | None = None
) -> MoveVerdict:
    """Return the verdict on a move that leads to a position with this value and distance."""
    if position.game.alternates or position.play(move).side != position.side:
        value = -value
    return MoveVerdict(
        move=move,
        text=position.game.format_move(position, move),
        value=value,
        distance=None if distance is None else distance + 1,
    )


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """The exact value of a position, and how it was proved.

    >>> import plyscope as ps
    >>> verdict = ps.solve("XO./.X./...")
    >>> verdict.value, verdict.distance, verdict.method
    (-1, 4, 'tablebase')
    """

    position: AnyPosition
    """The position solved."""
    value: int | None
    """1 for a win of the side to move, 0 for a draw, −1 for a loss; None if it was not solved."""
    distance: int | None = None
    """Plies to the end, as in `MoveVerdict`."""
    score: float | None = None
    """For gravity games whose distance is known, the usual score of Connect Four; for a scored
    game, the payoff in the view of the side to move."""
    best_moves: tuple[Any, ...] = ()
    """Moves that keep the value; if distances are known, those that win fastest or lose slowest."""
    moves: tuple[MoveVerdict, ...] | None = None
    """All moves with their values; None if they were not computed."""
    method: str
    """The name of the solver."""
    proof: str
    """The method of the proof in a sentence."""
    nodes: int = 0
    seconds: float = 0.0
    megabytes: float = 0.0
    """The memory of the solver's tables."""
    stopped: str | None = None
    """The reason if the solver stopped early, such as `seconds`."""
    maker_breaker: bool = False
    """Whether the game is Maker–Breaker: X, the Maker, wins with a line, and O, the Breaker, if
    there is none."""

    _repr_html_ = drawn

    def as_dict(self) -> dict[str, Any]:
        """Return the verdict as JSON-ready data."""
        return by_name(self, best_moves=self._best())

    def to_frame(self) -> DataFrame:
        """Return the moves with their values as a pandas DataFrame, a row for each."""
        return frame(self.moves or ())

    def _best(self) -> list[str]:
        game, state = self.position.game, state_of(self.position)
        return [game.format_move(state, move) for move in self.best_moves]

    @property
    def outcome(self) -> str:
        """The result in words: `X wins in 7 plies`, `a draw`, or why it is not solved."""
        if self.value is None:
            return f"not solved: {self.stopped}"
        is_tree = isinstance(self.position.game, ExplicitTree)
        names = ("MAX", "MIN") if is_tree else ("X", "O")
        names = ("X, the Maker,", "O, the Breaker,") if self.maker_breaker else names
        side, other = names[self.position.side], names[1 - self.position.side]
        text = (f"{other} wins", "a draw", f"{side} wins")[self.value + 1]
        return f"{text} in {plies_text(self.distance)}" if self.distance else text

    def __str__(self) -> str:
        """Return the verdict in words."""
        text = self.outcome
        if self.value is None:
            return text
        if self.score is not None:
            text += f", score {format_score(self.score)}"
        if 1 < len(self.best_moves) == len(self.position.moves):
            text += "; all moves alike"
        elif self.best_moves:
            best = (spoken(self.position.game, name) for name in self._best())
            text += f"; best: {' '.join(best)}"
        if self.stopped is not None:
            text += f"; stopped before every move was solved: {self.stopped}"
        return text


def result_of(position: Position) -> int:
    """Return the value of a finished game for the side to move."""
    return result_for(position.side, position.game, state_of(position)) or 0


def ended(position: Position) -> Verdict:
    """Return the verdict on a finished game."""
    value = result_of(position)
    return Verdict(
        position=position,
        value=value,
        distance=0 if value else None,
        moves=(),
        method="search",
        proof="the game is over",
        nodes=1,
    )

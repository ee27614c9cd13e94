"""Positions of line games."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from plyscope.display import drawn
from plyscope.errors import NotationError
from plyscope.rules.game import suggests_names
from plyscope.rules.lines import Line

if TYPE_CHECKING:
    from plyscope.rules.linegame import LineGame


@suggests_names
class Position(NamedTuple):
    """A position of a line game, immutable.

    Make positions with `LineGame.position`, `play` or `parse`, so that `winner` agrees with the
    stones.

    >>> import plyscope as ps
    >>> ps.parse("tictactoe b2").play("a1", "c3")
    <tictactoe: ..X/.X./O..>
    """

    game: LineGame
    first: int
    """The bitboard of X."""
    second: int
    """The bitboard of O."""
    side: int
    """The side to move, FIRST or SECOND."""
    winner: int | None
    """The side that has won, None if none has."""

    def stones(self, side: int) -> int:
        """Return the bitboard of `side`."""
        return self.second if side else self.first

    @property
    def empty(self) -> int:
        """The bitboard of the empty cells."""
        return self.game.board & ~(self.first | self.second)

    def owner(self, cell: int) -> int | None:
        """Return the side whose stone is on `cell`, None if it has no stone."""
        return 0 if self.first >> cell & 1 else 1 if self.second >> cell & 1 else None

    @property
    def is_over(self) -> bool:
        """Whether a side has won or the board is full."""
        return self.game.payoff(self) is not None

    @property
    def payoff(self) -> int | None:
        """1 if X has won, −1 if O has, 0 for a draw; None while the game goes on."""
        return self.game.payoff(self)

    @property
    def moves(self) -> Sequence[int]:
        """The legal moves, as cells, in generated order."""
        return self.game.moves(self)

    def play(self, *moves: int | str) -> Position:
        """Return the position after `moves`, each a cell or its text.

        Raises IllegalMoveError or NotationError at the first illegal move. `LineGame.play`, which
        searches call, does not check its move.
        """
        position = self
        for move in moves:
            game = position.game
            if isinstance(move, str):
                move = game.parse_move(position, move)
            elif (move := _number(move)) not in position.moves:
                raise game.illegal(position, move, by_number=True)
            position = game.play(position, move)
        return position

    def winning_line(self) -> Line | None:
        """Return the line that ended the game, the first if several did; None if there is none.

        In misère the owner of the line has lost.
        """
        if self.winner is None:
            return None
        owner = self.game.winner_of(self.winner)  # the function is its own inverse
        return self.game.completed(self.stones(owner), self.stones(1 - owner), owner)

    def __str__(self) -> str:
        return self.game.format(self)

    def __repr__(self) -> str:
        return f"<{self.game.name}: {self}>"

    def _repr_html_(self) -> str:
        return drawn(self)


def _number(move: Any) -> int:
    """Return a move as a whole number; raise NotationError if it is none."""
    try:
        return operator.index(move)
    except TypeError:
        raise NotationError(
            f"move {str(move)[:40]!r}; expected a cell's number or its name, such as 'b2'"
        ) from None

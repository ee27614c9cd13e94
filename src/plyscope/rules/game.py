"""The `Game` protocol: what every algorithm asks of a game, and nothing more.

A game here is for two sides, zero-sum, of perfect information, without chance. `FIRST` is called X,
`SECOND` is called O. The sides need not alternate: of every position the game says whose move it
is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from plyscope.errors import NotationError

FIRST = 0
SECOND = 1
SIDES = "xo"
"""The sides' names, indexed by side."""


def parse_side(text: str) -> int:
    """Return the side named by `x` or `o`, in either case; raise NotationError."""
    side = SIDES.find(text.strip().lower()) if len(text.strip()) == 1 else -1
    if side < 0:
        raise NotationError(f"unknown side {text!r}; expected x or o")
    return side


def side_text(side: int | None) -> str | None:
    """Return `x` or `o`, None for neither."""
    return None if side is None else SIDES[side]


class Game(Protocol):
    """Rules over positions that are immutable and hashable; moves are immutable and hashable too.

    A position is all that rules ask for: who is to move, and what each side has gained, belong to
    it where they do not follow from the rest. Equal positions are one to a transposition table.
    """

    @property
    def name(self) -> str:
        """What people type."""

    def start(self) -> Any:
        """Return the starting position."""

    def side(self, position: Any) -> int:
        """Return the side to move, FIRST or SECOND; where the game is over any answer will do."""

    def moves(self, position: Any) -> Sequence[Any]:
        """Return the legal moves in generated order: none exactly when the game is over.

        To pass is a move.
        """

    def play(self, position: Any, move: Any) -> Any:
        """Return the position after `move`, which must be one of `moves(position)`: not checked."""

    def payoff(self, position: Any) -> int | None:
        """Return what a finished game is worth to FIRST, a whole number, None while it goes on.

        Searches ask for its sign: won, drawn, lost. Where it is a value itself, as the leaf of a
        tree or the margin of a count, the game has an attribute `scored` that is true, and searches
        keep the number.
        """

    def format_move(self, position: Any, move: Any) -> str:
        """Return the text by which people know `move`."""

    def parse_move(self, position: Any, text: str) -> Any:
        """Return the legal move that `text` names; raise NotationError or IllegalMoveError."""

    def format(self, position: Any) -> str:
        """Return the text of `position`."""


class GamePosition(Protocol):
    """A position that knows its game, as those of line games and of explicit trees do."""

    @property
    def game(self) -> Game:
        """Its rules."""


def result_for(side: int, game: Game, position: Any) -> int | None:
    """Return 1, 0 or −1 for a game that `side` has won, drawn or lost, None while it goes on."""
    payoff = game.payoff(position)
    if payoff is None:
        return None
    result = (payoff > 0) - (payoff < 0)
    return -result if side else result

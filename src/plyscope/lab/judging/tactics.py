"""Classes of positions by their tactics: a win at hand, a forced block, a double threat, zugzwang.

They are the classes of an error budget: a report card counts the wrong moves in each of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Literal, get_args

from plyscope.rules.game import Game, moves_at, result_for, side_at, state_of
from plyscope.rules.linegame import LineGame
from plyscope.rules.lines import bits
from plyscope.rules.position import Position
from plyscope.solving.accelerated import CONNECT, connect_solver
from plyscope.solving.exhaustive import Values

Tactic = Literal[
    "win at hand",
    "forced block",
    "lets the opponent win",
    "makes a double threat",
    "prevents a double threat",
    "zugzwang",
    "none of these",
]
TACTICS: tuple[Tactic, ...] = get_args(Tactic)
"""All classes, in the order in which they are tested."""
MAX_EMPTY_CELLS = 10
"""The most empty cells at which a pass is solved move by move."""


def tactic_of(position: Any) -> Tactic:
    """Return the first of these classes that fits an unfinished position of any game.

    S is the side to move. A side *wins at once* if it can end the game with a win before the other
    side moves again. A *threat* is the chance to win at once if the other side passed.

        win at hand               S wins at once
        forced block              the opponent has a threat
        lets the opponent win     after some move, or by it, the opponent has won or wins at once
        makes a double threat     after some move the opponent does not win at once, S has a
                                  threat, and wins at once after every reply
        prevents a double threat  after some move the opponent can make a double threat
        zugzwang                  S would have a greater exact value if it could pass
        none of these             anything else

    So in misère a move that completes a line is of the third class. Two threats one above the
    other, under gravity, are a double threat. If no pass is possible by the rules (user-defined
    games, turns of several stones), a threat is a move that wins at once after at least two
    different moves of the other side, and there is no zugzwang. Zugzwang is tested under gravity
    if the solver of gravity games plays the game and half of the cells are taken; in misère, and
    where a line must have its exact length, with at most MAX_EMPTY_CELLS empty cells. In all
    other line games it does not exist, because a stone more never harms its side.
    """
    return tactics_in(position.game).of(state_of(position))


class Tactics:
    """The classes of the positions of one game, by playing its moves."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def of(self, state: Any) -> Tactic:
        """Return the class of a state."""
        tests = (
            self.wins,
            self.is_threatened,
            self.may_lose_at_once,
            self.makes_double,
            self.may_let_double,
            self.is_zugzwang,
        )
        return next(
            (tactic for tactic, test in zip(TACTICS, tests, strict=False) if test(state)),
            TACTICS[-1],
        )

    def wins(self, state: Any) -> set[Any]:
        """Return the moves by which the side to move wins at once."""
        game, side = self.game, side_at(self.game, state)
        found = set()
        for move in moves_at(game, state):
            after = game.play(state, move)
            result = result_for(side, game, after)
            if result is None:
                result = int(side_at(game, after) == side and bool(self.wins(after)))
            if result > 0:
                found.add(move)
        return found

    def is_threatened(self, state: Any) -> bool:
        """Return whether the opponent has a threat: a move that wins at once after at least two of
        the moves of the side to move."""
        replies = Counter(move for after in self._handed_over(state) for move in self.wins(after))
        return max(replies.values(), default=0) > 1

    def may_lose_at_once(self, state: Any) -> bool:
        """Return whether the opponent has won, or wins at once, after some move."""
        return any(map(self.is_lost_at_once, *self._after(state)))

    def makes_double(self, state: Any) -> bool:
        """Return whether the side to move can make a double threat."""
        return any(
            not self.wins(after) and self.is_threatened(after) and self._wins_after_all(after)
            for after in self._handed_over(state)
        )

    def may_let_double(self, state: Any) -> bool:
        """Return whether the opponent can make a double threat after some move."""
        return any(map(self.makes_double, self._handed_over(state)))

    def is_zugzwang(self, state: Any) -> bool:
        """Return whether the side to move would rather pass, if it could."""
        return False

    def _after(self, state: Any) -> tuple[list[int], list[Any]]:
        """Return the states after all moves, each with the side that moved."""
        after = [self.game.play(state, move) for move in moves_at(self.game, state)]
        return [side_at(self.game, state)] * len(after), after

    def _handed_over(self, state: Any) -> Iterator[Any]:
        """Yield the unfinished states after a move in which the other side is to move."""
        for side, after in zip(*self._after(state), strict=True):
            if self.game.payoff(after) is None and side_at(self.game, after) != side:
                yield after

    def is_lost_at_once(self, side: int, after: Any) -> bool:
        """Return whether the opponent of `side` has won, or wins at once however the turn ends."""
        result = result_for(side, self.game, after)
        if result is not None:
            return result < 0
        if side_at(self.game, after) != side:
            return bool(self.wins(after))
        return all(map(self.is_lost_at_once, *self._after(after)))

    def _wins_after_all(self, state: Any) -> bool:
        """Return whether the opponent wins at once after every move."""
        after = list(self._handed_over(state))
        return len(after) == len(moves_at(self.game, state)) and all(map(self.wins, after))


class LineTactics(Tactics):
    """The classes in a line game in which each turn is one stone, so that a pass is possible. Only
    replies on winning cells are tried, because the threat remains after any other reply. Without
    gravity a stone of S never adds a threat of the opponent.
    """

    game: LineGame

    def wins(self, state: Position) -> set[int]:
        """Return the cells that complete a line for the side to move."""
        game, stones = self.game, state.stones(state.side)
        other = state.stones(1 - state.side)
        if game.misere:
            return set()
        cells = 0
        for mask in game.masks:
            left = mask & ~stones
            if not left & (left - 1) and not left & other:
                cells |= left
        cells &= game.landing(stones | other)
        return {
            cell
            for cell in bits(cells)
            if not game.exactly or game.completes(stones | 1 << cell, cell)
        }

    def is_threatened(self, state: Position) -> bool:
        """Return whether the opponent would win at once if the side to move passed."""
        return bool(self.wins(_passed(state)))

    def may_let_double(self, state: Position) -> bool:
        """Return whether the opponent can make a double threat after some move."""
        if not self.game.gravity and not self.makes_double(_passed(state)):
            return False
        return super().may_let_double(state)

    def is_zugzwang(self, state: Position) -> bool:
        """Return whether the side to move would have a greater exact value if it passed."""
        game = self.game
        if not (game.gravity or game.misere or game.exactly):
            return False
        passed = _passed(state)
        start = game.start()
        if not CONNECT.why_not(start) and not CONNECT.is_quick(state):
            return False
        if CONNECT.plays(start):
            solver = connect_solver(game)
            solver.prepare()
            value, other = solver.scores([state, passed])
        elif (state.empty).bit_count() <= MAX_EMPTY_CELLS:
            values = Values(game)
            sign = -1 if state.side else 1
            value, other = sign * values.find(state), -sign * values.find(passed)
        else:
            return False
        return _sign(-other) > _sign(value)

    def _wins_after_all(self, state: Position) -> bool:
        """Return whether the opponent wins at once after every move."""
        cells = self.wins(_passed(state))
        return all(self.wins(self.game.play(state, cell)) for cell in cells)


def _passed(state: Position) -> Position:
    """Return the position with the other side to move."""
    return state._replace(side=1 - state.side)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


@lru_cache(maxsize=4)
def tactics_in(game: Game) -> Tactics:
    """Return the classes of the positions of a game."""
    is_plain = isinstance(game, LineGame) and game.alternates and not (game.renju or game.caro)
    return LineTactics(game) if is_plain else Tactics(game)

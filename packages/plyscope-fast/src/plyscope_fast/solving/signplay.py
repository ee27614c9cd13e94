"""Play by signs: the cell that they ask for, and the shortest game in which they fail.

`verify.check_signs` has the rules, and rejects signs without a game. Source: 2swap, WeakC4 (2025).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from plyscope.rules.linegame import LineGame
from plyscope.rules.lines import bits
from plyscope.rules.position import Position
from plyscope.solving.verify import PAIRED

NUMBER = 7
"""The number of signs, from 0, which asks for nothing, to 6."""

State = tuple[int, int]
"""The stones of the side to move, and those of the other side."""


class Failure(NamedTuple):
    """A game in which signs fail."""

    moves: tuple[int, ...]
    """The cells taken from the position on, by both sides."""
    reason: str
    """`line` if the opponent has completed a line, `none` or `several` if the signs ask for no cell
    or for several, `threats` if several cells must be blocked, and `draw` if a win ends in one."""
    asked: tuple[int, ...] = ()
    """The cells that are asked for or must be blocked, where there are several."""


def refutation(
    position: Position, side: int, least: int, signs: Mapping[int, int]
) -> Failure | None:
    """Return a shortest game in which a side that plays by signs does not reach `least`, 1 for a
    win and 0 for a draw; None if all games reach it.

    `signs` has a number from 0 to 6 for each empty cell. The game has gravity, and a line wins.
    """
    asked, game, mover = by_sign(signs), position.game, position.side
    todo = [(position.stones(mover), position.stones(1 - mover))]
    before: dict[State, tuple[State, int]] = {}
    while todo:
        after: dict[State, None] = {}
        for own, other in todo:
            moves, reason = game.landing(own | other), ""
            wins = completing(game, moves, own, other)
            if mover != side and wins:
                return Failure((*_moves(before, (own, other)), next(bits(wins))), "line")
            if wins:
                continue
            if mover == side:
                moves, sign = choose(game, asked, own, other)
                if moves & (moves - 1):
                    reason = "threats" if sign is None else "several"
                elif not moves:
                    reason = "none"
                if reason:
                    return Failure(_moves(before, (own, other)), reason, tuple(bits(moves)))
            for cell in bits(moves):
                state = (other, own | 1 << cell)
                if state not in after:
                    after[state] = None
                    before[state] = (own, other), cell
                if least and own | other | 1 << cell == game.board:
                    return Failure(_moves(before, state), "draw")
        mover = 1 - mover
        todo = [state for state in after if state[0] | state[1] != game.board]
    return None


def by_sign(signs: Mapping[int, int]) -> list[int]:
    """Return the cells of each sign as a mask."""
    asked = [0] * NUMBER
    for cell, sign in signs.items():
        asked[sign] |= 1 << cell
    return asked


def choose(game: LineGame, asked: list[int], own: int, other: int) -> tuple[int, int | None]:
    """Return the cells that are asked for, as a mask, and their sign; None without one.

    The side whose stones are `own` is to move, and `asked` has the cells of each sign. Cells that
    complete a line come first, then those that keep the opponent from it.
    """
    moves = game.landing(own | other)
    for stones, theirs in ((own, other), (other, own)):
        if found := completing(game, moves, stones, theirs):
            return found, None
    for sign, cells in enumerate(asked[1:], 1):
        found = moves & cells
        if found and not (sign == PAIRED and found & (found - 1)):
            return found, sign
    return 0, None


def completing(game: LineGame, moves: int, own: int, other: int) -> int:
    """Return those of the `moves` that complete a line of `own`, as a mask."""
    cells = (1 << cell for cell in bits(moves))
    return sum(cell for cell in cells if game.completes(own | cell, cell.bit_length() - 1, other))


def _moves(before: Mapping[State, tuple[State, int]], state: State) -> tuple[int, ...]:
    """Return the moves that lead to a state."""
    moves: list[int] = []
    while state in before:
        state, cell = before[state]
        moves.append(cell)
    return tuple(reversed(moves))

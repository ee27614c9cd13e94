"""Positions of quiet random games: no move ends the game or lets the next move end it.

Such positions are often undecided; positions of other random games hardly ever are.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position

MAX_CELLS = 36
"""The largest board on which quiet moves are found within milliseconds if a turn has several
stones."""


def has_quiet_games(game: LineGame) -> bool:
    """Return whether positions of quiet random games are found quickly."""
    return game.alternates or game.size <= MAX_CELLS


def quiet_position(game: LineGame, random: Random) -> Position:
    """Return the position after a random number of quiet moves, or after the last possible one."""
    position = game.start()
    cells = sum({mask for mask in game.masks if mask.bit_count() == 1})
    completing = cells, cells
    for _ in range(random.randrange(game.size)):
        moves = _quiet_moves(position, completing)
        if not moves:
            break
        move = random.choice(moves)
        completing = _completing_after(position, completing, move)
        position = game.play(position, move)
    return position


Completing = tuple[int, int]
"""The cells that complete a line, for each side; taken cells may be included."""


def _completing_after(position: Position, completing: Completing, move: int) -> Completing:
    """Return the completing cells after a move, which changes only those of its own side."""
    game, side = position.game, position.side
    stones, other = position.stones(side) | 1 << move, position.stones(1 - side)
    cells: int = completing[side]
    masks: Iterable[int] = game.masks_through[move]
    if game.exactly:  # the stone may also be at an end of a line, which then no longer counts
        cells, masks = 0, (line.mask for line in game.lines if not stones & line.ends)
    for mask in masks:
        left = mask & ~stones
        if left and not left & (left - 1) and not left & other:
            cells |= left
    return (completing[0], cells) if side else (cells, completing[1])


def _quiet_moves(position: Position, completing: Completing) -> list[int]:
    """Return the moves after which neither the game is over nor any next move ends it."""
    game, moves = position.game, position.moves
    if not game.alternates:
        return [move for move in moves if _is_quiet(game.play(position, move))]
    own, empty = completing[position.side], position.empty
    dangerous = completing[1 - position.side] & empty
    at_once = dangerous & (sum(1 << move for move in moves) if game.gravity else empty)
    return [
        move
        for move in moves
        if not own >> move & 1
        and not at_once & ~(1 << move)
        and not dangerous & game.above[move]
        and empty != 1 << move
    ]


def _is_quiet(after: Position) -> bool:
    """Return whether the game is not over, and no next move wins."""
    play = after.game.play
    replies = (play(after, reply) for reply in after.moves)
    return not after.is_over and all(reply.winner is None for reply in replies)

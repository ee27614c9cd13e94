"""Positions of quiet random games: no move ends the game, and none lets the next one end it.

So chance leads to positions that are still undecided, which games of any moves hardly ever reach.
"""

from __future__ import annotations

from random import Random

from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position


def quiet_position(game: LineGame, random: Random) -> Position:
    """Return the position after a random number of quiet moves, fewer where there are none left."""
    position = game.start()
    for _ in range(random.randrange(game.size)):
        moves = _quiet_moves(position)
        if not moves:
            break
        position = position.play(random.choice(moves))
    return position


def _quiet_moves(position: Position) -> list[int]:
    """Return the moves after which the game goes on, whatever the next one is."""

    play = position.game.play

    def is_quiet(after: Position) -> bool:
        replies = (play(after, reply) for reply in after.moves)
        return not after.is_over and all(reply.winner is None for reply in replies)

    return [move for move in position.moves if is_quiet(play(position, move))]

"""Openings: where the games of a match begin, so that they are not all the same game."""

from __future__ import annotations

from plyscope.errors import OptionError
from plyscope.rules.linegame import LineGame, Position
from plyscope.rules.symmetry import canonical

__all__ = ["openings"]

MOST_OPENINGS = 100_000


def openings(game: LineGame, plies: int) -> tuple[Position, ...]:
    """Return the positions after `plies` moves in which the game goes on, one of those that are each other's mirror images, in the order in
    which they are found. Raises OptionError when there are none, or more than 100,000."""
    found = [game.start()]
    for _ in range(plies):
        children = {canonical(child): child for position in found for move in position.moves if not (child := position.play(move)).is_over}
        if len(children) > MOST_OPENINGS:
            raise OptionError(f"openings of {plies} plies on {game.name!r} are more than {MOST_OPENINGS:,}; expected fewer plies")
        found = list(children.values())
    if not found:
        raise OptionError(f"openings of {plies} plies on {game.name!r}: the game is over by then; expected fewer plies")
    return tuple(found)

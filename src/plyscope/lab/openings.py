"""Openings: where the games of a match begin, so that they are not all the same game."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from plyscope.errors import OptionError
from plyscope.rules.linegame import LineGame, Position
from plyscope.rules.symmetry import canonical
from plyscope.searching.driver import search
from plyscope.searching.score import MAX_EVALUATION
from plyscope.solving.book import in_book
from plyscope.solving.solve import is_quickly_solved, solve

__all__ = ["balanced", "openings"]

MOST_OPENINGS = 100_000
MOST_WEIGHED, WEIGHING_NODES = 500, 5_000
"""Openings that are looked at for balance, and the nodes for which the engine looks at each."""


def openings(game: LineGame, plies: int) -> tuple[Position, ...]:
    """Return the positions after `plies` moves in which the game goes on, one of those that are
    each other's mirror images, in the order in which they are found. Raises OptionError when there
    are none, or more than 100,000."""
    found = [game.start()]
    for _ in range(plies):
        children = {
            canonical(child): child
            for position in found
            for move in position.moves
            if not (child := position.play(move)).is_over
        }
        if len(children) > MOST_OPENINGS:
            raise OptionError(
                f"openings of {plies} plies on {game.name!r} are more than {MOST_OPENINGS:,}; expected fewer plies"
            )
        found = list(children.values())
    if not found:
        raise OptionError(
            f"openings of {plies} plies on {game.name!r}: the game is over by then; expected fewer plies"
        )
    return tuple(found)


def balanced(found: Sequence[Position], seed: int) -> tuple[Position, ...]:
    """Return the openings that favour neither side, of 500 that `seed` draws where there are more,
    in the order in which they were given.

    Where a solver knows them, those are the draws. Elsewhere it is the half that the engine finds
    most even, less those it sees won. Raises OptionError when there are none.
    """
    drawn = [
        found[at]
        for at in sorted(Random(seed).sample(range(len(found)), min(len(found), MOST_WEIGHED)))
    ]
    if all(is_quickly_solved(position) or in_book(position) for position in drawn):
        even = [position for position in drawn if solve(position, with_moves=False).value == 0]
    else:
        weights = {
            position: abs(search(position, "engine", nodes=WEIGHING_NODES, megabytes=1).value)
            for position in drawn
        }
        limit = sorted(weights.values())[(len(drawn) - 1) // 2]
        even = [position for position in drawn if weights[position] <= min(limit, MAX_EVALUATION)]
    if not even:
        raise OptionError(
            f"balanced openings of '{found[0].game.name}': all {len(drawn)} favour a side; expected other plies"
        )
    return tuple(even)

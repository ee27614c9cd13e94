"""Positions drawn at random from games that a solver knows.

A position is one of a *quiet* random game (`solving/quiet`), late enough for its solver.
"""

from __future__ import annotations

from collections.abc import Collection
from random import Random

from plyscope.errors import OptionError
from plyscope.lab.reportcard.orbits import orbit_keys
from plyscope.lab.reportcard.population import Progress
from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position
from plyscope.solving.quiet import quiet_position
from plyscope.solving.solvers import plan_of

TRIES = 200
"""Random games in turn that bring no new position, before a sample is given up."""
AT_ONCE = 64
"""Positions that are compared with those to avoid together."""


def draw(
    game: LineGame,
    size: int,
    seed: int,
    avoid: Collection[int] = frozenset(),
    progress: Progress = None,
) -> dict[Position, tuple[Position, ...]]:
    """Return so many different positions, each with its children; `seed` tells which.

    None of them, no child, and no mirror image of one has a key in `avoid`, such as those of
    another sample (`Sample.orbits`). Raises OptionError where hardly any are left.
    """
    random, avoided = Random(seed), frozenset(avoid)
    drawn: dict[Position, tuple[Position, ...]] = {}
    seen: set[Position] = set()
    tries = 0
    while len(drawn) < size:
        fresh: dict[Position, tuple[Position, ...]] = {}
        wanted = min(size - len(drawn), AT_ONCE if avoided else size)
        while len(fresh) < wanted:
            tries += 1
            if tries > TRIES:
                found = len(drawn) + len(fresh)
                raise OptionError(
                    f"{size} samples of '{game.name}': only {found} were found; expected fewer"
                )
            position = quiet_position(game, random)
            if position not in seen and plan_of(game).is_quick(position):
                seen.add(position)
                fresh[position] = tuple(game.play(position, move) for move in position.moves)
                tries = 0
                if progress is not None:
                    progress(len(drawn) + len(fresh))
        drawn |= _without(game, fresh, avoided)
    return drawn


def _without(
    game: LineGame, drawn: dict[Position, tuple[Position, ...]], avoided: frozenset[int]
) -> dict[Position, tuple[Position, ...]]:
    """Return what is drawn, less all that have to do with positions to avoid."""
    if not avoided:
        return drawn
    asked = [each for position, after in drawn.items() for each in (position, *after)]
    keys = dict(zip(asked, orbit_keys(game, asked).tolist(), strict=True))
    return {
        position: after
        for position, after in drawn.items()
        if avoided.isdisjoint(keys[each] for each in (position, *after))
    }

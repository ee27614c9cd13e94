"""Strategies to be completed: signs are looked for in a position, and some of them are left out."""

from __future__ import annotations

from random import Random

from plyscope.errors import OptionError
from plyscope.extras import load
from plyscope.lab.questions.quiz.strategy import MAX_MISSING, Strategy
from plyscope.rules.position import Position

MAX_POSITIONS = 100_000
"""The limit of the positions met in the search for signs: some 10 milliseconds."""


def strategy_of(
    position: Position, missing: int, draw: Random, limit: int = MAX_POSITIONS
) -> Strategy | None:
    """Return a strategy of a side with `missing` signs left out; None if none was found.

    `exercise` of `plyscope_fast.solving.signexercise` has the method. Raises OptionError for a
    game without signs, and MissingPackageError without the kernels.
    """
    if not 1 <= missing <= MAX_MISSING:
        raise OptionError(f"{missing} missing signs; expected 1 to {MAX_MISSING}")
    module = load("plyscope_fast.solving.signs", "a question on signs", "fast")
    if not module.has_signs(position.game):
        raise OptionError(
            f"a question on signs for {position.game.name!r}; expected a game with gravity, on at "
            f"most {module.MAX_CELLS} cells, in which a line wins"
        )
    module = load("plyscope_fast.solving.signexercise", "a question on signs", "fast")
    found = module.exercise(position, missing, draw, limit)
    if found is None:
        return None
    signs = tuple(found.signs.items())
    return Strategy(side=found.side, least=found.least, signs=signs, missing=found.missing)

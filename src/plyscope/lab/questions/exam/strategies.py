"""Strategies to be completed: signs are looked for in a position, and some of them are left out."""

from __future__ import annotations

from random import Random

from plyscope.errors import OptionError
from plyscope.extras import load
from plyscope.lab.questions.quiz.strategy import MAX_MISSING, Strategy
from plyscope.rules.lines import bits
from plyscope.rules.position import Position
from plyscope.solving.ask import Ask

MAX_POSITIONS = 100_000
"""The limit of the positions met in the search for signs: some 10 milliseconds."""
MIN_WRONG = 4
"""The least number of signs, of seven, that are wrong on a cell whose sign is missing."""
SIMPLEST = (0, 3, 2, 1)
"""The signs that a question has where they prove as much as those found, the preferred first."""
MIN_ASKED = 3
"""The least number of cells with a sign other than 0."""


def strategy_of(
    position: Position, missing: int, draw: Random, limit: int = MAX_POSITIONS
) -> Strategy | None:
    """Return a strategy of a side with `missing` signs left out; None if none was found.

    The search for signs meets at most `limit` positions for each claim. Each sign is the first of
    0, 3, 2 and 1 that proves as much, if any does. A missing sign decides the result: with the
    other signs as found, most signs on its cell are refuted. Raises MissingExtraError without the
    kernels.
    """
    if not 1 <= missing <= MAX_MISSING:
        raise OptionError(f"{missing} missing signs; expected 1 to {MAX_MISSING}")
    module = load("plyscope_fast.solving.signs", "a question on signs", "fast")
    play = load("plyscope_fast.solving.signplay", "a question on signs", "fast")
    if not module.has_signs(position.game):
        raise OptionError(
            f"a question on signs for {position.game.name!r}; expected a game with gravity, on at "
            f"most {module.MAX_CELLS} cells, in which a line wins"
        )
    finder, empty = module.sign_finder(position.game), [*bits(position.empty)]
    for side, least in ((position.side, 1), (1 - position.side, 1), (0, 0), (1, 0)):
        found = finder.find(Ask(position, limit=limit), side, least)
        if found is None:
            continue
        signs = dict(zip(empty, found, strict=True))

        def holds(cell: int, sign: int) -> bool:
            changed = signs | {cell: sign}  # noqa: B023
            return play.refutation(position, side, least, changed) is None  # noqa: B023

        for cell in draw.sample(empty, len(empty)):
            signs[cell] = next(sign for sign in (*SIMPLEST, signs[cell]) if holds(cell, sign))
        wrong = {
            cell: sum(not holds(cell, sign) for sign in range(play.NUMBER))
            for cell in (empty if sum(map(bool, signs.values())) >= MIN_ASKED else ())
        }
        decisive = [cell for cell in empty if wrong.get(cell, 0) >= MIN_WRONG]
        if len(decisive) < missing or not any(map(signs.get, decisive)):
            continue
        left_out = sorted(draw.sample(decisive, missing))
        if any(signs[cell] for cell in left_out):
            return Strategy(
                side=side, least=least, signs=tuple(signs.items()), missing=tuple(left_out)
            )
    return None

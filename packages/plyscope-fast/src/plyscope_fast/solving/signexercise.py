"""Exercises on signs: signs are looked for in a position, and some of them are left out."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from plyscope.rules.lines import bits
from plyscope.rules.position import Position
from plyscope.solving.ask import Ask
from plyscope_fast.solving.signplay import NUMBER, refutation
from plyscope_fast.solving.signs import sign_finder

MIN_WRONG = 4
"""The least number of signs, of seven, that are wrong on a cell whose sign is missing."""
SIMPLEST = (0, 3, 2, 1)
"""The signs that an exercise has where they prove as much as those found, the preferred first."""
MIN_ASKED = 3
"""The least number of cells with a sign other than 0."""


class Exercise(NamedTuple):
    """Signs by which a side reaches a result, and the cells where they are to be found."""

    side: int
    least: int
    """1 for a win, 0 for a draw."""
    signs: dict[int, int]
    missing: tuple[int, ...]


def exercise(position: Position, missing: int, draw: Random, limit: int) -> Exercise | None:
    """Return an exercise in which `missing` signs are left out; None if none was found.

    The search for signs meets at most `limit` positions for each claim. Each sign is the first of
    SIMPLEST that proves as much, if any does. A missing sign decides the result: with the other
    signs as found, most signs on its cell are refuted.
    """
    finder, empty = sign_finder(position.game), [*bits(position.empty)]
    for side, least in ((position.side, 1), (1 - position.side, 1), (0, 0), (1, 0)):
        found = finder.find(Ask(position, limit=limit), side, least)
        if found is None:
            continue
        signs = dict(zip(empty, found, strict=True))

        def holds(cell: int, sign: int) -> bool:
            changed = signs | {cell: sign}  # noqa: B023
            return refutation(position, side, least, changed) is None  # noqa: B023

        for cell in draw.sample(empty, len(empty)):
            signs[cell] = next(sign for sign in (*SIMPLEST, signs[cell]) if holds(cell, sign))
        wrong = {
            cell: sum(not holds(cell, sign) for sign in range(NUMBER))
            for cell in (empty if sum(map(bool, signs.values())) >= MIN_ASKED else ())
        }
        decisive = [cell for cell in empty if wrong.get(cell, 0) >= MIN_WRONG]
        if len(decisive) < missing or not any(map(signs.get, decisive)):
            continue
        left_out = sorted(draw.sample(decisive, missing))
        if any(signs[cell] for cell in left_out):
            return Exercise(side, least, signs, tuple(left_out))
    return None

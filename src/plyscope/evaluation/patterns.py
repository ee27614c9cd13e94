"""Which games have patterns around their cells.

`plyscope_fast.evaluation.patterns` counts them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from plyscope.extras import load
from plyscope.rules.linegame import LineGame
from plyscope.rules.lines import chains

MAX_WINDOW = 10
"""The most cells around a cell in a direction; the table of classes has 4**MAX_WINDOW entries."""


def reach_of(game: LineGame) -> int:
    """Return how many cells on either side can share a line with a cell, or make it too long."""
    return game.longest_line - (0 if game.exactly or game.renju or game.caro else 1)


@lru_cache(maxsize=32)
def has_patterns(game: LineGame) -> bool:
    """Return whether a game has patterns.

    It has none if its lines are given one by one, if there are none, if they are longer than
    MAX_WINDOW allows, or if a line on a torus could meet itself.
    """
    if not (isinstance(game.given, int) and game.given >= 2 and game.masks):
        return False
    if 2 * reach_of(game) > MAX_WINDOW:
        return False
    shortest = 2 * reach_of(game) + 1
    found = chains(game.shape, game.given, game.torus, game.holes)
    return not any(chain.is_ring and len(chain.cells) < shortest for chain in found)


def counting() -> Any:
    """Return the module that counts patterns; raise MissingPackageError without plyscope-fast."""
    return load("plyscope_fast.evaluation.patterns", "the term 'patterns'", "fast")

"""Keys that are equal for symmetric positions: the least Zobrist key of a position's images.

Two positions that are not symmetric have the same key with a probability of about 2^−64. Samples
and splits then treat them as symmetric, which does no harm.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from plyscope.lab.judging.arrays import Keys
from plyscope.randomness import GOLDEN, stone_key
from plyscope.rules.game import SIDES, Game
from plyscope.rules.linegame import LineGame
from plyscope.rules.symmetry import symmetries

BATCH_POSITIONS = 8_192
"""Positions whose images are computed in one batch, which takes some megabytes."""


def orbit_keys(game: Game, positions: Sequence[Any]) -> Keys:
    """Return a key for each position, equal for positions that are rotated or mirrored images.

    The symmetries of a user-defined game are unknown: there, different states have different keys.
    """
    import numpy as np

    if not isinstance(game, LineGame):
        number = {state: at for at, state in enumerate(dict.fromkeys(positions))}
        return np.array([number[state] for state in positions], np.uint64)
    words, width = _words(game), (game.size + 7) // 8
    keys = np.empty(len(positions), np.uint64)
    for begin in range(0, len(positions), BATCH_POSITIONS):
        some = positions[begin : begin + BATCH_POSITIONS]
        images = np.zeros((len(some), words.shape[-1]), np.uint64)
        for side in range(len(SIDES)):
            stones = b"".join(position.stones(side).to_bytes(width, "little") for position in some)
            boards = np.frombuffer(stones, np.uint8).reshape(len(some), width)
            for byte in range(width):
                images ^= words[side, byte, boards[:, byte]]
        movers = np.array([position.side for position in some], np.uint64) * np.uint64(GOLDEN)
        keys[begin : begin + len(some)] = images.min(axis=1) ^ movers
    return keys


@lru_cache(maxsize=4)
def _words(game: LineGame) -> Keys:
    """Return the keys of the stones on any eight cells, combined.

    The array has one entry for each side, byte of the board, value of that byte, and symmetry."""
    import numpy as np

    group, width = symmetries(game), (game.size + 7) // 8
    words = np.zeros((len(SIDES), width, 256, len(group)), np.uint64)
    values = np.arange(256)
    for side in range(len(SIDES)):
        for cell in range(game.size):
            images = np.array([stone_key(image[cell], side) for image in group], np.uint64)
            words[side, cell // 8, values >> cell % 8 & 1 == 1] ^= images
    return words

"""Zobrist keys and random numbers by splitmix64: the same on every machine, in every run.

Kernels compute the same numbers.
"""

from __future__ import annotations

from functools import cache

GOLDEN, MIX_FIRST, MIX_SECOND = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
WORD_MASK = (1 << 64) - 1


def mix(number: int) -> int:
    """Return 64 pseudorandom bits for `number`, by the finalizer of splitmix64.

    Source: Steele, Lea & Flood 2014.
    """
    mixed = number & WORD_MASK
    for shift, factor in ((30, MIX_FIRST), (27, MIX_SECOND)):
        mixed = ((mixed ^ (mixed >> shift)) * factor) & WORD_MASK
    return mixed ^ (mixed >> 31)


@cache
def stone_key(cell: int, side: int) -> int:
    """Return the 64 pseudorandom bits of a stone of `side` on `cell`."""
    return mix((2 * cell + side + 1) * GOLDEN)


def position_key(first: int, second: int) -> int:
    """Return the key of two bitboards: the exclusive or of their stones' keys (Zobrist 1970)."""
    key = 0
    for side, stones in enumerate((first, second)):
        while stones:
            least = stones & -stones
            key ^= stone_key(least.bit_length() - 1, side)
            stones ^= least
    return key


class Stream:
    """A sequence of pseudorandom numbers from a seed: splitmix64."""

    def __init__(self, seed: int) -> None:
        self._state = mix(seed)

    def below(self, count: int) -> int:
        """Return the next number from 0 to `count` − 1."""
        self._state += GOLDEN
        return (mix(self._state) >> 33) % count

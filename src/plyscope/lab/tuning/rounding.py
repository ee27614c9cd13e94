"""Whole numbers from fitted ones: rounded to three digits, then repaired on the training choices.

The logistic loss stands in for what is wanted, few wrong moves, and rounding changes both. So each
number in turn is tried at other values, near and far, and the first change that lowers the number
of wrong moves among the *training* choices is kept, until none does. Coordinate descent on a count;
the test positions are not looked at.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

DIGITS = 1_000
"""The greatest number after rounding, whatever its sign."""
FACTORS = (0.01, 0.03, 0.1, 0.3, 1.0)
"""How far a number is moved, as parts of the root mean square of all."""
MOST_PASSES = 8


def rounded(weights: Floats, scale: float | None = None) -> Integers:
    """Return whole numbers in proportion to the weights, the greatest of them DIGITS.

    With a `scale` each is that times the weight instead: where terms that are not tuned say what a
    unit is.
    """
    greatest = float(np.abs(weights).max(initial=0.0))
    if scale is None:
        scale = DIGITS / greatest if greatest else 1.0
    return np.rint(weights * scale).astype(np.int64)


def repaired(
    weights: Integers, wrong: Callable[[Integers], float], passes: int = MOST_PASSES
) -> Integers:
    """Return weights with fewer wrong moves, by changes of one number at a time.

    `wrong` counts the wrong moves of weights. Every step lowers the count, so that it ends; the
    numbers are visited in their order, and nothing is drawn.
    """
    size = float(np.sqrt(np.mean(np.square(weights, dtype=np.float64)))) if len(weights) else 0.0
    steps = sorted({max(1, round(factor * size)) for factor in FACTORS})
    best, least = weights.copy(), wrong(weights)
    for _ in range(passes):
        before = least
        for number in range(len(best)):
            for step in (sign * step for step in steps for sign in (1, -1)):
                tried = best.copy()
                tried[number] += step
                count = wrong(tried)
                if count < least - 1e-9:
                    best, least = tried, count
        if least == before:
            break
    return best

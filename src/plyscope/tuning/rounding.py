"""Whole numbers from fitted ones: rounded to three digits, then repaired on the training choices.

The logistic loss stands in for what is wanted, few wrong moves, and rounding changes both. So each
number in turn is tried at other values, near and far, and the best that lowers the number of wrong
moves among the *training* choices is kept, until none does. Coordinate descent on a count; the test
positions are not looked at.
"""

from __future__ import annotations

import numpy as np

from plyscope.evaluation.function import MAX_VALUE
from plyscope.lab.judging.graph import Floats, Integers
from plyscope.tuning.choices import Choices, share_of_wrong

DIGITS = 1_000
"""The greatest number after rounding, whatever its sign, where nothing else says what a unit is."""
FACTORS = (0.01, 0.03, 0.1, 0.3, 1.0)
"""How far a number is moved, as parts of the root mean square of all."""
MOST_PASSES = 8
MOST = MAX_VALUE // 1_000
"""The greatest number at all: a finished line has to outweigh a board of them."""


def rounded(weights: Floats) -> Integers:
    """Return the nearest whole numbers."""
    return np.rint(np.clip(weights, -MOST, MOST)).astype(np.int64)


def repaired(numbers: Integers, choices: Choices) -> Integers:
    """Return numbers with fewer wrong moves among the choices, by changes of one at a time.

    Every step lowers the count, so that it ends; the numbers are visited in their order, and
    nothing is drawn.
    """
    size = float(np.sqrt(np.mean(np.square(numbers, dtype=np.float64)))) if len(numbers) else 0.0
    steps = sorted({max(1, round(factor * size)) for factor in FACTORS})
    signed = [sign * step for step in steps for sign in (1, -1)]
    best, scores = numbers.copy(), choices.scores(numbers)
    wrong = share_of_wrong(choices, scores).sum()
    for _ in range(MOST_PASSES):
        before = wrong
        for number in range(len(best)):
            column = choices.features[:, number]
            counts = [share_of_wrong(choices, scores + step * column).sum() for step in signed]
            least = int(np.argmin(counts))
            if counts[least] < wrong - 1e-9 and abs(best[number] + signed[least]) <= MOST:
                best[number] += signed[least]
                scores = choices.scores(best)
                wrong = share_of_wrong(choices, scores).sum()
        if wrong == before:
            break
    return best

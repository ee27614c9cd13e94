"""The Elo interval of a match that a sequential test has stopped.

A match that ends once it looks decided looks more decided than it is: the usual interval, as if the
number of games had been fixed, covers the truth in 89 to 93 of 100 matches. Here the interval is
that of the stopped walk itself. Results are ordered by when and where the walk left (Siegmund 1978;
Tsiatis, Rosner & Mehta 1984): accepted for `a` early, late, then for `b` late, early. A bound is
the Elo at which what was seen, or more, has a probability of 2.5 %; the median-unbiased estimate
that at which it has 50 %.

The distribution is computed, not simulated. The sum of the pairs' scores is a walk over whole half
points, with steps as frequent as seen. `exp(t s) / M(t)` tilts the frequencies of a score s to
another mean, and that of a path by its end alone, so that one pass over the walk serves all Elo.
`bench/intervals.py` measures how often it covers the truth.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plyscope.lab.ratings import COIN_VARIANCE, PRIOR_PAIRS, Sprt, elo_of_score

HALF_POINTS = np.arange(5)
COIN = np.array([1, 4, 6, 4, 1]) / 16
"""How frequent each score of two coin tosses is."""
COIN_PAIRS = 1.0
"""Pairs of coin tosses added to those that were seen: where nearly all are drawn, a few decided
games tell their own frequency badly."""
MAX_TILT = 12.0
"""The greatest tilt looked at, for a half point."""
BISECTION_STEPS = 50
TAIL = 0.025
MIN_PAIRS = 6
"""Pairs before which no test ends (`tally.FEWEST` games)."""


class Stopped(NamedTuple):
    """What a stopped match says of the Elo."""

    low: float
    high: float
    """The bounds of the 95 % interval."""
    unbiased: float
    """The Elo above which the truth is as often as below."""


@lru_cache(maxsize=256)
def elo_at_stop(pairs: tuple[int, ...], new: float, sprt: Sprt) -> Stopped:
    """Return the interval and the median-unbiased estimate of a match that `sprt` has stopped.

    `pairs` and `new` are those of `elo_of_pairs`.
    """
    counts = np.array(pairs, np.float64)
    number = max(1, round(new * sum(pairs)))
    total = round(number * float(counts @ HALF_POINTS) / sum(pairs))
    is_up = sprt.ratio(pairs, new) > 0
    if not is_up:  # the mirror image: both agents change places
        counts, total = counts[::-1], 4 * number - total
        sprt = Sprt(elo0=-sprt.elo1, elo1=-sprt.elo0, alpha=sprt.beta, beta=sprt.alpha)
    steps = new * counts + COIN_PAIRS * COIN
    steps /= steps.sum()
    shares = counts / counts.sum()
    variance = float(shares @ (HALF_POINTS - shares @ HALF_POINTS) ** 2) / 16
    ends, places, masses = _left(steps, number, total, sprt, variance)
    logs = np.log(masses)

    def reached(tilt: float, is_strict: bool) -> float:
        """Return the probability of what was seen or more, or of more alone."""
        unit = float(np.log(steps @ np.exp(tilt * HALF_POINTS)))
        chances = np.exp(logs + tilt * places - unit * ends)
        is_seen = (ends == number) & (places == total)
        return float(chances.sum() - is_strict * chances[is_seen].sum())

    def elo(wanted: float, function: Callable[[float], float]) -> float:
        if function(MAX_TILT) <= wanted:
            return inf
        return elo_of_score(_mean(steps, _tilt(function, wanted)) / 4)

    low = elo(TAIL, lambda tilt: reached(tilt, False))
    high = elo(1 - TAIL, lambda tilt: reached(tilt, True))
    middle = elo(0.5, lambda tilt: (reached(tilt, False) + reached(tilt, True)) / 2)
    if is_up:
        return Stopped(low, high, middle)
    return Stopped(-high, -low, -middle)


def _left(
    steps: NDArray[np.float64],
    number: int,
    total: int,
    sprt: Sprt,
    variance: float,
) -> tuple[NDArray[np.float64], ...]:
    """Return the pairs, half points and probabilities with which a walk of such steps is accepted
    for `a` before `number` pairs, or has `total` half points or more then."""
    bounds = _bounds(number, sprt, variance)
    walk, lowest = np.ones(1), 0
    masses: list[NDArray[np.float64]] = []
    places: list[NDArray[np.int64]] = []
    for pair, (lower, upper) in enumerate(bounds, 1):
        walk = np.convolve(walk, steps)
        if pair == number:
            upper = total
        elif pair < MIN_PAIRS:
            continue
        first = max(0, upper - lowest)
        masses.append(walk[first:])
        places.append(lowest + np.arange(first, len(walk)))
        begin = max(0, lower + 1 - lowest)
        walk, lowest = walk[begin:first], lowest + begin
        if not len(walk):
            break
    pairs = range(min(MIN_PAIRS, number), number + 1)
    ends = np.repeat(np.array(pairs, np.float64)[: len(masses)], list(map(len, masses)))
    mass, place = np.concatenate(masses), np.concatenate(places).astype(np.float64)
    return ends[mass > 0], place[mass > 0], mass[mass > 0]


def _bounds(number: int, sprt: Sprt, variance: float) -> list[list[int]]:
    """Return, for 1 to `number` pairs, the half points at and below which elo0 is accepted, and
    those at and above which elo1 is, if a pair's score has that variance (`Sprt.ratio`)."""
    pairs = np.arange(1, number + 1, dtype=np.float64)
    low, high = sprt.scores
    assumed = (pairs * variance + PRIOR_PAIRS * COIN_VARIANCE) / (pairs + PRIOR_PAIRS)
    middle, unit = pairs * (low + high) / 2, assumed / (high - low)
    below, above = (4 * (middle + bound * unit) for bound in sprt.bounds)
    found: list[list[int]] = (
        np.column_stack([np.floor(below + 1e-9), np.ceil(above - 1e-9)]).astype(np.int64).tolist()
    )
    return found


def _tilt(reached: Callable[[float], float], wanted: float) -> float:
    """Return the tilt at which the probability, which grows with it, is what is wanted."""
    low, high = -MAX_TILT, MAX_TILT
    for _ in range(BISECTION_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if reached(middle) > wanted else (middle, high)
    return (low + high) / 2


def _mean(steps: NDArray[np.float64], tilt: float) -> float:
    """Return the mean half points of a tilted step."""
    weights = steps * np.exp(tilt * HALF_POINTS)
    return float(weights @ HALF_POINTS / weights.sum())

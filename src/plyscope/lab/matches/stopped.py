"""The Elo interval of a match that a sequential test has stopped.

A match that stops when it looks decided overestimates the difference. The usual interval for a
fixed number of games then covers the true Elo in only 89 to 93 of 100 matches. This module computes
the interval of the stopped random walk. Results are ordered by the time and the bound of the stop
(Siegmund 1978; Tsiatis, Rosner & Mehta 1984): first accepted for `a` early, then late, then
accepted for `b` late, then early. A bound is the Elo at which the observed result, or a greater
one, has a probability of 2.5 %; at the median-unbiased estimate it has 50 %.

The distribution is computed, not simulated. The sum of the pairs' scores is a walk over half points
with the observed step frequencies. The factor `exp(t s) / M(t)` tilts the frequency of a score s to
another mean. The factor of a path depends only on its end, so one pass over the walk serves all
Elo. `bench/intervals.py` measures the coverage.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plyscope.lab.matches.ratings import COIN_VARIANCE, PRIOR_PAIRS, Sprt, elo_of_score

HALF_POINTS = np.arange(5)
COIN = np.array([1, 4, 6, 4, 1]) / 16
"""The frequency of each score of two coin tosses."""
COIN_PAIRS = 1.0
"""Pairs of coin tosses added to the observed ones, since a few decided games among many draws
estimate their frequency badly."""
MAX_TILT = 12.0
"""The greatest tilt t, per half point."""
BISECTION_STEPS = 50
TAIL_PROBABILITY = 0.025
MIN_PAIRS = 6
"""The fewest pairs before a test may end (`tally.MIN_GAMES` games)."""


class Stopped(NamedTuple):
    """The Elo estimates of a match that a sequential test stopped."""

    low: float
    high: float
    """Bounds of the 95 % interval."""
    unbiased: float
    """The median-unbiased estimate: the true Elo is above it as often as below."""


@lru_cache(maxsize=256)
def elo_at_stop(pairs: tuple[int, ...], new: float, sprt: Sprt) -> Stopped:
    """Return the interval and the median-unbiased estimate of a match that `sprt` has stopped.

    `pairs` and `new` are those of `elo_of_pairs`.
    """
    counts = np.array(pairs, np.float64)
    number = max(1, round(new * sum(pairs)))
    total = round(number * float(counts @ HALF_POINTS) / sum(pairs))
    is_up = sprt.ratio(pairs, new) > 0
    if not is_up:  # swap both agents
        counts, total = counts[::-1], 4 * number - total
        sprt = Sprt(elo0=-sprt.elo1, elo1=-sprt.elo0, alpha=sprt.beta, beta=sprt.alpha)
    steps = new * counts + COIN_PAIRS * COIN
    steps /= steps.sum()
    shares = counts / counts.sum()
    variance = float(shares @ (HALF_POINTS - shares @ HALF_POINTS) ** 2) / 16
    ends, places, masses = _left(steps, number, total, sprt, variance)
    logs = np.log(masses)

    def reached(tilt: float, is_strict: bool) -> float:
        """Return the probability of a result at least as great as the observed one; of a greater
        one if `is_strict`."""
        unit = float(np.log(steps @ np.exp(tilt * HALF_POINTS)))
        chances = np.exp(logs + tilt * places - unit * ends)
        is_seen = (ends == number) & (places == total)
        return float(chances.sum() - is_strict * chances[is_seen].sum())

    def elo(wanted: float, function: Callable[[float], float]) -> float:
        if function(MAX_TILT) <= wanted:
            return inf
        low, high = -MAX_TILT, MAX_TILT
        for _ in range(BISECTION_STEPS):  # the probability increases with the tilt
            middle = (low + high) / 2
            low, high = (low, middle) if function(middle) > wanted else (middle, high)
        weights = steps * np.exp((low + high) / 2 * HALF_POINTS)
        return elo_of_score(float(weights @ HALF_POINTS / weights.sum()) / 4)

    low = elo(TAIL_PROBABILITY, lambda tilt: reached(tilt, False))
    high = elo(1 - TAIL_PROBABILITY, lambda tilt: reached(tilt, True))
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
    """Return the ends of the walk that favour `a`: arrays of pairs, half points and probabilities.

    These are the ends with acceptance before `number` pairs, and those with at least `total` half
    points at `number` pairs."""
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
    """Return, for 1 to `number` pairs, the greatest half points that accept elo0 and the least that
    accept elo1, for this variance of a pair's score (`Sprt.ratio`)."""
    pairs = np.arange(1, number + 1, dtype=np.float64)
    low, high = sprt.scores
    assumed = (pairs * variance + PRIOR_PAIRS * COIN_VARIANCE) / (pairs + PRIOR_PAIRS)
    middle, unit = pairs * (low + high) / 2, assumed / (high - low)
    below, above = (4 * (middle + bound * unit) for bound in sprt.bounds)
    found: list[list[int]] = (
        np.column_stack([np.floor(below + 1e-9), np.ceil(above - 1e-9)]).astype(np.int64).tolist()
    )
    return found

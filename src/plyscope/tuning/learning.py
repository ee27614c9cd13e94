"""Learns numbers from critical positions, and measures them by cross-validation.

The folds of the cross-validation share no position (`split`). The loss on the held-out fold selects
the ridge. The wrong moves there select the family, show the benefit of more positions (the learning
curve), and show which numbers may be dropped.

Fitted numbers are rounded to whole numbers, then repaired. The aim is few wrong moves; the logistic
loss is only a substitute, and rounding changes both. So the repair tries other values for one
number after another, near and far, and takes the best one that lowers the share of wrong moves in
the *training* positions, until none does. This is coordinate descent.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plyscope.evaluation.function import MAX_VALUE
from plyscope.lab.judging.arrays import Flags, Floats, Integers
from plyscope.lab.judging.share import wilson
from plyscope.tuning.featured import Featured, Pairs, share_of_wrong
from plyscope.tuning.fit import Fit, fit, loss_of, sandwich
from plyscope.tuning.result import LearningPoint

RIDGES = (1e-2, 1e-3, 1e-4, 1e-5)
DEFAULT_RIDGE = 1e-4
"""The ridge with which families are compared."""
FOLDS = 5
CURVE_SHARES = (0.25, 0.5, 1.0)
"""The shares of the positions at the points of the learning curve."""
MIN_PAIR_SHARE = 0.01
"""The least root mean square of the untuned terms' part in the score of a pair, in natural units
(log-odds)."""
MAX_ROUNDED = 1_000
"""The greatest absolute number after rounding, if no untuned terms define the unit."""
REPAIR_STEPS = (0.01, 0.03, 0.1, 0.3, 1.0)
"""The changes of a number that the repair tries, as fractions of the root mean square of all
numbers of the table."""
MAX_PASSES = 8
MAX_WEIGHT = MAX_VALUE // 1_000
"""The greatest absolute value of a number, so that a finished line outweighs a whole board."""


class Estimate(NamedTuple):
    """Whole numbers for a family's parameters."""

    numbers: Integers
    errors: Floats
    """The standard error of each number, in the same unit."""


class Validated(NamedTuple):
    """The results of cross-validation: numbers learned from four folds are tested on the fifth."""

    ridge: float
    numbers: Integers
    """Numbers learned from all five folds."""
    wrong_by: Floats
    """An array with one entry per position: the share of wrong moves among the best-rated moves,
    with numbers learned from the other folds."""

    @property
    def wrong(self) -> float:
        """The mean share of wrong moves."""
        return float(self.wrong_by.mean())

    @property
    def error(self) -> float:
        """The standard error of `wrong`."""
        return float(self.wrong_by.std() / np.sqrt(len(self.wrong_by)))


def estimate(featured: Featured, ridge: float) -> Estimate:
    """Return whole numbers with which few positions have a wrong move, and their standard errors.

    The numbers are fitted with the penalty `ridge`, rounded, and then changed one by one as long as
    wrong moves become fewer.
    """
    pairs, _ = featured.pairs()
    rows = pairs.with_offsets_free() if pairs.offsets.any() else pairs
    found = _fitted(pairs.merged(np.zeros(len(pairs.offsets), np.int64)), ridge)
    loss = loss_of(rows.differences, rows.offsets, rows.weights, ridge)
    slopes = found.slopes
    covariance = slopes @ sandwich(loss, found.fit.weights, rows.groups) @ slopes.T
    errors = np.sqrt(np.maximum(0.0, np.diag(covariance)))
    return Estimate(repaired(found.numbers, featured), errors)


class _Fitted(NamedTuple):
    numbers: Integers
    """The rounded numbers, before their repair."""
    fit: Fit
    """The fit of the weights in natural units (log-odds). If START has untuned terms, their factor
    is the last weight."""
    slopes: Floats
    """A matrix with a row per number and a column per weight: the derivatives of the numbers with
    respect to the weights."""


def _fitted(pairs: Pairs, ridge: float, begin: Floats | None = None) -> _Fitted:
    """Return numbers that fit the pairs; `begin` are weights to start from.

    Untuned terms of START define the unit of the numbers. Their factor is fitted together with the
    weights, and the weights are divided by it.
    """
    if not pairs.offsets.any():
        found = fit(*pairs, ridge, begin=begin)
        greatest = float(np.abs(found.weights).max(initial=0.0))
        scale = MAX_ROUNDED / greatest if greatest else 1.0
        return _Fitted(rounded(found.weights * scale), found, scale * np.eye(len(found.weights)))
    shares = pairs.weights / pairs.weights.sum()
    found = fit(*pairs.with_offsets_free(), ridge, begin=begin)
    unit = max(float(found.weights[-1]), MIN_PAIR_SHARE / float(np.sqrt(shares @ pairs.offsets**2)))
    numbers = found.weights[:-1] / unit
    slopes = np.column_stack([np.eye(len(numbers)), -numbers]) / unit
    return _Fitted(rounded(numbers), found, slopes)


def validated(featured: Featured, folds: Integers, ridges: Sequence[float] = RIDGES) -> Validated:
    """Return the results of cross-validation with the best of `ridges`: the one with the least
    loss on the held-out folds.

    The numbers are not repaired.
    """
    pairs, owners = featured.pairs()
    by_fold = pairs.merged(folds[owners])
    names, begin, least, best = np.unique(folds), None, np.inf, None
    for ridge in ridges:
        of_all = _fitted(by_fold, ridge, begin)
        begin = of_all.fit.weights
        found = [_fitted(by_fold.only(by_fold.groups != fold), ridge, begin) for fold in names]
        loss = fsum(
            _loss(by_fold.only(by_fold.groups == fold), each.fit.weights)
            for fold, each in zip(names, found, strict=True)
        )
        if best is None or loss < least:
            least, best = loss, (ridge, of_all.numbers, found)
    assert best is not None
    ridge, numbers, found = best
    wrong_by = np.zeros(len(featured))
    for fold, each in zip(names, found, strict=True):
        wrong_by[folds == fold] = featured.only(folds == fold).wrong_by(each.numbers)
    return Validated(ridge, numbers, wrong_by)


def _loss(pairs: Pairs, weights: Floats) -> float:
    """Return the sum of the loss of weights over pairs, without a ridge."""
    rows = pairs.with_offsets_free() if len(weights) > pairs.differences.shape[1] else pairs
    loss = loss_of(rows.differences, rows.offsets, rows.weights, 0.0)
    return loss.value(weights) * float(rows.weights.sum())


def curve(
    featured: Featured, folds: Integers, ridge: float, seed: int, repeats: int = 1
) -> tuple[LearningPoint, ...]:
    """Return the learning curve: the results with a quarter, a half and all of the positions.

    Each position occurs `repeats` times, and counts once."""
    groups = np.unique(featured.groups)
    order = groups.tolist()
    Random(seed).shuffle(order)
    place = np.empty(len(order))
    place[np.searchsorted(groups, order)] = np.arange(len(order)) / len(order)
    of_position = place[np.searchsorted(groups, featured.groups)]
    points = []
    for part in CURVE_SHARES:
        is_in: Flags = of_position < part
        some = featured.only(is_in)
        out, number = validated(some, folds[is_in], (ridge,)), len(some) // repeats
        points.append(
            LearningPoint(
                choices=number,
                training=wilson(some.wrong(out.numbers) / repeats, number),
                validation=wilson(float(out.wrong_by.sum()) / repeats, number),
            )
        )
    return tuple(points)


def held_out(
    featured: Featured, labelled: NDArray[np.generic], folds: Integers, ridge: float
) -> dict[int, Integers]:
    """Return numbers for each fold, learned without any label by which the fold is judged.

    `labelled` has one entry per move: the key of the position whose label the move has, equal for
    mirror images. In a whole game, positions of different folds share labels. So the moves with the
    same label as a move of the fold are left out.
    """
    found = {}
    for fold in np.unique(folds).tolist():
        is_out = np.repeat(folds == fold, featured.counts)
        seen = np.isin(labelled, labelled[is_out])
        found[fold] = estimate(featured.only_moves(~seen), ridge).numbers
    return found


def droppable(
    featured: Featured,
    folds: Integers,
    ridge: float,
    found: Estimate,
) -> tuple[list[bool], bool | None]:
    """Return whether each number may be dropped, and whether all of these may be dropped together.

    A number may be dropped if its 95 % interval includes 0, and if without it the share of wrong
    moves in the held-out folds rises by at most one standard error. The second result is None if
    fewer than two numbers may be dropped, and False if every number may be dropped.
    """
    covers = np.abs(found.numbers) <= 1.96 * found.errors
    with_all = validated(featured, folds, (ridge,))

    def is_as_good(*numbers: int) -> bool:
        without = validated(featured.without(*numbers), folds, (ridge,))
        return without.wrong <= with_all.wrong + with_all.error

    may = []
    for number, is_asked in enumerate(covers.tolist()):
        may.append(is_asked and len(covers) > 1 and is_as_good(number))
    droppable = [number for number, is_idle in enumerate(may) if is_idle]
    if len(droppable) < 2 or all(may):
        return may, None if len(droppable) < 2 else False
    return may, is_as_good(*droppable)


def rounded(weights: Floats) -> Integers:
    """Return the nearest whole numbers within ±MAX_WEIGHT."""
    return np.rint(np.clip(weights, -MAX_WEIGHT, MAX_WEIGHT)).astype(np.int64)


def repaired(numbers: Integers, featured: Featured) -> Integers:
    """Return numbers with fewer wrong moves, by changing one number at a time.

    Ends after MAX_PASSES passes, or after a pass that changes nothing.
    """
    size = float(np.sqrt(np.mean(np.square(numbers, dtype=np.float64)))) if len(numbers) else 0.0
    steps = sorted({max(1, round(factor * size)) for factor in REPAIR_STEPS})
    signed = [sign * step for step in steps for sign in (1, -1)]
    best, scores = numbers.copy(), featured.scores(numbers)
    wrong = share_of_wrong(featured, scores).sum()
    for _ in range(MAX_PASSES):
        before = wrong
        for number in range(len(best)):
            column = featured.features[:, number]
            counts = [share_of_wrong(featured, scores + step * column).sum() for step in signed]
            least = int(np.argmin(counts))
            if counts[least] < wrong - 1e-9 and abs(best[number] + signed[least]) <= MAX_WEIGHT:
                best[number] += signed[least]
                scores = featured.scores(best)
                wrong = share_of_wrong(featured, scores).sum()
        if wrong == before:
            break
    return best

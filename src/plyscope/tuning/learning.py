"""Numbers learned from critical positions, and how good they are where they were not learned.

All of it is told by cross-validation in folds that share no position (`split`): the ridge by the
loss on what was held out, the family by the wrong moves there, and so is what more positions would
bring (the learning curve) and which numbers may be dropped.

Fitted numbers are rounded to three digits and repaired. The logistic loss stands in for what is
wanted, few wrong moves, and rounding changes both. So each number in turn is tried at other values,
near and far, and the best that lowers the number of wrong moves among the *training* positions is
kept, until none does: coordinate descent on a count.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plyscope.evaluation.function import MAX_VALUE
from plyscope.lab.judging.graph import Flags, Floats, Integers
from plyscope.lab.share import wilson
from plyscope.tuning.featured import Featured, Pairs, share_of_wrong
from plyscope.tuning.fit import Fit, fit, loss_of, sandwich
from plyscope.tuning.result import LearningPoint

RIDGES = (1e-2, 1e-3, 1e-4, 1e-5)
DEFAULT_RIDGE = 1e-4
"""With which families are compared."""
FOLDS = 5
CURVE_SHARES = (0.25, 0.5, 1.0)
"""The parts of the positions that the learning curve is of."""
MIN_PAIR_SHARE = 0.01
"""The least part of a pair's score, in natural units, that terms that are not tuned keep."""
MAX_ROUNDED = 1_000
"""The greatest number after rounding, whatever its sign, where nothing else says what a unit is."""
FACTORS = (0.01, 0.03, 0.1, 0.3, 1.0)
"""How far a number is moved, as parts of the root mean square of all."""
MAX_PASSES = 8
MAX_WEIGHT = MAX_VALUE // 1_000
"""The greatest number at all: a finished line has to outweigh a board of them."""


class Estimate(NamedTuple):
    """Whole numbers for a family's parameters."""

    numbers: Integers
    errors: Floats
    """The standard error of each, in its unit."""


class Validated(NamedTuple):
    """How numbers that are learned from four folds do on the fifth."""

    ridge: float
    numbers: Integers
    """Learned from all five."""
    wrong_by: Floats
    """[positions] the share of the best-rated moves that lose, by numbers learned elsewhere."""

    @property
    def wrong(self) -> float:
        """The mean share."""
        return float(self.wrong_by.mean())

    @property
    def error(self) -> float:
        """Its standard error."""
        return float(self.wrong_by.std() / np.sqrt(len(self.wrong_by)))


def estimate(featured: Featured, ridge: float) -> Estimate:
    """Return the whole numbers with which the positions are right as often as can be found."""
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
    """Whole, before their repair."""
    fit: Fit
    """Of the weights in natural units, and of the unit of START's other terms as the last one."""
    slopes: Floats
    """[numbers, weights] the derivatives of the numbers by the weights."""


def _fitted(pairs: Pairs, ridge: float, begin: Floats | None = None) -> _Fitted:
    """Return numbers that fit the pairs; `begin` are weights that nearly do.

    Where terms stay as they are in START they say what a unit is, and how much a unit counts is
    fitted beside the weights.
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
    """Return what cross-validation says, with the ridge of the least loss on what is held out.

    Numbers are not repaired there.
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
    """Return the sum of the loss over pairs that the weights were not fitted to."""
    rows = pairs.with_offsets_free() if len(weights) > pairs.differences.shape[1] else pairs
    loss = loss_of(rows.differences, rows.offsets, rows.weights, 0.0)
    return loss.value(weights) * float(rows.weights.sum())


def curve(
    featured: Featured, folds: Integers, ridge: float, seed: int
) -> tuple[LearningPoint, ...]:
    """Return what a quarter, a half and all of the positions lead to."""
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
        out = validated(some, folds[is_in], (ridge,))
        points.append(
            LearningPoint(
                choices=len(some),
                training=wilson(some.wrong(out.numbers), len(some)),
                validation=wilson(float(out.wrong_by.sum()), len(some)),
            )
        )
    return tuple(points)


def held_out(
    featured: Featured, labelled: NDArray[np.generic], folds: Integers, ridge: float
) -> dict[int, Integers]:
    """Return numbers for each fold, learned from nothing whose label the fold is judged by.

    `labelled` [leaves] names the position whose label a move has, mirror images alike. Positions of
    a whole game share these, so a move is left out where one of the fold has its label.
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
    """Return of each number whether the positions do as well without it, and whether they are
    without all of these together; None for fewer than two.

    A number's 95 % interval has 0 in it, and wrong moves on what is held out rise by no more than
    one standard error.
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
    """Return the nearest whole numbers."""
    return np.rint(np.clip(weights, -MAX_WEIGHT, MAX_WEIGHT)).astype(np.int64)


def repaired(numbers: Integers, featured: Featured) -> Integers:
    """Return numbers with fewer wrong moves, by changes of one at a time: each lowers the count, so
    that it ends."""
    size = float(np.sqrt(np.mean(np.square(numbers, dtype=np.float64)))) if len(numbers) else 0.0
    steps = sorted({max(1, round(factor * size)) for factor in FACTORS})
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

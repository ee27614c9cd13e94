"""Whole weights near cones, for the branch and bound of `optimum`, `ahead` and `unbeaten`."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from operator import add

from plyscope.tuning.cone import Cone, Whole

Weights = tuple[int, ...]
WEIGHT_SIZES = sorted({int(1.15**power) for power in range(120)})
"""Increasing sizes of the greatest weight; the first at which rounding does not add loss is
used."""
FIRST_NODES, NODES_PER_DESCENT = 100, 10
"""A round of descent precedes each of the first FIRST_NODES nodes, then one node in
NODES_PER_DESCENT."""
STEPS = (1, -1, 3, -3, 10, -10, 30, -30)
"""The changes of a weight that a descent tries."""


def whole_weights(cone: Cone, has_fixed: bool) -> Iterator[Weights]:
    """Yield whole weights near the middle of a cone, from small to large."""
    return with_fixed(cone.rays) if has_fixed else in_direction(cone.inner)


def in_direction(point: Whole) -> Iterator[Weights]:
    """Yield whole weights approximately in the direction of the point, from small to large; last
    the point itself, unless it is too large."""
    numbers = [int(number) for number in point]
    greatest = max(map(abs, numbers))
    for size in WEIGHT_SIZES:
        if size < greatest:
            yield tuple(round(Fraction(number * size, greatest)) for number in numbers)
    if greatest <= WEIGHT_SIZES[-1]:
        yield tuple(numbers)


def with_fixed(rays: Whole) -> Iterator[Weights]:
    """Yield whole weights near the mean of a cone's corners, then farther out along its unbounded
    rays."""
    corners, away = [], [0] * (rays.shape[1] - 1)
    for *numbers, fixed in rays.tolist():
        if fixed:
            corners.append([Fraction(number, fixed) for number in numbers])
        else:
            away = list(map(add, away, numbers))
    for far in (0, 1, 10, 100, 1000):
        yield tuple(
            round(sum(values) / len(corners)) + far * step
            for values, step in zip(zip(*corners, strict=True), away, strict=True)
        )

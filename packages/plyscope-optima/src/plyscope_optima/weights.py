"""Best-first branch and bound over cones of weights, and whole weights near a cone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from heapq import heappop
from operator import add
from typing import Any

from plyscope_optima.cone import Cone, Whole

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


class BestFirst:
    """Searches for the weights with the least loss, in the order of the bounds of cones.

    A subclass sets the attributes, gives the loss of whole weights and expands nodes. A node is a
    tuple that begins with its bound and a serial number.
    """

    unit: int
    """What a wrong move loses; losses and bounds are counted in parts of it."""
    nodes = pushed = 0
    weights: Weights
    """The best known weights."""
    least: int
    """Their loss."""
    bound: int
    """No weights have a smaller loss."""
    unreached: int
    """The least loss of the decided cones in which no whole weights with that loss were found."""
    open: list[Any]
    """A heap of the nodes to expand."""
    descents: Iterator[None]
    """Rounds of descent from weights, without end."""

    def lost_with(self, weights: Weights) -> int:
        """Return the loss of whole weights."""
        raise NotImplementedError

    def _expand(self, node: Any) -> None:
        raise NotImplementedError

    def step(self) -> bool:
        """Expand the node with the least bound; return False if the search is complete."""
        if not self.open or self.open[0].bound >= self.least:
            self.bound = min(self.least, self.unreached)
            return False
        if self.nodes < FIRST_NODES or self.nodes % NODES_PER_DESCENT == 0:
            next(self.descents)
        self.bound = min(self.open[0].bound, self.unreached)
        self._expand(heappop(self.open))
        return True

    def _reach(self, candidates: Iterable[Weights], lost: int) -> None:
        """Try whole weights until their loss is at most `lost`; update the best weights."""
        for weights in candidates:
            if (now := self.lost_with(weights)) < self.least:
                self.least, self.weights = now, weights
            if now <= lost:
                return

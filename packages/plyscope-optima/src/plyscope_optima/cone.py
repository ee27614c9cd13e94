"""Polyhedral cones in whole numbers: sets of weights with given signs along some directions.

A cone is represented by its generators: its points are sums of any multiples of its *lines* and of
nonnegative multiples of its *rays*. The sign of a linear function on the cone follows from the
generators. A plane through the origin cuts the cone by the double description method (Motzkin,
Raiffa, Thompson & Thrall 1953). A cone here always means its relative interior, which lies on one
side of a plane, on the plane, or on both sides and the plane. So a cut has three disjoint parts,
whose union is the cone.

All results are exact: products are computed in doubles or 64-bit integers if no sum can overflow
these, and otherwise in Python's integers.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Whole = npt.NDArray[Any]
"""An array of whole numbers: int64, or Python's integers (dtype object) if int64 is too small."""

ANY_SIGN = 2
"""The value in place of a sign −1, 0 or 1 if the sign differs within a cone."""
DOUBLE_LIMIT, WORD_LIMIT = 2**53, 2**62
"""Bounds below which doubles, and int64, hold products and sums exactly."""
CHUNK_PAIRS = 10_000
"""Pairs of rays that are examined in one batch."""


class Cone(NamedTuple):
    """The relative interior of a polyhedral cone."""

    rays: Whole
    """A matrix with an extreme ray in each row."""
    lines: Whole
    """A matrix with rows that are a basis of the linear space in the cone."""
    planes: Whole
    """A matrix with the normal of a cutting plane in each row; all facets are among these
    planes."""

    @classmethod
    def whole(cls, dimension: int, has_fixed: bool = False) -> Cone:
        """Return the whole space of this dimension as a cone, or with `has_fixed` the half in which
        the last number is positive: the factor of the fixed part."""
        none = np.zeros((0, dimension), np.int64)
        cone = cls(rays=none, lines=np.eye(dimension, dtype=np.int64), planes=none)
        return cone.cut(cone.lines[-1])[2] if has_fixed else cone

    @property
    def inner(self) -> Whole:
        """A point of the cone: the sum of its rays."""
        total: Whole = _narrow(self.rays.astype(object).sum(axis=0))
        return total

    def signs(self, directions: Whole) -> Whole:
        """Return, for each direction, the sign of its product with all points, or ANY_SIGN."""
        along = times(directions, self.rays)
        rises, falls = (along > 0).any(axis=1), (along < 0).any(axis=1)
        if len(self.lines):
            crosses = (times(directions, self.lines) != 0).any(axis=1)
            rises, falls = rises | crosses, falls | crosses
        signs: Whole = np.where(rises & falls, ANY_SIGN, rises.astype(np.int8) - falls)
        return signs

    def cut(self, direction: Whole) -> tuple[Cone, Cone, Cone]:
        """Return the parts of the cone where the product with `direction` is negative, zero, and
        positive.

        The sign of `direction` in the cone must be ANY_SIGN.
        """
        planes = np.vstack([self.planes, direction])
        crossing = times(self.lines, direction[None])[:, 0]
        if crossing.any():
            return self._cut_across(direction, crossing, planes)
        at = times(self.rays, direction[None])[:, 0]
        on = np.vstack([self.rays[at == 0], self._edges_cut(at)])
        below, above = np.vstack([self.rays[at < 0], on]), np.vstack([self.rays[at > 0], on])
        return tuple(Cone(rays, self.lines, planes) for rays in (below, on, above))  # type: ignore[return-value]

    def _cut_across(
        self, direction: Whole, crossing: Whole, planes: Whole
    ) -> tuple[Cone, Cone, Cone]:
        """Cut a cone with a line that crosses the plane; move the other generators along that line
        to the plane."""
        first = int(np.flatnonzero(crossing)[0])
        line = self.lines[first] * (1 if crossing[first] > 0 else -1)
        step = abs(crossing[first : first + 1])
        at = times(self.rays, direction[None])[:, 0]
        others = np.delete(np.arange(len(self.lines)), first)
        lines = _combined(step, self.lines[others], crossing[others], line)
        rays = _combined(step, self.rays, at, line)
        return (
            Cone(np.vstack([rays, -line]), lines, planes),
            Cone(rays, lines, planes),
            Cone(np.vstack([rays, line]), lines, planes),
        )

    def _edges_cut(self, at: Whole) -> Whole:
        """Return a matrix with the rays in which the plane cuts the cone's two-dimensional faces.

        Two rays span such a face if no third ray is on all planes that contain both. `at` has the
        products of the rays with the normal of the cut.
        """
        is_off = (times(self.rays, self.planes) != 0).astype(np.float32)
        is_on = 1 - is_off
        above, below = np.flatnonzero(at > 0), np.flatnonzero(at < 0)
        fewest = self.planes.shape[1] - len(self.lines) - 2
        pairs = np.argwhere(is_on[above] @ is_on[below].T >= fewest)
        one, other = above[pairs[:, 0]], below[pairs[:, 1]]
        is_edge = np.zeros(len(pairs), np.bool_)
        for begin in range(0, len(pairs), CHUNK_PAIRS):
            chunk = slice(begin, begin + CHUNK_PAIRS)
            shared = is_on[one[chunk]] * is_on[other[chunk]]
            is_edge[chunk] = (shared @ is_off.T == 0).sum(axis=1) == 2
        one, other = one[is_edge], other[is_edge]
        return _combined(at[one][:, None], self.rays[other], at[other], self.rays[one])


def times(vectors: Whole, others: Whole) -> Whole:
    """Return the exact matrix of products, with a row per vector and a column per other vector."""
    most = _most(vectors) * _most(others) * vectors.shape[1]
    if len(others) == 1 and most < WORD_LIMIT:
        along: Whole = vectors @ others[0]
        return along[:, None]
    if most < DOUBLE_LIMIT:
        product: Whole = vectors.astype(np.float64) @ others.astype(np.float64).T
        return product.astype(np.int64)
    return _narrow(vectors.astype(object) @ others.astype(object).T)


def _combined(factor: Whole, vectors: Whole, factors: Whole, subtracted: Whole) -> Whole:
    """Return factor × vector − (its entry in factors) × subtracted for each vector, divided by its
    greatest common divisor."""
    most = max(_most(factor), _most(factors)) * max(_most(vectors), _most(subtracted))
    if 2 * most >= WORD_LIMIT:
        factor, factors = factor.astype(object), factors.astype(object)
    return divided(factor * vectors - factors[:, None] * subtracted)


def divided(vectors: Whole) -> Whole:
    """Return each vector divided by the greatest common divisor of its numbers."""
    divisors = np.gcd.reduce(vectors, axis=1, keepdims=True)
    return _narrow(vectors // np.maximum(divisors, 1))


def _narrow(numbers: Whole) -> Whole:
    """Return numbers as int64 if they are below 2**62, else as Python's integers."""
    return numbers.astype(np.int64) if _most(numbers) < WORD_LIMIT else numbers.astype(object)


def _most(numbers: Whole) -> int:
    return max(int(numbers.max(initial=0)), -int(numbers.min(initial=0)))

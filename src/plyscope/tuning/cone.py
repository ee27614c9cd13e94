"""Polyhedral cones in whole numbers: which weights give some differences the signs they have.

A cone is kept by what generates it: its points are the sums of any multiples of its *lines* and of
multiples from 0 of its *rays*. So the sign of a linear function within it is read from the
generators, and a plane through the origin cuts it by the double description method (Motzkin,
Raiffa, Thompson & Thrall 1953). Meant is always the relative interior: it lies on one side of a
plane, on the plane, or on both sides and the plane, whence the three parts of a cut, which share no
point and are all there is.

Nothing is rounded: products are taken in doubles or 64 bits where no sum can pass what these hold,
and else in Python's integers.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Whole = npt.NDArray[Any]
"""Of whole numbers: int64, or Python's (dtype object) where these are too small."""

ANY_SIGN = 2
"""Beside the signs −1, 0 and 1: what has none of them everywhere."""
IN_DOUBLES, IN_WORDS = 2**53, 2**62
CHUNK_PAIRS = 10_000
"""Pairs of rays that are looked at together."""


class Cone(NamedTuple):
    """The relative interior of a polyhedral cone."""

    rays: Whole
    """[ray, dimension], the extreme ones."""
    lines: Whole
    """[line, dimension], a basis of the linear space within."""
    planes: Whole
    """[plane, dimension] the normals of what it was cut by, its facets among them."""

    @classmethod
    def whole(cls, dimension: int) -> Cone:
        """Return the space as a cone."""
        none = np.zeros((0, dimension), np.int64)
        return cls(rays=none, lines=np.eye(dimension, dtype=np.int64), planes=none)

    @property
    def inner(self) -> Whole:
        """A point of it."""
        total: Whole = _narrow(self.rays.astype(object).sum(axis=0))
        return total

    def signs(self, directions: Whole) -> Whole:
        """Return [direction] the sign of its product with every point, or ANY_SIGN."""
        along = times(directions, self.rays)
        rises, falls = (along > 0).any(axis=1), (along < 0).any(axis=1)
        if len(self.lines):
            crosses = (times(directions, self.lines) != 0).any(axis=1)
            rises, falls = rises | crosses, falls | crosses
        signs: Whole = np.where(rises & falls, ANY_SIGN, rises.astype(np.int8) - falls)
        return signs

    def cut(self, direction: Whole) -> tuple[Cone, Cone, Cone]:
        """Return its parts with a negative product, with none, and with a positive one.

        The sign of `direction` has to be ANY_SIGN.
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
        """Cut it where a line crosses the plane; along the line generators slide onto the plane."""
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
        """Return [edge, dimension] where the edges between rays on both sides cross the plane.

        Two rays are joined by an edge where no third one is on all planes that both are on.
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
    """Return [vector, other] their products, exactly."""
    most = _most(vectors) * _most(others) * vectors.shape[1]
    if len(others) == 1 and most < IN_WORDS:
        along: Whole = vectors @ others[0]
        return along[:, None]
    if most < IN_DOUBLES:
        product: Whole = vectors.astype(np.float64) @ others.astype(np.float64).T
        return product.astype(np.int64)
    return _narrow(vectors.astype(object) @ others.astype(object).T)


def _combined(factor: Whole, vectors: Whole, factors: Whole, subtracted: Whole) -> Whole:
    """Return [vector, dimension] factor × vector − its factor × subtracted, each by its divisor."""
    most = max(_most(factor), _most(factors)) * max(_most(vectors), _most(subtracted))
    if 2 * most >= IN_WORDS:
        factor, factors = factor.astype(object), factors.astype(object)
    return divided(factor * vectors - factors[:, None] * subtracted)


def divided(vectors: Whole) -> Whole:
    """Return [vector, dimension] the least whole numbers in the same proportion."""
    divisors = np.gcd.reduce(vectors, axis=1, keepdims=True)
    return _narrow(vectors // np.maximum(divisors, 1))


def _narrow(numbers: Whole) -> Whole:
    """Return them as 64-bit integers where they fit with room to spare."""
    return numbers.astype(np.int64) if _most(numbers) < IN_WORDS else numbers.astype(object)


def _most(numbers: Whole) -> int:
    return max(int(numbers.max(initial=0)), -int(numbers.min(initial=0)))

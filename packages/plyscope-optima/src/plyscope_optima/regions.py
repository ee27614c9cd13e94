"""Comparisons of leaves in cones of weights: which leaves may decide the value of a tree.

A search of several plies compares leaves, each of which has a vector of features. The difference of
two leaves is a direction, and its sign in a cone (`cone`) says which leaf is rated higher. Signs
that are constant in a cone exclude leaves, and so moves.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from plyscope_optima.cone import ANY_SIGN, Cone, Whole, times

Tree = int | tuple[bool, frozenset[Any]]
"""The tree below a move: the number of a leaf's features, or a pair: whether the player, not the
opponent, moves there, and the trees of the moves."""
Leaves = tuple[int, ...]
UNKNOWN_SIGN = 3
"""The value in place of a sign that was not computed."""


class Region:
    """A cone of weights, with the comparisons of leaves that are decided in it."""

    def __init__(self, cone: Cone, parent: Region | None) -> None:
        self.cone = cone
        self.signs: array[int] = array("b") if parent is None else parent.signs
        """The signs along each direction and against it."""
        self.leaves: dict[Tree, Leaves] = {}
        """By tree, the leaves that may decide its value."""


class Comparisons:
    """Compares leaves in regions."""

    def __init__(self, vectors: Sequence[tuple[int, ...]]) -> None:
        """`vectors` has, by leaf, its features and its fixed part."""
        rows = np.array(vectors, np.int64)
        self.has_fixed = bool(rows[:, -1].any())
        self.vectors: Whole = rows if self.has_fixed else rows[:, :-1]
        self.whole = Cone.whole(self.vectors.shape[1], self.has_fixed)
        """The cone of all weights; the factor of the fixed part is positive."""
        self.directions: list[tuple[int, ...]] = []
        self._places: dict[tuple[int, int], int] = {}
        self._numbers: dict[tuple[int, ...], int] = {}

    def leaves(self, region: Region, tree: Tree) -> Leaves:
        """Return the leaves that may decide a tree's value."""
        if isinstance(tree, int):
            return (tree,)
        if tree not in region.leaves:
            is_max, below = tree
            sets = [self.leaves(region, each) for each in below]
            kept = {
                leaf
                for own in sets
                for leaf in own
                if not any(
                    self.beats(region, other, (leaf,))
                    if is_max
                    else self.beats(region, (leaf,), other)
                    for other in sets
                    if leaf not in other
                )
            }
            region.leaves[tree] = tuple(kept)
        return region.leaves[tree]

    def beats(self, region: Region, ones: Sequence[int], others: Sequence[int]) -> bool:
        """Return whether all `ones` are rated higher than all `others`."""
        for one in ones:
            for other in others:
                if self.sign(region, one, other) != 1:
                    return False
        return True

    def reduced(self, region: Region, tree: Tree) -> Tree:
        """Return a tree with the same value for all weights of a region, without branches that do
        not decide it."""
        if isinstance(tree, int):
            return tree
        kept = self.leaves(region, tree)
        if len(kept) == 1:
            return kept[0]
        is_max, below = tree
        rest = frozenset(
            self.reduced(region, each)
            for each in below
            if not set(kept).isdisjoint(self.leaves(region, each))
        )
        return next(iter(rest)) if len(rest) == 1 else (is_max, rest)

    def valued(self, point: Whole) -> Callable[[Tree], int]:
        """Return the function of a tree that is its value at a point: the weights, and a factor of
        the fixed part, if there is one."""
        rated = times(self.vectors, point[None])[:, 0].tolist()
        values: dict[Tree, int] = {}

        def value(tree: Tree) -> int:
            if isinstance(tree, int):
                return int(rated[tree])
            if tree not in values:
                is_max, below = tree
                values[tree] = (max if is_max else min)(map(value, below))
            return values[tree]

        return value

    # Signs

    def direction(self, one: int, other: int) -> tuple[int, int]:
        """Return the direction in which two leaves differ, and 1 if `one` is further along it, −1
        if `other` is."""
        number = self._place(one, other)
        return number >> 1, -1 if number & 1 else 1

    def sign(self, region: Region, one: int, other: int) -> int:
        """Return the sign of the difference of two leaves in a region."""
        if one == other:
            return 0
        place = self._places.get((one, other))
        if place is None:
            place = self._place(one, other)
        if place >= len(region.signs):
            more = 2 * len(self.directions) - len(region.signs)
            region.signs.extend([UNKNOWN_SIGN] * more)
        sign = region.signs[place]
        if sign == UNKNOWN_SIGN:
            normal = np.array([self.directions[place >> 1]])
            self._set(region, place >> 1, int(region.cone.signs(normal)[0]))
            sign = region.signs[place]
        return sign

    def sign_known(self, region: Region) -> None:
        """Compute the signs that were open in the region's parent."""
        region.signs = region.signs[:]
        asked = [at for at in range(len(region.signs) // 2) if region.signs[2 * at] == ANY_SIGN]
        if asked:
            normals = np.array([self.directions[at] for at in asked])
            for at, sign in zip(asked, region.cone.signs(normals).tolist(), strict=True):
                self._set(region, at, sign)

    def _set(self, region: Region, direction: int, sign: int) -> None:
        region.signs[2 * direction] = sign
        region.signs[2 * direction + 1] = sign if sign == ANY_SIGN else -sign

    def _place(self, one: int, other: int) -> int:
        """Return the place of the sign of the difference of two leaves."""
        place = self._places.get((one, other))
        if place is None:
            difference = self.vectors[one] - self.vectors[other]
            difference = difference // np.gcd.reduce(difference)
            is_turned = bool(difference[np.flatnonzero(difference)[0]] < 0)
            normal = tuple((-difference if is_turned else difference).tolist())
            number = self._numbers.setdefault(normal, len(self.directions))
            if number == len(self.directions):
                self.directions.append(normal)
            place = 2 * number + is_turned
            self._places[one, other], self._places[other, one] = place, place ^ 1
        return place

"""`Ahead`: the least share of wrong moves of a family at a depth beyond 1, with proof.

The value of a move is decided by leaves, so the loss of weights depends only on the signs of
differences of leaves (`regions`). As in `optimum`, branch and bound cuts the space of weights into
cones. In a cone some leaves, and so some moves, are excluded. A position loses at least the least
loss of its remaining moves. If a direction orders its only best move below another, or ties both,
it loses more; such losses are added by direction, each position counting at one direction only, and
the least of the three sums of a direction (one side, tie, other side) is added to the bound.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import heappush
from itertools import product
from math import inf, lcm
from random import Random
from typing import NamedTuple

import numpy as np

from plyscope.lab.judging.population import Population
from plyscope.rules.game import FIRST, SECOND
from plyscope.tuning.family import Family
from plyscope_optima.cone import ANY_SIGN, Whole
from plyscope_optima.regions import Comparisons, Leaves, Region, Tree
from plyscope_optima.unbeaten import Trees, left_open
from plyscope_optima.weights import (
    STEPS,
    BestFirst,
    Weights,
    whole_weights,
)

Option = tuple[Tree, int, int]
"""A tree, the number of moves with it, and how many of them are wrong."""
Options = tuple[Option, ...]


Demanded = dict[int, tuple[int, int, int]]
"""By direction, what a position loses beyond its best option, by the sign −1, 0 and 1."""


class Asked(NamedTuple):
    """Critical positions with the same options."""

    times: int
    options: Options


class _Node(NamedTuple):
    """A cone of weights, with the positions that are open in it."""

    bound: int
    """A lower bound of the loss in the cone, in units."""
    number: int
    """A serial number, which orders nodes with the same bound."""
    region: Region
    lost: int
    """The loss in decided positions, in units."""
    asked: list[Asked]


class Ahead(BestFirst, Comparisons):
    """Best-first branch and bound over the signs of differences of leaves."""

    def __init__(self, family: Family, population: Population, depth: int, start: Weights) -> None:
        vectors: dict[tuple[int, ...], int] = {}

        def number(features: tuple[int, ...]) -> int:
            return vectors.setdefault(features, len(vectors))

        counts = _options(family, population, depth, number)
        super().__init__(list(vectors))
        most = max((sum(moves for _, moves, _ in each) for each in counts), default=1)
        self.unit = lcm(*range(1, 1 + most))
        self.lost, self.asked = 0, list[Asked]()
        """The loss in positions that no weights change, in units, and the other positions."""
        for options, count in counts.items():
            losses = set(map(self._loss, options))
            if len(losses) == 1:
                self.lost += count * losses.pop()
            else:
                self.asked.append(Asked(count, options))
        self.weights = start
        self.least = self.unreached = self.lost_with(start)
        self.bound = self.lost
        self.open = [_Node(self.lost, 0, Region(self.whole, None), self.lost, self.asked)]
        self.descents = self._descend()

    def lost_with(self, weights: Sequence[int]) -> int:
        """Return the loss of whole weights, in units."""
        return self._lost_at(np.array([*weights, 1] if self.has_fixed else weights))

    def _expand(self, node: _Node) -> None:
        self.nodes += 1
        region, lost, left = node.region, node.lost, Counter[Options]()
        self.sign_known(region)
        gains: Counter[int] = Counter()
        extra: dict[int, list[int]] = {}
        demands: list[tuple[int, Demanded]] = []
        for asked in node.asked:
            options = self._left(region, asked.options)
            losses = [self._loss(option) for option in options]
            if min(losses) == max(losses):
                lost += asked.times * losses[0]
            else:
                left[options] += asked.times
        bound = lost
        for options, count in left.items():
            losses = [self._loss(option) for option in options]
            least = min(losses)
            bound += count * least
            leaves = [self.leaves(region, option[0]) for option in options]
            gain = count * (max(losses) - least)
            for at, own in enumerate(leaves):
                for place, others in enumerate(leaves):
                    if losses[at] == least != losses[place]:
                        for one, other in product(own, others):
                            if self.sign(region, one, other) == ANY_SIGN:
                                gains[self.direction(one, other)[0]] += gain
            if losses.count(least) == 1:
                demanded = self._demanded(region, options, leaves, losses)
                for normal, more in demanded.items():
                    sums = extra.setdefault(normal, [0, 0, 0])
                    for sign in range(3):
                        sums[sign] += count * more[sign]
                demands.append((count, demanded))
        point = region.cone.inner
        if (now := self._lost_at(point)) < self.least:
            self._reach(whole_weights(region.cone, self.has_fixed), now)
        if not left:
            self.unreached = min(self.unreached, lost) if lost < self.least else self.unreached
            return
        base = bound
        bound = max(node.bound, base + _opposed(demands, extra))
        if bound >= self.least:
            return
        if not gains:  # open comparisons are within the leaves of one move
            gains.update(self._within(region, left))
        below = [Asked(count, options) for options, count in left.items()]

        def worth(direction: int) -> float:
            low, tie, high = extra.get(direction, (0, 0, 0))
            return low + high - 2 * min(low, tie, high) + gains[direction] / 10

        direction = max(gains, key=worth)
        parts = region.cone.cut(np.array(self.directions[direction]))
        for cone, added in zip(parts, extra.get(direction, (0, 0, 0)), strict=True):
            least = max(bound, base + added)
            if least < self.least:
                self.pushed += 1
                heappush(self.open, _Node(least, self.pushed, Region(cone, region), lost, below))

    def _left(self, region: Region, options: Options) -> Options:
        """Return the options that may be rated best; those that are tied in the region are one."""
        leaves = [self.leaves(region, option[0]) for option in options]
        merged: list[tuple[Leaves, Option]] = []
        for own, option in zip(leaves, options, strict=True):
            if any(self.beats(region, other, own) for other in leaves):
                continue
            option = self.reduced(region, option[0]), *option[1:]
            for at, (other, (tree, moves, wrong)) in enumerate(merged):
                if all(self.sign(region, one, leaf) == 0 for one in own for leaf in other):
                    merged[at] = other, (tree, moves + option[1], wrong + option[2])
                    break
            else:
                merged.append((own, option))
        return tuple(sorted((option for _, option in merged), key=str))

    def _demanded(
        self, region: Region, options: Options, leaves: list[Leaves], losses: list[int]
    ) -> Demanded:
        """Return, by direction, what a position loses more than its best option, by the sign −1, 0
        and 1 along the direction."""
        best = losses.index(min(losses))
        second = min(loss for loss in losses if loss > losses[best])
        found: Demanded = {}
        if len(leaves[best]) > 1:
            return found
        for at, others in enumerate(leaves):
            if at == best or len(others) > 1:
                continue
            one, other = leaves[best][0], others[0]
            if self.sign(region, one, other) != ANY_SIGN:
                continue
            direction, turn = self.direction(one, other)
            (_, moves, wrong), (_, more, more_wrong) = options[best], options[at]
            tie = min((wrong + more_wrong) * self.unit // (moves + more), second) - losses[best]
            without = second - losses[best]
            new = (without * (turn > 0), tie, without * (turn < 0))
            old = found.get(direction, (0, 0, 0))
            found[direction] = max(old[0], new[0]), max(old[1], new[1]), max(old[2], new[2])
        return found

    def _within(self, region: Region, left: Iterable[Options]) -> Iterator[int]:
        """Yield the open directions between leaves of one position."""
        for options in left:
            every = {leaf for option in options for leaf in self.leaves(region, option[0])}
            for one, other in product(every, every):
                if one < other and self.sign(region, one, other) == ANY_SIGN:
                    yield self.direction(one, other)[0]

    def _loss(self, option: Option) -> int:
        return option[2] * self.unit // option[1]

    def _lost_at(self, point: Whole) -> int:
        """Return the loss at a point, in units."""
        value, total = self.valued(point), self.lost
        for count, options in self.asked:
            values = [value(option[0]) for option in options]
            best = max(values)
            moves = wrong = 0
            for own, option in zip(values, options, strict=True):
                if own == best:
                    moves, wrong = moves + option[1], wrong + option[2]
            total += count * (wrong * self.unit // moves)
        return total

    def _descend(self) -> Iterator[None]:
        """Repeat coordinate descent, first from the best known weights and then from random ones,
        forever; yield after each round through all weights."""
        random, weights = Random(len(self.weights)), [*self.weights]
        while True:
            lost, before = self.lost_with(weights), inf
            while lost < before:
                before = lost
                for at, step in product(range(len(weights)), STEPS):
                    weights[at] += step
                    now = self.lost_with(weights)
                    if now < lost:
                        lost = now
                    else:
                        weights[at] -= step
                if lost < self.least:
                    self.least, self.weights = lost, tuple(weights)
                yield
            weights = [random.randint(-30, 30) for _ in weights]


def _opposed(demands: Sequence[tuple[int, Demanded]], extra: dict[int, list[int]]) -> int:
    """Return what demands of different positions on a direction lose together, where each position
    counts at the direction with the strongest opposite demands."""
    sums: dict[int, list[int]] = {}
    for count, own in demands:
        if own:
            direction, more = max(
                own.items(), key=lambda each: extra[each[0]][2 if each[1][0] > 0 else 0]
            )
            total = sums.setdefault(direction, [0, 0, 0])
            for sign in range(3):
                total[sign] += count * more[sign]
    return sum(map(min, sums.values()))


def _options(
    family: Family,
    population: Population,
    depth: int,
    number: Callable[[tuple[int, ...]], int],
) -> Counter[Options]:
    """Return the numbers of critical positions by their options."""
    critical = population.critical
    of_side = [Trees(family, population, side, depth, number) for side in (FIRST, SECOND)]
    loses = (critical.lost > 0).tolist()
    counts: Counter[Options] = Counter()
    for at, begin in zip(critical.at, critical.starts.tolist(), strict=False):
        trees = of_side[population.sides[at]]
        by_tree: dict[Tree, list[bool]] = {}
        for move, child in enumerate(population.children[at], begin):
            by_tree.setdefault(trees.of(child, depth - 1), []).append(loses[move])
        moves = left_open(by_tree).items()
        options = ((tree, len(found), sum(found)) for tree, found in moves)
        counts[tuple(sorted(options, key=str))] += 1
    return counts

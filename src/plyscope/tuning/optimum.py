"""`optimum`: how few wrong moves the heuristics of a family can make, by proof.

At depth 1 what weights lose is a function of their signs along the directions in which options
differ (`siblings`). Weights of the same signs are a cone, and the cones of all signs share the
space out. So the least loss is found by branch and bound: a node is a cone (`cone`) in which some
signs are the same everywhere; a bound of what its weights lose follows from these signs; a node
whose bound is below the best weights known is cut by a direction into three, the two sides and the
plane between them, where weights tie. Ties are cones like any other: of three moves in a row the
middle one may be right, and then a tie is better than either side.

All is done in whole numbers. The bound holds for any real weights; the weights found are whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from heapq import heappop, heappush
from itertools import product
from math import inf
from operator import add
from random import Random
from time import perf_counter
from typing import NamedTuple

import numpy as np

from plyscope.lab.agents.catalogue import Agent
from plyscope.lab.certify import certify
from plyscope.lab.judging.population import Population
from plyscope.lab.judging.populations import population_of
from plyscope.tuning.cone import Cone, Whole, times
from plyscope.tuning.family import Family
from plyscope.tuning.result import Optimum
from plyscope.tuning.siblings import Bound, Siblings, Undecided, siblings_of

Weights = tuple[int, ...]
Progress = Callable[[Optimum], None] | None
PROGRESS_SECONDS = 0.2
"""Seconds between two calls of a progress function."""
WEIGHT_SIZES = sorted({int(1.15**power) for power in range(120)})
"""Of the greatest weight, from small to large: what fits is rounded to the least of them."""
OFTEN, BETWEEN = 100, 10
"""So many nodes have each a turn of a descent beside them; then one in so many."""
CERTIFY_SECONDS, CERTIFY_POSITIONS = 20.0, 200_000
"""How far it is followed whether the best numbers can be beaten."""
STEPS = (1, -1, 3, -3, 10, -10, 30, -30)


def optimum(
    family: Family,
    population: Population | None = None,
    seconds: float | None = None,
    progress: Progress = None,
    keep_interrupted: bool = False,
) -> Optimum:
    """Return the least share of wrong moves that weights of a family make at depth 1.

    That is over all positions of the game, or those of `population`; of moves that are rated alike
    the share that loses counts. Where `seconds` are over, or with `keep_interrupted` at Ctrl-C, the
    result says how far the search came: the best weights found, and the bound that is proved.
    `progress` is called with such results now and then.

    >>> import plyscope as ps
    >>> from plyscope.tuning.family import find_family
    >>> best = optimum(find_family("lines", "counted-lines", ps.parse_game("tictactoe")))
    >>> best.weights, round(best.least, 4), best.is_proved
    ((1, 4), 0.0327, True)
    """
    began = perf_counter()
    if population is None:
        population = population_of(family.game, None, 0, None)
    search = BranchAndBound(siblings_of(population, family), family.weights_of_start)
    number = len(population.critical)
    unit = search.siblings.undecided.unit * max(1, number)

    def found() -> Optimum:
        return Optimum(
            family=family.name,
            choices=number,
            least=float(Fraction(search.least, unit)),
            bound=float(Fraction(search.bound, unit)),
            weights=search.weights,
            nodes=search.nodes,
            seconds=perf_counter() - began,
        )

    told = began
    try:
        while search.step():
            now = perf_counter()
            if seconds is not None and now - began >= seconds:
                break
            if progress is not None and now - told >= PROGRESS_SECONDS:
                told = now
                progress(found())
    except KeyboardInterrupt:
        if not keep_interrupted:
            raise
    return found()


def games_lost(
    family: Family, weights: Sequence[int], seconds: float = CERTIFY_SECONDS
) -> tuple[tuple[str, ...] | None, tuple[str, ...] | None] | None:
    """Return a shortest game that a search of one ply with these weights loses as X, and as O, None
    for a side that no line of play beats; None where so many seconds are too few to tell."""
    heuristic = family.heuristic(weights, "optimum")
    agent = Agent("alphabeta", depth=1, heuristic=heuristic, scoring="result", ties="random")
    found = certify(agent, family.game, max_positions=CERTIFY_POSITIONS, seconds=seconds)
    if found.is_searched or found.doubt or found.stopped:
        return None
    first, second = (side.losing_line for side in found.sides)
    return first, second


class _Node(NamedTuple):
    """Weights whose signs along the directions may differ still."""

    bound: int
    """What they lose at least."""
    number: int
    """By which nodes of the same bound are ordered."""
    cone: Cone
    undecided: Undecided
    """What is left to be decided, as far as the signs of the parent tell."""


class BranchAndBound:
    """Branch and bound over the signs of weights, always at the node of the least bound.

    Where the family keeps something fixed, the space has one more dimension, what the fixed part is
    multiplied by. It is positive, and the weights are divided by it.
    """

    def __init__(self, siblings: Siblings, start: Weights) -> None:
        undecided, directions, _ = self.siblings = siblings
        self.has_fixed = bool(directions[:, -1].any())
        self.directions = directions if self.has_fixed else directions[:, :-1]
        self.nodes = self.pushed = 0
        self.weights = start
        self.least = self.lost_with(start)
        """What the best weights known lose, in units."""
        self.bound = undecided.lost
        """What no weights lose less than, in units."""
        self.unreached = self.least
        """The least loss in a cone in which no whole weights were found."""
        cone = Cone.whole(self.directions.shape[1])
        if self.has_fixed:
            cone = cone.cut(cone.lines[-1])[2]
        self.open = [_Node(self.bound, 0, cone, undecided)] if len(undecided.owner) else []
        self.descents = self._descend()

    def step(self) -> bool:
        """Expand the node of the least bound; return whether there was one below the best known."""
        if not self.open or self.open[0].bound >= self.least:
            self.bound = min(self.least, self.unreached)
            return False
        if self.nodes < OFTEN or self.nodes % BETWEEN == 0:
            next(self.descents)
        self.bound = min(self.open[0].bound, self.unreached)
        self._expand(heappop(self.open))
        return True

    def _expand(self, node: _Node) -> None:
        self.nodes += 1
        point, asked = node.cone.inner, np.unique(node.undecided.direction)
        undecided = node.undecided.with_signs(self._signs(asked, node.cone.signs))
        lost = undecided.with_signs(
            self._signs(asked, lambda some: np.sign(times(some, point[None])[:, 0]))
        ).lost
        if lost < self.least:
            self._reach(point, lost, node.cone.rays)
        if not len(undecided.owner):
            self.unreached = min(self.unreached, lost) if lost < self.least else self.unreached
            return
        bound = undecided.bound(len(self.directions))
        if bound.least >= self.least:
            return
        direction = _widest(undecided, bound)
        parts = node.cone.cut(self.directions[direction])
        for cone, by_sign in zip(parts, bound.by_sign[direction], strict=True):
            least = max(node.bound, bound.least, int(by_sign))
            if least < self.least:
                self.pushed += 1
                heappush(self.open, _Node(least, self.pushed, cone, undecided))

    def _signs(self, asked: Whole, signs_of: Callable[[Whole], Whole]) -> Whole:
        """Return [direction] the signs along those that are asked about, 0 along the others."""
        signs = np.zeros(len(self.directions), np.int64)
        signs[asked] = signs_of(self.directions[asked])
        return signs

    # Weights

    def lost_with(self, weights: Weights) -> int:
        """Return what these whole weights lose, in units."""
        return self.siblings.lost(self.siblings.rated(weights))

    def _reach(self, point: Whole, lost: int, rays: Whole) -> None:
        """Take whole weights near the point of a cone, the first that lose no more than it does."""
        near = _beside_fixed(rays) if self.has_fixed else _in_direction(point)
        for weights in near:
            if (now := self.lost_with(weights)) < self.least:
                self.least, self.weights = now, weights
            if now <= lost:
                return

    def _descend(self) -> Iterator[None]:
        """Change single weights for as long as less is lost, from random ones on, without end.

        It pauses when each weight has had its turn.
        """
        random, columns = Random(len(self.weights)), np.ascontiguousarray(self.siblings.features.T)
        while True:
            weights = [random.randint(-30, 30) for _ in self.weights]
            rated, before = self.siblings.rated(weights), inf
            lost = self.siblings.lost(rated)
            while lost < before:
                before = lost
                for at, step in product(range(len(weights)), STEPS):
                    changed = rated + step * columns[at]
                    if (now := self.siblings.lost(changed)) < lost:
                        lost, rated = now, changed
                        weights[at] += step
                yield
            if lost < self.least:
                point = np.array([*weights, 1] if self.has_fixed else weights)
                self._reach(point, lost, point[None])


def _in_direction(point: Whole) -> Iterator[Weights]:
    """Yield whole weights in about the direction of the point, from small to large, itself last."""
    numbers = [int(number) for number in point]
    greatest = max(map(abs, numbers))
    for size in WEIGHT_SIZES:
        if size < greatest:
            yield tuple(round(Fraction(number * size, greatest)) for number in numbers)
    if greatest <= WEIGHT_SIZES[-1]:
        yield tuple(numbers)


def _beside_fixed(rays: Whole) -> Iterator[Weights]:
    """Yield whole weights amid a cone's corners, and far out where it has no end."""
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


def _widest(undecided: Undecided, bound: Bound) -> int:
    """Return the direction of which the sides lose much, and that orders options of many positions.

    That matters more than what the better side loses: 900 nodes, and not 3,800, prove the optimum
    of six numbers on 4,3,3.
    """
    number = len(bound.by_sign)
    counts = undecided.counts[undecided.owner[undecided.one]]
    ordered = np.bincount(undecided.direction, counts, number)
    sides = bound.by_sign[:, 0] + bound.by_sign[:, 2] - 2 * bound.by_sign.min()
    return int(np.argmax(np.where(ordered > 0, sides + ordered * undecided.unit / 10, -1)))

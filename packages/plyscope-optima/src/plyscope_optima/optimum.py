"""`optimum`: the least share of wrong moves that heuristics of a family can make, with proof.

At depth 1 the order of two moves is the sign of weights · direction, where the direction is the
difference of their features (`siblings`). So the loss of weights depends only on these signs. The
weights with the same signs form a cone, and these cones partition the space. At a greater depth
`ahead` does the same with leaves.

Branch and bound finds the least loss. A node is a cone (`cone`) in which some signs are constant,
which gives a lower bound of its loss. If the bound is below the loss of the best known weights, a
direction cuts the node into three: two sides, and the plane between them, on which moves tie. A tie
can be better than either side: if the features of three moves are on a line and only the middle
move is right, only a tie plays it.

All numbers are whole. The bound holds for any real weights; the weights that are found are whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from heapq import heappush
from itertools import product
from math import inf
from random import Random
from time import perf_counter
from typing import NamedTuple

import numpy as np

from plyscope.evaluation.heuristic import Heuristic
from plyscope.lab.agents.catalogue import Agent
from plyscope.lab.judging.certify import certify
from plyscope.lab.judging.population import Population
from plyscope.lab.judging.populations import population_of
from plyscope.rules.linegame import LineGame
from plyscope.tuning.family import Family
from plyscope.tuning.result import Optimum
from plyscope_optima.ahead import Ahead
from plyscope_optima.cone import Cone, Whole, times
from plyscope_optima.siblings import Bound, Siblings, Undecided, siblings_of
from plyscope_optima.weights import (
    STEPS,
    BestFirst,
    Weights,
    in_direction,
    whole_weights,
    with_fixed,
)

LostGames = tuple[tuple[str, ...] | None, tuple[str, ...] | None]
Progress = Callable[[Optimum], None] | None
PROGRESS_SECONDS = 0.2
"""Seconds between two calls of a progress function."""
CERTIFY_SECONDS, CERTIFY_POSITIONS = 20.0, 200_000
"""The limits of time and positions for certifying whether the best weights can be beaten."""


def optimum(
    family: Family,
    population: Population | None = None,
    seconds: float | None = None,
    progress: Progress = None,
    keep_interrupted: bool = False,
    depth: int = 1,
    start: Weights | None = None,
) -> Optimum:
    """Return the least share of wrong moves of any weights of a family at a depth.

    The share is over the critical positions of the whole game, or of `population`. If several moves
    are rated best, each counts in proportion. After `seconds`, or on Ctrl-C with
    `keep_interrupted`, the result is partial: the best weights so far and a proven lower bound.
    `progress` is called with such a result every PROGRESS_SECONDS. `start` are the weights to begin
    with, by default those of the family.

    >>> import plyscope as ps
    >>> from plyscope.tuning.family import find_family
    >>> best = optimum(find_family("lines", "counted-lines", ps.parse_game("tictactoe")))
    >>> best.weights, round(best.least, 4), best.is_proved
    ((1, 4), 0.0327, True)
    """
    began = perf_counter()
    if population is None:
        population = population_of(family.game, None, 0, None)
    search: BranchAndBound | Ahead
    start = start or family.weights_of_start
    if depth == 1:
        search = BranchAndBound(siblings_of(population, family), start)
    else:
        search = Ahead(family, population, depth, start)
    number = len(population.critical)
    unit = search.unit * max(1, number)

    def found() -> Optimum:
        return Optimum(
            family=family.name,
            choices=number,
            least=float(Fraction(search.least, unit)),
            bound=float(Fraction(search.bound, unit)),
            weights=search.weights,
            nodes=search.nodes,
            seconds=perf_counter() - began,
            depth=depth,
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
    family: Family, weights: Sequence[int], seconds: float = CERTIFY_SECONDS, depth: int = 1
) -> LostGames | None:
    """Return a shortest game that a search of `depth` plies with these weights loses as X, and one
    as O; None as of `games_lost_by`."""
    return games_lost_by(family.heuristic(weights, "optimum"), family.game, depth, seconds)


def games_lost_by(
    heuristic: Heuristic, game: LineGame, depth: int, seconds: float = CERTIFY_SECONDS
) -> LostGames | None:
    """Return a shortest game that a search of `depth` plies loses as X, and one as O.

    None in place of a game means that no opponent can beat that side. The result is None if the
    limits of time and positions do not suffice.
    """
    agent = Agent("alphabeta", depth=depth, heuristic=heuristic, scoring="result", ties="random")
    found = certify(agent, game, max_positions=CERTIFY_POSITIONS, seconds=seconds)
    if found.is_searched or found.doubt or found.stopped:
        return None
    first, second = (side.losing_line for side in found.sides)
    return first, second


class _Node(NamedTuple):
    """A node of the search: a cone of weights, in which some signs may differ."""

    bound: int
    """A lower bound of the loss in the cone, in units."""
    number: int
    """A serial number, which orders nodes with the same bound."""
    cone: Cone
    undecided: Undecided
    """The positions whose loss the signs in the parent's cone leave open."""


class BranchAndBound(BestFirst):
    """Best-first branch and bound over the signs of weights.

    If the family has fixed terms, the space has one more dimension, a positive factor of these
    terms. Dividing a point by this factor gives the weights.
    """

    def __init__(self, siblings: Siblings, start: Weights) -> None:
        undecided, directions, _ = self.siblings = siblings
        self.unit = undecided.unit
        self.has_fixed = bool(directions[:, -1].any())
        self.directions = directions if self.has_fixed else directions[:, :-1]
        self.weights = start
        self.least = self.unreached = self.lost_with(start)
        self.bound = undecided.lost
        cone = Cone.whole(self.directions.shape[1], self.has_fixed)
        self.open = [_Node(self.bound, 0, cone, undecided)] if len(undecided.owner) else []
        self.descents = self._descend()

    def _expand(self, node: _Node) -> None:
        self.nodes += 1
        point, asked = node.cone.inner, np.unique(node.undecided.direction)
        undecided = node.undecided.with_signs(self._signs(asked, node.cone.signs))
        lost = undecided.with_signs(
            self._signs(asked, lambda some: np.sign(times(some, point[None])[:, 0]))
        ).lost
        if lost < self.least:
            self._reach(whole_weights(node.cone, self.has_fixed), lost)
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
        """Return an array with the sign along each direction in `asked`, and 0 for the others."""
        signs = np.zeros(len(self.directions), np.int64)
        signs[asked] = signs_of(self.directions[asked])
        return signs

    # Weights

    def lost_with(self, weights: Weights) -> int:
        """Return the loss of whole weights, in units."""
        return self.siblings.lost(self.siblings.rated(weights))

    def _descend(self) -> Iterator[None]:
        """Repeat coordinate descent from random weights forever; yield after each round through
        all weights."""
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
                self._reach(
                    with_fixed(point[None]) if self.has_fixed else in_direction(point), lost
                )


def _widest(undecided: Undecided, bound: Bound) -> int:
    """Return the direction by which to cut a node: one whose two sides have high bounds, and which
    orders moves in many positions.

    Choosing by the bound of the better side alone takes 3,800 nodes instead of 900 to prove the
    optimum of six weights on 4,3,3.
    """
    number = len(bound.by_sign)
    counts = undecided.counts[undecided.owner[undecided.one]]
    ordered = np.bincount(undecided.direction, counts, number)
    sides = bound.by_sign[:, 0] + bound.by_sign[:, 2] - 2 * bound.by_sign.min()
    return int(np.argmax(np.where(ordered > 0, sides + ordered * undecided.unit / 10, -1)))

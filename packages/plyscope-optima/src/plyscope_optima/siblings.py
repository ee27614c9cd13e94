"""The moves chosen at depth 1, as a function of a few signs.

The moves of a critical position with the same features form one option. The sign of weights · (the
difference of their features) says which of two options is rated higher. There are few different
directions among these differences. So the total loss of a heuristic depends only on the signs of
its weights along the *directions*. Positions with the same options count together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from math import lcm
from operator import sub
from typing import NamedTuple

import numpy as np

from plyscope.errors import OptionError
from plyscope.lab.judging.population import Population, best_of
from plyscope.tuning.family import Family
from plyscope.tuning.leaves import featured_of, leaves_of
from plyscope_optima.cone import ANY_SIGN, DOUBLE_LIMIT, Whole, divided, times

Option = tuple[tuple[int, ...], int, int]
"""Features, number of moves, number of wrong moves."""
Options = tuple[Option, ...]
"""The options of a critical position."""
MAX_LOSS = 2**60
"""More than any loss."""


class Bound(NamedTuple):
    """Lower bounds of the loss, given some signs, in units."""

    least: int
    """A bound for any choice of the open signs."""
    by_sign: Whole
    """A matrix with a row per direction and a column per sign −1, 0, 1: a bound if the direction
    has this sign in addition."""


class Undecided(NamedTuple):
    """Critical positions that are open given some signs, and the loss in the decided ones."""

    unit: int
    """The number of units in a loss of one wrong move, divisible by all numbers of moves."""
    lost: int
    """The loss in decided positions, in units."""
    counts: Whole
    """An array with one entry per position: the number of critical positions with these options."""
    owner: Whole
    """An array with one entry per option: the index of its position, in increasing order."""
    moves: Whole
    """An array with one entry per option: its number of moves."""
    wrong: Whole
    """An array with one entry per option: its number of wrong moves."""
    one: Whole
    """An array with one entry per pair of options of a position: the first option."""
    other: Whole
    """An array with one entry per pair: the second option, which has the larger index."""
    direction: Whole
    """An array with one entry per pair: the direction of the difference of their features."""
    turn: Whole
    """An array with one entry per pair: 1 if a positive sign along the direction rates the first
    option higher, −1 if it rates the second higher."""

    @property
    def losses(self) -> Whole:
        """An array with one entry per option: the loss in its position if the option is chosen, in
        units."""
        losses: Whole = self.wrong * self.unit // self.moves
        return losses

    def with_signs(self, signs: Whole) -> Undecided:
        """Return the positions that are still open, given the signs along the directions."""
        if not len(self.owner):
            return self
        sign = signs[self.direction] * self.turn
        is_open = signs[self.direction] == ANY_SIGN
        is_tied = sign == 0
        head = np.arange(len(self.owner))
        np.minimum.at(head, self.other[is_tied], self.one[is_tied])
        moves = np.bincount(head, self.moves, len(head)).astype(np.int64)
        wrong = np.bincount(head, self.wrong, len(head)).astype(np.int64)
        is_left = head == np.arange(len(head))
        is_left[self.one[~is_open & (sign < 0)]] = False
        is_left[self.other[~is_open & (sign > 0)]] = False
        losses = wrong * self.unit // np.maximum(moves, 1)
        begins = _begins(self.owner)
        least = np.minimum.reduceat(np.where(is_left, losses, MAX_LOSS), begins)
        most = np.maximum.reduceat(np.where(is_left, losses, -1), begins)
        is_settled = least == most
        is_left &= ~is_settled[self.owner]
        pairs = is_open & is_left[self.one] & is_left[self.other]
        renumbered = np.cumsum(is_left) - 1
        return Undecided(
            unit=self.unit,
            lost=self.lost + int((least * self.counts)[is_settled].sum()),
            counts=self.counts[~is_settled],
            owner=(np.cumsum(~is_settled) - 1)[self.owner[is_left]],
            moves=moves[is_left],
            wrong=wrong[is_left],
            one=renumbered[self.one[pairs]],
            other=renumbered[self.other[pairs]],
            direction=self.direction[pairs],
            turn=self.turn[pairs],
        )

    def bound(self, directions: int) -> Bound:
        """Return lower bounds of the loss for any signs along `directions` directions.

        Each position loses at least the loss of its best option. If there is only one best option,
        the position loses more if another option is rated as high or higher, which is a sign along
        a direction (a demand). For each direction, the extra losses of all positions are added by
        sign, and the least of the three sums is added to the bound. A position has demands on
        several directions, but only one of them may be counted.
        """
        if not len(self.owner):
            return Bound(self.lost, np.full((directions, 3), self.lost))
        losses, begins = self.losses, _begins(self.owner)
        best = np.minimum.reduceat(losses, begins)
        is_best = losses == best[self.owner]
        is_alone = np.add.reduceat(is_best.astype(np.int64), begins) == 1
        second = np.minimum.reduceat(np.where(is_best, MAX_LOSS, losses), begins)
        least = self.lost + int((best * self.counts).sum())
        demands = self._demands(is_best & is_alone[self.owner], best, second)
        by_sign = np.column_stack(
            [np.bincount(demands.direction, more, directions) for more in demands.more.T]
        ).astype(np.int64)
        counted = demands.one_of_each(by_sign)
        sums = [np.bincount(counted.direction, more, directions) for more in counted.more.T]
        return Bound(least + int(np.minimum.reduce(sums).sum()), least + by_sign)

    def _demands(self, is_best: Whole, best: Whole, second: Whole) -> _Demands:
        parts = []
        for one, other, turn in (
            (self.one, self.other, self.turn),
            (self.other, self.one, -self.turn),
        ):
            at = is_best[one]
            one, other, turn, direction = one[at], other[at], turn[at], self.direction[at]
            owner = self.owner[one]
            both = (self.wrong[one] + self.wrong[other]) * self.unit
            tied = np.minimum(both // (self.moves[one] + self.moves[other]), second[owner])
            tied, without = tied - best[owner], second[owner] - best[owner]
            more = np.column_stack([without * (turn > 0), tied, without * (turn < 0)])
            parts.append((owner, direction, more * self.counts[owner, None]))
        return _Demands(*(np.concatenate(part) for part in zip(*parts, strict=True))).merged()


class _Demands(NamedTuple):
    """The extra losses of positions, beyond their best options, by the sign along a direction."""

    owner: Whole
    direction: Whole
    more: Whole
    """A matrix with a row per demand and a column per sign −1, 0, 1: the extra loss in units."""

    def merged(self) -> _Demands:
        """Return one demand for each position and direction, with the greatest extra losses.

        If the features of three options are on one line, several of their demands concern the same
        loss, which counts once.
        """
        order = np.lexsort((self.direction, self.owner))
        owner, direction = self.owner[order], self.direction[order]
        begins = np.flatnonzero(
            (np.diff(owner, prepend=-1) != 0) | (np.diff(direction, prepend=-1) != 0)
        )
        more = np.maximum.reduceat(self.more[order], begins) if len(begins) else self.more
        return _Demands(owner[begins], direction[begins], more)

    def one_of_each(self, by_sign: Whole) -> _Demands:
        """Return one demand for each position, the one with the strongest opposite demands."""
        against = np.where(
            self.more[:, 0] > 0, by_sign[self.direction, 2], by_sign[self.direction, 0]
        )
        order = np.lexsort((-against, self.owner))
        kept = order[_begins(self.owner[order])]
        return _Demands(self.owner[kept], self.direction[kept], self.more[kept])


def _begins(owner: Whole) -> Whole:
    """Return the index of the first option of each position."""
    begins: Whole = np.flatnonzero(np.diff(owner, prepend=-1))
    return begins


class Siblings(NamedTuple):
    """The options of a population at depth 1."""

    undecided: Undecided
    directions: Whole
    """A matrix with a row per direction in which options differ: whole numbers without a common
    divisor, one for each parameter and one for the fixed part."""
    features: Whole
    """A matrix with a row per option: a feature for each parameter, and the fixed part."""

    def rated(self, weights: Sequence[int]) -> Whole:
        """Return the evaluation of each option with these weights, including the fixed part."""
        if not len(self.features):
            return np.zeros(0, np.int64)
        return times(self.features, np.array([[*weights, 1]]))[:, 0]

    def lost(self, rated: Whole) -> int:
        """Return the total loss if the options have the evaluations `rated`, in units."""
        of = self.undecided
        if not len(rated):
            return of.lost
        begins = _begins(of.owner)
        is_best = rated == np.maximum.reduceat(rated, begins)[of.owner]
        wrong = np.add.reduceat(of.wrong * is_best, begins) * of.unit
        moves = np.add.reduceat(of.moves * is_best, begins)
        return of.lost + int((wrong // moves * of.counts).sum())


def compared_moves(
    population: Population, family: Family
) -> Iterator[tuple[int, list[tuple[tuple[int, ...], bool, int]]]]:
    """Yield the number of each critical position, and the moves that a search of one ply compares:
    the features and the fixed part of each, whether it is wrong, and its index.

    They are those that win at once, if any do; else those that do not lose at once, where a move
    that draws at once has features 0; else all.
    """
    critical = population.critical
    leaves = leaves_of(critical, 1, family.fixed)  # at depth 1 the leaves need no heuristic
    featured = featured_of(critical, leaves, family)
    asked = best_of(featured.results, featured.starts).tolist()
    rows = np.column_stack([featured.features, featured.offsets]).astype(np.int64).tolist()
    loses = (featured.lost > 0).tolist()
    for at, (begin, end) in zip(critical.at, pairwise(featured.starts.tolist()), strict=True):
        moves = (move for move in range(begin, end) if asked[move])
        yield at, [(tuple(rows[move]), loses[move], move - begin) for move in moves]


def siblings_of(population: Population, family: Family) -> Siblings:
    """Return the options of a population at depth 1, among which weights of a family choose.

    The moves are those of `compared_moves`. The features of the first option are subtracted from
    all options of a position, which changes no choice.
    """
    counts: Counter[Options] = Counter()
    for _, moves in compared_moves(population, family):
        options: dict[tuple[int, ...], list[bool]] = {}
        for features, is_wrong, _ in moves:
            options.setdefault(features, []).append(is_wrong)
        first = min(options)
        counts[
            tuple(
                (tuple(map(sub, features, first)), len(found), sum(found))
                for features, found in sorted(options.items())
            )
        ] += 1
    return siblings(counts)


def siblings(counts: Mapping[Options, int]) -> Siblings:
    """Return options as arrays; `counts` has the number of positions with the same options.

    Raises OptionError if positions have so many moves that shares of them need too large a unit.
    """
    most = max((sum(moves for _, moves, _ in each) for each in counts), default=1)
    unit = lcm(*range(1, 1 + most))
    if unit * sum(counts.values()) >= DOUBLE_LIMIT:
        raise OptionError(f"the optimum of positions of {most} moves; expected a smaller game")
    lost, undecided = 0, list[Options]()
    for each, number in counts.items():
        losses = {wrong * unit // moves for _, moves, wrong in each}
        if len(losses) == 1:
            lost += number * losses.pop()
        else:
            undecided.append(each)
    options = [option for each in undecided for option in each]
    width = max((len(option[0]) for each in counts for option in each), default=0)
    features = np.array([option[0] for option in options], np.int64).reshape(-1, max(1, width))
    one, other = _pairs(list(map(len, undecided)))
    differences = divided(features[one] - features[other])
    turn = np.sign(differences[np.arange(len(one)), (differences != 0).argmax(axis=1)])
    directions, direction = np.unique(differences * turn[:, None], axis=0, return_inverse=True)
    made = Undecided(
        unit=unit,
        lost=lost,
        counts=np.array([counts[each] for each in undecided], np.int64),
        owner=np.repeat(np.arange(len(undecided)), list(map(len, undecided))),
        moves=np.array([option[1] for option in options], np.int64),
        wrong=np.array([option[2] for option in options], np.int64),
        one=one,
        other=other,
        direction=direction.ravel(),
        turn=turn,
    )
    return Siblings(made, directions, features)


def _pairs(sizes: Sequence[int]) -> Whole:
    """Return a matrix of two rows with the first and second options of all pairs.

    `sizes` has the number of options of each position.
    """
    pairs = [
        (begin + one, begin + other)
        for begin, size in zip(accumulate(sizes, initial=0), sizes, strict=False)
        for other in range(size)
        for one in range(other)
    ]
    return np.array(pairs, np.int64).reshape(-1, 2).T

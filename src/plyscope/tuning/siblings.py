"""Which moves are chosen at depth 1, as a function of a few signs.

Options are moves of a position after which the features differ; moves with the same features are
one option. Which of two options is rated higher is the sign of weights · (the difference of their
features), and of these differences few are apart: the *directions*. So what a heuristic loses over
all positions is a function of the signs of its weights along the directions, and nothing else.
Choices with the same options count together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from math import lcm
from operator import sub
from typing import NamedTuple

import numpy as np

from plyscope.errors import OptionError
from plyscope.lab.judging.population import Population
from plyscope.rules.game import result_for
from plyscope.tuning.cone import EITHER, IN_DOUBLES, Whole, divided, times
from plyscope.tuning.family import Family

Option = tuple[tuple[int, ...], int, int]
"""Features, moves, those of the moves that lose value."""
Choice = tuple[Option, ...]
MOST = 2**60
"""More than any loss."""


class Bound(NamedTuple):
    """What weights with some signs lose at least, in units."""

    least: int
    """Wherever they are."""
    by_sign: Whole
    """[direction, sign + 1] with that sign along the direction as well."""


class Choices(NamedTuple):
    """Choices that signs decide, and what is lost by those that are decided already."""

    unit: int
    """What a wrong move counts: a number that all numbers of moves divide."""
    lost: int
    """By choices that no sign can change any more, in units."""
    positions: Whole
    """[choice] how many have these options."""
    choice: Whole
    """[option] that it belongs to, in order."""
    moves: Whole
    """[option]"""
    wrong: Whole
    """[option] moves that lose value."""
    one: Whole
    """[pair] an option."""
    other: Whole
    """[pair] another option of that choice; later."""
    direction: Whole
    """[pair] along which they differ."""
    turn: Whole
    """[pair] 1 where the first one is rated higher along the direction, −1 against it."""

    @property
    def losses(self) -> Whole:
        """[option] what its choice loses with it, in units."""
        losses: Whole = self.wrong * self.unit // self.moves
        return losses

    def given(self, signs: Whole) -> Choices:
        """Return what is left to be decided when the signs along the directions are these."""
        if not len(self.choice):
            return self
        sign = signs[self.direction] * self.turn
        is_open = signs[self.direction] == EITHER
        is_tied = sign == 0
        head = np.arange(len(self.choice))
        np.minimum.at(head, self.other[is_tied], self.one[is_tied])
        moves = np.bincount(head, self.moves, len(head)).astype(np.int64)
        wrong = np.bincount(head, self.wrong, len(head)).astype(np.int64)
        is_left = head == np.arange(len(head))
        is_left[self.one[~is_open & (sign < 0)]] = False
        is_left[self.other[~is_open & (sign > 0)]] = False
        losses = wrong * self.unit // np.maximum(moves, 1)
        begins = _begins(self.choice)
        least = np.minimum.reduceat(np.where(is_left, losses, MOST), begins)
        most = np.maximum.reduceat(np.where(is_left, losses, -1), begins)
        is_settled = least == most
        is_left &= ~is_settled[self.choice]
        pairs = is_open & is_left[self.one] & is_left[self.other]
        renumbered = np.cumsum(is_left) - 1
        return Choices(
            unit=self.unit,
            lost=self.lost + int((least * self.positions)[is_settled].sum()),
            positions=self.positions[~is_settled],
            choice=(np.cumsum(~is_settled) - 1)[self.choice[is_left]],
            moves=moves[is_left],
            wrong=wrong[is_left],
            one=renumbered[self.one[pairs]],
            other=renumbered[self.other[pairs]],
            direction=self.direction[pairs],
            turn=self.turn[pairs],
        )

    def bound(self, directions: int) -> Bound:
        """Return what is lost at least, whatever the signs along so many directions.

        Each choice by itself loses no less than its best option, *a*. Where a is the only best one,
        it loses more if another option is rated as high, or higher: a sign along a direction. What
        all choices demand of one direction is added up by sign, and the least of these sums is lost
        beside the best. A choice demands something of several directions, of which one may count.
        """
        if not len(self.choice):
            return Bound(self.lost, np.full((directions, 3), self.lost))
        losses, begins = self.losses, _begins(self.choice)
        best = np.minimum.reduceat(losses, begins)
        is_best = losses == best[self.choice]
        is_alone = np.add.reduceat(is_best.astype(np.int64), begins) == 1
        second = np.minimum.reduceat(np.where(is_best, MOST, losses), begins)
        least = self.lost + int((best * self.positions).sum())
        demands = self._demands(is_best & is_alone[self.choice], best, second)
        by_sign = np.column_stack(
            [np.bincount(demands.direction, more, directions) for more in demands.more.T]
        ).astype(np.int64)
        counted = demands.one_of_each_choice(by_sign)
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
            choice = self.choice[one]
            both = (self.wrong[one] + self.wrong[other]) * self.unit
            tied = np.minimum(both // (self.moves[one] + self.moves[other]), second[choice])
            tied, without = tied - best[choice], second[choice] - best[choice]
            more = np.column_stack([without * (turn > 0), tied, without * (turn < 0)])
            parts.append((choice, direction, more * self.positions[choice, None]))
        return _Demands(*(np.concatenate(part) for part in zip(*parts, strict=True))).merged()


class _Demands(NamedTuple):
    """What choices lose beside their least, by the sign along a direction."""

    choice: Whole
    direction: Whole
    more: Whole
    """[demand, sign + 1] in units."""

    def merged(self) -> _Demands:
        """Return one demand for what a choice demands of a direction: the greater losses.

        Three options may lie in a row; their losses are the same one, and do not add up.
        """
        order = np.lexsort((self.direction, self.choice))
        choice, direction = self.choice[order], self.direction[order]
        begins = np.flatnonzero(
            (np.diff(choice, prepend=-1) != 0) | (np.diff(direction, prepend=-1) != 0)
        )
        more = np.maximum.reduceat(self.more[order], begins) if len(begins) else self.more
        return _Demands(choice[begins], direction[begins], more)

    def one_of_each_choice(self, by_sign: Whole) -> _Demands:
        """Return of each choice the demand that most others are against."""
        against = np.where(
            self.more[:, 0] > 0, by_sign[self.direction, 2], by_sign[self.direction, 0]
        )
        order = np.lexsort((-against, self.choice))
        kept = order[_begins(self.choice[order])]
        return _Demands(self.choice[kept], self.direction[kept], self.more[kept])


def _begins(choice: Whole) -> Whole:
    """Return where each choice begins among its options."""
    begins: Whole = np.flatnonzero(np.diff(choice, prepend=-1))
    return begins


class Siblings(NamedTuple):
    """The choices of a population at depth 1."""

    choices: Choices
    directions: Whole
    """[direction, parameter + 1] in which options differ, without common divisors."""
    features: Whole
    """[option, parameter + 1]: what each weight is multiplied by, and what is fixed."""

    def rated(self, weights: Sequence[int]) -> Whole:
        """Return [option] how weights rate it, with what is fixed."""
        if not len(self.features):
            return np.zeros(0, np.int64)
        return times(self.features, np.array([[*weights, 1]]))[:, 0]

    def lost(self, rated: Whole) -> int:
        """Return what is lost with options that are rated so, in units."""
        choices = self.choices
        if not len(rated):
            return choices.lost
        begins = _begins(choices.choice)
        is_best = rated == np.maximum.reduceat(rated, begins)[choices.choice]
        wrong = np.add.reduceat(choices.wrong * is_best, begins) * choices.unit
        moves = np.add.reduceat(choices.moves * is_best, begins)
        return choices.lost + int((wrong // moves * choices.positions).sum())


def siblings_of(population: Population, family: Family) -> Siblings:
    """Return the choices of a population at depth 1, in which weights of a family decide."""
    contests = list(_contests(population))
    rows = _features(family, population, {move for moves in contests for move in moves})
    return siblings(Counter(_choice(moves, rows) for moves in contests))


class _Move(NamedTuple):
    to: int
    """The number of the position after it."""
    side: int
    """Who makes it, in whose view what follows is evaluated."""
    ends: bool
    """Whether the game is over then, and nothing to be evaluated."""
    loses: bool
    """Whether it loses value."""


def _contests(population: Population) -> Iterator[list[_Move]]:
    """Yield by critical position the moves among which the evaluation decides.

    They are those that win at once; else those that do not lose at once, of which a draw counts 0;
    else all.
    """
    game, truth = population.game, population.truth
    for at in population.critical.at:
        side, after = population.sides[at], population.children[at]
        results = [result_for(side, game, population.positions[child]) for child in after]
        values = population.after(at, truth)
        best = max(result or 0 for result in results)
        yield [
            _Move(child, side, result is not None, value < truth[at])
            for child, result, value in zip(after, results, values, strict=True)
            if (result or 0) == best
        ]


Rows = dict[tuple[int, int], tuple[int, ...]]


def _features(family: Family, population: Population, moves: set[_Move]) -> Rows:
    """Return by position and side the features, and what is fixed."""
    asked = sorted({(move.to, move.side) for move in moves if not move.ends})
    positions, sides = [population.positions[to] for to, _ in asked], [side for _, side in asked]
    features = family.features(positions, sides), family.offset(positions, sides)
    return dict(zip(asked, map(tuple, np.column_stack(features).tolist()), strict=True))


def _choice(moves: Sequence[_Move], rows: Rows) -> Choice:
    """Return the options; their features are less those of the first, which count for nothing."""
    nothing = (0,) * (len(next(iter(rows.values()), ())))
    options: dict[tuple[int, ...], list[bool]] = {}
    for move in moves:
        features = nothing if move.ends else rows[move.to, move.side]
        options.setdefault(features, []).append(move.loses)
    first = min(options)
    return tuple(
        (tuple(map(sub, features, first)), len(options[features]), sum(options[features]))
        for features in sorted(options)
    )


def siblings(counts: Mapping[Choice, int]) -> Siblings:
    """Return choices, each so many times, as arrays.

    Raises OptionError where shares of so many moves are too fine for 64 bits.
    """
    most = max((sum(moves for _, moves, _ in choice) for choice in counts), default=1)
    unit = lcm(*range(1, 1 + most))
    if unit * sum(counts.values()) >= IN_DOUBLES:
        raise OptionError(f"the optimum of choices among {most} moves; expected a smaller game")
    decided = {choice: _loss(choice, unit) for choice in counts}
    choices = [choice for choice, loss in decided.items() if loss is None]
    options = [option for choice in choices for option in choice]
    width = max((len(option[0]) for choice in counts for option in choice), default=0)
    features = np.array([option[0] for option in options], np.int64).reshape(-1, max(1, width))
    one, other = _pairs(list(map(len, choices)))
    differences = divided(features[one] - features[other])
    turn = np.sign(differences[np.arange(len(one)), (differences != 0).argmax(axis=1)])
    directions, direction = np.unique(differences * turn[:, None], axis=0, return_inverse=True)
    made = Choices(
        unit=unit,
        lost=sum(counts[choice] * loss for choice, loss in decided.items() if loss is not None),
        positions=np.array([counts[choice] for choice in choices], np.int64),
        choice=np.repeat(np.arange(len(choices)), [len(choice) for choice in choices]),
        moves=np.array([option[1] for option in options], np.int64),
        wrong=np.array([option[2] for option in options], np.int64),
        one=one,
        other=other,
        direction=direction.ravel(),
        turn=turn,
    )
    return Siblings(made, directions, features)


def _loss(choice: Choice, unit: int) -> int | None:
    """Return what a choice loses whatever the weights, None where they decide."""
    losses = {wrong * unit // moves for _, moves, wrong in choice}
    return losses.pop() if len(losses) == 1 else None


def _pairs(sizes: Sequence[int]) -> Whole:
    """Return [first or second, pair] the pairs of options of choices with so many options."""
    pairs = [
        (begin + one, begin + other)
        for begin, size in zip(accumulate(sizes, initial=0), sizes, strict=False)
        for other in range(size)
        for one in range(other)
    ]
    return np.array(pairs, np.int64).reshape(-1, 2).T

"""What a heuristic is asked about: positions by number, what their moves lead to, their values."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from copy import copy
from functools import cached_property
from math import fsum
from typing import Any, NamedTuple, Self

import numpy as np

from plyscope.errors import OptionError
from plyscope.evaluation.heuristic import Heuristic
from plyscope.lab.reportcard.orbits import Keys, orbit_keys
from plyscope.rules.game import FIRST, SECOND, Game, result_for
from plyscope.solving.exhaustive import FAR

Numbers = np.ndarray[Any, np.dtype[np.int64]]
Flags = np.ndarray[Any, np.dtype[np.bool_]]


Solved = tuple[list[int], list[int | None]]
"""[position] the values, and the plies to the end."""
Labels = Callable[[Sequence[Any]], Sequence[int]]
"""What gives positions their values, in the view of who moves there."""


class Rated(NamedTuple):
    """A heuristic, and its evaluation of each position of a population, in the view of either side.

    A search evaluates in the view of the side at its root, whoever is to move at the leaf.
    """

    heuristic: Heuristic
    ratings: Sequence[int]
    """[position] in the view of who moves there."""
    waiting: Sequence[int]
    """[position] in the view of the other side: −`ratings`, unless who is to move counts."""


class Loss(NamedTuple):
    """What a choice among equally rated moves gives away."""

    loses: float
    """The share of these moves that lose value."""
    lost: float
    """The mean of the value they lose."""


class Moves(NamedTuple):
    """The moves of all positions, one position after the other, as arrays."""

    begins: Numbers
    """[position] the number of its first move; one more at the end: of all moves."""
    to: Numbers
    """[move] the position it leads to."""


class Population(ABC):
    """Positions by number, with their children and values; values are in the mover's view.

    Positions of games of one's own are bare states.
    """

    game: Game
    positions: list[Any]
    number: dict[Any, int]
    """The number of each position."""
    children: list[list[int]]
    """[position] the numbers of the positions after each move; none where they are not asked
    about."""

    asked: Sequence[int]
    """The positions that the heuristic is asked about; the others are there as children."""
    about: str
    """Which positions these are, in words."""

    @abstractmethod
    def _solve(self) -> Solved:
        """Return the values of all positions, and their distances."""

    @cached_property
    def _solved(self) -> Solved:
        return self._solve()

    @property
    def truth(self) -> list[int]:
        """[position] the value: 1 won, 0 drawn, −1 lost; or as it is `relabelled`."""
        return self._solved[0]

    @property
    def distances(self) -> list[int | None]:
        """[position] the plies to the end, where the winner hurries and the loser delays; None for
        draws, and where no solver tells."""
        return self._solved[1]

    def relabelled(self, labels: Labels) -> Self:
        """Return the same population with other values, which `labels` gives.

        It is called with the positions that are not over. What a move loses is then counted from
        the best of its siblings, which need not be the value given to their parent. Raises
        OptionError for another number of values.
        """
        results = [self.result(at) for at in range(len(self.positions))]
        open_ = [at for at, result in enumerate(results) if result is None]
        values = list(labels([self.positions[at] for at in open_]))
        if len(values) != len(open_):
            raise OptionError(
                f"{len(values)} labels of {len(open_)} positions; expected one of each"
            )
        truth = [result or 0 for result in results]
        for at, value in zip(open_, values, strict=True):
            truth[at] = value
        other = copy(self)
        for name in ("_deciding", "_worth", "_waste"):
            other.__dict__.pop(name, None)
        other.__dict__["_solved"] = truth, [None] * len(truth)
        return other

    @abstractmethod
    def chosen(self, rated: Rated, depths: int, at: Sequence[int]) -> list[Flags]:
        """[depth − 1][move] whether a search might choose the move (`moves`), being asked about the
        positions `at`, or about more."""

    def losses(self, rated: Rated, depths: int) -> list[list[Loss]]:
        """[depth − 1, deciding position] what the move that a search chooses gives away."""
        return list(map(self.losses_by, self.chosen(rated, depths, self.deciding())))

    @cached_property
    def sides(self) -> list[int]:
        """[position] who moves there; of games that are over, FIRST where nobody does."""
        sides = map(self.game.side, self.positions)
        return [side if side == SECOND else FIRST for side in sides]

    @cached_property
    def moves(self) -> Moves:
        """The children as arrays."""
        begins = np.zeros(len(self.children) + 1, np.int64)
        np.cumsum([len(after) for after in self.children], out=begins[1:])
        return Moves(begins, np.array([to for after in self.children for to in after], np.int64))

    @cached_property
    def _movers(self) -> Numbers:
        """[move] the position it is played in."""
        begins = self.moves.begins
        return np.repeat(np.arange(len(begins) - 1), np.diff(begins))

    @cached_property
    def _worth(self) -> Numbers:
        """[move] what it leads to, in the view of who plays it."""
        sides, truth, to = np.array(self.sides), np.array(self.truth), self.moves.to
        return np.where(sides[to] == sides[self._movers], truth[to], -truth[to])

    def _by_position(self, gather: np.ufunc, of_moves: Numbers) -> Numbers:
        """[position] the sum, or the greatest, of numbers of its moves; 0 where it has none."""
        begins, found = self.moves.begins, np.zeros(len(self.children), of_moves.dtype)
        has_moves = np.flatnonzero(np.diff(begins))
        if len(has_moves):
            found[has_moves] = gather.reduceat(of_moves, begins[has_moves])
        return found

    def losses_by(self, chosen: Flags) -> list[Loss]:
        """[deciding position] what a choice among the moves that are `chosen` gives away."""
        best = self._by_position(np.maximum, self._worth)
        lost = (best[self._movers] - self._worth) * chosen
        sums = (self._by_position(np.add, each) for each in (1 * chosen, 1 * (lost > 0), lost))
        count, loses, all_lost = (each[self.deciding()] for each in sums)
        return list(map(Loss, (loses / count).tolist(), (all_lost / count).tolist()))

    @cached_property
    def _waste(self) -> Numbers:
        """[move] the plies by which it wins later than the fastest, or loses sooner than the
        slowest; −1 where it gives away more, or no distance is known."""
        best = self._by_position(np.maximum, self._worth)[self._movers]
        distances: Numbers = np.array(
            [-1 if each is None else each for each in self.distances], np.int64
        )
        plies = distances[self.moves.to] + 1
        keeps = (self._worth == best) & (best != 0) & (plies > 0)
        speed = np.where(keeps, -np.sign(best) * plies, -FAR)
        fastest = self._by_position(np.maximum, speed)[self._movers]
        return np.where(keeps, fastest - speed, -1)

    @property
    def has_distances(self) -> bool:
        """Whether it is known how long wins take."""
        return any(distance is not None for distance in self.distances)

    def pacing(self) -> list[int]:
        """Return the positions, won or lost, whose moves that keep that take differently long."""
        return np.flatnonzero(self._by_position(np.maximum, self._waste) > 0).tolist()

    def delay_by(self, chosen: Flags) -> float | None:
        """Return the mean of the plies that a choice among `chosen` wastes where it keeps the
        value, over the positions of `pacing`; None without any."""
        keeps = chosen & (self._waste >= 0)
        sums = (self._by_position(np.add, each) for each in (1 * keeps, self._waste * keeps))
        count, plies = (each[self.pacing()] for each in sums)
        means = plies[count > 0] / count[count > 0]
        return fsum(means.tolist()) / len(means) if len(means) else None

    @cached_property
    def orbits(self) -> Keys:
        """[position] a key that it shares with its mirror images alone (`orbits`)."""
        return orbit_keys(self.game, self.positions)

    @cached_property
    def _deciding(self) -> list[int]:
        truth, positions = self.truth, range(len(self.children))
        return [at for at in positions if len(set(self.after(at, truth))) > 1]

    def deciding(self) -> list[int]:
        """Return the positions whose moves differ in value."""
        return self._deciding

    def after(self, at: int, values: Sequence[int]) -> list[int]:
        """Return what each move of a position leads to, in the view of who moves there."""
        sides, side = self.sides, self.sides[at]
        return [
            values[child] if sides[child] == side else -values[child] for child in self.children[at]
        ]

    def ahead(self, at: int, rated: Rated) -> list[int]:
        """Return what a search of one ply says of each move of a position."""
        sides, side = self.sides, self.sides[at]
        return [
            (rated.ratings if sides[child] == side else rated.waiting)[child]
            for child in self.children[at]
        ]

    def result(self, at: int) -> int | None:
        """Return the value of a finished game, None while it goes on."""
        return result_for(self.sides[at], self.game, self.positions[at])


def rate(heuristic: Heuristic, population: Population) -> Rated:
    """Return what a heuristic says of every position of a population, in both sides' view."""
    asked = list(zip(population.positions, population.sides, strict=True))
    return Rated(
        heuristic,
        [heuristic.evaluate(position, side) for position, side in asked],
        [heuristic.evaluate(position, 1 - side) for position, side in asked],
    )

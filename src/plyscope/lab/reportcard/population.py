"""What a heuristic is asked about: positions by number, what their moves lead to, their values."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from copy import copy
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np

from plyscope.errors import OptionError
from plyscope.evaluation.heuristic import Heuristic
from plyscope.lab.reportcard.orbits import Keys, orbit_keys
from plyscope.rules.game import FIRST, SECOND, Game, result_for

Progress = Callable[[int], None] | None
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
        other.__dict__.pop("_deciding", None)
        other.__dict__["_solved"] = truth, [None] * len(truth)
        return other

    @abstractmethod
    def losses(self, rated: Rated, depths: int) -> list[list[Loss]]:
        """[depth − 1, deciding position] what the move that a search chooses gives away."""

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

    def loss(self, at: int, values: Sequence[int]) -> Loss:
        """Return what a choice among the moves of the greatest value gives away."""
        worth = self.after(at, values)
        best = max(worth)
        return self.loss_of(at, [value == best for value in worth])

    def loss_of(self, at: int, is_chosen: Sequence[bool]) -> Loss:
        """Return what a choice among these moves of a position gives away."""
        kept = self.after(at, self.truth)
        best = max(kept)
        losses = [best - value for value, is_in in zip(kept, is_chosen, strict=True) if is_in]
        return Loss(sum(loss > 0 for loss in losses) / len(losses), sum(losses) / len(losses))

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

"""What a heuristic is asked about: positions by number, what their moves lead to, their values."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from plyscope.evaluation.heuristic import Heuristic
from plyscope.lab.reportcard.orbits import Keys, orbit_keys
from plyscope.rules.game import FIRST, SECOND, Game, result_for

Progress = Callable[[int], None] | None
Numbers = np.ndarray[Any, np.dtype[np.int64]]
Flags = np.ndarray[Any, np.dtype[np.bool_]]


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

    @property
    @abstractmethod
    def truth(self) -> list[int]:
        """[position] the value: 1 won, 0 drawn, −1 lost."""

    @property
    @abstractmethod
    def distances(self) -> list[int | None]:
        """[position] the plies to the end, where the winner hurries and the loser delays; None for
        draws, and where no solver tells."""

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
        losses = [
            self.truth[at] - value for value, is_in in zip(kept, is_chosen, strict=True) if is_in
        ]
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

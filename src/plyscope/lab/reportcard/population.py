"""The positions that a heuristic is asked about: a whole game, or a sample of a larger one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import cached_property
from random import Random
from typing import Any, NamedTuple

from plyscope.errors import OptionError
from plyscope.evaluation.heuristic import Heuristic
from plyscope.rules.game import FIRST, SECOND, Game, moves_at, result_for
from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position
from plyscope.searching.score import WIN
from plyscope.searching.search import search
from plyscope.solving.exhaustive import Values
from plyscope.solving.quiet import quiet_position
from plyscope.solving.solve import solve
from plyscope.solving.solvers import plan_of

MOST_POSITIONS = 300_000
TRIES = 200
"""Random games in turn that bring no new position, before a sample is given up."""

Progress = Callable[[int], None] | None


class Rated(NamedTuple):
    """A heuristic, and its evaluation of each position of a population in the mover's view."""

    heuristic: Heuristic
    ratings: Sequence[int]


class Loss(NamedTuple):
    """What a choice among equally rated moves gives away."""

    loses: float
    """The share of these moves that lose value."""
    lost: float
    """The mean of the value they lose."""


class Population(ABC):
    """Positions by number, with their children and values; values are in the mover's view.

    Positions of games of one's own are bare states.
    """

    game: Game
    positions: list[Any]
    number: dict[Any, int]
    """The number of each position."""
    children: list[list[int]]
    """[position] the numbers of the positions after each move."""

    @property
    @abstractmethod
    def truth(self) -> list[int]:
        """[position] the value: 1 won, 0 drawn, −1 lost."""

    @abstractmethod
    def losses(self, rated: Rated, depths: int) -> list[list[Loss]]:
        """[depth − 1, deciding position] what the move that a search chooses gives away."""

    @cached_property
    def sides(self) -> list[int]:
        """[position] who moves there; of games that are over, FIRST where nobody does."""
        sides = map(self.game.side, self.positions)
        return [side if side == SECOND else FIRST for side in sides]

    def after(self, at: int, values: Sequence[int]) -> list[int]:
        """Return what each move of a position leads to, in the view of who moves there."""
        sides, side = self.sides, self.sides[at]
        return [
            values[child] if sides[child] == side else -values[child] for child in self.children[at]
        ]

    def loss(self, at: int, values: Sequence[int]) -> Loss:
        """Return what a choice among the moves of the greatest value gives away."""
        worth = self.after(at, values)
        best = max(worth)
        is_best = [value == best for value in worth]
        return self._loss(at, is_best)

    def _loss(self, at: int, is_chosen: Sequence[bool]) -> Loss:
        kept = self.after(at, self.truth)
        losses = [
            self.truth[at] - value for value, is_in in zip(kept, is_chosen, strict=True) if is_in
        ]
        return Loss(sum(loss > 0 for loss in losses) / len(losses), sum(losses) / len(losses))


def deciding(population: Population) -> list[int]:
    """Return the positions whose moves differ in value."""
    return [
        at
        for at in range(len(population.children))
        if len(set(population.after(at, population.truth))) > 1
    ]


class WholeGame(Population):
    """All positions of a game."""

    def __init__(self, game: Game, progress: Progress = None) -> None:
        self.game = game
        self.positions = [game.start()]
        self.children: list[list[int]] = []
        self.number = number = {self.positions[0]: 0}
        for position in self.positions:
            if progress is not None:
                progress(len(self.positions))
            after = []
            moves = () if game.payoff(position) is not None else moves_at(game, position)
            for move in moves:
                child = game.play(position, move)
                if child not in number:
                    number[child] = len(self.positions)
                    self.positions.append(child)
                after.append(number[child])
            self.children.append(after)
            if len(self.positions) > MOST_POSITIONS:
                raise OptionError(
                    f"'{game.name}' has more than {MOST_POSITIONS:,} positions; "
                    "expected a smaller game"
                )

    @cached_property
    def truth(self) -> list[int]:
        """[position] the value, from the ends of the game back."""
        if not isinstance(self.game, LineGame):
            return self._solved()
        values = [0] * len(self.positions)
        for at in range(len(values) - 1, -1, -1):  # they are numbered by their stones
            ended = self._ended(at)
            values[at] = max(self.after(at, values)) if ended is None else ended
        return values

    def _solved(self) -> list[int]:
        """[position] the value by the solver of any game."""
        values = Values(self.game)
        values.find(self.positions[0])
        states = zip(self.positions, self.sides, strict=True)
        return [values.told(values.known[state], side)[0] for state, side in states]

    def _ended(self, at: int) -> int | None:
        """Return the value of a finished game, None while it goes on."""
        return result_for(self.sides[at], self.game, self.positions[at])

    def losses(self, rated: Rated, depths: int) -> list[list[Loss]]:
        """[depth − 1, deciding position] by searching all positions at once, ply by ply."""
        at_choice, table = deciding(self), []
        results = map(self._ended, range(len(self.positions)))
        ends = [None if result is None else result * WIN for result in results]
        scores = [
            rating if end is None else end for rating, end in zip(rated.ratings, ends, strict=True)
        ]
        for _ in range(depths):
            table.append([self.loss(at, scores) for at in at_choice])
            scores = [
                max(self.after(at, scores)) if end is None else end for at, end in enumerate(ends)
            ]
        return table


class Sample(Population):
    """Positions of random games that a solver has the value of at once, each with its children."""

    def __init__(self, game: Game, size: int, seed: int, progress: Progress = None) -> None:
        if not isinstance(game, LineGame):
            raise OptionError(
                f"samples of {game.name!r}; expected a line game, or none: all its positions"
            )
        if not plan_of(game).has_distances:
            raise OptionError(
                f"samples of '{game.name}', which no solver has values of at once; "
                "expected gravity, or at most 16 cells"
            )
        self.game = game
        drawn = _draw(game, size, Random(seed), progress)
        children = (child for after in drawn.values() for child in after)
        self.positions = list(dict.fromkeys([*drawn, *children]))
        self.number = {position: at for at, position in enumerate(self.positions)}
        self.children = [
            [self.number[child] for child in drawn.get(position, ())] for position in self.positions
        ]

    @cached_property
    def truth(self) -> list[int]:
        """[position] the value, by a solver."""
        return [solve(position, with_moves=False).value or 0 for position in self.positions]

    def losses(self, rated: Rated, depths: int) -> list[list[Loss]]:
        """[depth − 1, deciding position] by searching each position."""
        return [
            [self._searched(at, rated.heuristic, depth) for at in deciding(self)]
            for depth in range(1, depths + 1)
        ]

    def _searched(self, at: int, heuristic: Heuristic, depth: int) -> Loss:
        position = self.positions[at]
        best = search(
            position, "alphabeta", heuristic, depth=depth, scoring="result", root="open"
        ).best_moves
        return self._loss(at, [move in best for move in position.moves])


def _draw(
    game: LineGame, size: int, random: Random, progress: Progress
) -> dict[Position, tuple[Position, ...]]:
    """Return so many different positions of random games, each with its children."""
    drawn: dict[Position, tuple[Position, ...]] = {}
    tries = 0
    while len(drawn) < size:
        tries += 1
        if tries > TRIES:
            raise OptionError(
                f"{size} samples of '{game.name}': only {len(drawn)} were found; expected fewer"
            )
        position = quiet_position(game, random)
        if position not in drawn and plan_of(game).is_quick(position):
            drawn[position] = tuple(game.play(position, move) for move in position.moves)
            tries = 0
            if progress is not None:
                progress(len(drawn))
    return drawn


_latest: dict[tuple[Game, int | None, int], Population] = {}


def population_of(game: Game, samples: int | None, seed: int, progress: Progress) -> Population:
    """Return the whole game, or so many `samples` of it.

    The latest one is kept, as heuristics are compared on one population.
    """
    key = game, samples, 0 if samples is None else seed
    if key not in _latest:
        population = (
            WholeGame(game, progress) if samples is None else Sample(game, samples, seed, progress)
        )
        _latest.clear()
        _latest[key] = population
    return _latest[key]

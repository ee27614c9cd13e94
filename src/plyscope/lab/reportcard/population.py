"""The positions that a heuristic is asked about: a whole game, or a sample of a larger one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from random import Random
from typing import NamedTuple, Protocol

from plyscope.errors import OptionError
from plyscope.evaluation.heuristic import Heuristic
from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position
from plyscope.searching.score import WIN
from plyscope.searching.search import search
from plyscope.solving.quiet import quiet_position
from plyscope.solving.solve import solve
from plyscope.solving.solvers import plan_of
from plyscope.solving.verdict import result_of

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


class Population(Protocol):
    """Positions by number, with their children and values; values are in the mover's view."""

    game: LineGame
    positions: list[Position]
    number: dict[Position, int]
    """The number of each position."""
    children: list[list[int]]
    """[position] the numbers of the positions after each move."""

    @property
    def truth(self) -> list[int]:
        """[position] the value: 1 won, 0 drawn, −1 lost."""

    def losses(self, rated: Rated, depths: int) -> list[list[Loss]]:
        """[depth − 1, deciding position] what the move that a search chooses gives away."""


def deciding(population: Population) -> list[int]:
    """Return the positions whose moves differ in value."""
    truth = population.truth
    return [
        at
        for at, after in enumerate(population.children)
        if len({truth[child] for child in after}) > 1
    ]


def _loss(truth: Sequence[int], at: int, chosen: Sequence[int]) -> Loss:
    losses = [truth[at] + truth[child] for child in chosen]
    return Loss(sum(loss > 0 for loss in losses) / len(losses), sum(losses) / len(losses))


class WholeGame:
    """All positions of a game; children have greater numbers than their parents."""

    def __init__(self, game: LineGame, progress: Progress = None) -> None:
        self.game = game
        self.positions = [game.start()]
        self.children: list[list[int]] = []
        self.number = number = {self.positions[0]: 0}
        for position in self.positions:
            if progress is not None:
                progress(len(self.positions))
            after = []
            for move in game.moves(position):
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
        """[position] the value, from the last to the first."""
        values = [0] * len(self.positions)
        for at in range(len(values) - 1, -1, -1):
            if after := self.children[at]:
                values[at] = max(-values[child] for child in after)
            else:
                values[at] = result_of(self.positions[at])
        return values

    def losses(self, rated: Rated, depths: int) -> list[list[Loss]]:
        """[depth − 1, deciding position] by searching all positions at once, ply by ply."""
        at_choice, table = deciding(self), []
        ends = [
            None if after else result_of(position) * WIN
            for position, after in zip(self.positions, self.children, strict=True)
        ]
        scores = [
            rating if end is None else end for rating, end in zip(rated.ratings, ends, strict=True)
        ]
        for _ in range(depths):
            row = []
            for at in at_choice:
                after = self.children[at]
                best = min(scores[child] for child in after)
                chosen = [child for child in after if scores[child] == best]
                row.append(_loss(self.truth, at, chosen))
            table.append(row)
            scores = [
                max(-scores[child] for child in after) if end is None else end
                for after, end in zip(self.children, ends, strict=True)
            ]
        return table


class Sample:
    """Positions of random games that a solver has the value of at once, each with its children."""

    def __init__(self, game: LineGame, size: int, seed: int, progress: Progress = None) -> None:
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
            [self._loss(at, rated.heuristic, depth) for at in deciding(self)]
            for depth in range(1, depths + 1)
        ]

    def _loss(self, at: int, heuristic: Heuristic, depth: int) -> Loss:
        position = self.positions[at]
        best = search(
            position, "alphabeta", heuristic, depth=depth, scoring="result", root="open"
        ).best_moves
        return _loss(self.truth, at, [self.number[position.play(move)] for move in best])


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


_latest: dict[tuple[LineGame, int | None, int], Population] = {}


def population_of(game: LineGame, samples: int | None, seed: int, progress: Progress) -> Population:
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

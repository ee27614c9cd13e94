"""Samples of positions from random games, with exact values from a solver."""

from __future__ import annotations

from collections.abc import Collection
from concurrent.futures import Executor
from dataclasses import replace
from functools import cached_property
from typing import Self

from plyscope.lab.judging.population import Population, Solved
from plyscope.lab.judging.sampling import Drawn, Grown, draw
from plyscope.lab.judging.sources import QUIET, Source
from plyscope.progress import Count
from plyscope.rules.game import Game
from plyscope.solving.accelerated import TABLEBASE, connect_solver, tablebase
from plyscope.solving.verdict import value_of_score


class Sample(Population):
    """A sample of `size` random positions, with their children and all exact values.

    No position or child, nor a symmetric one, has a key in `avoid`. So a second sample that avoids
    the first one's `orbits.tolist()` shares no position with it. If positions are solved one by one
    (`settling`), the workers of `executor` do so, and a position whose moves all have the same
    value has no children here. Raises OptionError for a game that cannot be sampled, or with too
    few positions.
    """

    plies = 1

    def __init__(
        self,
        game: Game,
        size: int,
        seed: int,
        progress: Count | None = None,
        avoid: Collection[int] = frozenset(),
        executor: Executor | None = None,
        grown: Grown = None,
        source: Source = QUIET,
    ) -> None:
        self._take(game, draw(game, size, seed, avoid, progress, executor, grown, source))

    @classmethod
    def of(cls, game: Game, drawn: Drawn) -> Self:
        """Return a sample of the positions drawn so far; it does not grow with `drawn`."""
        sample = cls.__new__(cls)
        sample._take(game, replace(drawn, positions=[*drawn.positions]))
        return sample

    def _take(self, game: Game, drawn: Drawn) -> None:
        size = len(drawn.positions)
        self.game, self.asked, self.drawn = game, range(size), drawn
        self.about = drawn.about
        settled = drawn.settled
        after = [
            [game.play(position, move) for move in position.moves]
            if settled is None or len(set(settled[position].moves)) > 1
            else []
            for position in drawn.positions
        ]
        children = (child for each in after for child in each)
        self.positions = list(dict.fromkeys([*drawn.positions, *children]))
        self.number = {position: at for at, position in enumerate(self.positions)}
        self.children = [[self.number[child] for child in each] for each in after]
        self.children += [[] for _ in self.positions[size:]]

    @cached_property
    def _solved(self) -> Solved:
        settled, game = self.drawn.settled, self.positions[0].game
        if settled is not None:
            exact = [0] * len(self.positions)
            for at, position in enumerate(self.drawn.positions):
                exact[at] = settled[position].value
                for child, value in zip(self.children[at], settled[position].moves, strict=False):
                    exact[child] = -value
            return exact, [None] * len(exact)
        if TABLEBASE.is_quick(self.positions[0]):
            table = tablebase(game)
            solved = [table.probe(position) or (0, None) for position in self.positions]
        else:
            solver = connect_solver(game)
            solver.prepare()
            scores = zip(self.positions, solver.scores(self.positions), strict=True)
            solved = [value_of_score(position, score) for position, score in scores]
        return [value for value, _ in solved], [distance for _, distance in solved]

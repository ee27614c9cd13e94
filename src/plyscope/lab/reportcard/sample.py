"""Positions of random games that a solver has the value of."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property

from plyscope.errors import OptionError
from plyscope.evaluation.heuristic import Heuristic
from plyscope.evaluation.tablebase import tablebase
from plyscope.lab.reportcard.population import Loss, Population, Progress, Rated
from plyscope.lab.reportcard.sampling import draw
from plyscope.rules.game import Game
from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position
from plyscope.searching.search import search
from plyscope.solving.connect import connect_solver
from plyscope.solving.solvers import plan_of
from plyscope.solving.tablebase import TABLEBASE
from plyscope.solving.verdict import value_of_score


class Sample(Population):
    """`size` positions that `seed` draws, each with its children, and the values of all.

    Nothing of it is, or mirrors, what has a key in `avoid`: two samples share no position when the
    second one is drawn with the first one's `orbits.tolist()`. Raises OptionError.
    """

    def __init__(
        self,
        game: Game,
        size: int,
        seed: int,
        progress: Progress = None,
        avoid: Collection[int] = frozenset(),
    ) -> None:
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
        drawn = draw(game, size, seed, avoid, progress)
        children = (child for after in drawn.values() for child in after)
        self.positions = list(dict.fromkeys([*drawn, *children]))
        self.number = {position: at for at, position in enumerate(self.positions)}
        self.children = [
            [self.number[child] for child in drawn.get(position, ())] for position in self.positions
        ]

    @property
    def truth(self) -> list[int]:
        """[position] the value, by a solver."""
        return [value for value, _ in self._solved]

    @property
    def distances(self) -> list[int | None]:
        """[position] the plies to the end, by a solver."""
        return [distance for _, distance in self._solved]

    @cached_property
    def _solved(self) -> list[tuple[int, int | None]]:
        return _values(self.positions)

    def losses(self, rated: Rated, depths: int) -> list[list[Loss]]:
        """[depth − 1, deciding position] by searching each position."""
        return [
            [self._searched(at, rated.heuristic, depth) for at in self.deciding()]
            for depth in range(1, depths + 1)
        ]

    def _searched(self, at: int, heuristic: Heuristic, depth: int) -> Loss:
        position = self.positions[at]
        best = search(
            position, "alphabeta", heuristic, depth=depth, scoring="result", root="open"
        ).best_moves
        return self.loss_of(at, [move in best for move in position.moves])


def _values(positions: Sequence[Position]) -> list[tuple[int, int | None]]:
    """Return the values of positions of one game, and the plies to the end."""
    game = positions[0].game
    if TABLEBASE.is_quick(positions[0]):
        table = tablebase(game)
        return [table.probe(position) or (0, None) for position in positions]
    solver = connect_solver(game)
    solver.prepare()
    scores = solver.scores(positions)
    return [
        value_of_score(position, score) for position, score in zip(positions, scores, strict=True)
    ]

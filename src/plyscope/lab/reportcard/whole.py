"""All positions of a game, searched to every depth at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from plyscope.errors import OptionError
from plyscope.lab.reportcard.population import Flags, Population, Rated, Solved
from plyscope.lab.reportcard.sampling import can_draw
from plyscope.progress import Count
from plyscope.rules.game import SIDES, Game, moves_at
from plyscope.rules.linegame import LineGame
from plyscope.searching.score import WIN
from plyscope.solving.exhaustive import FAR, Values

MOST_POSITIONS = 300_000


class WholeGame(Population):
    """All positions of a game. Raises OptionError for one of more than 300,000."""

    def __init__(self, game: Game, progress: Count | None = None) -> None:
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
                    f"expected {_instead(game)}"
                )

        self.about = "all positions in which the game goes on"
        self.asked = [at for at, after in enumerate(self.children) if after]

    def _solve(self) -> Solved:
        if isinstance(self.game, LineGame):
            values = self._from_the_ends()
            distances = (FAR - abs(value) if value else None for value in values)
            return [(value > 0) - (value < 0) for value in values], list(distances)
        solver = Values(self.game)
        solver.find(self.positions[0])
        states = zip(self.positions, self.sides, strict=True)
        told = [solver.told(solver.known[state], side) for state, side in states]
        return [value for value, _, _ in told], [distance for _, distance, _ in told]

    def _from_the_ends(self) -> list[int]:
        """[position] in the mover's view FAR − d where it is won in d plies, d − FAR where lost."""
        values = [0] * len(self.positions)
        for at in range(len(values) - 1, -1, -1):  # they are numbered by their stones
            result = self.result(at)
            if result is None:
                best = max(self.after(at, values))
                values[at] = best - (best > 0) + (best < 0)
            else:
                values[at] = FAR * result
        return values

    def chosen(self, rated: Rated, depths: int, at: Sequence[int]) -> list[Flags]:
        """[depth − 1][move] by searching all positions at once, ply by ply.

        That is done for either side at the root, as leaves are evaluated in its view.
        """
        results = [self.result(at) for at in range(len(self.positions))]
        running = np.array([result is None for result in results])
        begins, to = self.moves
        movers, first = np.array(self.sides), begins[:-1][running]
        found = [np.zeros(len(to), np.bool_) for _ in range(depths)]
        if not len(first):
            return found
        counts = np.diff(begins)[running]
        for side in range(len(SIDES)):
            is_own = movers == side
            is_own_move = np.repeat(is_own[running], counts)
            values = np.where(is_own, rated.ratings, rated.waiting)
            ends = np.array([(result or 0) * WIN for result in results], np.int64)
            values[~running] = np.where(is_own, ends, -ends)[~running]
            for flags in found:
                after = values[to]
                best, worst = np.maximum.reduceat(after, first), np.minimum.reduceat(after, first)
                flags |= is_own_move & (after == np.repeat(best, counts))
                values[running] = np.where(is_own[running], best, worst)
        return found


def _instead(game: Game) -> str:
    """Return what to do about a game that is too large."""
    if isinstance(game, LineGame) and can_draw(game):
        return "a sample of them, such as samples=1000 (--samples 1000)"
    return "a smaller game"

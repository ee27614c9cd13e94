"""All positions of a game."""

from __future__ import annotations

import sys
from functools import cached_property

from plyscope.errors import OptionError
from plyscope.lab.judging.graph import expanded
from plyscope.lab.judging.population import Population, Solved
from plyscope.lab.judging.sampling import can_draw
from plyscope.progress import Count
from plyscope.rules.game import Game
from plyscope.rules.linegame import LineGame
from plyscope.solving.exhaustive import WIN, Values
from plyscope.solving.retrograde import RepeatingValues

MAX_POSITIONS = 300_000
_large = set[tuple[LineGame, int]]()
"""Line games that were found to have more positions than that, which are not counted again."""


class TooManyPositions(OptionError):
    """Raised for a game with more than MAX_POSITIONS positions that can be sampled."""


def _too_many(game: Game) -> OptionError:
    """Return the error for a game with more than MAX_POSITIONS positions."""
    is_drawn = isinstance(game, LineGame) and can_draw(game)
    kind = TooManyPositions if is_drawn else OptionError
    expected = "a sample of them (samples)" if is_drawn else "a smaller game"
    return kind(f"'{game.name}' has more than {MAX_POSITIONS:,} positions; expected {expected}")


class WholeGame(Population):
    """All positions of a game. Raises OptionError if there are more than 300,000."""

    plies = sys.maxsize

    def __init__(self, game: Game, progress: Count | None = None) -> None:
        if (game, MAX_POSITIONS) in _large:
            raise _too_many(game)
        start = game.start()
        super().__init__(game, [start], [])
        self.number = {start: 0}
        for position in self.positions:
            if progress is not None:
                progress(len(self.positions))
            self.children.append(expanded(game, position, self.positions, self.number))
            if len(self.positions) > MAX_POSITIONS:
                if isinstance(game, LineGame):  # another one may change
                    _large.add((game, MAX_POSITIONS))
                raise _too_many(game)
        self.about = "all unfinished positions"
        self.asked = [at for at, after in enumerate(self.children) if after]

    @cached_property
    def _solved(self) -> Solved:
        if isinstance(self.game, LineGame):
            values = self._from_the_ends()
            distances = (WIN - abs(value) if value else None for value in values)
            return [(value > 0) - (value < 0) for value in values], list(distances)
        solver = (RepeatingValues if self.game.draw_by_repetition else Values)(self.game)
        solver.find(self.positions[0])
        states = zip(self.positions, self.sides, strict=True)
        solved = [solver.in_view(solver.known[state], side) for state, side in states]
        return [value for value, _, _ in solved], [distance for _, distance, _ in solved]

    def _from_the_ends(self) -> list[int]:
        """Return, for each position, the value for the side to move: WIN − d if it wins in d plies,
        d − WIN if it loses, 0 for a draw."""
        values = [0] * len(self.positions)
        for at in range(len(values) - 1, -1, -1):  # children have larger numbers
            result = self.result(at)
            if result is None:
                best = max(self.after(at, values))
                values[at] = best - (best > 0) + (best < 0)
            else:
                values[at] = WIN * result
        return values

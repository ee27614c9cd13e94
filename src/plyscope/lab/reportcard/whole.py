"""All positions of a game, searched to every depth at once."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from plyscope.errors import OptionError
from plyscope.lab.reportcard.population import (
    Flags,
    Loss,
    Numbers,
    Population,
    Progress,
    Rated,
    Solved,
)
from plyscope.rules.game import SIDES, Game, moves_at
from plyscope.rules.linegame import LineGame
from plyscope.searching.score import WIN
from plyscope.solving.exhaustive import FAR, Values
from plyscope.solving.solvers import plan_of

MOST_POSITIONS = 300_000


class WholeGame(Population):
    """All positions of a game. Raises OptionError for one of more than 300,000."""

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
            result = self._results[at]
            if result is None:
                best = max(self.after(at, values))
                values[at] = best - (best > 0) + (best < 0)
            else:
                values[at] = FAR * result
        return values

    @cached_property
    def _results(self) -> list[int | None]:
        """[position] the value of a finished game, None while it goes on."""
        return list(map(self.result, range(len(self.positions))))

    def losses(self, rated: Rated, depths: int) -> list[list[Loss]]:
        """[depth − 1, deciding position] by searching all positions at once, ply by ply.

        That is done for either side at the root, as leaves are evaluated in its view.
        """
        running = np.array([result is None for result in self._results])
        ends = np.array([(result or 0) * WIN for result in self._results], np.int64)
        ratings = np.asarray(rated.ratings, np.int64)
        waiting = np.asarray(rated.waiting, np.int64)
        movers, deciding = np.array(self.sides), np.array(self.deciding(), np.int64)
        table = [np.zeros((2, len(deciding))) for _ in range(depths)]
        for side in range(len(SIDES)):
            is_own = movers == side
            values = np.where(
                running, np.where(is_own, ratings, waiting), np.where(is_own, ends, -ends)
            )
            here = is_own[deciding]
            for losses in table:
                losses[:, here] = self._choice(deciding[here], values)
                values = self._backed_up(values, is_own, running)
        return [list(map(Loss, *losses.tolist())) for losses in table]

    def _backed_up(self, values: Numbers, is_own: Flags, running: Flags) -> Numbers:
        """Return the values one ply deeper, of the side whose positions are `is_own`."""
        begins, to = self.moves
        after, first = values[to], begins[:-1][running]
        if not len(first):
            return values
        best, worst = np.maximum.reduceat(after, first), np.minimum.reduceat(after, first)
        deeper = values.copy()
        deeper[running] = np.where(is_own[running], best, worst)
        return deeper

    def _choice(self, at: Numbers, values: Numbers) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Return what choices by `values` give away: the shares that lose, then the means of what
        is lost [2, position]. All positions have the same mover, in whose view values are."""
        if not len(at):
            return np.zeros((2, 0))
        begins, to = self.moves
        counts = begins[at + 1] - begins[at]
        first = np.cumsum(counts) - counts
        moves = np.arange(counts.sum()) + np.repeat(begins[at] - first, counts)
        after = values[to[moves]]
        is_best = after == np.repeat(np.maximum.reduceat(after, first), counts)
        truth, movers = np.array(self.truth), np.array(self.sides)
        kept = np.where(movers[to[moves]] == movers[at[0]], 1, -1) * truth[to[moves]]
        lost = (np.repeat(np.maximum.reduceat(kept, first), counts) - kept) * is_best
        chosen = np.add.reduceat(is_best.astype(np.int64), first)
        return np.stack([np.add.reduceat(each, first) / chosen for each in (1 * (lost > 0), lost)])


def _instead(game: Game) -> str:
    """Return what to do about a game that is too large."""
    if isinstance(game, LineGame) and plan_of(game).has_distances:
        return "a sample of them, such as samples=1000 (--samples 1000)"
    return "a smaller game"

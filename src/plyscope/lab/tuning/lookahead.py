"""The wrong moves of one heuristic after another on the same positions, all searched at once.

The positions some plies ahead are found once. For a heuristic the last of them are evaluated, and
what a search of that depth returns for every move follows ply by ply, for all positions together:
what `search` finds by alpha-beta, without a search. Evaluations are for the side that is to move at
the root, as a search asks for them; finished games count by their result.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from math import fsum
from typing import Any, Literal, NamedTuple

import numpy as np

from plyscope.errors import OptionError
from plyscope.evaluation.function import FunctionHeuristic
from plyscope.evaluation.heuristic import Heuristic
from plyscope.evaluation.linetable import LineTable
from plyscope.lab.reportcard.population import Population
from plyscope.rules.game import FIRST, SECOND, moves_at, result_for
from plyscope.rules.linegame import LineGame
from plyscope.searching.score import WIN
from plyscope.searching.search import search
from plyscope.searching.timeout import time_limited

Numbers = np.ndarray[Any, np.dtype[Any]]

MOST_AHEAD = 400_000
"""Positions ahead that are kept."""
CHUNK = 20_000
"""Positions whose lines are counted at a time."""


class TooFarAhead(Exception):
    """Raised where there are more positions ahead than can be kept."""


class _Ply:
    """The positions so many plies ahead, each once for either side that looks ahead."""

    def __init__(self) -> None:
        self.positions: list[Any] = []
        self.roots: list[int] = []
        """The sides that look ahead."""
        self.ends: list[float] = []
        """What finished games are worth to them; not a number while the game goes on."""
        self.number: dict[tuple[Any, int], int] = {}
        self.firsts: list[int] = [0]
        """[position] where its children begin in `children`, and behind the last where they end."""
        self.children: list[int] = []
        """By their numbers in the next ply."""


class _Plan(NamedTuple):
    """What is needed to search a batch of choices; the children of those that go on, row by row."""

    needed: list[Numbers]
    """[ply] the positions."""
    after: list[Numbers]
    """[ply] where the children stand among those needed of the next ply."""
    starts: list[Numbers]
    """[ply] where each position's children begin in `after`."""
    is_wrong: Numbers
    """Of every move, whether it loses value."""


class Lookahead:
    """Some choices of a population, and the positions up to `depth` plies ahead of them.

    Raises TooFarAhead.
    """

    def __init__(self, population: Population, choices: Sequence[int], depth: int) -> None:
        self.game, self.depth = population.game, depth
        truth, sides = population.truth, population.sides
        plies = [_Ply() for _ in range(depth + 1)]
        for at in choices:
            self._enter(plies[0], population.positions[at], sides[at])
        for ply, following in pairwise(plies):
            self._expand(ply, following)
        self.ends = [np.array(ply.ends, dtype=float) for ply in plies]
        self.firsts = [np.array(ply.firsts) for ply in plies[:-1]]
        self.children = [np.array(ply.children, dtype=np.int64) for ply in plies[:-1]]
        self.is_max = [
            np.array([self._side(each) == root for each, root in ply.number]) for ply in plies[:-1]
        ]
        self.leaves, self.roots = plies[-1].positions, np.array(plies[-1].roots)
        wrong: list[bool] = []
        for at in choices:
            wrong += [value < truth[at] for value in population.after(at, truth)]
        self.is_wrong = np.array(wrong)
        """Of every move of every choice, whether it loses value."""

    @property
    def choices(self) -> int:
        """How many positions are asked about."""
        return len(self.ends[0])

    def _side(self, position: Any) -> int:
        return SECOND if self.game.side(position) == SECOND else FIRST

    def _enter(self, ply: _Ply, position: Any, root: int) -> int:
        """Return the number of a position in a ply, where it is put if it is new."""
        key = position, root
        if key not in ply.number:
            ply.number[key] = len(ply.positions)
            ply.positions.append(position)
            ply.roots.append(root)
            result = result_for(root, self.game, position)
            ply.ends.append(np.nan if result is None else float(result * WIN))
        return ply.number[key]

    def _expand(self, ply: _Ply, following: _Ply) -> None:
        """Find the children of a ply's positions."""
        game = self.game
        for position, root, end in zip(ply.positions, ply.roots, ply.ends, strict=True):
            if end != end:
                ply.children += [
                    self._enter(following, game.play(position, move), root)
                    for move in moves_at(game, position)
                ]
                if len(following.positions) > MOST_AHEAD:
                    raise TooFarAhead
            ply.firsts.append(len(ply.children))

    def losses(self, heuristic: Heuristic, batch: Numbers | None = None) -> Numbers:
        """Return of each choice, or those of a `batch`, the share of the best-rated moves that
        lose value. Raises HeuristicError."""
        plan = self._whole if batch is None else self._plan(batch)
        values = self._evaluated(heuristic, plan.needed[-1])
        for at in range(self.depth - 1, 0, -1):
            values = self._backed_up(at, plan, values)
        worth, starts = values[plan.after[0]], plan.starts[0]
        counts = np.diff(np.append(starts, len(worth)))
        is_best = worth == np.repeat(np.maximum.reduceat(worth, starts), counts)
        wrong = np.add.reduceat((is_best & plan.is_wrong).astype(float), starts)
        shares: Numbers = wrong / np.add.reduceat(is_best.astype(float), starts)
        return shares

    @cached_property
    def _whole(self) -> _Plan:
        return self._plan(np.arange(self.choices))

    def _plan(self, batch: Numbers) -> _Plan:
        """Return what is needed to search a batch."""
        needed, after, starts = [batch], list[Numbers](), list[Numbers]()
        for firsts, ends, children in zip(self.firsts, self.ends, self.children, strict=False):
            inner = needed[-1][np.isnan(ends[needed[-1]])]
            counts = firsts[inner + 1] - firsts[inner]
            starts.append(np.cumsum(counts) - counts)
            rows = np.arange(counts.sum()) + np.repeat(firsts[inner] - starts[-1], counts)
            below, places = np.unique(children[rows], return_inverse=True)
            after.append(places)
            needed.append(below)
            if len(needed) == 2:
                is_wrong = self.is_wrong[rows]
        return _Plan(needed, after, starts, is_wrong)

    def _backed_up(self, at: int, plan: _Plan, values: Numbers) -> Numbers:
        """Return the values of a ply's positions from those of the ply below."""
        here, starts = plan.needed[at], plan.starts[at]
        backed = self.ends[at][here].copy()
        going = np.isnan(backed)
        if len(starts):
            after = values[plan.after[at]]
            backed[going] = np.where(
                self.is_max[at][here[going]],
                np.maximum.reduceat(after, starts),
                np.minimum.reduceat(after, starts),
            )
        return backed

    def _evaluated(self, heuristic: Heuristic, leaves: Numbers) -> Numbers:
        """Return the values of some leaves."""
        values = self.ends[-1][leaves].copy()
        going = np.isnan(values)
        asked = leaves[going]
        if isinstance(heuristic, LineTable) and self._is_counted(heuristic):
            size = self._stones.size
            by_state = np.zeros(size)
            for (mine, theirs), value in heuristic.values.items():
                if (mine, theirs) in self._stones.place:
                    by_state[self._stones.place[mine, theirs]] = value
            values[going] = self._stones.counts[asked] @ by_state
            return values
        with time_limited(heuristic, None) as limited:
            values[going] = [limited.evaluate(self.leaves[at], int(self.roots[at])) for at in asked]
        return values

    def _is_counted(self, table: LineTable) -> bool:
        return not table.weights and table.clamp is None and isinstance(self.game, LineGame)

    @cached_property
    def _stones(self) -> _Stones:
        if not isinstance(self.game, LineGame):
            raise OptionError(f"lines of {self.game.name!r}; expected a line game")
        return _Stones(self.game, self.leaves, self.roots)


class Searches:
    """Some choices of a population that are searched one by one: what `Lookahead` does, slower, and
    to any depth."""

    def __init__(self, population: Population, choices: Sequence[int], depth: int) -> None:
        self.depth = depth
        self.positions = [population.positions[at] for at in choices]
        truth = population.truth
        self.is_wrong = [
            [value < truth[at] for value in population.after(at, truth)] for at in choices
        ]

    @property
    def choices(self) -> int:
        """How many positions are asked about."""
        return len(self.positions)

    def losses(self, heuristic: Heuristic, batch: Numbers | None = None) -> Numbers:
        """Return of each choice, or those of a `batch`, the share of the best-rated moves that
        lose value. Raises HeuristicError."""
        asked = range(self.choices) if batch is None else batch
        return np.array([self._loss(heuristic, int(at)) for at in asked])

    def _loss(self, heuristic: Heuristic, at: int) -> float:
        position = self.positions[at]
        best = search(
            position,
            "alphabeta",
            heuristic,
            depth=self.depth,
            scoring="result",
            root="open",
            form=form_of_one(heuristic),
        ).best_moves
        pairs = zip(position.moves, self.is_wrong[at], strict=True)
        wrong = [is_wrong for move, is_wrong in pairs if move in best]
        return fsum(wrong) / len(wrong)


def form_of_one(heuristic: Heuristic) -> Literal["auto", "reference"]:
    """Return the form of searches with a heuristic that is soon another one: what has to be
    compiled itself is not worth it."""
    return "reference" if isinstance(heuristic, FunctionHeuristic) else "auto"


def wrong_moves(population: Population, choices: Sequence[int], depth: int) -> Lookahead | Searches:
    """Return what tells the wrong moves of searches of `depth` plies at these choices."""
    try:
        return Lookahead(population, choices, depth)
    except TooFarAhead:
        return Searches(population, choices, depth)


class _Stones:
    """How many lines of each position have so many stones of mine and of theirs."""

    def __init__(self, game: LineGame, positions: Sequence[Any], sides: Numbers) -> None:
        longest = game.longest_line
        pairs = [(i, j) for i in range(longest + 1) for j in range(longest + 1 - i)]
        self.place = {pair: at for at, pair in enumerate(pairs)}
        self.size = len(pairs)
        place = np.zeros((longest + 1, longest + 1), dtype=np.int64)
        for pair, at in self.place.items():
            place[pair] = at
        on_line = np.array(
            [[mask >> cell & 1 for mask in game.masks] for cell in range(game.size)], dtype=np.int8
        )
        self.counts = np.zeros((len(positions), self.size))
        """[position, place of (mine, theirs)]."""
        for first in range(0, len(positions), CHUNK):
            part = positions[first : first + CHUNK]
            of_second = sides[first : first + CHUNK, None] == SECOND
            of_x = _bits([each.first for each in part], game.size).astype(np.float32) @ on_line
            of_o = _bits([each.second for each in part], game.size).astype(np.float32) @ on_line
            mine = np.where(of_second, of_o, of_x).astype(np.int64)
            theirs = np.where(of_second, of_x, of_o).astype(np.int64)
            states = place[mine, theirs]
            for at in range(self.size):
                self.counts[first : first + CHUNK, at] = (states == at).sum(axis=1)


def _bits(boards: Sequence[int], cells: int) -> Numbers:
    """Return [board, cell] whether a stone is there."""
    size = (cells + 7) // 8
    data = b"".join(board.to_bytes(size, "little") for board in boards)
    rows = np.frombuffer(data, dtype=np.uint8).reshape(len(boards), size)
    return np.unpackbits(rows, axis=1, count=cells, bitorder="little")

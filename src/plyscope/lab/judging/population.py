"""Populations: numbered positions with exact values, the losses of their moves, and the moves that
searches choose."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from contextlib import closing
from copy import copy
from functools import cached_property, partial
from math import fsum
from typing import Any, Self

from plyscope.errors import OptionError
from plyscope.evaluation.heuristic import Heuristic
from plyscope.lab.judging.arrays import Flags, Floats, Integers, Keys, np
from plyscope.lab.judging.graph import Graph, Plan, Rated, TooFarAhead
from plyscope.lab.judging.orbits import orbit_keys
from plyscope.lab.judging.search_one import search_one
from plyscope.lab.judging.tactics import Tactic, tactic_of
from plyscope.lab.people.workers import mapped
from plyscope.progress import Count
from plyscope.rules.game import position_of
from plyscope.rules.linegame import LineGame
from plyscope.searching.algorithm import FormName
from plyscope.solving.exhaustive import WIN

BATCH_POSITIONS = 100
"""Positions that a process searches in one batch."""


Solved = tuple[list[int], list[int | None]]
"""Two lists with one entry per position: the exact values, and the plies to the end."""
Labels = Callable[[Sequence[Any]], Sequence[int]]
"""A function that returns the values of positions for the side to move."""


class Population(Graph, ABC):
    """Numbered positions with their children and exact values for the side to move."""

    number: dict[Any, int]
    """The number of each position."""
    asked: Sequence[int]
    """The positions under test; the others follow from them."""
    about: str
    """A description of the positions, for users."""
    plies: int
    """All positions up to this number of plies after `asked` are included."""

    @property
    @abstractmethod
    def _solved(self) -> Solved:
        """The exact values and distances of all positions; subclasses cache them."""

    @property
    def exact_values(self) -> list[int]:
        """A list with one entry per position: the exact value for the side to move, 1 won, 0 drawn,
        −1 lost; after `relabelled`, the label."""
        return self._solved[0]

    @property
    def distances(self) -> list[int | None]:
        """A list with one entry per position: the plies to the end, with the fastest win and the
        slowest loss; None for draws and if unknown."""
        return self._solved[1]

    def relabelled(self, labels: Labels) -> Self:
        """Return the population with the values that `labels` returns for unfinished positions.

        Losses are differences between the labels of siblings, so the parent's label has no effect
        on them. Raises OptionError for a wrong number of values, or one that is not finite.
        """
        results = [self.result(at) for at in range(len(self.positions))]
        open_ = [at for at, result in enumerate(results) if result is None]
        labelled = labels([self.positions[at] for at in open_])
        try:
            values = list(labelled)
            numbers = np.array(values, float)
        except (TypeError, ValueError) as error:
            raise OptionError(
                f"labels are not numbers: {error}; expected a number for each position"
            ) from None
        if numbers.shape != (len(open_),):
            raise OptionError(
                f"{len(values)} labels for {len(open_)} positions; expected one for each"
            )
        for wrong in np.flatnonzero(~np.isfinite(numbers)):
            place = self.positions[open_[wrong]]
            raise OptionError(f"label {values[wrong]!r} for '{place}'; expected a finite number")
        exact = [result or 0 for result in results]
        for at, value in zip(open_, values, strict=True):
            exact[at] = value
        other = copy(self)
        for name in ("critical", "pacing", "move_values", "lost", "_waste"):
            other.__dict__.pop(name, None)
        other.__dict__["_solved"] = exact, [None] * len(exact)
        return other

    @cached_property
    def _owners(self) -> Integers:
        """An array with one entry per move: the number of the position before it."""
        begins = self.moves.begins
        return np.repeat(np.arange(len(begins) - 1), np.diff(begins))

    @cached_property
    def move_values(self) -> Integers:
        """An array with one entry per move: the exact value after it, for the side that plays
        it."""
        sides, exact, to = self.movers, np.array(self.exact_values), self.moves.to
        return np.where(sides[to] == sides[self._owners], exact[to], -exact[to])

    @cached_property
    def lost(self) -> Integers:
        """An array with one entry per move: its loss, the best sibling's value minus its own."""
        lost: Integers = self._greatest(self.move_values)[self._owners] - self.move_values
        return lost

    def _greatest(self, of_moves: Integers) -> Integers:
        """Return, for each position, the greatest entry among its moves in `of_moves`; 0 without
        moves."""
        begins, found = self.moves.begins, np.zeros(len(self.children), of_moves.dtype)
        has_moves = np.flatnonzero(np.diff(begins))
        if len(has_moves):
            found[has_moves] = np.maximum.reduceat(of_moves, begins[has_moves])
        return found

    @cached_property
    def critical(self) -> Positions:
        """The critical positions: those with moves of different value."""
        return Positions(self, np.flatnonzero(self._greatest(self.lost) > 0).tolist())

    @cached_property
    def _waste(self) -> Integers:
        """An array with one entry per move: the plies by which its win is slower, or its loss
        faster, than with the best move; −1 for a wrong or drawing move, or an unknown distance."""
        best = self._greatest(self.move_values)[self._owners]
        distances: Integers = np.array(
            [-1 if each is None else each for each in self.distances], np.int64
        )
        plies = distances[self.moves.to] + 1
        keeps = (self.lost == 0) & (best != 0) & (plies > 0)
        speed = np.where(keeps, -np.sign(best) * plies, -WIN)
        fastest = self._greatest(speed)[self._owners]
        return np.where(keeps, fastest - speed, -1)

    @property
    def has_distances(self) -> bool:
        """Whether any distance to the end is known."""
        return any(distance is not None for distance in self.distances)

    @cached_property
    def pacing(self) -> Positions:
        """The won or lost positions whose right moves have different distances."""
        return Positions(self, np.flatnonzero(self._greatest(self._waste) > 0).tolist())

    def delay_by(self, played: Flags) -> float | None:
        """Return the mean of the plies by which right moves delay a win or hasten a loss.

        `played` flags the moves at the `pacing` positions. Return None without a right one."""
        waste = self._waste[self.pacing.moves]
        keeps = played & (waste >= 0)
        starts = self.pacing.starts[:-1]
        count, plies = (np.add.reduceat(each, starts) for each in (1 * keeps, waste * keeps))
        means = plies[count > 0] / count[count > 0]
        return fsum(means.tolist()) / len(means) if len(means) else None

    @cached_property
    def orbits(self) -> Keys:
        """An array with one entry per position: a key, equal for symmetric positions (`orbits`)."""
        return orbit_keys(self.game, self.positions)

    def after(self, at: int, values: Sequence[int]) -> list[int]:
        """Return the values after each move of a position, for the side to move."""
        sides, side = self.sides, self.sides[at]
        return [
            values[child] if sides[child] == side else -values[child] for child in self.children[at]
        ]


class Positions:
    """Some positions of a population, with their moves in one array.

    population  Population
    at          a list with the number of each position in the population
    groups      an array with one entry per position: a group number, equal for positions that share
                a child or a mirror image; by default all are different
    graph       Graph, `population` or a larger graph
    plies       the graph has all positions up to this number of plies ahead
    """

    def __init__(
        self,
        population: Population,
        at: Sequence[int],
        groups: Integers | None = None,
        graph: Graph | None = None,
        plies: int | None = None,
    ) -> None:
        self.population, self.at = population, list(at)
        self.groups: Integers = np.arange(len(self.at)) if groups is None else groups
        self.graph = population if graph is None else graph
        self.plies = population.plies if plies is None else plies

    def __len__(self) -> int:
        return len(self.at)

    def only(self, chosen: Flags | Integers) -> Positions:
        """Return the positions that are flagged, or that have these indices."""
        at = np.array(self.at, np.int64)[chosen].tolist()
        return Positions(self.population, at, self.groups[chosen], self.graph, self.plies)

    def looking_ahead(self, depth: int) -> Positions:
        """Return the positions with a graph of all positions up to `depth` plies ahead, which
        speeds up searches with many heuristics; `self` if there are too many."""
        if depth <= self.plies:
            return self
        try:
            graph = self.population.grown(self.at, depth)
        except TooFarAhead:
            return self
        return Positions(self.population, self.at, self.groups, graph, depth)

    @cached_property
    def _moves(self) -> tuple[Integers, Integers]:
        return self.population.moves_of(np.array(self.at, np.int64))

    @property
    def moves(self) -> Integers:
        """An array with one entry per move: its index among all moves of the population."""
        return self._moves[0]

    @property
    def starts(self) -> Integers:
        """An array with the index of each position's first move, and as last entry the number of
        moves."""
        return self._moves[1]

    @property
    def children(self) -> Integers:
        """An array with one entry per move: the number of the position after it."""
        return self.population.moves.to[self.moves]

    def by_move(self, values: Any) -> Any:
        """Return `values`, which has one entry per position, repeated for each of its moves."""
        return np.repeat(values, np.diff(self.starts))

    def moves_in(self, some: Positions) -> Flags:
        """Return, for each move, whether its position is one of `some`."""
        at = {*some.at}
        flags: Flags = self.by_move(np.array([each in at for each in self.at], np.bool_))
        return flags

    @cached_property
    def index(self) -> dict[int, int]:
        """The place in `at` of each position."""
        return {number: place for place, number in enumerate(self.at)}

    @cached_property
    def tactics(self) -> list[Tactic]:
        """A list with one entry per position: its class (`tactics`)."""
        game, positions = self.population.game, self.population.positions
        return [tactic_of(position_of(game, positions[at])) for at in self.at]

    @cached_property
    def played_plies(self) -> list[int]:
        """A list with one entry per position: the plies from the start of the game, the least if
        move orders differ."""
        if isinstance(self.population.game, LineGame):
            return self.stones
        plies, ply = {0: 0}, [0]
        while ply:
            after = {child for at in ply for child in self.population.children[at]}
            ply = [child for child in after if child not in plies]
            plies |= dict.fromkeys(ply, max(plies.values()) + 1)
        return [plies[at] for at in self.at]

    @property
    def stones(self) -> list[int]:
        """A list with one entry per position: the number of stones on the board."""
        boards = (self.population.positions[at] for at in self.at)
        return [(board.first | board.second).bit_count() for board in boards]

    @cached_property
    def move_values(self) -> Floats:
        """An array with one entry per move: the exact value after it, for the side that plays
        it."""
        return self.population.move_values[self.moves].astype(np.float64)

    @cached_property
    def lost(self) -> Floats:
        """An array with one entry per move: its loss."""
        return self.population.lost[self.moves].astype(np.float64)

    def wrong_by(self, played: Flags) -> Floats:
        """Return, for each position, the share of wrong moves among its `played` moves."""
        return mean_of(self.lost > 0, played, self.starts)

    def lost_by(self, played: Flags) -> Floats:
        """Return, for each position, the mean loss of its `played` moves."""
        return mean_of(self.lost, played, self.starts)

    # Moves of searches

    @cached_property
    def plan(self) -> Plan:
        """The nodes of searches from these positions, extended as deeper searches need them."""
        return self.graph.plan(np.array(self.at, np.int64))

    def rated(self, heuristic: Heuristic) -> Rated:
        """Return the heuristic with a cache of its evaluations, for searches to several depths."""
        return Rated(heuristic, self.graph)

    def played(
        self,
        heuristic: Heuristic | Rated,
        depth: int,
        executor: Executor | None = None,
        count: Count | None = None,
        form: FormName | None = None,
    ) -> Flags:
        """Return, for each move, whether a search of `depth` plies rates it best.

        Positions outside the graph are searched one by one, in `form` or the best form for many
        searches. Raises HeuristicError.
        """
        if depth <= self.plies:
            rated = heuristic if isinstance(heuristic, Rated) else self.rated(heuristic)
            return best_of(self.graph.searched(self.plan, depth, rated)[0], self.starts)
        own = heuristic.heuristic if isinstance(heuristic, Rated) else heuristic
        found = self.searched(partial(_best_of, own, depth, form), executor, count)
        return np.array(found, np.bool_)

    def searched(
        self,
        function: Callable[[Sequence[Any]], list[Any]],
        executor: Executor | None = None,
        count: Count | None = None,
    ) -> list[Any]:
        """Return the joined results of `function` on batches of positions, called by the workers
        of `executor`."""
        game, positions = self.population.game, self.population.positions
        asked = [position_of(game, positions[at]) for at in self.at]
        packs = (
            asked[begin : begin + BATCH_POSITIONS]
            for begin in range(0, len(asked), BATCH_POSITIONS)
        )
        found: list[Any] = []
        done = 0
        with closing(mapped(executor, function, packs)) as searched:
            for pack, answers in searched:
                found += answers
                done += len(pack)
                if count is not None:
                    count(done)
        return found


def best_of(scores: Floats, starts: Integers) -> Flags:
    """Return, for each move, whether it has the greatest score in its position.

    `scores` has one entry per move, `starts` is as in `Positions`.
    """
    best = np.maximum.reduceat(scores, starts[:-1])
    flags: Flags = scores == np.repeat(best, np.diff(starts))
    return flags


def mean_of(values: Floats | Flags, played: Flags, starts: Integers) -> Floats:
    """Return, for each position, the mean over its played moves.

    `values` and `played` have one entry per move.
    """
    sums = np.add.reduceat(np.where(played, values, 0.0), starts[:-1])
    means: Floats = sums / np.add.reduceat(played.astype(np.float64), starts[:-1])
    return means


def _best_of(
    heuristic: Heuristic, depth: int, form: FormName | None, positions: Sequence[Any]
) -> list[bool]:
    """Return, for each move of each position, whether a search rates it best."""
    found: list[bool] = []
    for position in positions:
        best = search_one(position, heuristic, depth, form, root="open").best_moves
        found += [move in best for move in position.moves]
    return found

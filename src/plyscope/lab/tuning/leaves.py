"""Where a search of the depth of use looks: the leaf at the end of each move's principal variation.

A heuristic that is good one ply ahead need not be good four plies ahead, as it is asked about other
positions there. So siblings are compared at the leaves that decide between them, found by searching
each move D − 1 plies deeper with the heuristic as it is; new weights lead to other leaves, which
are searched for again (Hoki & Kaneko 2014). A search evaluates every leaf for the side at its root,
whoever is to move at the leaf: here the side that chooses.

Positions of a whole game are searched all at once, ply by ply; those of a sample each by itself,
compiled, in processes where that is worth it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np

from plyscope.evaluation.function import MAX_VALUE
from plyscope.evaluation.heuristic import Explanation, Heuristic
from plyscope.evaluation.linetable import LineTable, Pairs
from plyscope.evaluation.terms import TermSum
from plyscope.lab.reportcard.population import Population, Rated, rate
from plyscope.lab.tuning.choices import (
    DECIDED,
    Flags,
    Floats,
    Integers,
    lost_by,
    share_of_losing,
)
from plyscope.lab.tuning.features import evaluations
from plyscope.lab.workers import LocalWorkers, mapped
from plyscope.progress import Count
from plyscope.rules.game import FIRST, SECOND, result_for
from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position
from plyscope.searching.choice import form_of_many
from plyscope.searching.request import make_request
from plyscope.searching.result import SearchResult
from plyscope.searching.search import search

PACK = 100
"""Choices that a process is given at a time."""


class Leaves(NamedTuple):
    """The different leaves of choices, of which every move has one."""

    positions: list[Position]
    sides: list[int]
    """[leaf] the side that chooses, for which it is evaluated."""
    results: Floats
    """[leaf] what a finished game is worth to that side; not a number where it goes on."""
    of_move: Integers
    """[moves] the number of its leaf."""


@dataclass(frozen=True, kw_only=True)
class Deciding:
    """The deciding positions of a population, and their moves one after the other."""

    population: Population
    is_whole: bool
    """Whether it is a whole game: every position's children are there too."""
    at: list[int]
    """[choices] their numbers in the population."""
    groups: Integers
    """[choices] those with one number share a position, a child or a mirror image."""

    def __len__(self) -> int:
        return len(self.at)

    @cached_property
    def starts(self) -> Integers:
        """[choices + 1] the number of each one's first move among all moves."""
        counts = [len(self.population.children[at]) for at in self.at]
        return np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])

    @cached_property
    def children(self) -> Integers:
        """[moves] the positions after them, by number."""
        after = self.population.children
        return np.array([child for at in self.at for child in after[at]], np.int64)

    @cached_property
    def sides(self) -> list[int]:
        """[moves] the side that chooses."""
        sides, after = self.population.sides, self.population.children
        return [sides[at] for at in self.at for _ in after[at]]

    @property
    def stones(self) -> list[int]:
        """[choices] the stones on each board."""
        boards = (self.population.positions[at] for at in self.at)
        return [(board.first | board.second).bit_count() for board in boards]

    @cached_property
    def worth(self) -> Floats:
        """[moves] the exact value after each, in the view of the side that chooses."""
        truth, after = self.population.truth, self.population.after
        return np.array([value for at in self.at for value in after(at, truth)], np.float64)

    @cached_property
    def lost(self) -> Floats:
        """[moves] what each gives away."""
        return lost_by(self.worth, self.starts)

    def wrong_by(self, played: Flags) -> Floats:
        """Return [choices] the share of the [moves] that may be played that give value away."""
        return share_of_losing(played, self.lost, self.starts)

    def only(self, is_in: Flags) -> Deciding:
        """Return those choices that `is_in` names."""
        kept = [at for at, is_kept in zip(self.at, is_in.tolist(), strict=True) if is_kept]
        return replace(self, at=kept, groups=self.groups[is_in])

    # What a search sees and plays

    def leaves(
        self, depth: int, heuristic: Heuristic, executor: Executor, count: Count | None = None
    ) -> Leaves:
        """Return the leaf of each move's principal variation, in a search of `depth` plies."""
        if depth == 1:
            return self._at(self.children)
        if self.is_whole:
            return self._at(self._backed_up(heuristic, depth)[1])
        packs = self._packs()
        asked = [[self._position(at) for at in pack] for pack in packs]
        below = partial(_leaves_below, heuristic=heuristic, depth=depth - 1)
        found = _each(executor, below, asked, count)
        numbers: dict[tuple[Position, int], int] = {}
        ends = zip(found, self.sides, strict=True)
        of_move = [numbers.setdefault(end, len(numbers)) for end in ends]
        return self._leaves(list(numbers), np.array(of_move, np.int64))

    def played(
        self, heuristic: Heuristic, depth: int, executor: Executor, count: Count | None = None
    ) -> Flags:
        """Return [moves] whether a search of `depth` plies may play them: each best one."""
        scores = self._at_once(heuristic, depth)
        if scores is not None:
            best = np.maximum.reduceat(scores, self.starts[:-1])
            is_best: Flags = scores == np.repeat(best, np.diff(self.starts))
            return is_best
        asked = [[self._position(at) for at in pack] for pack in self._packs()]
        found = _each(executor, partial(_best_of, heuristic=heuristic, depth=depth), asked, count)
        return np.array(found, np.bool_)

    def _at_once(self, heuristic: Heuristic, depth: int) -> Floats | None:
        """Return [moves] the scores of a search, None where each position has to be searched."""
        if self.is_whole:
            return self._backed_up(heuristic, depth)[0]
        table = as_terms(heuristic)
        if depth > 1 or table is None:
            return None
        leaves = self._at(self.children)
        scores = np.array(_evaluated(table, leaves.positions, leaves.sides), np.float64)
        is_over = ~np.isnan(leaves.results)
        scores[is_over] = DECIDED * leaves.results[is_over]
        of_moves: Floats = scores[leaves.of_move]
        return of_moves

    def _position(self, at: int) -> Position:
        position: Position = self.population.positions[at]
        return position

    def _packs(self) -> list[list[int]]:
        return [self.at[begin : begin + PACK] for begin in range(0, len(self.at), PACK)]

    def _at(self, numbers: Integers) -> Leaves:
        """Return the leaves that are these positions of the population."""
        positions = self.population.positions
        keys, of_move = np.unique(2 * numbers + np.array(self.sides), return_inverse=True)
        ends = [(positions[key // 2], key % 2) for key in keys.tolist()]
        return self._leaves(ends, of_move.astype(np.int64))

    def _leaves(self, ends: list[tuple[Position, int]], of_move: Integers) -> Leaves:
        game = self.population.game
        results = (result_for(side, game, position) for position, side in ends)
        return Leaves(
            [position for position, _ in ends],
            [side for _, side in ends],
            np.array([np.nan if result is None else result for result in results]),
            of_move,
        )

    # All positions of a game at once

    def _backed_up(self, heuristic: Heuristic, depth: int) -> tuple[Floats, Integers]:
        """Return [moves] the score and the leaf of each in a search of `depth` plies."""
        rated = self._rated(heuristic)
        choosers = np.array(self.sides)
        scores, leaves = np.zeros(len(self.children)), np.zeros(len(self.children), np.int64)
        for side in (FIRST, SECOND):
            is_of_side = choosers == side
            by_position = self._searched(rated, side, depth - 1)
            scores[is_of_side] = by_position[0][self.children[is_of_side]]
            leaves[is_of_side] = by_position[1][self.children[is_of_side]]
        return scores, leaves

    def _rated(self, heuristic: Heuristic) -> Rated:
        """Return what the heuristic says of all positions, which is kept of the latest two."""
        if heuristic not in self._latest:
            while len(self._latest) > 1:
                self._latest.pop(next(iter(self._latest)))
            self._latest[heuristic] = _rated(heuristic, self.population)
        return self._latest[heuristic]

    @cached_property
    def _latest(self) -> dict[Heuristic, Rated]:
        return {}

    def _searched(self, rated: Rated, root: int, plies: int) -> tuple[Floats, Integers]:
        """Return [positions] score and leaf of a search of so many plies, in the view of `root`."""
        of_mover, waiting = (np.asarray(each, np.float64) for each in rated[1:])
        is_mover = self._movers == root
        scores = np.where(is_mover, of_mover, waiting)
        is_over = ~np.isnan(self._results)
        scores[is_over] = np.where(is_mover, 1, -1)[is_over] * self._results[is_over] * DECIDED
        leaves = np.arange(len(scores))
        begins, to = self.population.moves
        owners = np.flatnonzero(np.diff(begins))  # the positions that have moves
        first, counts = begins[owners], np.diff(begins)[owners]
        sign = np.where(is_mover, 1.0, -1.0)[owners]
        for _ in range(plies):
            below = scores[to] * np.repeat(sign, counts)
            best = np.maximum.reduceat(below, first)
            is_best = np.flatnonzero(below == np.repeat(best, counts))
            _, earliest = np.unique(np.repeat(np.arange(len(owners)), counts)[is_best], True)
            scores, leaves = scores.copy(), self._followed(leaves, owners, to[is_best[earliest]])
            scores[owners] = best * sign
        return scores, leaves

    @staticmethod
    def _followed(leaves: Integers, owners: Integers, to: Integers) -> Integers:
        """Return [positions] the leaves one ply further up."""
        after = leaves.copy()
        after[owners] = leaves[to]
        return after

    @cached_property
    def _movers(self) -> Integers:
        return np.array(self.population.sides)

    @cached_property
    def _results(self) -> Floats:
        """[positions] the result in the mover's view, not a number where the game goes on."""
        game, sides = self.population.game, self.population.sides
        found = (
            result_for(side, game, position)
            for position, side in zip(self.population.positions, sides, strict=True)
        )
        return np.array([np.nan if result is None else result for result in found])


def as_terms(heuristic: Heuristic) -> TermSum | None:
    """Return a table as a sum of terms, None for what is no table."""
    table = TermSum(heuristic) if isinstance(heuristic, LineTable) else heuristic
    return table if isinstance(table, TermSum) else None


def _evaluated(table: TermSum, positions: Sequence[Position], sides: Sequence[int]) -> list[int]:
    """Return what the table says of all these positions."""
    most = MAX_VALUE if table.clamp is None else table.clamp
    found: list[int] = np.clip(evaluations([table], positions, sides)[:, 0], -most, most).tolist()
    return found


def _rated(heuristic: Heuristic, population: Population) -> Rated:
    """Return what the heuristic says of every position, in both sides' view."""
    table = as_terms(heuristic)
    if table is None:
        return rate(heuristic, population)
    views = (population.sides, [1 - side for side in population.sides])
    return Rated(heuristic, *(_evaluated(table, population.positions, sides) for sides in views))


# One position at a time


def _each(
    executor: Executor,
    function: Callable[[list[Position]], list[Any]],
    packs: Sequence[list[Position]],
    count: Count | None,
) -> list[Any]:
    """Return what the function finds in all packs, in their order, whoever searches when."""
    is_alone = isinstance(executor, LocalWorkers) and executor.jobs == 1
    found: list[Any] = []
    done = 0
    with closing(mapped(None if is_alone else executor, function, packs)) as searched:
        for pack, of_pack in searched:
            found += of_pack
            done += len(pack)
            if count is not None:
                count(done)
    return found


def _best_of(positions: Sequence[Position], heuristic: Heuristic, depth: int) -> list[bool]:
    """Return of each move of each position whether a search may play it."""
    found: list[bool] = []
    for position in positions:
        best = _searched(position, heuristic, depth, root="open").best_moves
        found += [move in best for move in position.moves]
    return found


def _searched(position: Position, heuristic: Heuristic, depth: int, **options: Any) -> SearchResult:
    """Return a search, in the form for one of many."""
    request = make_request(
        position, "alphabeta", heuristic, depth=depth, scoring="result", **options
    )
    return search(replace(request, form=form_of_many(request)))


def _leaves_below(
    positions: Sequence[Position], heuristic: Heuristic, depth: int
) -> list[Position]:
    """Return for each move of each position the leaf `depth` plies below it."""
    turned = seen_from_the_other_side(heuristic)
    found = []
    for position in positions:
        game: LineGame = position.game
        for move in position.moves:
            leaf = game.play(position, move)
            if not leaf.is_over:
                own = heuristic if leaf.side == position.side else turned
                for step in _searched(leaf, own, depth).pv:
                    leaf = game.play(leaf, step)
            found.append(leaf)
    return found


def seen_from_the_other_side(heuristic: Heuristic) -> Heuristic:
    """Return the heuristic that says for a side the opposite of what it says for the other one.

    A search from a child of the position that is chosen in evaluates leaves for the child's side;
    with this heuristic it sees what a search from the position itself does. Only a table of lines
    can differ in that, and what is no table is asked each time.

    >>> seen_from_the_other_side(LineTable("mine", {(1, 0): 3, (0, 1): -1})).value(1, 0)
    1
    """
    if isinstance(heuristic, LineTable):
        return replace(heuristic, values=_turned_values(heuristic.values))
    if isinstance(heuristic, TermSum):
        kinds = {
            kind: replace(of_kind, values=_turned_values(of_kind.values))
            for kind, of_kind in heuristic.kinds.items()
        }
        table = replace(heuristic.table, values=_turned_values(heuristic.table.values))
        return replace(heuristic, table=table, kinds=kinds)
    return _Turned(heuristic)


def _turned_values(values: Pairs) -> Pairs:
    return {(theirs, mine): -value for (mine, theirs), value in values.items()}


@dataclass(frozen=True)
class _Turned:
    """A heuristic of any kind, seen from the other side."""

    of: Heuristic

    @property
    def name(self) -> str:
        """That of the heuristic."""
        return self.of.name

    def evaluate(self, position: Any, side: int) -> int:
        """Return the opposite of what it is worth to the other side."""
        return -self.of.evaluate(position, 1 - side)

    def explain(self, position: Any, side: int) -> Explanation:
        """Return the explanation for the other side."""
        return self.of.explain(position, 1 - side)

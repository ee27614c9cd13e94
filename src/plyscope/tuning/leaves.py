"""The leaves of searches of the depth of use: the ends of each move's principal variation.

A heuristic that is good at depth 1 need not be good at depth 4, where it evaluates other positions.
So tuning compares siblings at the leaves whose evaluations decide between them. A search of D − 1
plies after each move, with the current heuristic, finds these leaves. New weights lead to other
leaves, so the search is repeated (Hoki & Kaneko 2014). A search evaluates every leaf for the side
to move at its root, which here is the side that chooses.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from plyscope.evaluation.heuristic import Explanation, Heuristic
from plyscope.evaluation.linetable import LineTable, Pairs
from plyscope.lab.judging.arrays import Floats, Integers
from plyscope.lab.judging.population import Positions
from plyscope.lab.judging.search_one import search_one
from plyscope.progress import Count
from plyscope.rules.game import result_for
from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position
from plyscope.tuning.family import Family
from plyscope.tuning.featured import Featured


class Leaves(NamedTuple):
    """The different leaves of the moves of some positions; each move has one leaf."""

    positions: list[Position]
    sides: list[int]
    """[leaf] the side to move at the root, for which the leaf is evaluated."""
    results: Floats
    """[leaf] the result for that side; not a number while the game goes on."""
    of_move: Integers
    """[moves] the number of the move's leaf."""


def leaves_of(
    asked: Positions,
    depth: int,
    heuristic: Heuristic,
    executor: Executor | None = None,
    count: Count | None = None,
) -> Leaves:
    """Return the last position of each move's principal variation, in a search of `depth` plies."""
    if depth <= asked.plies:
        if depth == 1:
            nodes = 2 * asked.children + asked.by_move(asked.population.movers[asked.at])
        else:
            nodes = asked.graph.searched(asked.plan, depth, asked.rated(heuristic))[1]
        found, of_move = np.unique(nodes, return_inverse=True)
        ends = [(asked.graph.positions[node >> 1], node & 1) for node in found.tolist()]
    else:
        numbers: dict[tuple[Position, int], int] = {}
        below = asked.searched(partial(_leaves_below, heuristic, depth - 1), executor, count)
        of_move = np.array([numbers.setdefault(end, len(numbers)) for end in below], np.int64)
        ends = list(numbers)
    results = (result_for(side, asked.population.game, position) for position, side in ends)
    return Leaves(
        [position for position, _ in ends],
        [side for _, side in ends],
        np.array([np.nan if result is None else result for result in results]),
        of_move.astype(np.int64),
    )


def featured_of(critical: Positions, leaves: Leaves, family: Family) -> Featured:
    """Return critical positions with the family's features at these leaves."""
    is_over = ~np.isnan(leaves.results)
    features = family.features(leaves.positions, leaves.sides).astype(np.float64)
    offsets = family.offset(leaves.positions, leaves.sides).astype(np.float64)
    features[is_over], offsets[is_over] = 0.0, 0.0
    of_move = leaves.of_move
    return Featured(
        starts=critical.starts,
        move_values=critical.move_values,
        features=features[of_move],
        offsets=offsets[of_move],
        results=np.where(is_over, leaves.results, 0.0)[of_move],
        groups=critical.groups,
    )


def _leaves_below(
    heuristic: Heuristic, depth: int, positions: Sequence[Position]
) -> list[tuple[Position, int]]:
    """Return the leaf of each move of each position in a search of `depth` plies after the move,
    with the side that chose the move."""
    swapped = opponents_view(heuristic)
    found = []
    for position in positions:
        game: LineGame = position.game
        for move in position.moves:
            leaf = game.play(position, move)
            if not leaf.is_over:
                own = heuristic if leaf.side == position.side else swapped
                for step in search_one(leaf, own, depth).pv:
                    leaf = game.play(leaf, step)
            found.append((leaf, position.side))
    return found


def opponents_view(heuristic: Heuristic) -> Heuristic:
    """Return the heuristic from the opponent's view: minus its evaluation for the other side.

    A search from a child evaluates leaves for the child's side to move. With this heuristic it sees
    the evaluations of a search from the parent.

    >>> opponents_view(LineTable("mine", {(1, 0): 3, (0, 1): -1})).value(1, 0)
    1
    """
    if isinstance(heuristic, LineTable):
        kinds = {
            kind: replace(of_kind, values=_swapped_values(of_kind.values))
            for kind, of_kind in heuristic.kinds.items()
        }
        return replace(heuristic, values=_swapped_values(heuristic.values), kinds=kinds)
    return _OpponentsView(heuristic)


def _swapped_values(values: Pairs) -> Pairs:
    return {(theirs, mine): -value for (mine, theirs), value in values.items()}


@dataclass(frozen=True)
class _OpponentsView:
    """A heuristic that is not a table, from the opponent's view."""

    of: Heuristic

    @property
    def name(self) -> str:
        """The name of the heuristic."""
        return self.of.name

    def evaluate(self, position: Any, side: int) -> int:
        """Return minus the evaluation for the other side."""
        return -self.of.evaluate(position, 1 - side)

    def explain(self, position: Any, side: int) -> Explanation:
        """Return the explanation for the other side."""
        return self.of.explain(position, 1 - side)

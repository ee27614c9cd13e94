"""Numbered positions with their moves, and fixed-depth searches of many positions at once.

The results equal those of alpha-beta to a fixed depth. Each position at the horizon is evaluated
once, and the values are backed up ply by ply. Evaluations are from the view of the side to move at
the root, as in a search; a finished game has the value of its result.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

from plyscope.evaluation.evaluate import evaluate_many
from plyscope.evaluation.heuristic import Heuristic
from plyscope.evaluation.linetable import LineTable
from plyscope.lab.judging.arrays import HAS_FEATURES, Floats, Integers, np
from plyscope.rules.game import FIRST, SECOND, Game, moves_at, result_for
from plyscope.rules.linegame import LineGame
from plyscope.searching.score import MAX_EVALUATION, WIN
from plyscope.searching.timeout import time_limited

MAX_PLY_POSITIONS = 400_000
"""The greatest number of positions that a graph may gain in one ply."""


class TooFarAhead(Exception):
    """Raised when one ply has more than MAX_PLY_POSITIONS."""


class Moves(NamedTuple):
    """The moves of all positions, in one array ordered by position."""

    begins: Integers
    """[position] the index of its first move; the last entry is the number of moves."""
    to: Integers
    """[move] the position after it."""


class Plan(NamedTuple):
    """The nodes visited by searches of some positions, ply by ply.

    A node is a position with the side to move at the root: 2 × the position's number + that side.
    """

    nodes: list[Integers]
    """[ply] the different nodes."""
    after: list[Integers]
    """[ply] the children of its unfinished nodes, as indices into the nodes of the next ply."""
    starts: list[Integers]
    """[ply] for each of its unfinished nodes, the index of the first child in `after`."""


class Graph:
    """Numbered positions, each with a list of its children's numbers, empty if they are unknown.

    For a user-defined game the positions are its states.
    """

    def __init__(self, game: Game, positions: list[Any], children: list[list[int]]) -> None:
        self.game, self.positions, self.children = game, positions, children

    @cached_property
    def sides(self) -> list[int]:
        """[position] the side to move; FIRST in a finished game without one."""
        sides = map(self.game.side, self.positions)
        return [side if side == SECOND else FIRST for side in sides]

    @cached_property
    def movers(self) -> Integers:
        """[position] the side to move, as an array."""
        return np.array(self.sides, np.int64)

    @cached_property
    def moves(self) -> Moves:
        """The children as arrays."""
        counts = np.array([len(after) for after in self.children], np.int64)
        begins = np.append(0, np.cumsum(counts))
        return Moves(begins, np.array([to for after in self.children for to in after], np.int64))

    def moves_of(self, at: Integers) -> tuple[Integers, Integers]:
        """Return the moves of the positions `at`, and the index of each position's first move.

        The second array ends with the number of moves."""
        begins = self.moves.begins
        counts = begins[at + 1] - begins[at]
        starts = np.append(0, np.cumsum(counts))
        return np.arange(starts[-1]) + np.repeat(begins[at] - starts[:-1], counts), starts

    def result(self, at: int) -> int | None:
        """Return the result of a position for its side to move, None while the game goes on."""
        return result_for(self.sides[at], self.game, self.positions[at])

    @cached_property
    def results(self) -> Floats:
        """[position] the result; not a number while the game goes on."""
        found = map(self.result, range(len(self.positions)))
        return np.array([np.nan if result is None else result for result in found])

    @cached_property
    def lines(self) -> dict[tuple[int, int], Integers]:
        """For each pair (stones of X, stones of O), an array [position]: the number of lines with
        exactly these stones."""
        assert isinstance(self.game, LineGame)
        longest = self.game.longest_line
        pairs = [(x, o) for x in range(longest + 1) for o in range(longest + 1 - x)]
        tables = [LineTable("lines", {pair: 1}) for pair in pairs]
        counts = evaluate_many(tables, self.positions, [FIRST] * len(self.positions))
        return dict(zip(pairs, counts.T.astype(np.int32), strict=True))

    def grown(self, at: Sequence[int], plies: int) -> Graph:
        """Return this graph with all positions up to `plies` plies after the positions `at`.

        Raises TooFarAhead.
        """
        positions, children, ply = [*self.positions], [*self.children], [*at]
        number = {position: here for here, position in enumerate(positions)}
        for _ in range(plies):
            following: dict[int, None] = {}
            for here in ply:
                if here >= len(children):
                    children += [[] for _ in positions[len(children) :]]
                if not children[here]:
                    children[here] = expanded(self.game, positions[here], positions, number)
                following |= dict.fromkeys(children[here])
                if len(following) > MAX_PLY_POSITIONS:
                    raise TooFarAhead
            ply = [*following]
        children += [[] for _ in positions[len(children) :]]
        return Graph(self.game, positions, children)

    def plan(self, at: Integers) -> Plan:
        """Return the plan of searches of depth 0 from the positions `at`."""
        return Plan([2 * at + self.movers[at]], [], [])

    def _extend(self, plan: Plan, depth: int) -> None:
        while len(plan.after) < depth:
            nodes = plan.nodes[-1]
            inner = nodes[np.isnan(self.results[nodes >> 1])]
            moves, starts = self.moves_of(inner >> 1)
            below = 2 * self.moves.to[moves] + np.repeat(inner & 1, np.diff(starts))
            is_below = np.zeros(2 * len(self.positions), np.bool_)
            is_below[below] = True
            plan.nodes.append(np.flatnonzero(is_below))
            plan.after.append((np.cumsum(is_below) - 1)[below])
            plan.starts.append(starts[:-1])

    def nodes_after(self, plan: Plan, depth: int) -> Integers:
        """Return the plan's nodes at `depth`."""
        self._extend(plan, depth)
        return plan.nodes[depth]

    def searched(self, plan: Plan, depth: int, rated: Rated) -> tuple[Floats, Integers]:
        """Return the score of each move at the roots, and the last node of its principal variation.

        Of equal moves, the principal variation has the first."""
        leaves = self.nodes_after(plan, depth)
        values = self._results_for(leaves)
        is_open = np.isnan(values)
        evaluated = rated.of(leaves[is_open])
        values[is_open] = np.clip(evaluated, -MAX_EVALUATION, MAX_EVALUATION)
        for ply in range(depth - 1, 0, -1):
            nodes, after, starts = plan.nodes[ply], plan.after[ply], plan.starts[ply]
            backed, ends = self._results_for(nodes), nodes.copy()
            is_open = np.isnan(backed)
            if len(starts):
                inner, counts = nodes[is_open], np.diff(starts, append=len(after))
                sign = np.where(self.movers[inner >> 1] == inner & 1, 1.0, -1.0)
                below = values[after] * np.repeat(sign, counts)
                best = np.maximum.reduceat(below, starts)
                is_best = np.flatnonzero(below == np.repeat(best, counts))
                ends[is_open] = leaves[after[is_best[np.searchsorted(is_best, starts)]]]
                backed[is_open] = best * sign
            values, leaves = backed, ends
        return values[plan.after[0]], leaves[plan.after[0]]

    def _results_for(self, nodes: Integers) -> Floats:
        """Return the scores of finished games for the side to move at the root, else not a
        number."""
        at = nodes >> 1
        found: Floats = np.where(self.movers[at] == nodes & 1, WIN, -WIN) * self.results[at]
        return found


def expanded(game: Game, position: Any, positions: list[Any], number: dict[Any, int]) -> list[int]:
    """Return the numbers of a position's children; add new ones to `positions` and `number`."""
    if game.payoff(position) is not None:
        return []
    after = []
    for move in moves_at(game, position):
        child = game.play(position, move)
        if child not in number:
            number[child] = len(positions)
            positions.append(child)
        after.append(number[child])
    return after


class Rated:
    """The cached evaluations of a graph's nodes by a heuristic.

    A search evaluates from the view of the side to move at its root, not at the leaf.
    """

    def __init__(self, heuristic: Heuristic, graph: Graph) -> None:
        self.heuristic, self.graph = heuristic, graph
        self.known = np.full(2 * len(graph.positions), np.nan)

    def of(self, nodes: Integers) -> Floats:
        """Return the evaluations of nodes. Raises HeuristicError."""
        asked = nodes[np.isnan(self.known[nodes])]
        if len(asked):
            self.known[asked] = self._evaluated(asked)
        return self.known[nodes]

    @cached_property
    def by_node(self) -> list[int]:
        """[node] its evaluation."""
        found: list[int] = self.of(np.arange(len(self.known))).astype(np.int64).tolist()
        return found

    @property
    def ratings(self) -> list[int]:
        """[position] its evaluation for the side to move."""
        return [self.by_node[2 * at + side] for at, side in enumerate(self.graph.sides)]

    def ahead(self, at: int) -> list[int]:
        """Return the scores of a position's moves in a search of one ply."""
        side = self.graph.sides[at]
        return [self.by_node[2 * child + side] for child in self.graph.children[at]]

    def _evaluated(self, nodes: Integers) -> Floats:
        is_at_once = HAS_FEATURES and isinstance(self.graph.game, LineGame)
        table = self.heuristic if is_at_once else None
        is_plain = isinstance(table, LineTable) and table.is_of_lines and not table.kinds
        if isinstance(table, LineTable) and is_plain and not table.weights and table.clamp is None:
            return self._counted(table, nodes)
        positions = [self.graph.positions[at] for at in (nodes >> 1).tolist()]
        sides = (nodes & 1).tolist()
        if isinstance(table, LineTable):
            found = evaluate_many([table], positions, sides)[:, 0].astype(np.float64)
            return found if table.clamp is None else np.clip(found, -table.clamp, table.clamp)
        with time_limited(self.heuristic, None) as limited:
            asked = zip(positions, sides, strict=True)
            return np.array([limited.evaluate(*each) for each in asked], np.float64)

    def _counted(self, table: LineTable, nodes: Integers) -> Floats:
        """Return the evaluations by a table in which all lines have the same weight."""
        lines, at, is_second = self.graph.lines, nodes >> 1, nodes & 1 == 1
        total = np.zeros(len(nodes))
        for (mine, theirs), value in table.values.items():
            if (mine, theirs) in lines:
                own, other = lines[mine, theirs][at], lines[theirs, mine][at]
                total += np.where(is_second, other, own) * float(value)
        return total

"""The engine's search for a line of play that beats an agent.

It plays its best line, then every line that leaves its ranking of the moves once, then twice, until
it has won or the time is up. Source: limited discrepancy search; Harvey & Ginsberg 1995.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from time import perf_counter

from plyscope.lab.agent import Agent
from plyscope.rules.game import result_for
from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position
from plyscope.searching.search import search

RANKING_NODES = 10_000
"""Nodes that the engine searches to rank the moves of a position."""
RANKED = 3
"""The best moves that it tells apart; the others follow in generated order."""


class _OutOfTime(Exception):
    pass


class Refutation:
    """The games of the engine against an agent on one side, until the agent has lost one."""

    def __init__(
        self, agent: Agent, game: LineGame, side: int, loss: tuple[int, ...] | None
    ) -> None:
        self.agent, self.game, self.side = agent, game, side
        self.loss = loss
        """A game that the agent loses, which may be known before the search."""
        self._results = Counter([] if loss is None else [-1])
        self._rankings: dict[Position, Sequence[int]] = {}
        self._choices: dict[Position, Sequence[int]] = {}
        self._deadline = 0.0

    @property
    def counts(self) -> tuple[int, int, int]:
        """The games that the agent has won, drawn and lost."""
        return self._results[1], self._results[0], self._results[-1]

    @property
    def positions(self) -> int:
        """The positions visited."""
        return len(self._choices) + len(self._rankings)

    def search(self, deadline: float) -> None:
        """Look for a `loss`, unless one is known, until the deadline."""
        self._deadline = deadline
        most = self.game.size * self.game.size
        try:
            for discrepancies in range(most):
                if self.loss is not None:
                    return
                self.loss = self._beat(self.game.start(), discrepancies, {})
        except _OutOfTime:
            pass

    def _beat(
        self, position: Position, discrepancies: int, seen: dict[Position, int]
    ) -> tuple[int, ...] | None:
        """Return the rest of a game that the agent loses, or None.

        `discrepancies` is how far the engine may leave its rankings; `seen` is with how many each
        position was visited.
        """
        if seen.get(position, -1) >= discrepancies:
            return None
        seen[position] = discrepancies
        if perf_counter() > self._deadline:
            raise _OutOfTime
        result = result_for(self.side, self.game, position)
        if result is not None:
            self._results[result] += 1
            return () if result < 0 else None
        is_own = self.game.side(position) == self.side
        moves = self._choices_at(position) if is_own else self._ranking_at(position)
        for rank, move in enumerate(moves):
            cost = 0 if is_own else rank
            if cost > discrepancies:
                break
            rest = self._beat(self.game.play(position, move), discrepancies - cost, seen)
            if rest is not None:
                return (move, *rest)
        return None

    def _choices_at(self, position: Position) -> Sequence[int]:
        if position not in self._choices:
            self._choices[position] = self.agent.choices(position)
        return self._choices[position]

    def _ranking_at(self, position: Position) -> Sequence[int]:
        if position not in self._rankings:
            self._rankings[position] = ranking(position)
        return self._rankings[position]


def ranking(position: Position) -> tuple[int, ...]:
    """Return the moves, those that the engine prefers first."""
    result = search(position, "engine", nodes=RANKING_NODES, multipv=RANKED, megabytes=1)
    best = dict.fromkeys(line.pv[0] for line in result.variations if line.pv)
    preferred = tuple(best) or result.best_moves
    return (*preferred, *(move for move in position.moves if move not in preferred))

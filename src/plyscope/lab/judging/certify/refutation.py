"""The search for a line of play that beats an agent, with moves ranked by the engine.

On user-defined games, and where a turn is several stones, alpha-beta ranks the moves. The search
plays the best-ranked line, then all lines with one lower-ranked move, then with two, until it wins
or time is up. Source: limited discrepancy search; Harvey & Ginsberg 1995.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from time import perf_counter
from typing import Any

from plyscope.lab.agents.agent import Agent
from plyscope.rules.game import Game, position_of, result_for
from plyscope.searching.engine import has_engine
from plyscope.searching.search import search

RANKING_NODES = 10_000
"""Engine nodes for ranking the moves of a position."""
OWN_RANKING_NODES = 1_000
"""Alpha-beta nodes for ranking the moves of a position, on games that the engine does not play."""
MAX_DISCREPANCIES = 10_000
RANKED_MOVES = 3
"""The number of moves that the engine ranks; the others follow in generated order."""


class _OutOfTime(Exception):
    pass


class Refutation:
    """The games of the engine against an agent on one side, until the agent loses one."""

    def __init__(self, agent: Agent, game: Game, side: int, loss: tuple[Any, ...] | None) -> None:
        self.agent, self.game, self.side = agent, game, side
        self.loss = loss
        """The moves of a lost game; one may be known before the search."""
        self._results = Counter([] if loss is None else [-1])
        self._moves: dict[Any, Sequence[Any]] = {}
        """The agent's choices, or the ranked moves of its opponent, by state."""
        self._deadline = 0.0
        self._left_out = False
        """Whether moves were skipped because of the limit of discrepancies."""

    @property
    def counts(self) -> tuple[int, int, int]:
        """The agent's wins, draws and losses."""
        return self._results[1], self._results[0], self._results[-1]

    @property
    def positions(self) -> int:
        """Number of positions visited."""
        return len(self._moves)

    @property
    def played(self) -> dict[Any, Sequence[Any]]:
        """The agent's moves by state."""
        own = self.game.side
        return {state: moves for state, moves in self._moves.items() if own(state) == self.side}

    def search(self, deadline: float) -> None:
        """Search for a `loss` until the deadline, unless one is known."""
        self._deadline = deadline
        try:
            for discrepancies in range(MAX_DISCREPANCIES):
                if self.loss is not None:
                    return
                self._left_out = False
                self.loss = self._beat(self.game.start(), discrepancies, {})
                if not self._left_out:
                    return
        except _OutOfTime:
            pass

    def _beat(self, state: Any, discrepancies: int, seen: dict[Any, int]) -> tuple[Any, ...] | None:
        """Return the rest of a game that the agent loses, or None.

        `discrepancies` limits the sum of the ranks of the opponent's moves. `seen` has the greatest
        limit with which each position was visited.
        """
        if seen.get(state, -1) >= discrepancies:
            return None
        seen[state] = discrepancies
        if perf_counter() > self._deadline:
            raise _OutOfTime
        result = result_for(self.side, self.game, state)
        if result is not None:
            self._results[result] += 1
            return () if result < 0 else None
        is_own = self.game.side(state) == self.side
        if state not in self._moves:
            position = position_of(self.game, state)
            self._moves[state] = self.agent.choices(position) if is_own else ranking(position)
        for rank, move in enumerate(self._moves[state]):
            cost = 0 if is_own else rank
            if cost > discrepancies:
                self._left_out = True
                break
            rest = self._beat(self.game.play(state, move), discrepancies - cost, seen)
            if rest is not None:
                return (move, *rest)
        return None


def ranking(position: Any) -> tuple[Any, ...]:
    """Return the legal moves, ranked by a search."""
    if not has_engine(position):
        values = search(position, "alphabeta", nodes=OWN_RANKING_NODES, root="open").moves
        known = [move for move in values if move.value is not None]
        best = sorted(known, key=lambda move: -(move.value or 0))
        ranked = dict.fromkeys([*(move.move for move in best), *position.moves])
        return tuple(ranked)
    result = search(position, "engine", nodes=RANKING_NODES, multipv=RANKED_MOVES, megabytes=1)
    first = dict.fromkeys(line.pv[0] for line in result.variations if line.pv)
    preferred = tuple(first) or result.best_moves
    return (*preferred, *(move for move in position.moves if move not in preferred))

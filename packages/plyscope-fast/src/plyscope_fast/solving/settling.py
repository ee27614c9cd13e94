"""`settle`: the exact values of positions and moves that solvers find within a limit of nodes.

As there is no limit of time, a sample is the same on every machine. The solvers' tables are cleared
before each position, so the answer does not depend on earlier positions.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position
from plyscope.searching.limit import SearchStopped
from plyscope.solving.accelerated import LINES, SOLVER_NODES, THREATS, Settled
from plyscope.solving.ask import Ask
from plyscope.solving.verdict import result_of
from plyscope_fast.solving.lines import LinesSolver
from plyscope_fast.solving.threats import ThreatSolver

TABLE_MEGABYTES = 1
"""The size of a solver's table in megabytes; it is small, as so few nodes do not fill it."""


def settle(positions: Sequence[Position]) -> list[Settled | None]:
    """Return the exact values of each position and its moves; None for a position if a solver
    exceeds its limit for any of them.

    The moves of a lost position are not solved, as they all lose.
    """
    return [_settler(position.game).settle(position) for position in positions]


@lru_cache(maxsize=2)
def _settler(game: LineGame) -> _Settler:
    return _Settler(game)


class _Settler:
    def __init__(self, game: LineGame) -> None:
        start = game.start()
        self.lines = LinesSolver(game, megabytes=TABLE_MEGABYTES) if LINES.plays(start) else None
        self.threats = ThreatSolver(game, TABLE_MEGABYTES) if THREATS.plays(start) else None
        for solver in (self.lines, self.threats):
            if solver is not None:
                solver.prepare()

    def settle(self, position: Position) -> Settled | None:
        """Return the exact values of a position and its moves; None if any stays unknown."""
        for solver in (self.lines, self.threats):
            if solver is not None:
                solver.forget()
        value = self._value(position)
        if value is None:
            return None
        moves = []
        for move in position.moves:
            other = 1 if value < 0 else self._value(position.play(move))
            if other is None:
                return None
            moves.append(-other)
        return Settled(value, tuple(moves))

    def _value(self, position: Position) -> int | None:
        """Return the value for the side to move, None if it stays unknown."""
        if position.is_over:
            return result_of(position)
        wins = self._wins(position, position.side)
        if wins:
            return 1
        loses = self._wins(position, 1 - position.side)
        if loses:
            return -1
        return 0 if wins is loses is False else None

    def _wins(self, position: Position, attacker: int) -> bool | None:
        """Return whether `attacker` can force a line before the other side; None if unknown."""
        if self.lines is not None:
            try:
                ask = Ask(position, limit=SOLVER_NODES[LINES.name])
                return self.lines.wins(ask, attacker).wins
            except SearchStopped:
                pass
        if self.threats is None:
            return None
        ask = Ask(position, limit=SOLVER_NODES[THREATS.name])
        wins = self.threats.wins(ask, attacker, in_place=True).wins
        return None if wins is False and position.game.exactly else wins

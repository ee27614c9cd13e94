"""What positions are worth, where solvers find out within a number of nodes, and not by the clock.

So a sample is the same on every machine. Each position is asked about with empty tables: whether it
is settled does not depend on those that were asked about before.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position
from plyscope.searching.limit import SearchStopped
from plyscope.solving.ask import Ask
from plyscope.solving.lines import LINES, LinesSolver
from plyscope.solving.threats import THREATS, ThreatSolver
from plyscope.solving.verdict import result_of

SOLVER_NODES = {LINES.name: 2_000, THREATS.name: 200}
"""Nodes within which a solver has to answer a question: does this side win?

A node of `threats` stands for a search by fours."""
TABLE_MEGABYTES = 1
"""The size of a solver's table, which few nodes fill."""


class Settled(NamedTuple):
    """What a position is worth to its side to move, and to that side each of its moves."""

    value: int
    moves: tuple[int, ...]


def can_settle(game: LineGame) -> bool:
    """Whether a solver answers questions of this game within a number of nodes."""
    start = game.start()
    return LINES.plays(start) or THREATS.plays(start)


def settle(positions: Sequence[Position]) -> list[Settled | None]:
    """Return what each position is worth with each of its moves, None where any of it stays open.

    The moves of a lost position are not asked about, as all are worth the same.
    """
    return [_settler(position.game).settle(position) for position in positions]


@lru_cache(maxsize=2)
def _settler(game: LineGame) -> _Settler:
    return _Settler(game)


class _Settler:
    """The solvers of one game."""

    def __init__(self, game: LineGame) -> None:
        start = game.start()
        self.lines = LinesSolver(game, megabytes=TABLE_MEGABYTES) if LINES.plays(start) else None
        self.threats = ThreatSolver(game, TABLE_MEGABYTES) if THREATS.plays(start) else None
        for solver in (self.lines, self.threats):
            if solver is not None:
                solver.prepare()

    def settle(self, position: Position) -> Settled | None:
        """Return what a position is worth, with each of its moves."""
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
        """Return the value to the side to move, None where it stays open."""
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
        """Return whether a side completes a line before the other, None where that stays open."""
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

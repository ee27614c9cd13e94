"""Positions of Gomoku that are won by threats, which `bench/tactics.py` finds."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from plyscope.rules.notation import parse
from plyscope.rules.position import Position
from plyscope.solving.ask import Ask
from plyscope_fast.solving.threats import ThreatSolver

DATA = Path(__file__).parent / "data" / "threat_wins.txt"
"""A win a line: its kind, its plies, and the moves that lead to the position."""
GAME = "15,15,5"
KINDS = ("fours", "threes")
JUDGING_NODES = 20_000
"""The nodes of a search for the win after a move."""


class Win(NamedTuple):
    """A position that the side to move wins."""

    kind: str
    plies: int
    """The length of the win that was found."""
    moves: str
    """The moves that lead to it."""

    @property
    def position(self) -> Position:
        """The position."""
        found = parse(f"{GAME} {self.moves}")
        assert isinstance(found, Position)
        return found


def wins() -> list[Win]:
    """Return the positions in the file."""
    rows = (line.split(" ", 2) for line in DATA.read_text(encoding="utf-8").splitlines())
    return [Win(kind, int(plies), moves) for kind, plies, moves in rows]


def is_still_won(position: Position, move: int, solver: ThreatSolver) -> bool:
    """Return whether the solver finds the win after a move."""
    after = position.play(move)
    if after.is_over:
        return after.winner == position.side
    known = solver.wins(Ask(after, limit=JUDGING_NODES), position.side, in_place=True)
    return bool(known.wins)

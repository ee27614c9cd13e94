"""Nodes per second of the same alpha-beta: plyscope's two forms and easyAI's, in one run.

The work is Connect Four from the empty board with 1, 10, 100 for windows of one, two, three stones of a colour; 16,630 nodes at depth 6.
Run with `python bench/nodes.py`; easyAI is part of the extra `test`.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable
from time import perf_counter

from easyAI import AI_Player, Negamax, TwoPlayerGame

from plyscope import GAMES, LineTable, search

WINDOW = LineTable.one_sided("window", (0, 1, 10, 100, 0))
GAME = GAMES["connect4"]
LINES = [line.cells() for line in GAME.lines]


class ConnectFour(TwoPlayerGame):  # type: ignore[misc]
    """Connect Four as easyAI's users write it, counting the positions it is asked about."""

    def __init__(self) -> None:
        self.players = [AI_Player(None), AI_Player(None)]
        self.board = [0] * GAME.size
        self.current_player = 1
        self.nodes = 0

    def possible_moves(self) -> list[int]:
        return [column for column in range(7) if not self.board[column]]

    def _landing(self, column: int) -> int:
        return next(cell for cell in GAME.columns[column] if not self.board[cell])

    def make_move(self, column: int) -> None:
        self.nodes += 1
        self.board[self._landing(column)] = self.current_player

    def unmake_move(self, column: int) -> None:
        self.board[next(cell for cell in reversed(GAME.columns[column]) if self.board[cell])] = 0

    def is_over(self) -> bool:
        return not self.possible_moves() or any(all(self.board[cell] == self.opponent_index for cell in line) for line in LINES)

    def scoring(self) -> int:
        total = 0
        for line in LINES:
            stones = [self.board[cell] for cell in line]
            mine, theirs = stones.count(self.current_player), stones.count(self.opponent_index)
            total += WINDOW.value(mine, theirs)
        return total

    def show(self) -> None:
        """Nothing to show."""


def ours(engine: str, depth: int) -> int:
    """Search and return the nodes."""
    return search("connect4", "alphabeta", WINDOW, depth=depth, engine=engine).nodes


def easyai(depth: int) -> int:
    """Search with easyAI and return the positions it made."""
    game = ConnectFour()
    with contextlib.redirect_stdout(io.StringIO()):
        Negamax(depth)(game)
    return game.nodes


def main() -> None:
    """Measure and print the table."""
    ours("compiled", 2)
    contestants: list[tuple[str, Callable[[], int]]] = [
        ("easyAI, depth 4", lambda: easyai(4)),
        ("plyscope reference, depth 6", lambda: ours("reference", 6)),
        ("plyscope compiled, depth 10", lambda: ours("compiled", 10)),
    ]
    speeds = {}
    for name, run in contestants:
        best = 0.0
        for _ in range(3):
            began = perf_counter()
            nodes = run()
            best = max(best, nodes / (perf_counter() - began))
        speeds[name] = best
    slowest = speeds["easyAI, depth 4"]
    for name, speed in speeds.items():
        print(f"{name:30} {speed:14,.0f} nodes/s {speed / slowest:10,.0f} × easyAI")


if __name__ == "__main__":
    main()

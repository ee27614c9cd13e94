"""Isolation with knights: a cell that a knight has left cannot be used again."""

import plyscope as ps


class Isolation(ps.Game):
    """Two knights jump as in chess, from opposite corners, and never to a cell that one of them has
    been on. Whoever cannot jump has lost.

    A state: the cells that are gone, a bit for each from a1 on; the cells of both knights; the side
    to move. A move: the cell that the knight jumps to.
    """

    def __init__(self, columns=5, rows=5):
        self.columns, self.cells = columns, columns * rows
        self.jumps = tuple(
            sum(
                1 << to
                for to in range(self.cells)
                if {abs(to % columns - cell % columns), abs(to // columns - cell // columns)}
                == {1, 2}
            )
            for cell in range(self.cells)
        )

    def start(self):
        last = self.cells - 1
        return 1 | 1 << last, 0, last, 0

    def side(self, state):
        return state[3]

    def moves(self, state):
        gone, first, second, side = state
        left = self.jumps[second if side else first] & ~gone
        return [cell for cell in range(self.cells) if left >> cell & 1]

    def play(self, state, move):
        gone, first, second, side = state
        if side:
            return gone | 1 << move, first, move, 0
        return gone | 1 << move, move, second, 1

    def payoff(self, state):
        return None if self.moves(state) else 1 if state[3] else -1

    def format(self, state):
        gone, first, second, _ = state
        signs = ["#" if gone >> cell & 1 else "." for cell in range(self.cells)]
        signs[first], signs[second] = "X", "O"
        starts = range(self.cells - self.columns, -1, -self.columns)
        return "\n".join("".join(signs[start:][: self.columns]) for start in starts)

    def format_move(self, state, move):
        return f"{'abcdefghijklmnop'[move % self.columns]}{move // self.columns + 1}"

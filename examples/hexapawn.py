"""Hexapawn, on a board of any size. Martin Gardner invented it for a machine of 24 matchboxes that
learns (Scientific American, March 1962); on 3×3 the second player wins."""

import plyscope as ps


class Hexapawn(ps.Game):
    """Pawns step straight ahead and take diagonally. Whoever gets one across has won, and so has
    whoever leaves the other side without a move.

    A state: the pawns of both sides, a bit for each cell from a1 on, and the side to move. A move:
    the cell that a pawn leaves times the cells of the board, plus the cell that it goes to.
    """

    def __init__(self, columns=3, rows=3):
        self.columns, self.rows, self.cells = columns, rows, columns * rows
        self.lowest = (1 << columns) - 1
        self.highest = self.lowest << columns * (rows - 1)

    def start(self):
        return self.lowest, self.highest, 0

    def side(self, state):
        return state[2]

    def moves(self, state):
        first, second, side = state
        own, other = (second, first) if side else (first, second)
        ahead = -self.columns if side else self.columns
        moves = []
        if first & self.highest or second & self.lowest:
            return moves
        for cell in range(self.cells):
            if own >> cell & 1:
                for aside in (-1, 0, 1):
                    if 0 <= cell % self.columns + aside < self.columns:
                        to = cell + ahead + aside
                        if other >> to & 1 == (aside != 0) and not own >> to & 1:
                            moves.append(cell * self.cells + to)
        return moves

    def play(self, state, move):
        first, second, side = state
        leaves, enters = 1 << move // self.cells, 1 << move % self.cells
        if side:
            return first & ~enters, second ^ leaves ^ enters, 0
        return first ^ leaves ^ enters, second & ~enters, 1

    def payoff(self, state):
        return None if self.moves(state) else 1 if state[2] else -1

    def format(self, state):
        signs = [
            ".XO"[(state[0] >> cell & 1) + 2 * (state[1] >> cell & 1)] for cell in range(self.cells)
        ]
        rows = [signs[row * self.columns :][: self.columns] for row in range(self.rows)]
        return "\n".join("".join(row) for row in reversed(rows))

    def format_move(self, state, move):
        return "".join(
            f"{'abcdefghijklmnop'[cell % self.columns]}{cell // self.columns + 1}"
            for cell in divmod(move, self.cells)
        )

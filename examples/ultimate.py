"""Ultimate tic-tac-toe: nine small boards in a large one."""

import plyscope as ps

LINES = 0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124
"""The lines of a board of 3×3, a bit for each cell, row by row."""
FULL = 0o777
ANY = 9


class Ultimate(ps.Game):
    """The cell that you take in a small board is the board that the other side has to play in, any
    board where that one is over. Who wins three small boards in a line wins.

    A state: the cells of both sides, a bit for each, nine by nine; the board to play in, or ANY;
    the side to move. A move: nine times the board, plus the cell.
    """

    def start(self):
        return 0, 0, ANY, 0

    def side(self, state):
        return state[3]

    def moves(self, state):
        first, second, board, _ = state
        if self.payoff(state) is not None:
            return []
        taken = first | second
        boards = [board] if board != ANY else [at for at in range(9) if not self.is_over(state, at)]
        return [
            move for at in boards for move in range(9 * at, 9 * at + 9) if not taken >> move & 1
        ]

    def play(self, state, move):
        first, second, _, side = state
        first, second = first | (1 - side) << move, second | side << move
        after = first, second, move % 9, 1 - side
        return (first, second, ANY, 1 - side) if self.is_over(after, move % 9) else after

    def payoff(self, state):
        first, second = self.boards_won(state[0]), self.boards_won(state[1])
        if has_line(first) or has_line(second):
            return has_line(first) - has_line(second)
        return 0 if all(self.is_over(state, board) for board in range(9)) else None

    def is_over(self, state, board):
        """Return whether the small board is won or full."""
        first, second = (cells >> 9 * board & FULL for cells in state[:2])
        return has_line(first) or has_line(second) or first | second == FULL

    def boards_won(self, cells):
        """Return the small boards that are won by who has these cells, a bit for each."""
        return sum(has_line(cells >> 9 * board & FULL) << board for board in range(9))

    def format(self, state):
        first, second, board, _ = state
        signs = [".XO"[(first >> cell & 1) + 2 * (second >> cell & 1)] for cell in range(81)]
        where = [27 * (row // 3) + 3 * (row % 3) for row in range(9)]
        rows = [" ".join("".join(signs[at + 9 * x :][:3]) for x in range(3)) for at in where]
        return "\n".join(rows) + (f" {board + 1}" if board != ANY else "")

    def format_move(self, state, move):
        return f"{move // 9 + 1}{'abc'[move % 3]}{3 - move % 9 // 3}"


def has_line(cells):
    """Return whether these cells of a board of 3×3 have a line."""
    return any(cells & line == line for line in LINES)

"""Ultimate tic-tac-toe: a tic-tac-toe board of nine tic-tac-toe boards."""

import plyscope as ps

LINES = 0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124
"""The lines of a board of 3×3, a bit for each cell, row by row."""
FULL = 0o777
ANY = 9


class Ultimate(ps.Game):
    """The cell that you take in a small board is the board that the other side has to play in, any
    board where that one is over. Who wins three small boards in a line wins.

    A state: X's cells in each of the small boards, O's in each, the board to play in or ANY, the
    side to move. A move: nine times the board, plus the cell.
    """

    def start(self):
        return (0,) * 18 + (ANY, 0)

    def side(self, state):
        return state[-1]

    def moves(self, state):
        moves = []
        if self.payoff(state) is None:
            for board in range(9):
                if state[18] == board or (state[18] == ANY and not is_over(state, board)):
                    for cell in range(9):
                        if not (state[board] | state[9 + board]) >> cell & 1:
                            moves.append(9 * board + cell)
        return moves

    def play(self, state, move):
        side, cell = state[-1], move % 9
        at = 9 * side + move // 9
        boards = (*state[:at], state[at] | 1 << cell, *state[at + 1 : 18])
        return (*boards, ANY if is_over(boards, cell) else cell, 1 - side)

    def payoff(self, state):
        if has_line(boards_won(state, 0)):
            return 1
        if has_line(boards_won(state, 1)):
            return -1
        for board in range(9):
            if not is_over(state, board):
                return None
        return 0

    def format(self, state):
        rows = [
            " ".join(
                "".join(
                    ".XO"[(state[board] >> cell & 1) + 2 * (state[9 + board] >> cell & 1)]
                    for cell in range(row % 3 * 3, row % 3 * 3 + 3)
                )
                for board in range(row // 3 * 3, row // 3 * 3 + 3)
            )
            for row in range(9)
        ]
        return "\n".join(rows) + (f" {state[18] + 1}" if state[18] != ANY else "")

    def format_move(self, state, move):
        return f"{move // 9 + 1}{'abc'[move % 3]}{3 - move % 9 // 3}"


def has_line(cells):
    """Return whether these cells of a board of 3×3 have a line."""
    for line in LINES:
        if cells & line == line:
            return True
    return False


def is_over(boards, board):
    """Return whether a small board is won or full."""
    first, second = boards[board], boards[9 + board]
    return has_line(first) or has_line(second) or first | second == FULL


def boards_won(boards, side):
    """Return the small boards in which a side has a line, a bit for each."""
    won = 0
    for board in range(9):
        if has_line(boards[9 * side + board]):
            won |= 1 << board
    return won

"""Othello on a board of any even size; the default is 4×4, which can be searched to the end."""

import plyscope as ps


class Othello(ps.Game):
    """Put down a disc so that it encloses discs of the other side in straight lines: they are
    flipped. Who cannot flip any has to pass; when neither can, the game is over.

    A state: the discs of both sides, a bit for each cell, row by row from the top, and the side to
    move. A move: a cell; the number of cells is to pass. The payoff is the margin of discs.
    """

    scored = True

    def __init__(self, size=4):
        self.size, self.cells = size, size * size

    def start(self):
        low = (self.size // 2 - 1) * (self.size + 1)
        return 1 << low + 1 | 1 << low + self.size, 1 << low | 1 << low + self.size + 1, 0

    def side(self, state):
        return state[2]

    def moves(self, state):
        first, second, side = state
        own, other = (second, first) if side else (first, second)
        moves = [cell for cell in range(self.cells) if self.flips(own, other, cell)]
        if not moves and self.can_move(other, own):
            moves.append(self.cells)
        return moves

    def play(self, state, move):
        first, second, side = state
        if move == self.cells:
            return first, second, 1 - side
        if side:
            flips = self.flips(second, first, move)
            return first ^ flips, second | flips | 1 << move, 0
        flips = self.flips(first, second, move)
        return first | flips | 1 << move, second ^ flips, 1

    def payoff(self, state):
        first, second, _ = state
        if self.can_move(first, second) or self.can_move(second, first):
            return None
        margin = 0
        for cell in range(self.cells):
            margin += (first >> cell & 1) - (second >> cell & 1)
        return margin

    def can_move(self, own, other):
        for cell in range(self.cells):
            if self.flips(own, other, cell):
                return True
        return False

    def flips(self, own, other, cell):
        """Return the discs of `other` that a disc of `own` on `cell` would flip."""
        flips = 0
        if (own | other) >> cell & 1:
            return flips
        for down in (-1, 0, 1):
            for right in (-1, 0, 1):
                run, x, y = 0, cell % self.size + right, cell // self.size + down
                while 0 <= x < self.size and 0 <= y < self.size:
                    at = y * self.size + x
                    if not other >> at & 1:
                        if own >> at & 1:
                            flips |= run
                        break
                    run |= 1 << at
                    x, y = x + right, y + down
        return flips

    def format(self, state):
        first, second, _ = state
        signs = [
            ".XO"[(first >> cell & 1) + 2 * (second >> cell & 1)] for cell in range(self.cells)
        ]
        starts = range(0, self.cells, self.size)
        return "\n".join("".join(signs[start:][: self.size]) for start in starts)

    def format_move(self, state, move):
        if move == self.cells:
            return "pass"
        return f"{'abcdefghij'[move % self.size]}{move // self.size + 1}"

"""Three men's morris: play can return to an earlier position. The first player wins, but only with
a first stone in the centre (Dudeney, Amusements in Mathematics, 1917, "Ovid's Game")."""

import plyscope as ps

ROWS = [(0, 1, 2), (3, 4, 5), (6, 7, 8)]
LINES = [*ROWS, (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
STEPS = [step for a, b, c in LINES for step in ((a, b), (b, a), (b, c), (c, b))]
"""From each point to the next one on a line."""


class Morris(ps.Game):
    """Place three stones each, then move one to the next point on a line; three in a row win.
    Whoever cannot move has lost.

    A state: the stones of both sides, a bit for each point from a1 on, and the side to move. A
    move: the point that a stone leaves and the point that it enters, which are equal for a new one.
    """

    draw_by_repetition = True

    def __init__(self, centre=True):
        self.centre = centre

    def start(self):
        return 0, 0, 0

    def side(self, state):
        return state[2]

    def moves(self, state):
        first, second, side = state
        own, other = (second, first) if side else (first, second)
        empty = ~(first | second)
        if any(other >> a & other >> b & other >> c & 1 for a, b, c in LINES):
            return []
        if sum(own >> point & 1 for point in range(9)) == 3:
            return [(a, b) for a, b in STEPS if own >> a & empty >> b & 1]
        barred = 9 if self.centre or first else 4
        return [(point, point) for point in range(9) if empty >> point & 1 and point != barred]

    def play(self, state, move):
        first, second, side = state
        leaves, enters = move
        if side:
            return first, second & ~(1 << leaves) | 1 << enters, 0
        return first & ~(1 << leaves) | 1 << enters, second, 1

    def payoff(self, state):
        return None if self.moves(state) else 1 if state[2] else -1

    def format(self, state):
        signs = [".XO"[(state[0] >> at & 1) + 2 * (state[1] >> at & 1)] for at in range(9)]
        return "\n".join("".join(signs[row : row + 3]) for row in (6, 3, 0))

    def format_move(self, state, move):
        return "".join(dict.fromkeys(f"{'abc'[at % 3]}{at // 3 + 1}" for at in move))

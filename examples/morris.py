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

    A state: the owner of each point (0, or 1 for X and 2 for O), and the side to move. A move: the
    point that a stone leaves, or the same point as the next if it is placed, and where it goes.
    """

    draw_by_repetition = True

    def __init__(self, centre=True):
        self.centre = centre

    def start(self):
        return (0,) * 9, 0

    def side(self, state):
        return state[1]

    def moves(self, state):
        cells, side = state
        if cells.count(side + 1) == 3:
            return [(a, b) for a, b in STEPS if cells[a] == side + 1 and cells[b] == 0]
        is_barred = not self.centre and cells.count(0) == 9
        return [(at, at) for at in range(9) if cells[at] == 0 and not (is_barred and at == 4)]

    def play(self, state, move):
        cells, side = state
        leaves, enters = move
        after = [0 if at == leaves else owner for at, owner in enumerate(cells)]
        after[enters] = side + 1
        return tuple(after), 1 - side

    def payoff(self, state):
        cells, side = state
        is_won = any(cells[a] == cells[b] == cells[c] == 2 - side for a, b, c in LINES)
        return (1 if side else -1) if is_won or not self.moves(state) else None

    def format(self, state):
        signs = "".join(".XO"[owner] for owner in state[0])
        return "\n".join(signs[row : row + 3] for row in (6, 3, 0))

    def format_move(self, state, move):
        names = [f"{'abc'[at % 3]}{at // 3 + 1}" for at in move]
        return "".join(dict.fromkeys(names))

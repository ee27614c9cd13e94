"""Dots and boxes: closing a box gives another move; the score is the difference in boxes."""

import plyscope as ps


class DotsAndBoxes(ps.Game):
    """Draw an edge between two neighbouring dots; whoever closes a box has it, and draws again.

    A state: the edges drawn, a bit for each; X's boxes less O's; the side to move. A move: an edge,
    first those across, row by row, then those that go down. The payoff is the margin.
    """

    name = "dots-and-boxes"
    scored = True

    def __init__(self, columns=2, rows=2):
        self.columns, self.rows = columns, rows
        across = columns * (rows + 1)
        self.edges = across + (columns + 1) * rows
        self.boxes = tuple(  # above and below, left and right
            (1 | 1 << columns) << row * columns + column
            | 0b11 << across + row * (columns + 1) + column
            for row in range(rows)
            for column in range(columns)
        )

    def start(self):
        return 0, 0, 0

    def side(self, state):
        return state[2]

    def moves(self, state):
        return [edge for edge in range(self.edges) if not state[0] >> edge & 1]

    def play(self, state, move):
        drawn, margin, side = state
        drawn |= 1 << move
        closed = 0
        for box in self.boxes:
            if box >> move & 1 and drawn & box == box:
                closed += 1
        if closed:
            return drawn, margin - closed if side else margin + closed, side
        return drawn, margin, 1 - side

    def payoff(self, state):
        return state[1] if state[0] == (1 << self.edges) - 1 else None

    def format(self, state):
        drawn = [state[0] >> edge & 1 for edge in range(self.edges)]
        across, down = self.columns * (self.rows + 1), self.columns + 1
        lines = []
        for row in range(self.rows + 1):
            edges = drawn[row * self.columns :][: self.columns]
            lines.append("+" + "+".join(" -"[edge] for edge in edges) + "+")
            if row < self.rows:
                edges = drawn[across + row * down :][:down]
                lines.append(" ".join(" |"[edge] for edge in edges))
        return "\n".join(lines) + f" {state[1]:+}"

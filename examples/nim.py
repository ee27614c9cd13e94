"""Nim, the usual first game of a lecture. The side to move loses exactly if the binary sum of the
heaps without carrying is zero (Bouton 1901)."""

import plyscope as ps


class Nim(ps.Game):
    """Take as many matches as you like from one heap; whoever takes the last one wins.

    A state: the heaps, and the side to move. A move: a heap, and how many.
    """

    def __init__(self, *heaps):
        self.heaps = heaps or (3, 4, 5)

    def start(self):
        return self.heaps, 0

    def side(self, state):
        return state[1]

    def moves(self, state):
        return [(heap, take) for heap, left in enumerate(state[0]) for take in range(1, left + 1)]

    def play(self, state, move):
        (heaps, side), (heap, take) = state, move
        return (*heaps[:heap], heaps[heap] - take, *heaps[heap + 1 :]), 1 - side

    def payoff(self, state):
        heaps, side = state
        return None if any(heaps) else 1 if side else -1

    def format(self, state):
        return " ".join(map(str, state[0]))

    def format_move(self, state, move):
        return f"{'abcdefghi'[move[0]]}{move[1]}"

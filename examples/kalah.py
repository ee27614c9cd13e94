"""Kalah(m, n) by the usual rules: m houses per side with n seeds each. Irving, Donkers & Uiterwijk
("Solving Kalah", 2000) give the values up to Kalah(6, 5)."""

import plyscope as ps


class Kalah(ps.Game):
    """Sow the seeds of a house one by one, to the right and round, past the other side's store. Who
    ends in the own store moves again; who ends in an own empty house takes that seed and those
    opposite, if there are any. When a side has none left in its houses, the other keeps the rest.

    A state: X's houses and store, O's houses and store, the side to move. A move: a house from 0.
    The payoff is the margin of seeds.
    """

    scored = True

    def __init__(self, houses=6, seeds=4):
        self.houses, self.seeds = houses, seeds

    def start(self):
        row = (*[self.seeds] * self.houses, 0)
        return (*row, *row, 0)

    def side(self, state):
        return state[-1]

    def moves(self, state):
        if self.payoff(state) is not None:
            return []
        own = state[-1] * (self.houses + 1)
        return [house for house in range(self.houses) if state[own + house]]

    def play(self, state, move):
        pits, side = list(state[:-1]), state[-1]
        own, other = side * (self.houses + 1), (1 - side) * (self.houses + 1)
        store, others_store = own + self.houses, other + self.houses
        at = own + move
        hand, pits[at] = pits[at], 0
        while hand:
            at = (at + 1) % len(pits)
            if at != others_store:
                pits[at] += 1
                hand -= 1
        opposite = 2 * self.houses - at
        if own <= at < store and pits[at] == 1 and pits[opposite]:
            pits[store] += 1 + pits[opposite]
            pits[at] = pits[opposite] = 0
        return (*pits, side if at == store else 1 - side)

    def payoff(self, state):
        first, second = state[: self.houses + 1], state[self.houses + 1 : -1]
        return None if any(first[:-1]) and any(second[:-1]) else sum(first) - sum(second)

    def format(self, state):
        first, second = state[: self.houses + 1], state[self.houses + 1 : -1]
        return "\n".join(" ".join(map(str, row)) for row in (second[::-1], first))

    def format_move(self, state, move):
        return str(move + 1)

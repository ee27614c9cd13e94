"""Time what a search spends to find out whether its heuristic or its game has changed.

`python bench/identity.py` prints for several functions and games the microseconds of one
`Identity`, the least of some repetitions, beside those of the whole search that asks for it.
"""

from __future__ import annotations

import math
from timeit import repeat

import plyscope as ps
from plyscope.identity import Identity, identity_of
from plyscope.rules.game import as_game

WEIGHT, ROW = 3, [0, 1, 5, 20, 0]
TABLE = {(a, b): a * b for a in range(20) for b in range(20)}
LARGE = {(a, b): a * b for a in range(100) for b in range(90)}
REPETITIONS, CALLS = 20, 20


def plain(board, player):
    return sum(cell == player for row in board for cell in row)


def with_list(board, player):
    return sum(ROW[cell] for row in board for cell in row) * WEIGHT


def with_helper(board, player):
    return with_list(board, player) + plain(board, 3 - player) + math.floor(2.5)


def with_table(board, player):
    return TABLE[player, player] + plain(board, player)


def with_large_table(board, player):
    return LARGE[player, player] + plain(board, player)


class Takeaway:
    name, limit = "takeaway", 3

    def start(self):
        return 21

    def side(self, left):
        return (21 - left) & 1

    def moves(self, left):
        return range(1, min(self.limit, left) + 1)

    def play(self, left, taken):
        return left - taken

    def payoff(self, left):
        return None if left else -1


def microseconds(call) -> float:
    """Return the least time of a call in microseconds."""
    return min(repeat(call, number=CALLS, repeat=REPETITIONS)) / CALLS * 1e6


def main() -> None:
    print(f"{'function or game':<20}{'identity, us':>14}{'search, us':>14}")
    for function in (plain, with_list, with_helper, with_table, with_large_table):
        spent = microseconds(lambda function=function: Identity([function]))

        def search(function=function):
            ps.search("tictactoe", heuristic=function, depth=2)

        print(f"{function.__name__:<20}{spent:>14.1f}{microseconds(search):>14.1f}")
    game = Takeaway()
    spent = microseconds(lambda: identity_of(game))
    whole = microseconds(lambda: ps.search(as_game(game), depth=3))
    print(f"{'Takeaway':<20}{spent:>14.1f}{whole:>14.1f}")


if __name__ == "__main__":
    main()

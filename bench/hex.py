"""Proves Hex on a board of `--size` in one run: by iterative deepening over a game that is a Python
class, and by a search with a table written by hand in Numba for this game alone.

    python bench/hex.py [--size 4] [--reference]

Seconds are the processor's; compiling comes before. The value has to be the first player's win
(Nash), or the script exits with status 1.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from time import process_time
from typing import Any

import numpy as np
from numba import njit

import plyscope as ps

NEIGHBOURS = (0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1)
SLOTS = 1 << 24


class Hex(ps.Game):
    """X joins top and bottom, O left and right."""

    def __init__(self, size: int = 4) -> None:
        self.size = size
        self.cells = size * size
        self.near = [
            sum(
                1 << (row + down) * size + column + right
                for down, right in NEIGHBOURS
                if 0 <= row + down < size and 0 <= column + right < size
            )
            for row in range(size)
            for column in range(size)
        ]
        self.top = (1 << size) - 1
        self.bottom = self.top << size * (size - 1)
        self.left = sum(1 << row * size for row in range(size))
        self.right = self.left << size - 1

    def start(self) -> tuple[int, int, int]:
        return 0, 0, 0

    def side(self, state: Any) -> int:
        return int(state[2])

    def moves(self, state: Any) -> list[int]:
        taken = state[0] | state[1]
        return [cell for cell in range(self.cells) if not taken >> cell & 1]

    def play(self, state: Any, move: int) -> tuple[int, int, int]:
        x, o, side = state
        if side == 0:
            return x | 1 << move, o, 1
        return x, o | 1 << move, 0

    def joined(self, stones: int, edge: int, other: int) -> bool:
        seen = front = stones & edge
        while front:
            if seen & other:
                return True
            low, cell = front & -front, 0
            while low >> cell != 1:
                cell += 1
            front ^= low
            new = self.near[cell] & stones & ~seen
            seen |= new
            front |= new
        return False

    def payoff(self, state: Any) -> int | None:
        if self.joined(state[0], self.top, self.bottom):
            return 1
        if self.joined(state[1], self.left, self.right):
            return -1
        return None


@njit  # type: ignore[untyped-decorator]
def joined(near: Any, stones: int, edge: int, other: int) -> bool:
    seen = front = stones & edge
    while front:
        if seen & other:
            return True
        low, cell = front & -front, 0
        while low >> cell != 1:
            cell += 1
        front ^= low
        new = near[cell] & stones & ~seen
        seen |= new
        front |= new
    return False


@njit  # type: ignore[untyped-decorator]
def slot_of(keys: Any, key: int) -> int:
    slot = (key * -7046029254386353131 >> 20) & (keys.shape[0] - 1)
    while keys[slot] != -1 and keys[slot] != key:
        slot = (slot + 1) & (keys.shape[0] - 1)
    return slot


@njit  # type: ignore[untyped-decorator]
def value_by_hand(
    near: Any, edges: Any, keys: Any, values: Any, x: int, o: int, side: int, nodes: Any
) -> int:
    """Return the value of a position of at most 16 cells, by alpha-beta that stops at a win."""
    nodes[0] += 1
    if joined(near, x, edges[0], edges[1]):
        return 1
    if joined(near, o, edges[2], edges[3]):
        return -1
    key = (x << 17) ^ (o << 1) ^ side
    slot = slot_of(keys, key)
    if keys[slot] == key:
        return int(values[slot])
    best, won = (-2, 1) if side == 0 else (2, -1)
    for cell in range(near.shape[0]):
        if (x | o) >> cell & 1:
            continue
        if side == 0:
            found = value_by_hand(near, edges, keys, values, x | 1 << cell, o, 1, nodes)
            best = max(best, found)
        else:
            found = value_by_hand(near, edges, keys, values, x, o | 1 << cell, 0, nodes)
            best = min(best, found)
        if best == won:
            break
    slot = slot_of(keys, key)
    keys[slot], values[slot] = key, best
    return best


def by_hand(game: Hex) -> tuple[int, int]:
    """Return the value of the empty board, and the nodes."""
    near = np.array(game.near, dtype=np.int64)
    edges = np.array([game.top, game.bottom, game.left, game.right], dtype=np.int64)
    keys, values = np.full(SLOTS, -1, np.int64), np.zeros(SLOTS, np.int8)
    nodes = np.zeros(1, np.int64)
    return value_by_hand(near, edges, keys, values, 0, 0, 0, nodes), int(nodes[0])


def timed(call: Callable[[], Any]) -> tuple[Any, float]:
    began = process_time()
    return call(), process_time() - began


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=4, choices=(2, 3, 4))
    parser.add_argument("--reference", action="store_true", help="in Python too")
    asked = parser.parse_args(words)
    game = Hex(asked.size)

    def searched(form: Any, **limits: Any) -> Any:
        return ps.search(game, "iterative-deepening", scoring="result", form=form, **limits)

    by_hand(Hex(2)), searched("compiled", depth=1)  # compiles
    (value, nodes), seconds = timed(lambda: by_hand(game))
    print(f"by hand    value {value:+}, {nodes:10,} nodes, {seconds:7.2f} s")
    agree = value == 1
    for form in ("compiled", "reference") if asked.reference else ("compiled",):
        found, seconds = timed(lambda form=form: searched(form))
        agree &= found.complete and found.value > 0
        print(f"{form:10} value {found.value > 0:+}, {found.nodes:10,} nodes, {seconds:7.2f} s")
    return 0 if agree else 1


if __name__ == "__main__":
    sys.exit(main())

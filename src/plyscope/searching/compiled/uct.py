"""The twin of `reference/uct`: it draws the same numbers, and so plays the same games.

A node of the tree is NODE_FIELDS numbers in an arena, then its moves in the order of the
conventions, then the offsets of their nodes.
"""

from __future__ import annotations

from array import array
from math import log, sqrt
from typing import TYPE_CHECKING, Any

from plyscope.machine.kernel import get, kernel, put
from plyscope.searching.compiled import board, layout
from plyscope.searching.compiled.arena import ARENA_ENTRIES, Arena, extend, memory
from plyscope.searching.limit import SearchStopped
from plyscope.searching.reference.uct import EXPLORATION, mean_of, note_means, playouts_within

if TYPE_CHECKING:
    from plyscope.searching.compiled.run import Runner
    from plyscope.searching.walk import Walk

__all__ = ["ENTRIES", "search"]

PLAYOUTS, TOTAL, WIDTH, TRIED, NODE_FIELDS = range(5)


@kernel
def grow(base: int, arena: int, ply: int, depth: int, is_whole: bool) -> int:
    """Return the offset of a new node for the board at `ply`."""
    if not board.enter(base, ply):
        return 0
    width = 0 if board.is_leaf(base, depth - ply, is_whole) else board.generate(base, ply)
    node = extend(base, arena, NODE_FIELDS + 2 * width)
    numbers = memory(arena)
    put(numbers, node + WIDTH, width)
    for index in range(width):
        put(numbers, node + NODE_FIELDS + index, board.move_at(base, ply, index))
    return node


@kernel
def select(numbers: int, node: int, is_max: bool, low: int, high: int) -> int:
    """Return which child of `node` has the greatest upper confidence bound, of equal ones the first
    tried."""
    spread = max(high - low, 1)
    best, best_bound = 0, -1.0e300
    for index in range(get(numbers, node + WIDTH)):
        child = get(numbers, node + NODE_FIELDS + get(numbers, node + WIDTH) + index)
        playouts = get(numbers, child + PLAYOUTS)
        mean = (get(numbers, child + TOTAL) / playouts - low) / spread
        bound = (mean if is_max else 1 - mean) + EXPLORATION * sqrt(
            log(get(numbers, node + PLAYOUTS)) / playouts
        )
        if bound > best_bound:
            best, best_bound = index, bound
    return best


@kernel
def play_out(base: int, arena: int, path: int, depth: int, playouts: int, seed: int) -> None:
    """Carry out `playouts` playouts; `path` has room for a node and a cell for each ply."""
    draws = board.seeded(seed)
    low, high = 0, 0
    nodes, cells = path, path + 8 * (depth + 1)
    grow(base, arena, 0, depth, False)
    for done in range(playouts):
        if get(base, layout.STOP) != 0:
            return
        node, ply, whole = 0, 0, False
        root_total = get(base, layout.TOTAL)
        put(nodes, 0, 0)
        while True:
            numbers = memory(arena)
            width, tried = get(numbers, node + WIDTH), get(numbers, node + TRIED)
            is_new = tried < width
            if width == 0:
                board.enter(base, ply)
                break
            index = tried if is_new else select(numbers, node, ply & 1 == 0, low, high)
            cell = get(numbers, node + NODE_FIELDS + index)
            if ply == 0:
                board.count_root(base, cell, -1)
            whole = board.place(base, cell, ply & 1)
            put(cells, ply, cell)
            ply += 1
            if is_new:
                child = grow(base, arena, ply, depth, whole)
                if get(base, layout.STOP) != 0:
                    break
                numbers = memory(arena)
                put(numbers, node + NODE_FIELDS + width + index, child)
                put(numbers, node + TRIED, tried + 1)
            else:
                child = get(numbers, node + NODE_FIELDS + width + index)
            node = child
            put(nodes, ply, node)
            if is_new:
                break
        in_tree = ply
        if get(base, layout.STOP) == 0:
            while not board.is_leaf(base, depth - ply, whole):
                draws = board.advanced(draws)
                count = board.list_moves(base, ply)
                cell = board.move_at(base, ply, board.below(draws, count))
                whole = board.place(base, cell, ply & 1)
                put(cells, ply, cell)
                ply += 1
            score = board.leaf(base, ply, whole, get(base, layout.TOTAL), get(base, layout.EMPTY))
            low = score if done == 0 else min(low, score)
            high = score if done == 0 else max(high, score)
            numbers = memory(arena)
            for at in range(in_tree + 1):
                node = get(nodes, at)
                put(numbers, node + PLAYOUTS, get(numbers, node + PLAYOUTS) + 1)
                put(numbers, node + TOTAL, get(numbers, node + TOTAL) + score)
        while ply > 0:
            ply -= 1
            board.lift(base, get(cells, ply), ply & 1, root_total)
        if in_tree > 0:
            board.count_root(base, get(cells, 0), 1)


class _Seen:
    """A node of the tree as the reference's report reads it."""

    def __init__(self, numbers: Any, node: int) -> None:
        self.playouts: int = numbers[node + PLAYOUTS] if len(numbers) else 0
        self.total = float(numbers[node + TOTAL]) if len(numbers) else 0.0
        self._numbers, self._node = numbers, node

    @property
    def children(self) -> dict[int, _Seen]:
        """The children by move, in the order they were tried."""
        if not len(self._numbers):  # stopped before the first playout
            return {}
        first = self._node + NODE_FIELDS
        width, tried = self._numbers[self._node + WIDTH], self._numbers[self._node + TRIED]
        return {
            self._numbers[first + index]: _Seen(self._numbers, self._numbers[first + width + index])
            for index in range(tried)
        }


ENTRIES = (
    play_out,
    *ARENA_ENTRIES,
)


def _has_begun(arena: Arena, runner: Runner) -> bool:
    """Return whether there is a tree that can be read: not before the first playout, nor while a
    kernel that was left still extends it."""
    return not runner.is_left and len(arena.numbers()) > 0


def search(walk: Walk, runner: Runner) -> float:
    """Play as many playouts as the limit allows, and return the mean of the most visited move."""
    arena = Arena()
    plies = runner.board.plies - 2
    path = array("q", bytes(16 * (plies + 2)))
    try:
        runner.call(
            play_out, arena, path, plies, playouts_within(walk.limit), walk.conventions.seed
        )
    except SearchStopped as stop:
        if not _has_begun(arena, runner) or not any(
            child.playouts for child in _Seen(arena.numbers(), 0).children.values()
        ):
            raise
        walk.stopped = stop.reason
    finally:
        if _has_begun(arena, runner):
            note_means(walk, _Seen(arena.numbers(), 0))
    return mean_of(walk)

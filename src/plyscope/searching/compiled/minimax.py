"""The twin of `reference/minimax`, and with other signs of `reference/negamax`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plyscope.machine.kernel import get, kernel
from plyscope.searching.compiled import bitboards, board, layout
from plyscope.searching.score import INFINITY

if TYPE_CHECKING:
    from plyscope.searching.compiled.run import Runner
    from plyscope.searching.walk import Walk

__all__ = ["ENTRIES", "search"]


@kernel
def minimax(base: int, ply: int, depth: int, is_whole: bool) -> int:
    """Return the minimax value of the node in the root's view, 0 when the search has to stop."""
    if bitboards.can_descend(base, ply, depth, is_whole):
        return bitboards.descend_from(base, ply, depth, -INFINITY, INFINITY, bitboards.OPEN)
    if not board.enter(base, ply):
        return 0
    total = get(base, layout.TOTAL)
    if board.is_leaf(base, depth, is_whole):
        return board.leaf(base, ply, is_whole, total, get(base, layout.EMPTY))
    mover = ply & 1
    best = -INFINITY if mover == 0 else INFINITY
    count = board.generate(base, ply)
    if depth == 1 and ply > 0 and board.has_room(base, count):
        best = board.frontier(base, ply, count, -INFINITY, INFINITY, False)
        return best if mover == 0 else -best
    for index in range(count):
        cell = board.move_at(base, ply, index)
        if ply == 0:
            board.count_root(base, cell, -1)
        whole = board.place(base, cell, mover)
        score = minimax(base, ply + 1, depth - 1, whole)
        board.lift(base, cell, mover, total)
        if ply == 0:
            board.count_root(base, cell, 1)
        if get(base, layout.STOP) != 0:
            return 0
        if ply == 0:
            board.note_root(base, cell, score, -INFINITY, INFINITY)
        if (mover == 0 and score > best) or (mover == 1 and score < best):
            board.improve(base, ply, cell)
            best = score
    return best


ENTRIES = (minimax,)


def search(walk: Walk, runner: Runner) -> int:
    """Search the root."""
    return int(runner.call(minimax, 0, walk.depth, False))

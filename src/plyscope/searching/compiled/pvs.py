"""The twin of `reference/pvs`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plyscope.machine.kernel import get, kernel, put
from plyscope.searching.compiled import board, layout
from plyscope.searching.score import INFINITY

if TYPE_CHECKING:
    from plyscope.searching.compiled.run import Runner
    from plyscope.searching.walk import Walk

__all__ = ["ENTRIES", "search"]


@kernel
def pvs(base: int, ply: int, depth: int, is_whole: bool, alpha: int, beta: int) -> int:
    """Return the score of the node within the window for its side to move, 0 when the search has to
    stop."""
    if not board.enter(base, ply):
        return 0
    mover = ply & 1
    total = get(base, layout.TOTAL)
    if board.is_leaf(base, depth, is_whole):
        score = board.leaf(base, ply, is_whole, total, get(base, layout.EMPTY))
        return score if mover == 0 else -score
    called_alpha, called_beta = alpha, beta
    best = -INFINITY
    count = board.generate(base, ply)
    if depth == 1 and ply > 0 and board.has_room(base, count):
        return board.within(base, board.frontier(base, ply, count, alpha, beta, True), alpha, beta)
    for index in range(count):
        cell = board.move_at(base, ply, index)
        if ply == 0:
            board.count_root(base, cell, -1)
        whole = board.place(base, cell, mover)
        high = beta if best == -INFINITY else alpha + 1
        score = -pvs(base, ply + 1, depth - 1, whole, -high, -alpha)
        if high < beta and alpha < score < beta and get(base, layout.STOP) == 0:
            high = beta
            put(base, layout.RESEARCHES, get(base, layout.RESEARCHES) + 1)
            score = -pvs(base, ply + 1, depth - 1, whole, -beta, -alpha)
        board.lift(base, cell, mover, total)
        if ply == 0:
            board.count_root(base, cell, 1)
        if get(base, layout.STOP) != 0:
            return 0
        if ply == 0:
            board.note_root(base, cell, score, alpha, high)
        best = max(best, score)
        if score > alpha:
            board.improve(base, ply, cell)
            alpha = score
        if board.is_closed(base, alpha, beta):
            put(base, layout.CUTOFFS, get(base, layout.CUTOFFS) + 1)
            break
    return board.within(base, best, called_alpha, called_beta)


ENTRIES = (pvs,)


def search(walk: Walk, runner: Runner) -> int:
    """Search the root within the window."""
    return int(runner.call(pvs, 0, walk.depth, False, *walk.conventions.window))

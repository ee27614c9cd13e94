"""The twin of `reference/alphabeta`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plyscope.machine.kernel import get, kernel, put
from plyscope.searching.compiled import bitboards, board, layout
from plyscope.searching.score import INFINITY

if TYPE_CHECKING:
    from plyscope.searching.compiled.run import Runner
    from plyscope.searching.walk import Walk

__all__ = ["ENTRIES", "search"]


@kernel
def alphabeta(base: int, ply: int, depth: int, is_whole: bool, alpha: int, beta: int) -> int:
    """Return the score of the node within the window, in the root's view, 0 when the search has to
    stop."""
    if bitboards.can_descend(base, ply, depth, is_whole):
        passing = bitboards.SHALLOW if get(base, layout.SHALLOW) != 0 else bitboards.PASSED_ON
        return bitboards.descend_from(base, ply, depth, alpha, beta, passing)
    if not board.enter(base, ply):
        return 0
    total = get(base, layout.TOTAL)
    if board.is_leaf(base, depth, is_whole):
        return board.leaf(base, ply, is_whole, total, get(base, layout.EMPTY))
    called_alpha, called_beta = alpha, beta
    shares_window = ply > 0 or get(base, layout.OPEN) == 0
    is_shallow = get(base, layout.SHALLOW) != 0
    mover = ply & 1
    best = -INFINITY if mover == 0 else INFINITY
    count = board.generate(base, ply)
    if depth == 1 and ply > 0 and board.has_room(base, count):
        if mover == 0:
            best = board.frontier(base, ply, count, alpha, beta, False)
        else:
            best = -board.frontier(base, ply, count, -beta, -alpha, False)
        return board.within(base, best, alpha, beta)
    for index in range(count):
        cell = board.move_at(base, ply, index)
        low, high = (alpha, beta) if shares_window else (called_alpha, called_beta)
        if is_shallow:
            low, high = (low, INFINITY) if mover == 0 else (-INFINITY, high)
        if ply == 0:
            board.count_root(base, cell, -1)
        whole = board.place(base, cell, mover)
        score = alphabeta(base, ply + 1, depth - 1, whole, low, high)
        board.lift(base, cell, mover, total)
        if ply == 0:
            board.count_root(base, cell, 1)
        if get(base, layout.STOP) != 0:
            return 0
        if ply == 0:
            board.note_root(base, cell, score, low, high)
        if mover == 0:
            best = max(best, score)
            if score > alpha:
                board.improve(base, ply, cell)
                alpha = score
        else:
            best = min(best, score)
            if score < beta:
                board.improve(base, ply, cell)
                beta = score
        if board.is_closed(base, alpha, beta):
            put(base, layout.CUTOFFS, get(base, layout.CUTOFFS) + 1)
            break
    return board.within(base, best, called_alpha, called_beta)


ENTRIES = (alphabeta,)


def search(walk: Walk, runner: Runner) -> int:
    """Search the root within the window."""
    return int(runner.call(alphabeta, 0, walk.depth, False, *walk.conventions.window))

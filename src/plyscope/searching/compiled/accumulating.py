"""The twin of `reference/accumulating`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plyscope.machine.kernel import get, kernel, put
from plyscope.searching.compiled import board, layout
from plyscope.searching.reference.accumulating import WIN, choose
from plyscope.searching.score import INFINITY, Bound

if TYPE_CHECKING:
    from plyscope.searching.compiled.run import Runner
    from plyscope.searching.walk import Walk

__all__ = ["ENTRIES", "search"]


@kernel
def accumulate(base: int, ply: int, depth: int, is_whole: bool, alpha: int, beta: int) -> int:
    """Return the accumulated score of the node, in the root's view, 0 when the search has to stop;
    at the root note its moves' scores.

    One kernel for both: code that calls a kernel which calls itself does not come back whole from
    Numba's cache.
    """
    if not board.enter(base, ply):
        return 0
    total = get(base, layout.TOTAL)
    if is_whole or get(base, layout.EMPTY) == 0:
        board.leaf(base, ply, is_whole, total, get(base, layout.EMPTY))
        if not is_whole:
            return 0
        return WIN - (ply - 1) if (ply & 1) != get(base, layout.MISERE) else ply - 1 - WIN
    opinion = 0 if ply == 0 else board.opinion(base, total)
    if depth == 0:
        return board.leaf(base, ply, is_whole, total, get(base, layout.EMPTY))
    mover = ply & 1
    best = opinion
    for index in range(board.list_moves(base, ply) if ply == 0 else board.generate(base, ply)):
        cell = board.move_at(base, ply, index)
        if ply == 0:
            board.count_root(base, cell, -1)
        whole = board.place(base, cell, mover)
        score = accumulate(base, ply + 1, depth - 1, whole, alpha, beta)
        board.lift(base, cell, mover, total)
        if ply == 0:
            board.count_root(base, cell, 1)
        if get(base, layout.STOP) != 0:
            return 0
        if ply == 0:
            board.note_root(base, cell, score, -INFINITY, INFINITY)
        elif mover == 0:
            best = max(best, score + opinion)
            alpha = max(alpha, score)
        else:
            best = min(best, score - opinion)
            beta = min(beta, score)
        if ply > 0 and beta <= alpha:
            put(base, layout.CUTOFFS, get(base, layout.CUTOFFS) + 1)
            break
    return best


ENTRIES = (accumulate,)


def search(walk: Walk, runner: Runner) -> float:
    """Score every move of the root and choose as the reference does."""
    try:
        runner.call(accumulate, 0, walk.depth, False, -INFINITY, INFINITY)
    finally:  # scores prove nothing here, also when the search is cut short
        walk.values = {cell: (score, Bound.ESTIMATE) for cell, (score, _) in walk.values.items()}
    return choose(walk, lambda cell: runner.board.root(cell, layout.ROOT_VALUE))

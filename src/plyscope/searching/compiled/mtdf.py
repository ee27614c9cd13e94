"""The twin of `reference/mtdf`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plyscope.machine.kernel import get, inlined, kernel, put
from plyscope.searching.compiled import board, layout
from plyscope.searching.compiled.table import (
    NOTHING,
    TABLE_ENTRIES,
    CompiledTable,
    find,
    key_of,
    store,
)
from plyscope.searching.reference.mtdf import mtdf, read_root
from plyscope.searching.score import INFINITY

if TYPE_CHECKING:
    from plyscope.searching.compiled.run import Runner
    from plyscope.searching.walk import Walk

__all__ = ["ENTRIES", "search"]


@inlined
def interval(lower: int, upper: int) -> int:
    """Return the data of an interval."""
    return upper << 32 | lower & 0xFFFFFFFF


@kernel
def alphabeta_with_memory(
    base: int, table: int, ply: int, depth: int, is_whole: bool, alpha: int, beta: int
) -> int:
    """Return the score of the node within the window, in the root's view, 0 when the search has to
    stop."""
    if not board.enter(base, ply):
        return 0
    key = key_of(base, ply, depth)
    known = find(table, key)
    lower, upper = -INFINITY, INFINITY
    if known != NOTHING:
        lower, upper = known << 32 >> 32, known >> 32
        if lower >= beta or upper <= alpha or lower == upper:
            put(base, layout.HITS, get(base, layout.HITS) + 1)
            return lower if lower >= beta or lower == upper else upper
    total = get(base, layout.TOTAL)
    if board.is_leaf(base, depth, is_whole):
        score = board.leaf(base, ply, is_whole, total, get(base, layout.EMPTY))
        store(base, table, key, interval(score, score))
        return score
    alpha, beta = max(alpha, lower), min(beta, upper)
    called_alpha, called_beta = alpha, beta
    mover = ply & 1
    best = -INFINITY if mover == 0 else INFINITY
    for index in range(board.generate(base, ply)):
        cell = board.move_at(base, ply, index)
        if ply == 0:
            board.count_root(base, cell, -1)
        whole = board.place(base, cell, mover)
        score = alphabeta_with_memory(base, table, ply + 1, depth - 1, whole, alpha, beta)
        board.lift(base, cell, mover, total)
        if ply == 0:
            board.count_root(base, cell, 1)
        if get(base, layout.STOP) != 0:
            return 0
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
        if alpha >= beta:
            put(base, layout.CUTOFFS, get(base, layout.CUTOFFS) + 1)
            break
    bound = board.proves(best, called_alpha, called_beta)
    store(
        base,
        table,
        key,
        interval(lower if bound == board.UPPER else best, upper if bound == board.LOWER else best),
    )
    return best


ENTRIES = (
    alphabeta_with_memory,
    *TABLE_ENTRIES,
)


def search(walk: Walk, runner: Runner) -> int:
    """Search the root as the reference does, with null windows of its own."""
    table = walk.memory.of(CompiledTable)

    def null_window(test: int) -> int:
        call = runner.call
        return int(call(alphabeta_with_memory, table, 0, walk.depth, False, test - 1, test))

    value = mtdf(walk, walk.static(walk.root), null_window)
    read_root(walk, table, value)
    return value

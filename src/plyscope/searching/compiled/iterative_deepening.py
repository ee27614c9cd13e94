"""The twin of `reference/iterative_deepening`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plyscope.machine.kernel import get, kernel, put
from plyscope.searching.compiled import board, layout
from plyscope.searching.compiled.table import (
    NOTHING,
    TABLE_ENTRIES,
    CompiledTable,
    find,
    key_of,
    store,
)
from plyscope.searching.reference.iterative_deepening import principal_variation
from plyscope.searching.score import INFINITY

if TYPE_CHECKING:
    from plyscope.searching.compiled.run import Runner
    from plyscope.searching.walk import Walk

__all__ = ["ENTRIES", "search"]


@kernel
def alphabeta_with_table(
    base: int, table: int, ply: int, depth: int, is_whole: bool, alpha: int, beta: int
) -> int:
    """Return the score of the node within the window for its side to move, 0 when the search has to
    stop."""
    if not board.enter(base, ply):
        return 0
    key = key_of(base, ply, 0)
    entry = find(table, key)
    if entry != NOTHING and entry >> 2 & 0x3FFF == depth and ply > 0:
        score, bound = entry >> 32, entry & 3
        if (
            bound == board.EXACT
            or (bound == board.LOWER and score >= beta)
            or (bound == board.UPPER and score <= alpha)
        ):
            put(base, layout.HITS, get(base, layout.HITS) + 1)
            return score
    mover = ply & 1
    total = get(base, layout.TOTAL)
    if board.is_leaf(base, depth, is_whole):
        score = board.leaf(base, ply, is_whole, total, get(base, layout.EMPTY))
        score = score if mover == 0 else -score
        store(base, table, key, score << 32 | depth << 2)
        return score
    called_alpha, called_beta = alpha, beta
    best, best_cell = -INFINITY, -1
    count = board.generate(base, ply)
    if entry != NOTHING and entry & 0xFFFF0000 != 0:
        board.move_up(base, ply, (entry >> 16 & 0xFFFF) - 1)
    for index in range(count):
        cell = board.move_at(base, ply, index)
        if ply == 0:
            board.count_root(base, cell, -1)
        whole = board.place(base, cell, mover)
        score = -alphabeta_with_table(base, table, ply + 1, depth - 1, whole, -beta, -alpha)
        board.lift(base, cell, mover, total)
        if ply == 0:
            board.count_root(base, cell, 1)
        if get(base, layout.STOP) != 0:
            return 0
        if ply == 0:
            board.note_root(base, cell, score, alpha, beta)
        if score > best:
            best, best_cell = score, cell
        if score > alpha:
            board.improve(base, ply, cell)
            alpha = score
        if alpha >= beta:
            put(base, layout.CUTOFFS, get(base, layout.CUTOFFS) + 1)
            break
    store(
        base,
        table,
        key,
        best << 32
        | best_cell + 1 << 16
        | depth << 2
        | board.proves(best, called_alpha, called_beta),
    )
    return best


ENTRIES = (
    alphabeta_with_table,
    *TABLE_ENTRIES,
)


def search(walk: Walk, runner: Runner) -> int:
    """Search the root to the walk's depth with the table that earlier passes left."""
    table = walk.memory.of(CompiledTable)
    score = int(runner.call(alphabeta_with_table, table, 0, walk.depth, False, -INFINITY, INFINITY))
    walk.pv = principal_variation(walk, table)
    return score

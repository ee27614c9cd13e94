"""The twin of `reference/mtdf`.

Null windows (test − 1, test) alone: g < test means v ≤ g, g ≥ test means v ≥ g (Plaat, Schaeffer,
Pijls & de Bruin 1996).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from plyscope.machine.kernel import kernel
from plyscope.searching.compiled.board import (
    LOWER,
    UPPER,
    enter,
    generate,
    improve,
    is_leaf,
    is_max_at,
    leaf,
    lift_move,
    move_at,
    place_move,
    proves,
)
from plyscope.searching.compiled.layout import Board
from plyscope.searching.compiled.table import (
    NOTHING,
    TABLE_ENTRIES,
    CompiledTable,
    PackedInterval,
    find,
    key_of,
    store,
)
from plyscope.searching.reference.mtdf import mtdf, read_root
from plyscope.searching.score import INFINITY

if TYPE_CHECKING:
    from plyscope.searching.compiled.run import Runner
    from plyscope.searching.walk import Walk


@kernel
def alphabeta_with_memory(
    board: Board,
    table: CompiledTable,
    ply: int,
    depth: int,
    has_line: bool,
    alpha: int,
    beta: int,
) -> int:
    """Return the score of the node within the window, in the root's view."""
    if not enter(board, ply):
        return 0
    key = key_of(board, ply, depth)
    data = find(table, key)
    lower, upper = -INFINITY, INFINITY
    if data != NOTHING:
        known = PackedInterval.of(data)
        lower, upper = known.lower, known.upper
        if lower >= beta or upper <= alpha or lower == upper:
            board.hits += 1
            return lower if lower >= beta or lower == upper else upper
    if is_leaf(board, depth, has_line):
        score = leaf(board, ply, has_line)
        store(board, table, key, PackedInterval(lower=score, upper=score).word)
        return score
    alpha, beta = max(alpha, lower), min(beta, upper)
    called_alpha, called_beta = alpha, beta
    is_max, total = is_max_at(board, ply), board.total
    best = -INFINITY if is_max else INFINITY
    for index in range(generate(board, ply)):
        cell = move_at(board, ply, index)
        completes = place_move(board, ply, cell)
        score = alphabeta_with_memory(board, table, ply + 1, depth - 1, completes, alpha, beta)
        lift_move(board, ply, cell, total)
        if board.stopped:
            return 0
        best = max(best, score) if is_max else min(best, score)
        if is_max and score > alpha:
            improve(board, ply, cell)
            alpha = score
        elif not is_max and score < beta:
            improve(board, ply, cell)
            beta = score
        if alpha >= beta:
            board.cutoffs += 1
            break
    bound = proves(best, called_alpha, called_beta)
    lower, upper = lower if bound == UPPER else best, upper if bound == LOWER else best
    store(board, table, key, PackedInterval(lower=lower, upper=upper).word)
    return best


ENTRIES = (alphabeta_with_memory, *TABLE_ENTRIES)


def search(walk: Walk, runner: Runner) -> int:
    """Search the root as the reference does, with null windows of its own."""
    table = walk.memory.of(CompiledTable)

    def null_window(test: int) -> int:
        call = runner.call
        return int(call(alphabeta_with_memory, table, 0, walk.depth, False, test - 1, test))

    value = mtdf(walk, walk.static(walk.root), null_window)
    read_root(walk, table, value)
    return value

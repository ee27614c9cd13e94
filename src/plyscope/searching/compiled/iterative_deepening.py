"""The twin of `reference/iterative_deepening`.

Alpha-beta that leaves a table to the next pass: what a score proves is as there, fail-soft (Slate &
Atkin 1977).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from plyscope.machine.kernel import kernel
from plyscope.searching.compiled.board import (
    EXACT,
    decides,
    enter,
    generate,
    improve,
    is_leaf,
    is_max_at,
    leaf,
    lift_move,
    move_at,
    move_up,
    note_root,
    place_move,
    proves,
    sign_below,
)
from plyscope.searching.compiled.layout import Board
from plyscope.searching.compiled.table import (
    NOTHING,
    TABLE_ENTRIES,
    CompiledTable,
    PackedEntry,
    find,
    key_of,
    store,
)
from plyscope.searching.reference.iterative_deepening import principal_variation
from plyscope.searching.score import INFINITY

if TYPE_CHECKING:
    from plyscope.searching.compiled.run import Runner
    from plyscope.searching.walk import Walk


@kernel
def alphabeta_with_table(
    board: Board,
    table: CompiledTable,
    ply: int,
    depth: int,
    has_line: bool,
    alpha: int,
    beta: int,
) -> int:
    """Return the score of the node within the window for its side to move."""
    if not enter(board, ply):
        return 0
    key = key_of(board, ply, 0)
    data = find(table, key)
    entry, is_known = PackedEntry.of(data), data != NOTHING
    is_usable = is_known and entry.depth == depth and ply > 0
    if is_usable and decides(entry.score, entry.bound, alpha, beta):
        board.hits += 1
        return entry.score
    if is_leaf(board, depth, has_line):
        score = leaf(board, ply, has_line)
        score = score if is_max_at(board, ply) else -score
        store(board, table, key, PackedEntry(bound=EXACT, depth=depth, move=0, score=score).word)
        return score
    called_alpha, called_beta, sign = alpha, beta, sign_below(board, ply)
    best, best_cell, total = -INFINITY, -1, board.total
    count = generate(board, ply)
    if is_known and entry.move > 0:
        move_up(board, ply, entry.move - 1)
    for index in range(count):
        cell = move_at(board, ply, index)
        completes = place_move(board, ply, cell)
        low, high = (-beta, -alpha) if sign < 0 else (alpha, beta)
        score = sign * alphabeta_with_table(board, table, ply + 1, depth - 1, completes, low, high)
        lift_move(board, ply, cell, total)
        if board.stopped:
            return 0
        note_root(board, ply, cell, score, alpha, beta)
        if score > best:
            best, best_cell = score, cell
        if score > alpha:
            improve(board, ply, cell)
            alpha = score
        if alpha >= beta:
            board.cutoffs += 1
            break
    bound = proves(best, called_alpha, called_beta)
    proven = PackedEntry(bound=bound, depth=depth, move=best_cell + 1, score=best)
    store(board, table, key, proven.word)
    return best


ENTRIES = (alphabeta_with_table, *TABLE_ENTRIES)


def search(walk: Walk, runner: Runner) -> int:
    """Search the root to the walk's depth with the table that earlier passes left."""
    table = walk.memory.of(CompiledTable)
    score = int(runner.call(alphabeta_with_table, table, 0, walk.depth, False, -INFINITY, INFINITY))
    walk.pv = principal_variation(walk, table)
    return score

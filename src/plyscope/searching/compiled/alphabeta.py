"""The twin of `reference/alphabeta`.

s ≤ alpha means v ≤ s, s ≥ beta means v ≥ s, between them v = s (Knuth & Moore 1975).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from plyscope.machine.kernel import kernel
from plyscope.searching.compiled import bitboards
from plyscope.searching.compiled.board import (
    enter,
    frontier,
    generate,
    has_room,
    improve,
    is_closed,
    is_leaf,
    is_max_at,
    leaf,
    lift_move,
    move_at,
    note_root,
    place_move,
    sign_below,
    within,
)
from plyscope.searching.compiled.layout import Board
from plyscope.searching.score import INFINITY

if TYPE_CHECKING:
    from plyscope.searching.compiled.run import Runner
    from plyscope.searching.walk import Walk


@kernel
def alphabeta(board: Board, ply: int, depth: int, has_line: bool, alpha: int, beta: int) -> int:
    """Return the score of the node within the window, in the root's view."""
    if bitboards.can_descend(board, ply, depth, has_line):
        passing = bitboards.SHALLOW if board.is_shallow else bitboards.PASSED_ON
        return bitboards.descend_from(board, ply, depth, alpha, beta, passing)
    if not enter(board, ply):
        return 0
    if is_leaf(board, depth, has_line):
        return leaf(board, ply, has_line)
    called_alpha, called_beta = alpha, beta
    shares_window = ply > 0 or not board.is_open
    is_max, total = is_max_at(board, ply), board.total
    best = -INFINITY if is_max else INFINITY
    count = generate(board, ply)
    if depth == 1 and ply > 0 and has_room(board, count):
        low, high = (alpha, beta) if is_max else (-beta, -alpha)
        best = frontier(board, ply, count, low, high, False)
        return within(board, best if is_max else -best, alpha, beta)
    for index in range(count):
        cell = move_at(board, ply, index)
        low, high = (alpha, beta) if shares_window else (called_alpha, called_beta)
        if board.is_shallow and sign_below(board, ply) < 0:
            low, high = (low, INFINITY) if is_max else (-INFINITY, high)
        completes = place_move(board, ply, cell)
        score = alphabeta(board, ply + 1, depth - 1, completes, low, high)
        lift_move(board, ply, cell, total)
        if board.stopped:
            return 0
        note_root(board, ply, cell, score, low, high)
        best = max(best, score) if is_max else min(best, score)
        if is_max and score > alpha:
            improve(board, ply, cell)
            alpha = score
        elif not is_max and score < beta:
            improve(board, ply, cell)
            beta = score
        if is_closed(board, alpha, beta):
            board.cutoffs += 1
            break
    return within(board, best, called_alpha, called_beta)


ENTRIES = (alphabeta,)


def search(walk: Walk, runner: Runner) -> int:
    """Search the root within the window."""
    return int(runner.call(alphabeta, 0, walk.depth, False, *walk.conventions.window))

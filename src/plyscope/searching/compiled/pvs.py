"""The twin of `reference/pvs`.

Null windows (alpha, alpha + 1) after the first move, and again where the score lies within the
window; what a score proves is as in alpha-beta (Marsland & Campbell 1982; Reinefeld 1983).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from plyscope.machine.kernel import kernel
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
def pvs(board: Board, ply: int, depth: int, has_line: bool, alpha: int, beta: int) -> int:
    """Return the score of the node within the window for its side to move."""
    if not enter(board, ply):
        return 0
    if is_leaf(board, depth, has_line):
        score = leaf(board, ply, has_line)
        return score if is_max_at(board, ply) else -score
    called_alpha, called_beta = alpha, beta
    best, total, sign = -INFINITY, board.total, sign_below(board, ply)
    count = generate(board, ply)
    if depth == 1 and ply > 0 and has_room(board, count):
        return within(board, frontier(board, ply, count, alpha, beta, True), alpha, beta)
    for index in range(count):
        cell = move_at(board, ply, index)
        high = beta if best == -INFINITY else alpha + 1
        completes = place_move(board, ply, cell)
        low, top = (-high, -alpha) if sign < 0 else (alpha, high)
        score = sign * pvs(board, ply + 1, depth - 1, completes, low, top)
        if high < beta and alpha < score < beta and not board.stopped:
            high = beta
            board.researches += 1
            low, top = (-high, -alpha) if sign < 0 else (alpha, high)
            score = sign * pvs(board, ply + 1, depth - 1, completes, low, top)
        lift_move(board, ply, cell, total)
        if board.stopped:
            return 0
        note_root(board, ply, cell, score, alpha, high)
        best = max(best, score)
        if score > alpha:
            improve(board, ply, cell)
            alpha = score
        if is_closed(board, alpha, beta):
            board.cutoffs += 1
            break
    return within(board, best, called_alpha, called_beta)


ENTRIES = (pvs,)


def search(walk: Walk, runner: Runner) -> int:
    """Search the root within the window."""
    return int(runner.call(pvs, 0, walk.depth, False, *walk.conventions.window))

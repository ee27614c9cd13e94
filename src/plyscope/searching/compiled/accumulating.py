"""The twin of `reference/accumulating`: heuristics added on the way up, as a published agent did.

Its scores prove nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from plyscope.machine.kernel import kernel
from plyscope.searching.compiled.board import (
    enter,
    generate,
    is_max_at,
    leaf,
    lift_move,
    list_moves,
    move_at,
    note_root,
    place_move,
    static_evaluation,
)
from plyscope.searching.compiled.layout import Board
from plyscope.searching.reference.accumulating import WIN, choose
from plyscope.searching.score import INFINITY, Bound

if TYPE_CHECKING:
    from plyscope.searching.compiled.run import Runner
    from plyscope.searching.walk import Walk


@kernel
def accumulate(board: Board, ply: int, depth: int, has_line: bool, alpha: int, beta: int) -> int:
    """Return the accumulated score of the node, in the root's view; at the root note its moves'."""
    if not enter(board, ply):
        return 0
    if has_line or board.empty == 0:
        leaf(board, ply, has_line)
        if not has_line:
            return 0
        is_mine = is_max_at(board, ply - 1) != board.misere
        return WIN - (ply - 1) if is_mine else ply - 1 - WIN
    is_max, total = is_max_at(board, ply), board.total
    evaluation = 0 if ply == 0 else static_evaluation(board, ply, total, board.empty)
    if depth == 0:
        return leaf(board, ply, has_line)
    best = evaluation
    for index in range(list_moves(board, ply) if ply == 0 else generate(board, ply)):
        cell = move_at(board, ply, index)
        completes = place_move(board, ply, cell)
        score = accumulate(board, ply + 1, depth - 1, completes, alpha, beta)
        lift_move(board, ply, cell, total)
        if board.stopped:
            return 0
        note_root(board, ply, cell, score, -INFINITY, INFINITY)
        if ply == 0:
            continue
        if is_max:
            best = max(best, score + evaluation)
            alpha = max(alpha, score)
        else:
            best = min(best, score - evaluation)
            beta = min(beta, score)
        if beta <= alpha:
            board.cutoffs += 1
            break
    return best


ENTRIES = (accumulate,)


def search(walk: Walk, runner: Runner) -> float:
    """Score every move of the root and choose as the reference does."""
    try:
        runner.call(accumulate, 0, walk.depth, False, -INFINITY, INFINITY)
    finally:  # scores prove nothing here, also when the search is cut short
        walk.values = {cell: (score, Bound.ESTIMATE) for cell, (score, _) in walk.values.items()}
    return choose(walk, lambda cell: runner.board.root_moves[cell].value)

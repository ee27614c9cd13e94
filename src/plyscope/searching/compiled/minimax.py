"""The twin of `reference/minimax`, and with other signs of `reference/negamax`.

Returned is the minimax value itself (Shannon 1950).
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
    is_leaf,
    is_max_at,
    leaf,
    lift_move,
    move_at,
    note_root,
    place_move,
)
from plyscope.searching.compiled.layout import Board
from plyscope.searching.score import INFINITY

if TYPE_CHECKING:
    from plyscope.searching.compiled.run import Runner
    from plyscope.searching.walk import Walk


@kernel
def minimax(board: Board, ply: int, depth: int, has_line: bool) -> int:
    """Return the minimax value of the node, in the root's view."""
    if bitboards.can_descend(board, ply, depth, has_line):
        return bitboards.descend_from(board, ply, depth, -INFINITY, INFINITY, bitboards.OPEN)
    if not enter(board, ply):
        return 0
    if is_leaf(board, depth, has_line):
        return leaf(board, ply, has_line)
    is_max, total = is_max_at(board, ply), board.total
    best = -INFINITY if is_max else INFINITY
    count = generate(board, ply)
    if depth == 1 and ply > 0 and has_room(board, count):
        best = frontier(board, ply, count, -INFINITY, INFINITY, False)
        return best if is_max else -best
    for index in range(count):
        cell = move_at(board, ply, index)
        completes = place_move(board, ply, cell)
        score = minimax(board, ply + 1, depth - 1, completes)
        lift_move(board, ply, cell, total)
        if board.stopped:
            return 0
        note_root(board, ply, cell, score, -INFINITY, INFINITY)
        if score > best if is_max else score < best:
            improve(board, ply, cell)
            best = score
    return best


ENTRIES = (minimax,)


def search(walk: Walk, runner: Runner) -> int:
    """Search the root."""
    return int(runner.call(minimax, 0, walk.depth, False))

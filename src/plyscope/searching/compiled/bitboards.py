"""Searches without a heuristic, in registers: minimax and alpha-beta where both sides' stones are a
word and every line runs in even steps.

Nothing but the stones tells what a node is worth there. So nothing is placed and lifted: a node is
called with its words, the cells that complete a line are found for all lines at once by shifts, and
leaves are only counted.
"""

from __future__ import annotations

from plyscope.machine.kernel import get, inlined, kernel, lowest, ones, put, shifted
from plyscope.searching.compiled import board, layout
from plyscope.searching.score import INFINITY

__all__ = ["OPEN", "PASSED_ON", "SHALLOW", "can_descend", "descend_from"]

PASSED_ON, SHALLOW, OPEN = range(3)
"""What of its window a node passes on: all of it, what is its mover's, or nothing (minimax)."""


@kernel
def _completing(base: int, stones: int) -> int:
    """Return the cells, taken ones among them, that have all others of a line with them among
    `stones`."""
    found = 0
    group = get(base, layout.GROUPS)
    step = get(base, group + layout.GROUP_STEP)
    while step != 0:
        starts, length = (
            get(base, group + layout.GROUP_STARTS),
            get(base, group + layout.GROUP_LENGTH),
        )
        if length == 4:
            second, third, fourth = (
                shifted(stones, step),
                shifted(stones, 2 * step),
                shifted(stones, 3 * step),
            )
            lower, upper = stones & second & starts, third & fourth & starts
            found |= (
                second & upper
                | (stones & upper) << step
                | (lower & fourth) << 2 * step
                | (lower & third) << 3 * step
            )
        else:
            for hole in range(length):
                line = starts
                for at in range(length):
                    if at != hole:
                        line &= shifted(stones, at * step)
                found |= line << hole * step
        group += layout.GROUP_FIELDS
        step = get(base, group + layout.GROUP_STEP)
    return found


@inlined
def _first(base: int, moves: int, column: int) -> int:
    """Return the move of a column where stones fall, 0 for none, and elsewhere the first of
    `moves`."""
    if get(base, layout.GRAVITY) != 0:
        return moves & get(base, get(base, layout.COLUMN_MASKS) + column)
    return moves & -moves


@kernel
def descend(
    base: int,
    ply: int,
    depth: int,
    own: int,
    other: int,
    wins: int,
    empty: int,
    alpha: int,
    beta: int,
    passing: int,
) -> int:
    """Return the score of a node that is no leaf, within the window, for its side to move; 0 when
    the search has to stop.

    `wins` are the cells that complete a line of `own`: the same for all moves of the node before,
    which has found them once.
    """
    if get(base, layout.STOP) != 0:
        return 0
    moves = get(base, layout.BOARD) & ~(own | other)
    if get(base, layout.GRAVITY) != 0:
        moves &= shifted(own | other, get(base, layout.BELOW)) | get(base, layout.BOTTOM)
    width = ones(moves)
    widths = get(base, layout.PLIES) + layout.PLY_FIELDS * ply
    if width < get(base, widths + layout.LEAST_WIDTH):
        put(base, widths + layout.LEAST_WIDTH, width)
    if width > get(base, widths + layout.GREATEST_WIDTH):
        put(base, widths + layout.GREATEST_WIDTH, width)
    put(base, board.line_at(base, ply), 0)
    put(base, layout.NODES, get(base, layout.NODES) + 1)
    wins &= moves
    called_alpha, called_beta = alpha, beta
    best = -INFINITY
    leaves, horizon, column = 0, 0, 0
    are_leaves = depth == 1 or empty == 1
    theirs = 0 if are_leaves else _completing(base, other)
    while moves != 0:
        move = _first(base, moves, column)
        column += 1
        if move == 0:
            continue
        moves ^= move
        if are_leaves or move & wins != 0:
            score = 0
            leaves += 1
            if move & wins != 0:
                score = (1 - 2 * (ply & 1)) * board.static(base, ply + 1, True, 0, 1)
            elif empty != 1:
                horizon += 1
            if score > alpha:
                alpha = score
                board.write_line(base, ply, lowest(move))
        else:
            low = alpha if passing != OPEN else -INFINITY
            high = beta if passing == PASSED_ON else INFINITY
            score = -descend(
                base, ply + 1, depth - 1, other, own | move, theirs, empty - 1, -high, -low, passing
            )
            if get(base, layout.STOP) != 0:
                break
            if score > alpha:
                alpha = score
                board.improve(base, ply, lowest(move))
        best = max(best, score)
        if board.is_closed(base, alpha, beta):
            put(base, layout.CUTOFFS, get(base, layout.CUTOFFS) + 1)
            break
        if are_leaves and wins == 0:
            rest = ones(moves)
            leaves += rest
            horizon += rest if empty != 1 else 0
            break
    if leaves != 0:
        put(base, layout.NODES, get(base, layout.NODES) + leaves)
        put(base, layout.LEAVES, get(base, layout.LEAVES) + leaves)
        put(base, layout.HORIZON, get(base, layout.HORIZON) + horizon)
        at = widths + layout.PLY_FIELDS + layout.LEAVES_AT
        put(base, at, get(base, at) + leaves)
        if ply >= get(base, layout.DEEPEST):
            put(base, layout.DEEPEST, ply + 1)
    return board.within(base, best, called_alpha, called_beta)


@inlined
def can_descend(base: int, ply: int, depth: int, is_whole: bool) -> bool:
    """Return whether the node is to be searched so: one below the root, and no leaf."""
    return ply == 1 and get(base, layout.GROUPS) != 0 and not board.is_leaf(base, depth, is_whole)


@kernel
def descend_from(base: int, ply: int, depth: int, alpha: int, beta: int, passing: int) -> int:
    """Return the score, in the root's view, of the node below the root that the board shows; the
    window is in that view too."""
    own, other = get(base, layout.THEIRS), get(base, layout.MINE)
    return -descend(
        base,
        ply,
        depth,
        own,
        other,
        _completing(base, own),
        get(base, layout.EMPTY),
        -beta,
        -alpha,
        passing,
    )

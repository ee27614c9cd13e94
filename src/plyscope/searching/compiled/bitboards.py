"""Searches without a heuristic, in registers: minimax and alpha-beta on boards of one word.

Nothing but the stones tells what a node is worth there, and every line runs in even steps. So
nothing is placed and lifted: a node is called with its words, the cells that complete a line are
found for all lines at once by shifts, and leaves are only counted.
"""

from __future__ import annotations

from plyscope.machine.kernel import inlined, kernel, lowest, ones, shifted
from plyscope.searching.compiled.board import (
    count_leaves,
    count_width,
    improve,
    is_closed,
    is_leaf,
    pv_of,
    win_score,
    within,
    write_pv,
)
from plyscope.searching.compiled.layout import Board
from plyscope.searching.score import INFINITY

PASSED_ON, SHALLOW, OPEN = range(3)
"""What of its window a node passes on: all of it, what is its mover's, or nothing (minimax)."""


@kernel
def _completing(board: Board, stones: int) -> int:
    """Return the cells, taken ones too, that complete a line of `stones`.

    Bit s of `stones` moved down by i steps tells of cell i of the line that begins at s.
    """
    found, number = 0, 0
    group = board.groups[0]
    while group.step != 0:
        step, starts = group.step, group.starts
        if board.exactly:
            starts &= ~(stones << step & group.ended_before)
            starts &= ~(shifted(stones, group.length * step) & group.ended_after)
        if group.length == 4:
            second, third = shifted(stones, step), shifted(stones, 2 * step)
            fourth = shifted(stones, 3 * step)
            lower, upper = stones & second & starts, third & fourth & starts
            found |= second & upper | (stones & upper) << step
            found |= (lower & fourth) << 2 * step | (lower & third) << 3 * step
        else:
            for hole in range(group.length):
                line = starts
                for at in range(group.length):
                    if at != hole:
                        line &= shifted(stones, at * step)
                found |= line << hole * step
        number += 1
        group = board.groups[number]
    return found


@inlined
def _playable(board: Board, stones: int) -> int:
    """Return the cells that may be taken where `stones` stand."""
    moves = board.board_mask & ~stones
    return moves & (shifted(stones, board.fall) | board.bottom) if board.gravity else moves


@inlined
def _first(board: Board, moves: int, column: int) -> int:
    """Return the move in a column, 0 for none; without gravity the first of `moves`."""
    return moves & board.column_masks[column] if board.gravity else moves & -moves


@kernel
def descend(
    board: Board,
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
    """Return the score of a node that is no leaf, within the window, for its side to move.

    `wins` are the cells that complete a line of `own`: the same for all moves of the node before,
    which has found them once.
    """
    if board.stopped:
        return 0
    moves = _playable(board, own | other)
    count_width(board, ply, ones(moves))
    pv_of(board, ply)[0] = 0
    board.nodes += 1
    wins &= moves
    if depth == 1 or empty == 1:
        best = _search_leaves(board, ply, moves, wins, empty, alpha, beta)
        return within(board, best, alpha, beta)
    called_alpha, called_beta = alpha, beta
    best, leaves, column = -INFINITY, 0, 0
    theirs = _completing(board, other)
    while moves != 0:
        move = _first(board, moves, column)
        column += 1
        if move == 0:
            continue
        moves ^= move
        if move & wins != 0:
            score = win_score(board, ply)
            leaves += 1
            if score > alpha:
                alpha = score
                write_pv(board, ply, lowest(move))
        else:
            low = alpha if passing != OPEN else -INFINITY
            high = beta if passing == PASSED_ON else INFINITY
            score = -descend(
                board,
                ply + 1,
                depth - 1,
                other,
                own | move,
                theirs,
                empty - 1,
                -high,
                -low,
                passing,
            )
            if board.stopped:
                break
            if score > alpha:
                alpha = score
                improve(board, ply, lowest(move))
        best = max(best, score)
        if is_closed(board, alpha, beta):
            board.cutoffs += 1
            break
    if leaves != 0:
        count_leaves(board, ply + 1, leaves, 0)
    return within(board, best, called_alpha, called_beta)


@inlined
def _search_leaves(
    board: Board, ply: int, moves: int, wins: int, empty: int, alpha: int, beta: int
) -> int:
    """Return the best score of a node all whose moves lead to leaves."""
    best, leaves, horizon, column = -INFINITY, 0, 0, 0
    while moves != 0:
        move = _first(board, moves, column)
        column += 1
        if move == 0:
            continue
        moves ^= move
        score = win_score(board, ply) if move & wins != 0 else 0
        leaves += 1
        if move & wins == 0 and empty != 1:
            horizon += 1
        if score > alpha:
            alpha = score
            write_pv(board, ply, lowest(move))
        best = max(best, score)
        if is_closed(board, alpha, beta):
            board.cutoffs += 1
            break
        if wins == 0:  # the others are like this one
            rest = ones(moves)
            leaves += rest
            horizon += rest if empty != 1 else 0
            break
    count_leaves(board, ply + 1, leaves, horizon)
    return best


@inlined
def can_descend(board: Board, ply: int, depth: int, has_line: bool) -> bool:
    """Return whether the node is to be searched so: one below the root, and no leaf."""
    return ply == 1 and board.in_registers and not is_leaf(board, depth, has_line)


@kernel
def descend_from(board: Board, ply: int, depth: int, alpha: int, beta: int, passing: int) -> int:
    """Return the score of the node that the board shows, below the root and in its view."""
    own, other = board.stones[1], board.stones[0]
    wins = _completing(board, own)
    return -descend(board, ply, depth, own, other, wins, board.empty, -beta, -alpha, passing)

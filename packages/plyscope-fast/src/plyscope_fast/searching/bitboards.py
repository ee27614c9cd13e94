"""Kernels for searches without a heuristic, on boards of one word where the cells of each line are
at equal distances.

A move changes only the bitboards of stones. Shifts find the cells that complete a line, for all
lines at once. Leaves at the last ply are only counted.
"""

from __future__ import annotations

from plyscope.searching.score import INFINITY
from plyscope_fast.machine.kernel import inlined, kernel, lowest, ones, shifted
from plyscope_fast.searching.board import (
    count_leaves,
    count_width,
    is_closed,
    moves_of,
    win_score,
    write_pv,
)
from plyscope_fast.searching.layout import Board


@kernel
def completing(board: Board, stones: int) -> int:
    """Return the cells that complete a line of `stones`, including taken cells.

    Bit s of `stones` shifted down by i steps is cell i of the line that begins at s.
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
def playable(board: Board) -> int:
    """Return the bitboard of the legal moves."""
    stones = board.stones[0] | board.stones[1]
    moves = board.board_mask & ~stones
    return moves & (shifted(stones, board.fall) | board.bottom) if board.gravity else moves


@inlined
def first_of(board: Board, moves: int, column: int) -> int:
    """Return the bit of the move in a column, 0 if there is none; without gravity, the lowest bit
    of `moves`."""
    return moves & board.column_masks[column] if board.gravity else moves & -moves


@kernel
def list_playable(board: Board, ply: int) -> int:
    """Write the moves of the node in the game's order, for `moves_of`; return their number."""
    cells, moves, count, column = moves_of(board, ply), playable(board), 0, 0
    while moves != 0:
        move = first_of(board, moves, column)
        column += 1
        if move != 0:
            moves ^= move
            cells[count] = lowest(move)
            count += 1
    count_width(board, ply, count)
    return count


@kernel
def last_moves(board: Board, ply: int, wins: int, alpha: int, beta: int, again: bool) -> int:
    """Return the same as `board.frontier`; `wins` is the bitboard of the cells that complete a line
    of the mover."""
    moves = playable(board)
    count_width(board, ply, ones(moves))
    wins &= moves
    is_last, win = board.empty == 1, win_score(board, ply)
    best, leaves, horizon, repeated, column = -INFINITY, 0, 0, 0, 0
    while moves != 0:
        move = first_of(board, moves, column)
        column += 1
        if move == 0:
            continue
        moves ^= move
        score = win if move & wins != 0 else 0
        is_open = 1 if move & wins == 0 and not is_last else 0
        if again and leaves > 0 and alpha < score < beta and alpha + 1 < beta:
            repeated += 1
            horizon += is_open
        leaves += 1
        horizon += is_open
        best = max(best, score)
        if score > alpha:
            alpha = score
            write_pv(board, ply, lowest(move))
        if is_closed(board, alpha, beta):
            board.cutoffs += 1
            break
        if wins == 0:  # all other moves have the same score
            leaves += ones(moves)
            horizon += ones(moves) * is_open
            break
    board.researches += repeated
    count_leaves(board, ply + 1, leaves + repeated, horizon)
    return best

"""Incremental update of patterns on the board of the playing engine (`evaluation.patterns`).

Around each cell, in each direction, the digits of the cells form a code: two bits for each place,
0 for an empty cell, 1 for a stone of the root's side, 2 for one of the other side, 3 outside the
board. A stone changes one digit of the codes of the cells around it. For every cell and side the
board has

    a sum    of the values of its patterns, two sums in a word as in `compiled.terms`
    a count  of its patterns of the four strongest classes, four bits each, the strongest lowest;
             above them the number of patterns that are not dead

Codes, sums and counts are kept for taken cells too; `total`, `live` and the bitboards contain free
cells only.
"""

from __future__ import annotations

from plyscope_fast.machine.block import Words
from plyscope_fast.machine.kernel import inlined, kernel
from plyscope_fast.searching.layout import CompiledBoard

COUNT_BITS, COUNTED_CLASSES = 4, 4
NOT_DEAD = 1 << COUNT_BITS * COUNTED_CLASSES
"""The unit of the number of patterns that are not dead."""


class PatternBoard(CompiledBoard):
    """A board with the patterns of both sides."""

    # changed by a move and restored by lift
    pattern_codes: Words  # [cells, directions]
    pattern_sums: Words  # [side, cells]
    pattern_counts: Words  # [side, cells]
    free: Words  # [words]  bitboard of the empty cells
    winning: Words  # [side, words]  bitboard of the cells that complete a line
    opening: Words  # [side, words]  bitboard of the cells after which two cells complete a line
    making: Words  # [side, words]  bitboard of the cells after which some cell completes a line
    live: int  # number of lines that some side can still complete; by_patterns: patterns not dead

    making_nodes: int  # nodes left to the search for a win by moves that threaten a line

    # set once
    directions: int  # 0 if patterns do not count
    places: int  # number of cells around a cell in a direction
    around: Words  # [cells, directions, places]  −1 outside the board
    pattern_classes: Words  # [codes]  a byte each: the classes of the two sides
    pattern_values: Words  # [side, classes]
    pattern_marks: Words  # [classes]  what a pattern adds to a count
    by_patterns: bool  # threats are found by patterns, and lines are not updated
    pattern_total: int  # the sum of all patterns at the root
    fouls_of: int  # 1 + the mover whom Renju forbids moves, 0 for none
    row: int  # k
    caro: bool  # lines whose ends are blocked do not count: a four may have several replies


@inlined
def is_winning(count: int) -> bool:
    """Return whether a stone on a cell with this count completes a line."""
    return count & 15 != 0


@inlined
def is_opening(count: int) -> bool:
    """Return whether two cells complete a line after a stone on a cell with this count."""
    return count >> 4 & 15 != 0 or count >> 8 & 15 > 1


@inlined
def is_making(count: int) -> bool:
    """Return whether some cell completes a line after a stone on a cell with this count."""
    return count >> 4 & 255 != 0


@inlined
def flip(words: Words, cell: int) -> None:
    """Toggle the bit of a cell."""
    words[cell >> 6] ^= 1 << (cell & 63)


@kernel
def toggle_sets(board: PatternBoard, side: int, cell: int, before: int, after: int) -> None:
    """Update the bitboards for a cell whose count changes; a cell that is taken has count 0."""
    words = side * ((board.cells + 63) >> 6)
    if is_winning(before) != is_winning(after) and board.by_patterns:
        flip(board.winning.offset(words), cell)
    if is_opening(before) != is_opening(after):
        flip(board.opening.offset(words), cell)
    if is_making(before) != is_making(after):
        flip(board.making.offset(words), cell)


@kernel
def place_pattern(board: PatternBoard, cell: int, mover: int) -> int:
    """Place a stone in the patterns; return how it changes `total`."""
    change = 0
    for side in range(2):
        at = side * board.cells + cell
        count = board.pattern_counts[at]
        toggle_sets(board, side, cell, count, 0)
        change -= board.pattern_sums[at]
        if board.by_patterns:
            board.live -= count >> 16
    flip(board.free, cell)
    return change + turn_digit(board, cell, 1 + mover)


@kernel
def lift_pattern(board: PatternBoard, cell: int, mover: int) -> None:
    """Undo `place_pattern`, except for `total`."""
    turn_digit(board, cell, 1 + mover)
    flip(board.free, cell)
    for side in range(2):
        count = board.pattern_counts[side * board.cells + cell]
        toggle_sets(board, side, cell, 0, count)
        if board.by_patterns:
            board.live += count >> 16


@kernel
def turn_digit(board: PatternBoard, cell: int, digit: int) -> int:
    """Toggle the digit of a cell in the codes of the cells around it; return how `total`
    changes."""
    places, around, codes = board.places, board.around, board.pattern_codes
    classes, free = board.pattern_classes, board.free
    change = 0
    for direction in range(board.directions):
        begin = (cell * board.directions + direction) * places
        for place in range(places):
            other = around[begin + place]
            if other < 0:
                continue
            at = other * board.directions + direction
            code = codes[at]
            # the cell lies at the mirrored place as seen from the other
            after = code ^ digit << 2 * (places - 1 - place)
            codes[at] = after
            old = classes[code >> 3] >> 8 * (code & 7) & 255
            new = classes[after >> 3] >> 8 * (after & 7) & 255
            if old != new:
                is_free = free[other >> 6] >> (other & 63) & 1 != 0
                if old & 15 != new & 15:
                    change += change_class(board, 0, other, old & 15, new & 15, is_free)
                if old >> 4 != new >> 4:
                    change += change_class(board, 1, other, old >> 4, new >> 4, is_free)
    return change


@kernel
def change_class(
    board: PatternBoard, side: int, cell: int, old: int, new: int, is_free: bool
) -> int:
    """Replace a pattern of a side on a cell; return how `total` changes."""
    values, marks, at = board.pattern_values.offset(16 * side), board.pattern_marks, cell
    at += side * board.cells
    change = values[new] - values[old]
    board.pattern_sums[at] += change
    before = board.pattern_counts[at]
    after = before + marks[new] - marks[old]
    board.pattern_counts[at] = after
    if not is_free:
        return 0
    if before & 65535 != after & 65535:
        toggle_sets(board, side, cell, before, after)
    if board.by_patterns:
        board.live += (after >> 16) - (before >> 16)
    return change

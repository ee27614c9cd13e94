"""Renju's forbidden moves on the board of the playing engine, by its patterns.

The text of the rule is in `rules/renju.py`. Patterns of a higher class than a three's are exact
here; a three is an open pattern whose stone to a straight four is allowed.
"""

from __future__ import annotations

from plyscope_fast.machine.kernel import inlined, kernel
from plyscope_fast.searching.patterns import is_winning
from plyscope_fast.searching.threats import ThreatBoard, lift, place


@inlined
def code_at(board: ThreatBoard, cell: int, direction: int) -> int:
    """Return the code of the cells around a cell in a direction."""
    return board.pattern_codes[cell * board.directions + direction]


@kernel
def class_at(board: ThreatBoard, cell: int, direction: int) -> int:
    """Return the class of the pattern of the side that has forbidden moves."""
    code = code_at(board, cell, direction)
    return board.pattern_classes[code >> 3] >> 8 * (code & 7) + 4 * (board.fouls_of - 1) & 15


@kernel
def end_of(board: ThreatBoard, cell: int, direction: int, is_ahead: int) -> int:
    """Return the place, in the code of a cell, of the first cell without a stone of that side
    behind or ahead; −1 or the number of places if the row is longer than the code."""
    code, reach = code_at(board, cell, direction), board.places >> 1
    place, step = reach - 1 + is_ahead, 2 * is_ahead - 1
    while 0 <= place < board.places and code >> 2 * place & 3 == board.fouls_of:
        place += step
    return place


@inlined
def row_at(board: ThreatBoard, cell: int, direction: int) -> int:
    """Return the length of the row through a cell, with a stone on it."""
    return end_of(board, cell, direction, 1) - end_of(board, cell, direction, 0)


@kernel
def fours_and_threes(board: ThreatBoard, cell: int) -> int:
    """Return 16 times the fours that a move makes plus the open patterns that may be threes; an
    overline counts as two fours."""
    found, weakest = 0, 2 * board.row - 4
    for direction in range(board.directions):
        row, pattern = row_at(board, cell, direction), class_at(board, cell, direction)
        if row > board.row or (pattern == weakest + 2 and row < board.row - 1):
            found += 32  # the second: two fours in one line
        elif pattern > weakest:
            found += 16
        elif pattern == weakest:
            found += 1
    return found


@kernel
def is_foul(board: ThreatBoard, cell: int) -> bool:
    """Return whether Renju forbids a move at an empty cell, for the side to which this applies."""
    mover = board.fouls_of - 1
    if is_winning(board.pattern_counts[mover * board.cells + cell]):
        return False
    found = fours_and_threes(board, cell)
    if found >> 4 > 1 or found & 15 < 2:
        return found >> 4 > 1
    total, threes, opens = board.total, 0, 0
    for direction in range(board.directions):
        if class_at(board, cell, direction) == 2 * board.row - 4:
            opens |= 1 << direction
    place(board, cell, mover)
    for direction in range(board.directions):
        is_three = False
        for is_ahead in range(2):
            at = end_of(board, cell, direction, is_ahead)
            is_inside = opens >> direction & 1 != 0 and not is_three and 0 <= at < board.places
            if is_inside and code_at(board, cell, direction) >> 2 * at & 3 == 0:
                end = board.around[(cell * board.directions + direction) * board.places + at]
                is_three = (
                    class_at(board, end, direction) == 2 * board.row - 2
                    and row_at(board, end, direction) == board.row - 1
                    and not is_winning(board.pattern_counts[mover * board.cells + end])
                    and not is_foul(board, end)
                )
        threes += is_three
    lift(board, cell, mover, total)
    return threes > 1


@kernel
def makes_straight_four(board: ThreatBoard, cell: int) -> bool:
    """Return whether a move makes one straight four, and is allowed whatever stones are placed
    where none of its patterns reaches."""
    found = fours_and_threes(board, cell)
    if found >> 4 != 1 or found & 15 > 1:
        return False
    for direction in range(board.directions):
        if class_at(board, cell, direction) == 2 * board.row - 2:
            return True
    return False

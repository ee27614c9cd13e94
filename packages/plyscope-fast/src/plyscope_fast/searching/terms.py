"""Incremental update of the terms of a heuristic other than lines (`evaluation.terms`).

The word `total` holds two sums. The lower HALF_BITS bits are the sum if the root's side is to move,
the upper bits the sum if the other side is to move. Adding two such words adds both sums.

    ends      the state of a line decreases by `plane` when a cell beyond one of its ends is taken
    cells     a stone adds the value of its cell
    threats   the cells that complete a line, one row for each number of empty cells: a stone
              writes the next row, so that nothing has to be restored
    mobility  safe moves, which do not lose at once, counted at the leaf from that row
"""

from __future__ import annotations

from plyscope.searching.score import HALF_BITS
from plyscope_fast.machine.block import Words
from plyscope_fast.machine.kernel import inlined, kernel, ones, shifted
from plyscope_fast.searching.layout import MINE_MISS_ONE, Board, LineValue

SIGN = 64 - HALF_BITS


@inlined
def sum_of_terms(board: Board, mover: int, total: int, empty: int) -> int:
    """Return the value of a board with `empty` cells left on which `mover` is to move."""
    low = (total << SIGN) >> SIGN
    value = low if mover == 0 else (total - low) >> HALF_BITS
    return value if board.mobility == 0 else value + board.mobility * safe_moves(board, empty)


@inlined
def safe_moves(board: Board, empty: int) -> int:
    """Return the number of safe moves of the root's side minus that of the other side. The board
    must fit in one word."""
    row = threats_at(board, empty)
    mine, theirs, taken = row[0], row[1], row[2]
    playable = board.board_mask & ~taken
    if board.gravity:
        playable &= board.bottom | shifted(taken, board.fall)
    if board.misere:
        return ones(playable & theirs) - ones(playable & mine)
    above = shifted(playable, board.fall) & ~board.bottom
    return ones(above & mine) - ones(above & theirs)


@inlined
def threats_at(board: Board, empty: int) -> Words:
    """Return the row of `threats` for the board with `empty` cells left."""
    return board.threats.offset(3 * board.threat_words * empty)


@inlined
def change_terms(
    board: Board, cell: int, mover: int, found: int, empty: int, step: int, plane: int
) -> int:
    """Return the change of `total` by a stone, except for the values of the lines through its cell.

    `empty` is the number of empty cells after the stone. `found` is the bitwise or of the
    LineValues of the lines through the cell after the stone; the index of such a LineValue is the
    line's state on the board plus `step`. The states of lines with an end at the cell decrease by
    `plane`.
    """
    change = board.cell_values[2 * cell + mover]
    if board.plane != 0:
        change += change_ends(board, cell, plane)
    if board.threat_words != 0:
        change += begin_threats(board, cell, empty)
        if LineValue.of(found).misses_one:
            change += find_threats(board, cell, mover, empty, step)
    return change


@kernel
def change_ends(board: Board, cell: int, plane: int) -> int:
    """Decrease the states of the lines with an end at `cell` by `plane` (0 or `board.plane`), for a
    stone at the cell; return the resulting change of `total`."""
    states, values, beyond, down = board.states, board.values, board.beyond, board.plane
    change, entry = 0, board.beyond_starts[cell]
    line = beyond[entry]
    while line >= 0:
        state = states[line]
        change += values[state - down].value - values[state].value
        if plane != 0:
            states[line] = state - plane
        entry += 1
        line = beyond[entry]
    return change


@inlined
def restore_ends(board: Board, cell: int) -> None:
    """Undo `change_ends`."""
    if board.plane != 0:
        states, beyond, entry = board.states, board.beyond, board.beyond_starts[cell]
        line = beyond[entry]
        while line >= 0:
            states[line] += board.plane
            entry += 1
            line = beyond[entry]


@inlined
def begin_threats(board: Board, cell: int, empty: int) -> int:
    """Write the row of threats after a stone at `cell`, without new threats; return the change of
    `total`."""
    words, at, bit = board.threat_words, cell >> 6, 1 << (cell & 63)
    after = threats_at(board, empty)
    here = after.offset(3 * words)
    if words > 1:
        for word in range(3 * words):
            after[word] = here[word]
    mine, theirs = here[at], here[words + at]
    after[at], after[words + at], after[2 * words + at] = mine, theirs, here[2 * words + at] | bit
    change = 0
    if (mine | theirs) & bit:
        after[at], after[words + at] = mine & ~bit, theirs & ~bit
        values = board.threat_values.offset(2 * cell)
        change -= (values[0] if mine & bit else 0) + (values[1] if theirs & bit else 0)
    return change


@inlined
def add_threat(board: Board, cell: int, mover: int, empty: int) -> int:
    """Add a threat: a cell that completes a line of `mover`. Return its value, 0 if it is not
    new."""
    threats, at, bit = threats_at(board, empty), cell >> 6, 1 << (cell & 63)
    at += mover * board.threat_words
    if threats[at] & bit:
        return 0
    threats[at] |= bit
    return board.threat_values[2 * cell + mover]


@kernel
def find_threats(board: Board, cell: int, mover: int, empty: int, step: int) -> int:
    """Add the threats that the stone of `mover` at `cell` makes; return their value. After the
    stone the state of a line through the cell is its state on the board plus `step`."""
    states, values, through = board.states, board.values, board.through
    change, entry = 0, board.starts[cell]
    line = through[entry]
    while line >= 0:
        if values[states[line] + step].standing == MINE_MISS_ONE + mover:
            change += add_threat(board, missing_cell(board, line, cell), mover, empty)
        entry += 1
        line = through[entry]
    return change


@inlined
def missing_cell(board: Board, line: int, cell: int) -> int:
    """Return the first empty cell of the line other than `cell`."""
    begin, taken_by = line * (board.stride - 1), board.taken_by
    while board.line_cells[begin] == cell or taken_by[board.line_cells[begin]] != 0:
        begin += 1
    return board.line_cells[begin]

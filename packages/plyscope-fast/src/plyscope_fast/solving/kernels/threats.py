"""The kernel that finds wins by fours: moves that threaten to complete a line on one cell, each
answered there, until one threatens two cells.

`win` returns whether the attacker has such a win if it is to move. It stores the moves in `pv` and
the zone in `zone`: the same moves win if the defender has one more stone outside the zone. They
also win if it has two more, one of them outside `wide`, a larger zone.

The board is represented by counts of the stones of both sides on every line.

If lines must be exact, a line of the attacker with an attacker's stone at an end is no four. The
ends of the defender's lines are ignored, which favours the defender: a win that is found is valid,
but a win may be missed.

Source: Allis, van den Herik & Huntjens 1996 (threat sequences).
"""

from __future__ import annotations

from typing import Annotated, Any

from plyscope_fast.machine.block import Bits, Block, Packed, Words
from plyscope_fast.machine.kernel import clock, inlined, kernel, lowest, shifted

ATTACKER, DEFENDER = 0, 1
NONE = -1
"""No cell."""
HOLE = 3
"""The owner of a hole."""


class Board(Block):
    """The data of a search for fours."""

    # counters
    nodes: int
    # changed by `place` and restored by `lift`
    owners: Words  # [cells]  0 for an empty cell, else one more than the side, or HOLE
    attacks: Words  # [count]  the attacker's stones on a line
    defences: Words  # [count]  and the defender's
    held: Words  # [count]  the attacker's stones at the ends of a line (exactly)
    pairs: Words  # [count // 64 + 1]  bits of lines with only attacker's stones that lack two cells
    # results of `win`
    zone: Words  # [cells]  1 in the zone
    wide: Words  # [cells]  1 in the zone for two more stones of the defender
    pv: Words  # [cells + 2]  moves and replies
    pv_length: int
    # set by `win`
    limit: int  # the value of `nodes` at which the search fails
    # set once
    cells: int
    count: int  # of lines
    lengths: Words  # [count]
    members: Words  # [count, longest]  the cells of a line
    longest: int
    through: Words  # [cells, most_through]  the lines of a cell, ended by NONE
    most_through: int
    exactly: bool
    ending: Words  # [cells, most_ending]  the lines that end at a cell, ended by NONE (exactly)
    most_ending: int
    zobrist: Words  # [side, cells]  the Zobrist word of a stone
    failed: Words  # [2 to the 64 - shift]  keys of positions without a win by fours
    shift: int


class Completion(Packed):
    """The cells that complete a line of one side, at most two of them."""

    count: Annotated[int, Bits(2)]
    first: Annotated[int, Bits(20)]
    second: Annotated[int, Bits(20)]


@inlined
def zobrist_of(board: Board, cell: int, side: int) -> int:
    """Return the Zobrist word of a stone."""
    return board.zobrist[side * board.cells + cell]


@inlined
def _stones_of(board: Board, side: int) -> Words:
    """Return the numbers of a side's stones on each line."""
    return board.attacks if side == ATTACKER else board.defences


@inlined
def _note_pair(board: Board, line: int) -> None:
    """Update the bit of a line in `pairs`."""
    bit = 1 << (line & 63)
    word = board.pairs[line >> 6] & ~bit
    if board.defences[line] == 0 and board.attacks[line] == board.lengths[line] - 2:
        word |= bit
    board.pairs[line >> 6] = word


@inlined
def _count_stone(board: Board, cell: int, side: int, change: int) -> None:
    row, stones = board.through.offset(cell * board.most_through), _stones_of(board, side)
    index = 0
    while row[index] != NONE:
        line = row[index]
        stones[line] += change
        _note_pair(board, line)
        index += 1


@kernel
def _count_held(board: Board, cell: int, change: int) -> None:
    """Add `change` to the attacker's stones at the ends of the lines that end at `cell`."""
    row, index = board.ending.offset(cell * board.most_ending), 0
    while row[index] != NONE:
        board.held[row[index]] += change
        index += 1


@inlined
def _can_complete(board: Board, line: int, side: int) -> bool:
    """Return whether completing a line would count for a side."""
    return not board.exactly or side == DEFENDER or board.held[line] == 0


@kernel
def place(board: Board, cell: int, side: int) -> None:
    """Place a stone on the board."""
    board.owners[cell] = side + 1
    _count_stone(board, cell, side, 1)
    if board.exactly and side == ATTACKER:
        _count_held(board, cell, 1)


@kernel
def lift(board: Board, cell: int, side: int) -> None:
    """Remove a stone from the board."""
    board.owners[cell] = 0
    _count_stone(board, cell, side, -1)
    if board.exactly and side == ATTACKER:
        _count_held(board, cell, -1)


@kernel
def _open_cell(board: Board, line: int, skipped: int) -> int:
    """Return the first open cell of a line after `skipped` others."""
    cells = board.members.offset(line * board.longest)
    for index in range(board.lengths[line]):
        cell = cells[index]
        if board.owners[cell] == 0:
            if skipped == 0:
                return cell
            skipped -= 1
    return NONE


@inlined
def _joined(completion: Completion, cell: int) -> Completion:
    """Return the completion with a cell added, unless it is its first cell."""
    if completion.count == 0:
        return Completion(count=1, first=cell, second=0)
    if cell == completion.first:
        return completion
    return Completion(count=2, first=completion.first, second=cell)


@kernel
def completing(board: Board, cell: int, side: int) -> Completion:
    """Return the cells that complete a line through `cell` for a side."""
    own, other, lengths = _stones_of(board, side), _stones_of(board, 1 - side), board.lengths
    row, completion = board.through.offset(cell * board.most_through), Completion.of(0)
    index = 0
    while row[index] != NONE and completion.count < 2:
        line = row[index]
        lacks_one = other[line] == 0 and own[line] == lengths[line] - 1
        if lacks_one and _can_complete(board, line, side):
            completion = _joined(completion, _open_cell(board, line, 0))
        index += 1
    return completion


@kernel
def completing_any(board: Board, side: int) -> Completion:
    """Return the cells that complete any line for a side."""
    own, other, lengths = _stones_of(board, side), _stones_of(board, 1 - side), board.lengths
    completion = Completion.of(0)
    for line in range(board.count):
        lacks_one = other[line] == 0 and own[line] == lengths[line] - 1
        if lacks_one and _can_complete(board, line, side):
            completion = _joined(completion, _open_cell(board, line, 0))
            if completion.count == 2:
                break
    return completion


@inlined
def _note(board: Board, at: int, cell: int) -> None:
    """Write a move of the win to `pv`, and mark it in the zone."""
    board.pv[at] = cell
    board.zone[cell], board.wide[cell] = 1, 1
    board.pv_length = max(board.pv_length, at + 1)


@kernel
def _mark_counter_fours(board: Board) -> None:
    """Mark the open cells of lines on which the defender would have a four with one more stone, or
    with two more in `wide`."""
    attacks, defences, lengths = board.attacks, board.defences, board.lengths
    owners, zone, wide = board.owners, board.zone, board.wide
    for line in range(board.count):
        lacking = lengths[line] - defences[line]
        if attacks[line] == 0 and lacking <= 3:
            cells = board.members.offset(line * board.longest)
            for index in range(lengths[line]):
                cell = cells[index]
                if owners[cell] == 0:
                    wide[cell] = 1
                    if lacking <= 2:
                        zone[cell] = 1


@inlined
def _next_pair(board: Board, line: int) -> int:
    """Return the first line in `pairs` from `line` on, the number of lines if there is none."""
    word = shifted(board.pairs[line >> 6], line & 63)
    if word != 0:
        return line + lowest(word)
    for index in range((line >> 6) + 1, (board.count + 63) // 64):
        if board.pairs[index] != 0:
            return 64 * index + lowest(board.pairs[index])
    return board.count


@kernel
def _win(board: Board, ply: int, key: int, forced: int) -> bool:
    """Return whether the attacker, who is to move, wins by fours, and store the win.

    The attacker cannot complete a line at once. `forced` is the cell that would complete one for
    the defender, NONE if there is none.
    """
    clock()
    board.nodes += 1
    if board.nodes > board.limit:
        return False
    slot = shifted(key, board.shift)
    if board.failed[slot] == key:
        return False
    line = _next_pair(board, 0)
    while line < board.count:
        for skipped in range(2):
            move = _open_cell(board, line, skipped)
            if forced != NONE and move != forced:
                continue
            place(board, move, ATTACKER)
            four = completing(board, move, ATTACKER)
            if four.count == 0:  # the attacker has a stone at an end
                lift(board, move, ATTACKER)
                continue
            reply = four.first
            is_won = four.count == 2
            if is_won:
                _note(board, ply + 2, four.second)
            else:
                place(board, reply, DEFENDER)
                threat = completing(board, reply, DEFENDER)
                if threat.count < 2:
                    after = key ^ zobrist_of(board, move, ATTACKER)
                    after ^= zobrist_of(board, reply, DEFENDER)
                    next_ = NONE if threat.count == 0 else threat.first
                    is_won = _win(board, ply + 2, after, next_)
                lift(board, reply, DEFENDER)
            lift(board, move, ATTACKER)
            if is_won:
                _note(board, ply, move)
                _note(board, ply + 1, reply)
                _mark_counter_fours(board)
                return True
            if board.nodes > board.limit:
                return False
        line = _next_pair(board, line + 1)
    board.failed[slot] = key
    return False


@kernel
def win(board: Board, key: int, limit: int) -> bool:
    """Return whether a search of `limit` nodes finds a win by fours of the attacker, as if it were
    to move, and store the win."""
    for cell in range(board.cells):
        board.zone[cell], board.wide[cell] = 0, 0
    board.pv_length = 0
    board.limit = board.nodes + limit
    own = completing_any(board, ATTACKER)
    if own.count != 0:
        _note(board, 0, own.first)
        return True
    other = completing_any(board, DEFENDER)
    return other.count < 2 and _win(board, 0, key, NONE if other.count == 0 else other.first)


@kernel
def fill(board: Board) -> int:
    """Count the stones on the lines of the board given by `owners`, and return its key."""
    key = 1
    for line in range(board.count):
        board.held[line] = 0
    for cell in range(board.cells):
        owner = board.owners[cell]
        if owner != 0 and owner != HOLE:
            key ^= zobrist_of(board, cell, owner - 1)
            if board.exactly and owner == ATTACKER + 1:
                _count_held(board, cell, 1)
    attacks, defences = board.attacks, board.defences
    for line in range(board.count):
        cells = board.members.offset(line * board.longest)
        own, other = 0, 0
        for index in range(board.lengths[line]):
            owner = board.owners[cells[index]]
            own += 1 if owner == ATTACKER + 1 else 0
            other += 1 if owner == DEFENDER + 1 else 0
        attacks[line], defences[line] = own, other
        _note_pair(board, line)
    return key


@kernel
def fours(board: Board, limit: int) -> bool:
    """Return whether a search of `limit` nodes finds a win by fours on the board given by
    `owners`."""
    return win(board, fill(board), limit)


ENTRIES: tuple[Any, ...] = (fours,)
"""The kernels called from Python."""

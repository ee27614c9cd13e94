"""The kernel that looks for wins by fours: moves that leave one cell to complete a line, each
answered there, until one leaves two.

`win` tells whether the attacker, were it to move, has such a win. If so it leaves the moves in `pv`
and the zone in `zone`: with one more stone of the defender's outside it the same moves would win.

The board is counted, not drawn: every line knows how many stones either side has on it.

Where lines have to be of exactly their cells, those of the attacker are: a line with an end that it
holds is no four. The defender's count whatever lies beside them, so that it is given more than it
has: what is won then is won, and what is not need not be.

Source: Allis, van den Herik & Huntjens 1996 (threat sequences).
"""

from __future__ import annotations

from typing import Annotated, Any

from plyscope.machine.block import Bits, Block, Packed, Words
from plyscope.machine.kernel import inlined, kernel, lowest, shifted

ATTACKER, DEFENDER = 0, 1
NONE = -1
"""No cell."""
HOLE = 3
"""The owner of a cell that is none."""


class Board(Block):
    """What a search by fours works on."""

    # counters
    nodes: int
    # changed by `place` and restored by `lift`
    owners: Words  # [cells]  0 where a cell is empty, else one more than the side, or HOLE
    attacks: Words  # [count]  the attacker's stones on a line
    defences: Words  # [count]  and the defender's
    held: Words  # [count]  the attacker's stones at the ends of a line (exactly)
    pairs: Words  # [count // 64 + 1]  bits of lines that lack two cells, none defended
    # what `win` found
    zone: Words  # [cells]  1 in the zone
    pv: Words  # [cells + 2]  moves and replies
    pv_length: int
    # set by `win`
    limit: int  # of nodes; at it nothing is found
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
    zobrist: Words  # [side, cells]  what a stone does to the key of a position
    failed: Words  # [2 to the 64 - shift]  keys of positions in which there is no win by fours
    shift: int


class Completion(Packed):
    """The cells that complete a line of one side, two of them at the most."""

    count: Annotated[int, Bits(2)]
    first: Annotated[int, Bits(20)]
    second: Annotated[int, Bits(20)]


@inlined
def zobrist_of(board: Board, cell: int, side: int) -> int:
    """Return what a stone does to the key of a position."""
    return board.zobrist[side * board.cells + cell]


@inlined
def _stones_of(board: Board, side: int) -> Words:
    """Return how many stones a side has, by line."""
    return board.attacks if side == ATTACKER else board.defences


@inlined
def _note_pair(board: Board, line: int) -> None:
    """Keep the bit of a line in `pairs` true."""
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
    """Count a stone of the attacker's at the ends of lines, with `change` −1 no longer."""
    row, index = board.ending.offset(cell * board.most_ending), 0
    while row[index] != NONE:
        board.held[row[index]] += change
        index += 1


@inlined
def _can_complete(board: Board, line: int, side: int) -> bool:
    """Return whether a line that lacks one cell would count for a side."""
    return not board.exactly or side == DEFENDER or board.held[line] == 0


@kernel
def place(board: Board, cell: int, side: int) -> None:
    """Put a stone on the board."""
    board.owners[cell] = side + 1
    _count_stone(board, cell, side, 1)
    if board.exactly and side == ATTACKER:
        _count_held(board, cell, 1)


@kernel
def lift(board: Board, cell: int, side: int) -> None:
    """Take it off again."""
    board.owners[cell] = 0
    _count_stone(board, cell, side, -1)
    if board.exactly and side == ATTACKER:
        _count_held(board, cell, -1)


@kernel
def _open_cell(board: Board, line: int, skipped: int) -> int:
    """Return the first open cell of a line, or the second where one is to be `skipped`."""
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
    """Return the completion with one more cell, or the same one again."""
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
    """Write a move of the win down, and mark it."""
    board.pv[at] = cell
    board.zone[cell] = 1
    board.pv_length = max(board.pv_length, at + 1)


@kernel
def _mark_counter_fours(board: Board) -> None:
    """Mark the open cells of the lines on which the defender, with one stone more, has a four."""
    attacks, defences, lengths = board.attacks, board.defences, board.lengths
    owners, zone = board.owners, board.zone
    for line in range(board.count):
        if attacks[line] == 0 and lengths[line] - defences[line] <= 2:
            cells = board.members.offset(line * board.longest)
            for index in range(lengths[line]):
                cell = cells[index]
                if owners[cell] == 0:
                    zone[cell] = 1


@inlined
def _next_pair(board: Board, line: int) -> int:
    """Return the first line in `pairs` from one on, the number of lines where there is none."""
    word = shifted(board.pairs[line >> 6], line & 63)
    if word != 0:
        return line + lowest(word)
    for index in range((line >> 6) + 1, (board.count + 63) // 64):
        if board.pairs[index] != 0:
            return 64 * index + lowest(board.pairs[index])
    return board.count


@kernel
def _win(board: Board, ply: int, key: int, forced: int) -> bool:
    """Return whether the attacker, who is to move, wins by fours; if so the win is written down.

    It completes no line at once; `forced` is the cell that would complete one for the defender,
    NONE where there is none.
    """
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
            if four.count == 0:  # one of the ends is held
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
    """Return whether the attacker, were it to move, would win by fours, found within `limit` nodes;
    the win is written down."""
    zone = board.zone
    for cell in range(board.cells):
        zone[cell] = 0
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
    """Count the stones on the lines of the board whose `owners` are given, and return its key."""
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
    """Return whether there is a win by fours on the board whose `owners` are given, found within
    `limit` nodes."""
    return win(board, fill(board), limit)


ENTRIES: tuple[Any, ...] = (fours,)
"""The kernels that are called from Python."""

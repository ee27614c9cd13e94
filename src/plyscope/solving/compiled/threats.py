"""The kernel that looks for wins by fours: moves that leave one cell to complete a line, each
answered there, until one leaves two.

The board is counted, not drawn: for every line the attacker's and the defender's stones on it. What
is found is marked cell by cell: the zone, outside which one more stone of the defender's would
change nothing.
"""

from __future__ import annotations

from plyscope.machine.kernel import get, kernel, lowest, put, shifted

__all__ = ["BLOCK", "ENTRIES", "completing", "fill", "fours", "lift", "open_cell", "place", "win"]

(
    NODES,
    LIMIT,  # of nodes; at it nothing is found
    CELLS,
    COUNT,  # of lines
    LENGTHS,  # the addresses, by line: its cells' number,
    MEMBERS,  # its cells, ROW words a line,
    ATTACKS,  # the attacker's stones on it
    DEFENCES,  # and the defender's
    ROW,
    THROUGH,  # by cell, THROUGH_ROW words each: its lines, ended by −1
    THROUGH_ROW,
    OWNERS,  # by cell: 0 empty, 1 the attacker's, 2 the defender's
    WORDS,  # by cell: the random words of both sides
    FAILED,  # a table of keys of positions in which there is no win by fours
    SHIFT,
    ZONE,  # by cell: 1 in the zone of the win
    LINE,  # the moves and replies of the win
    LENGTH,
    # a bit for each line that lacks two cells and holds no stone of the defender's: on it a four
    # can be made
    PAIRS,
    BLOCK,
) = range(20)
NONE = -1


@kernel
def note_pair(base: int, line: int) -> None:
    """Keep the bit of a line among PAIRS true."""
    at, bit = get(base, PAIRS), 1 << (line & 63)
    word = get(at, line >> 6) & ~bit
    if (
        get(get(base, DEFENCES), line) == 0
        and get(get(base, ATTACKS), line) == get(get(base, LENGTHS), line) - 2
    ):
        word |= bit
    put(at, line >> 6, word)


@kernel
def place(base: int, cell: int, side: int) -> None:
    """Put a stone on the board: 1 the attacker's, 2 the defender's."""
    put(get(base, OWNERS), cell, side)
    counts = get(base, ATTACKS) if side == 1 else get(base, DEFENCES)
    row = get(base, THROUGH) + 8 * cell * get(base, THROUGH_ROW)
    index = 0
    line = get(row, 0)
    while line >= 0:
        put(counts, line, get(counts, line) + 1)
        note_pair(base, line)
        index += 1
        line = get(row, index)


@kernel
def lift(base: int, cell: int, side: int) -> None:
    """Take it off again."""
    put(get(base, OWNERS), cell, 0)
    counts = get(base, ATTACKS) if side == 1 else get(base, DEFENCES)
    row = get(base, THROUGH) + 8 * cell * get(base, THROUGH_ROW)
    index = 0
    line = get(row, 0)
    while line >= 0:
        put(counts, line, get(counts, line) - 1)
        note_pair(base, line)
        index += 1
        line = get(row, index)


@kernel
def open_cell(base: int, line: int, skipped: int) -> int:
    """Return the first open cell of a line, or the second where the first is to be `skipped`."""
    cells = get(base, MEMBERS) + 8 * line * get(base, ROW)
    owners = get(base, OWNERS)
    left = skipped
    for index in range(get(get(base, LENGTHS), line)):
        cell = get(cells, index)
        if get(owners, cell) == 0:
            if left == 0:
                return cell
            left -= 1
    return NONE


@kernel
def completing(base: int, cell: int, own: int, other: int) -> int:
    """Return how many cells complete a line through `cell`, or any line where that is −1, for the
    side whose counts are at `own`: 0, 1, or 2 for more; and, shifted by 2 and 22 bits, two of
    them."""
    lengths = get(base, LENGTHS)
    row = get(base, THROUGH) + 8 * cell * get(base, THROUGH_ROW)
    first, index = NONE, 0
    line = 0 if cell < 0 else get(row, 0)
    while line >= 0:
        if get(other, line) == 0 and get(own, line) == get(lengths, line) - 1:
            found = open_cell(base, line, 0)
            if first == NONE:
                first = found
            elif found != first:
                return 2 | first << 2 | found << 22
        index += 1
        line = get(row, index) if cell >= 0 else index if index < get(base, COUNT) else NONE
    return 0 if first == NONE else 1 | first << 2


@kernel
def _mark_near(base: int) -> None:
    """Mark the open cells of the lines on which the defender, with one stone more, would have a
    four."""
    lengths, attacks, defences, zone = (
        get(base, LENGTHS),
        get(base, ATTACKS),
        get(base, DEFENCES),
        get(base, ZONE),
    )
    owners = get(base, OWNERS)
    for line in range(get(base, COUNT)):
        size = get(lengths, line)
        if get(attacks, line) == 0 and size - get(defences, line) <= 2:
            cells = get(base, MEMBERS) + 8 * line * get(base, ROW)
            for index in range(size):
                cell = get(cells, index)
                if get(owners, cell) == 0:
                    put(zone, cell, 1)


@kernel
def _note(base: int, at: int, cell: int) -> None:
    """Write a move of the win down, and mark it."""
    put(get(base, LINE), at, cell)
    put(get(base, ZONE), cell, 1)
    if at >= get(base, LENGTH):
        put(base, LENGTH, at + 1)


@kernel
def _win(base: int, ply: int, key: int, must: int) -> bool:
    """Return whether the attacker, who is to move, wins by fours; if so the line and the zone are
    written down. It completes no line at once; `must` is the cell that would complete one for the
    defender, −1 where there is none."""
    nodes = get(base, NODES) + 1
    put(base, NODES, nodes)
    if nodes > get(base, LIMIT):
        return False
    attacks, defences = get(base, ATTACKS), get(base, DEFENCES)
    failed = get(base, FAILED)
    slot = shifted(key, get(base, SHIFT))
    if get(failed, slot) == key:
        return False
    words, cells = get(base, WORDS), get(base, CELLS)
    for number in range((get(base, COUNT) + 63) // 64):
        pairs = get(get(base, PAIRS), number)
        while pairs != 0:
            line = 64 * number + lowest(pairs)
            pairs &= pairs - 1
            for which in range(2):
                move = open_cell(base, line, which)
                if must != NONE and move != must:
                    continue
                place(base, move, 1)
                made = completing(base, move, attacks, defences)
                reply = made >> 2 & 0xFFFFF
                is_won = made & 3 == 2
                if is_won:
                    _note(base, ply, move)
                    _note(base, ply + 1, reply)
                    _note(base, ply + 2, made >> 22)
                else:
                    place(base, reply, 2)
                    threat = completing(base, reply, defences, attacks)
                    if threat & 3 != 2:
                        after = key ^ get(words, move) ^ get(words, cells + reply)
                        is_won = _win(base, ply + 2, after, NONE if threat == 0 else threat >> 2)
                    lift(base, reply, 2)
                    if is_won:
                        _note(base, ply, move)
                        _note(base, ply + 1, reply)
                lift(base, move, 1)
                if is_won:
                    _mark_near(base)
                    return True
                if get(base, NODES) > get(base, LIMIT):
                    return False
    put(failed, slot, key)
    return False


@kernel
def win(base: int, key: int, limit: int) -> bool:
    """Return whether the attacker, were it to move, would win by fours, found within so many nodes;
    the line and the zone are written down."""
    attacks, defences, zone = get(base, ATTACKS), get(base, DEFENCES), get(base, ZONE)
    for cell in range(get(base, CELLS)):
        put(zone, cell, 0)
    put(base, LENGTH, 0)
    put(base, LIMIT, get(base, NODES) + limit)
    made = completing(base, NONE, attacks, defences)
    if made != 0:
        _note(base, 0, made >> 2 & 0xFFFFF)
        return True
    must = completing(base, NONE, defences, attacks)
    return must & 3 != 2 and _win(base, 0, key, NONE if must == 0 else must >> 2)


@kernel
def fill(base: int) -> int:
    """Count the stones on the lines of the board whose OWNERS are given, and return its hash."""
    lengths, attacks, defences = get(base, LENGTHS), get(base, ATTACKS), get(base, DEFENCES)
    owners, words, cells = get(base, OWNERS), get(base, WORDS), get(base, CELLS)
    key = 1
    for cell in range(cells):
        owner = get(owners, cell)
        if owner != 0:
            key ^= get(words, cell if owner == 1 else cells + cell)
    for line in range(get(base, COUNT)):
        members = get(base, MEMBERS) + 8 * line * get(base, ROW)
        own, theirs = 0, 0
        for index in range(get(lengths, line)):
            owner = get(owners, get(members, index))
            own += 1 if owner == 1 else 0
            theirs += 1 if owner == 2 else 0
        put(attacks, line, own)
        put(defences, line, theirs)
        note_pair(base, line)
    return key


@kernel
def fours(base: int, limit: int) -> bool:
    """Return whether there is a win by fours on the board whose OWNERS are given, found within so
    many nodes."""
    return win(base, fill(base), limit)


ENTRIES = (fours,)

"""The kernel that proves wins: depth-first proof-number search, in which a win by fours is a leaf.

`prove` asks whether the attacker can bring a line about, whatever the defender does. At a node of
the attacker's that is not won by fours it tries its moves. At one of the defender's, the fours that
the attacker would win by if nothing was done come with their zone: all other replies have lost, and
so have those after which there are fours again. Where there are no such fours every cell is a
reply.

Numbers belong to the side to move: `own` counts what has to be shown for it to succeed, `other` for
the other side. The latter is the greatest among the children and one for each of the others, as
positions are reached on many ways (weak proof-number search: Ueda, Hashimoto, Hashimoto & Iida
2008). A child is searched until it is worse than the next one by a quarter (Pawlewicz & Lew 2007).
The attacker's moves are tried in the order of the lines through them: an untried one counts RISE
more than the one before it, so that the second is tried when the first has turned out that much
harder.
"""

from __future__ import annotations

from plyscope.machine.block import signed
from plyscope.machine.kernel import get, inlined, kernel, put, shifted
from plyscope.randomness import GOLDEN, MIX_FIRST
from plyscope.solving.compiled import threats
from plyscope.solving.compiled.threats import (
    ATTACKS,
    CELLS,
    COUNT,
    DEFENCES,
    LENGTHS,
    OWNERS,
    THROUGH,
    THROUGH_ROW,
    WORDS,
    ZONE,
)

__all__ = ["BLOCK", "ENTRIES", "prove"]

(
    STOP,  # not 0: stop
    EXPANDED,  # nodes
    MOST,  # of them; at it the search stops
    FOURS,  # nodes of one search by fours
    TABLE,
    SHIFT,
    MOVES,  # by ply, the moves that are tried and then the keys they lead to, CELLS words each
    IMAGES,  # by side, cell and symmetry, the random word of the cell's image
    SYMMETRIES,
    HASHES,  # by ply, the position's hash under each symmetry
    ALIKE,  # positions of so many stones share an entry with those that are alike
    BEST,  # the move that proves it
    BLOCK,
) = range(threats.BLOCK, threats.BLOCK + 13)
BITS = 26
MANY = (1 << BITS) - 1
SLOTS = 4
"""Entries of a bucket. An entry is two words: the key; and one more than the logarithm of the
nodes, over both numbers."""
RISE = 4
OF_DEFENDER, FACTOR = signed(MIX_FIRST), signed(GOLDEN)
ZONED = 1 << 20
EVEN_BITS = 40
EVEN = 1 << EVEN_BITS
NONE = -1


@kernel
def known(base: int, key: int) -> int:
    """Return what the table tells of a position: both numbers and the logarithm of the nodes, 0
    where nothing is known."""
    at = shifted(key * FACTOR, get(base, SHIFT)) * (2 * SLOTS)
    table = get(base, TABLE)
    for slot in range(SLOTS):
        if get(table, at + 2 * slot) == key:
            return get(table, at + 2 * slot + 1)
    return 0


@kernel
def keep(base: int, key: int, own: int, other: int, nodes: int) -> None:
    """Write what is known of a position over what it knew or, where it knew nothing, over what took
    least work."""
    work = 1
    while nodes > 1:
        nodes >>= 1
        work += 1
    at = shifted(key * FACTOR, get(base, SHIFT)) * (2 * SLOTS)
    table = get(base, TABLE)
    least, chosen = 64, 0
    for slot in range(SLOTS):
        if get(table, at + 2 * slot) == key:
            chosen = slot
            break
        done = get(table, at + 2 * slot + 1) >> 2 * BITS
        if done < least:
            least, chosen = done, slot
    put(table, at + 2 * chosen, key)
    put(table, at + 2 * chosen + 1, work << 2 * BITS | own << BITS | other)


@inlined
def key_of(hashed: int, is_defence: bool) -> int:
    """Return the key of the table for a position's hash."""
    return hashed ^ (OF_DEFENDER if is_defence else 0)


@kernel
def hash_after(base: int, ply: int, key: int, cell: int, side: int, stones: int) -> int:
    """Return the hash of the position after a move to `cell`, by which there are so many stones:
    the least of those that are alike."""
    if stones > get(base, ALIKE):
        return key ^ get(get(base, WORDS), cell if side == 1 else get(base, CELLS) + cell)
    count = get(base, SYMMETRIES)
    here = get(base, HASHES) + 8 * ply * count
    words = get(base, IMAGES) + 8 * count * (cell if side == 1 else get(base, CELLS) + cell)
    least = get(here, 0) ^ get(words, 0)
    for number in range(1, count):
        least = min(least, get(here, number) ^ get(words, number))
    return least


@kernel
def follow(base: int, ply: int, cell: int, side: int, stones: int) -> None:
    """Write the hashes of the position after a move."""
    if stones > get(base, ALIKE):
        return
    count = get(base, SYMMETRIES)
    here = get(base, HASHES) + 8 * ply * count
    words = get(base, IMAGES) + 8 * count * (cell if side == 1 else get(base, CELLS) + cell)
    for number in range(count):
        put(here, count + number, get(here, number) ^ get(words, number))


@kernel
def weight(base: int, cell: int) -> int:
    """Return the weight of the lines through `cell` that are open to one side: to the attacker, 8
    and twice as much for each stone on it; to the defender alone, half of that."""
    attacks, defences = get(base, ATTACKS), get(base, DEFENCES)
    row = get(base, THROUGH) + 8 * cell * get(base, THROUGH_ROW)
    found, index = 0, 0
    line = get(row, 0)
    while line >= 0:
        own, theirs = get(attacks, line), get(defences, line)
        if theirs == 0:
            found += 8 << own
        elif own == 0:
            found += 4 << theirs
        index += 1
        line = get(row, index)
    return found


@kernel
def list_moves(base: int, ply: int, in_zone: bool) -> int:
    """Write the open cells, or those in the zone alone, those on the heaviest lines first, and
    return their number. Cells on lines that are open to nobody are all alike, and one is written
    for them."""
    cells, owners, zone = get(base, CELLS), get(base, OWNERS), get(base, ZONE)
    moves = get(base, MOVES) + 16 * ply * cells
    keys = moves + 8 * cells
    count, is_idle = 0, False
    for cell in range(cells):
        if get(owners, cell) != 0 or (in_zone and get(zone, cell) == 0):
            continue
        heavy = weight(base, cell)
        if heavy == 0:
            if is_idle:
                continue
            is_idle = True
        index = count
        while index > 0 and get(keys, index - 1) < heavy:
            put(moves, index, get(moves, index - 1))
            put(keys, index, get(keys, index - 1))
            index -= 1
        put(moves, index, cell)
        put(keys, index, heavy)
        count += 1
    return count


@kernel
def chances(base: int) -> int:
    """Return the weight of the lines that are open to the attacker: 1 halved for each cell that it
    has not, times EVEN."""
    lengths, attacks, defences = get(base, LENGTHS), get(base, ATTACKS), get(base, DEFENCES)
    found = 0
    for line in range(get(base, COUNT)):
        if get(defences, line) == 0:
            found += EVEN >> min(get(lengths, line) - get(attacks, line), EVEN_BITS)
    return found


@kernel
def relief(base: int) -> int:
    """Return the greatest weight, as of `chances`, that one stone of the defender's takes away."""
    lengths, attacks, defences, owners = (
        get(base, LENGTHS),
        get(base, ATTACKS),
        get(base, DEFENCES),
        get(base, OWNERS),
    )
    greatest = 0
    for cell in range(get(base, CELLS)):
        if get(owners, cell) != 0:
            continue
        row = get(base, THROUGH) + 8 * cell * get(base, THROUGH_ROW)
        found, index = 0, 0
        line = get(row, 0)
        while line >= 0:
            if get(defences, line) == 0:
                found += EVEN >> min(get(lengths, line) - get(attacks, line), EVEN_BITS)
            index += 1
            line = get(row, index)
        greatest = max(greatest, found)
    return greatest


@kernel
def tries(base: int, ply: int, key: int, is_defence: bool) -> int:
    """Write the moves of a node and return their number: 0 where the side to move cannot succeed,
    −1 where it has; less ZONED where they are the zone of a win by fours.

    The defender holds where the attacker's lines weigh less than even, or than half of that with
    the attacker to move (Erdős & Selfridge 1973)."""
    attacks, defences, limit = get(base, ATTACKS), get(base, DEFENCES), get(base, FOURS)
    own, other = (defences, attacks) if is_defence else (attacks, defences)
    if is_defence:
        if threats.completing(base, -1, own, other) != 0:
            return -1
    elif threats.win(base, key, limit):
        return -1
    must = threats.completing(base, -1, other, own)
    if must & 3 == 2:
        return 0
    heavy = chances(base)
    if 2 * heavy < EVEN or (is_defence and (heavy < EVEN or 2 * (heavy - relief(base)) < EVEN)):
        return -1 if is_defence else 0
    if must != 0:
        put(get(base, MOVES) + 16 * ply * get(base, CELLS), 0, must >> 2)
        return 1
    if is_defence and threats.win(base, key, limit):
        return list_moves(base, ply, True) - ZONED
    count = list_moves(base, ply, False)
    return -1 if is_defence and count == 0 else count


@kernel
def note_keys(base: int, ply: int, key: int, count: int, is_defence: bool, stones: int) -> int:
    """Write the keys of the children beside the moves, of those that are alike only one, and return
    how many there are."""
    cells = get(base, CELLS)
    moves = get(base, MOVES) + 16 * ply * cells
    keys = moves + 8 * cells
    kept = 0
    for index in range(count):
        cell = get(moves, index)
        found = key_of(
            hash_after(base, ply, key, cell, 2 if is_defence else 1, stones + 1), not is_defence
        )
        is_new = True
        if stones < get(base, ALIKE):
            for other in range(kept):
                if get(keys, other) == found:
                    is_new = False
        if is_new:
            put(moves, kept, cell)
            put(keys, kept, found)
            kept += 1
    return kept


@kernel
def drop(base: int, ply: int, key: int, count: int) -> None:
    """Keep of each reply of the defender's after which fours win that it has lost."""
    cells = get(base, CELLS)
    moves = get(base, MOVES) + 16 * ply * cells
    keys, words = moves + 8 * cells, get(base, WORDS) + 8 * cells
    for index in range(count):
        if known(base, get(keys, index)) == 0 and get(base, STOP) == 0:
            cell = get(moves, index)
            threats.place(base, cell, 2)
            if threats.win(base, key ^ get(words, cell), get(base, FOURS)):
                keep(base, get(keys, index), 0, MANY, 1)
            threats.lift(base, cell, 2)


@kernel
def expand(
    base: int,
    ply: int,
    key: int,
    known_as: int,
    stones: int,
    is_defence: bool,
    most_own: int,
    most_other: int,
) -> None:
    """Search a node until one of its numbers reaches its limit, and keep them under `known_as`."""
    expanded = get(base, EXPANDED) + 1
    put(base, EXPANDED, expanded)
    if expanded > get(base, MOST):
        put(base, STOP, 1)
    if get(base, STOP) != 0:
        return
    count = tries(base, ply, key, is_defence)
    if count == 0 or count == -1:
        keep(base, known_as, 0 if count < 0 else MANY, MANY if count < 0 else 0, 1)
        if ply == 0 and count < 0 and not is_defence:
            put(base, BEST, get(get(base, threats.LINE), 0))
        return
    if count < 0:
        count = note_keys(base, ply, key, count + ZONED, is_defence, stones)
        drop(base, ply, key, count)
    else:
        count = note_keys(base, ply, key, count, is_defence, stones)
    cells, side = get(base, CELLS), 2 if is_defence else 1
    moves = get(base, MOVES) + 16 * ply * cells
    keys = moves + 8 * cells
    while True:
        own, next_, at, greatest, left = MANY + 1, MANY, 0, 0, 0
        for index in range(count):
            data = known(base, get(keys, index))
            if data == 0:
                theirs, ours = 1, 1 if is_defence else 1 + RISE * index
            else:
                theirs, ours = data >> BITS & MANY, data & MANY
            if theirs != 0:
                greatest = max(greatest, theirs)
                left += 1
            if ours < own:
                next_ = min(next_, own)
                own, at = ours, index
            else:
                next_ = min(next_, ours)
        other = 0 if left == 0 else MANY if own == 0 else min(MANY - 1, greatest + left - 1)
        if left == 0:
            own = MANY
        if own == 0 or left == 0 or own >= most_own or other >= most_other:
            keep(base, known_as, own, other, get(base, EXPANDED) - expanded + 1)
            if ply == 0 and own == 0:
                put(base, BEST, get(moves, at))
            return
        cell = get(moves, at)
        threats.place(base, cell, side)
        follow(base, ply, cell, side, stones + 1)
        after = key ^ get(get(base, WORDS), cell if side == 1 else cells + cell)
        expand(
            base,
            ply + 1,
            after,
            get(keys, at),
            stones + 1,
            not is_defence,
            most_other - left + 1,
            min(most_own, next_ + next_ // 4 + 1),
        )
        threats.lift(base, cell, side)
        if get(base, STOP) != 0:
            return


@kernel
def prove(base: int, is_defence: bool, most: int) -> int:
    """Search the board whose OWNERS are given, with so many nodes at the most; return what is known
    then as `known` does."""
    key = threats.fill(base)
    cells, count, owners = get(base, CELLS), get(base, SYMMETRIES), get(base, OWNERS)
    hashes = get(base, HASHES)
    for number in range(count):
        put(hashes, number, 1)
    stones = 0
    for cell in range(cells):
        owner = get(owners, cell)
        if owner != 0:
            stones += 1
            words = get(base, IMAGES) + 8 * count * (cell if owner == 1 else cells + cell)
            for number in range(count):
                put(hashes, number, get(hashes, number) ^ get(words, number))
    least = key
    if stones <= get(base, ALIKE):
        least = get(hashes, 0)
        for number in range(1, count):
            least = min(least, get(hashes, number))
    put(base, BEST, NONE)
    put(base, MOST, get(base, EXPANDED) + most)
    known_as = key_of(least, is_defence)
    expand(base, 0, key, known_as, stones, is_defence, MANY, MANY)
    return known(base, known_as)


ENTRIES = (prove,)

"""The kernel that proves wins: depth-first proof-number search whose leaves are wins by fours.

`prove` searches for a proof that the attacker completes a line against every defence. A node has
two numbers in the view of the side to move: `own` estimates the work to show that the side to move
succeeds, `other` that its opponent does. The pair (0, INFINITE) means success, (INFINITE, 0) means
failure. A node is searched until one of its numbers reaches its limit:

    own(node)   = minimum of other(child)
    other(node) = maximum of own(child), plus one for each other child that has not failed

The maximum replaces the sum since positions are reached by many paths (weak proof-number search:
Ueda, Hashimoto, Hashimoto & Iida 2008). A child is searched until it is worse than the next one by
a quarter (1 + epsilon: Pawlewicz & Lew 2007).

If the attacker has no win by fours, it tries all moves, those on the heaviest lines first. The
number of an untried move is MOVE_INCREASE more than that of the move before it, so that the second
move is tried when the first has become that much harder. The defender replies only in the zone of
the fours by which the attacker threatens to win: all other replies lose, and so do those after
which the attacker has fours again. Without such a threat every cell is a reply.
"""

from __future__ import annotations

from typing import Annotated, Any

from plyscope.randomness import GOLDEN, MIX_FIRST
from plyscope_fast.machine.block import Bits, Block, Packed, Rows, Words, signed
from plyscope_fast.machine.kernel import clock, highest, inlined, kernel, shifted
from plyscope_fast.solving.kernels import threats
from plyscope_fast.solving.kernels.threats import ATTACKER, DEFENDER, NONE, zobrist_of

INFINITE = (1 << 26) - 1
"""The number that means infinity."""
BUCKET_ENTRIES = 4
"""The entries of a bucket."""
MOVE_INCREASE = 4
"""The increase of `other` from one untried move of the attacker to the next."""
DEFENDER_TO_MOVE, FACTOR = signed(MIX_FIRST), signed(GOLDEN)
"""The exclusive or that marks keys with the defender to move, and the factor that spreads keys."""
THREES_NODES = 100
"""The node limit of a search by threes."""
THREES = 0x3C3C3C3C0F0F0F0F
"""The exclusive or that marks keys of that search."""
POTENTIAL_BITS = 40
LINE_POTENTIAL = 1 << POTENTIAL_BITS
"""The potential of a complete line, and the bound below which the defender holds (see `_holds`)."""
OPEN, SUCCEEDS, FAILS = 0, 1, 2
"""The state of a node for the side to move."""


class Numbers(Packed):
    """The numbers of a node; the word 0 if it has no entry."""

    other: Annotated[int, Bits(26)]
    own: Annotated[int, Bits(26)]
    work: Annotated[int, Bits(12)]
    """One more than the logarithm of the nodes."""


class Entry(Block):
    """An entry of the table."""

    key: int
    numbers: Numbers


class Tree(threats.Board):
    """The data of `prove`."""

    # counters
    expanded: int  # nodes
    # overwritten at each node
    moves: Words  # [plies, cells]
    keys: Words  # [plies, cells]  the table keys of the positions after the moves
    weights: Words  # [cells]  the sort keys of moves
    hashes: Words  # [plies, symmetries]  the position's hash under each symmetry
    # set by `prove`
    best: int  # the move that succeeds, NONE if there is none
    most: int  # the value of `expanded` at which the search stops
    spent: int  # not 0: it has been reached
    stop: int  # not 0: stop
    # set once
    table: Rows[Entry]  # [buckets, BUCKET_ENTRIES]
    table_shift: int  # 64 less the bits of a bucket's number
    symmetries: int
    images: Words  # [side, cells, symmetries]  the Zobrist word of a stone on the image
    alike: int  # the number of stones up to which symmetric positions share an entry
    fours: int  # the node limit of one search for fours
    is_large: bool  # whether quiet positions are searched by threes first
    zones: Words  # [2 to the 64 - zone_shift, 1 + zone_words]  keys and zones of wins by threes
    zone_shift: int
    zone_words: int


# The table


@kernel
def probe(tree: Tree, key: int) -> Numbers:
    """Return the numbers of a position in the table, the word 0 if there are none."""
    bucket = shifted(key * FACTOR, tree.table_shift) * BUCKET_ENTRIES
    for slot in range(BUCKET_ENTRIES):
        entry = tree.table[bucket + slot]
        if entry.key == key:
            return entry.numbers
    return Numbers.of(0)


@kernel
def store(tree: Tree, key: int, own: int, other: int, nodes: int) -> None:
    """Write the numbers of a position, replacing its own entry, else the cheapest of the bucket."""
    bucket = shifted(key * FACTOR, tree.table_shift) * BUCKET_ENTRIES
    least, chosen = 64, 0
    for slot in range(BUCKET_ENTRIES):
        entry = tree.table[bucket + slot]
        if entry.key == key:
            chosen = slot
            break
        if entry.numbers.work < least:
            least, chosen = entry.numbers.work, slot
    entry = tree.table[bucket + chosen]
    entry.key = key
    entry.numbers = Numbers(other=other, own=own, work=highest(nodes | 1) + 1)


@inlined
def _stored_as(hashed: int, side: int) -> int:
    """Return the table key for a position's hash and the side to move."""
    return hashed ^ (DEFENDER_TO_MOVE if side == DEFENDER else 0)


@inlined
def _images(tree: Tree, cell: int, side: int) -> Words:
    """Return the Zobrist words of a stone under each symmetry."""
    return tree.images.offset(tree.symmetries * (side * tree.cells + cell))


@kernel
def _hash_after(tree: Tree, ply: int, key: int, cell: int, side: int, stones: int) -> int:
    """Return the hash of the position after a move, with `stones` stones: the least among symmetric
    positions."""
    if stones > tree.alike:
        return key ^ zobrist_of(tree, cell, side)
    here, images = tree.hashes.offset(ply * tree.symmetries), _images(tree, cell, side)
    least = here[0] ^ images[0]
    for number in range(1, tree.symmetries):
        least = min(least, here[number] ^ images[number])
    return least


@kernel
def update_hashes(tree: Tree, ply: int, cell: int, side: int, stones: int) -> None:
    """Write the hashes of the position after a move, with `stones` stones, at the next ply."""
    if stones <= tree.alike:
        here, images = tree.hashes.offset(ply * tree.symmetries), _images(tree, cell, side)
        for number in range(tree.symmetries):
            here[tree.symmetries + number] = here[number] ^ images[number]


# Zones of wins by threes


@kernel
def _zone_of(tree: Tree, key: int) -> Words:
    """Return the entry for the zone of a position."""
    return tree.zones.offset(shifted(key * FACTOR, tree.zone_shift) * (1 + tree.zone_words))


@kernel
def _start_zone(tree: Tree, key: int) -> Words:
    """Replace the entry for the zone of a position by an empty zone, and return it."""
    entry = _zone_of(tree, key)
    entry[0] = key
    for word in range(tree.zone_words):
        entry[1 + word] = 0
    return entry


@inlined
def _add_cell(entry: Words, cell: int) -> None:
    """Add a cell to a zone."""
    entry[1 + (cell >> 6)] |= 1 << (cell & 63)


@kernel
def _add_marked(tree: Tree, entry: Words, marks: Words) -> None:
    """Add the cells that are marked to a zone."""
    for cell in range(tree.cells):
        if marks[cell] != 0:
            _add_cell(entry, cell)


@kernel
def _add_lines(tree: Tree, entry: Words, lacking: int) -> None:
    """Add to a zone the open cells of lines that the defender would complete with at most
    `lacking` stones."""
    attacks, defences, lengths = tree.attacks, tree.defences, tree.lengths
    for line in range(tree.count):
        if attacks[line] == 0 and lengths[line] - defences[line] <= lacking:
            cells = tree.members.offset(line * tree.longest)
            for index in range(lengths[line]):
                if tree.owners[cells[index]] == 0:
                    _add_cell(entry, cells[index])


@kernel
def _add_child(tree: Tree, entry: Words, ply: int, index: int) -> None:
    """Add to a zone a move, and the zone of the position after it: all cells if that is lost."""
    _add_cell(entry, tree.moves[ply * tree.cells + index])
    key = tree.keys[ply * tree.cells + index]
    child = _zone_of(tree, key)
    for word in range(tree.zone_words):
        entry[1 + word] |= child[1 + word] if child[0] == key else -1


@kernel
def _store_zone_of_leaf(tree: Tree, stored_as: int, side: int) -> None:
    """Store the zone of a win by the fours that were found last, or where the attacker completes a
    line on one of two cells."""
    entry = _start_zone(tree, stored_as)
    if side == ATTACKER:
        _add_marked(tree, entry, tree.zone)
    else:
        completion = threats.completing_any(tree, ATTACKER)
        _add_cell(entry, completion.first)
        _add_cell(entry, completion.second)
        _add_lines(tree, entry, 2)


@kernel
def _store_zone_of_move(tree: Tree, ply: int, stored_as: int, index: int) -> None:
    """Store the zone of a win by a move."""
    entry = _start_zone(tree, stored_as)
    _add_lines(tree, entry, 2)
    _add_child(tree, entry, ply, index)


@kernel
def _store_zone_of_replies(
    tree: Tree, ply: int, key: int, stored_as: int, count: int, is_three: bool
) -> None:
    """Store the zone of a win against all replies to a four or to a three."""
    entry = _start_zone(tree, stored_as)
    if is_three:
        if threats.win(tree, key, tree.fours):
            _add_marked(tree, entry, tree.wide)
            _add_lines(tree, entry, 3)
        else:  # the node limit was reached, because `failed` has lost positions since then
            for word in range(tree.zone_words):
                entry[1 + word] = -1
    else:
        _add_lines(tree, entry, 2)
    for index in range(count):
        _add_child(tree, entry, ply, index)


@kernel
def _load_zone(tree: Tree, key: int) -> bool:
    """Write the zone of a position to `zone`; return False if it is lost."""
    entry = _zone_of(tree, key)
    for cell in range(tree.cells):
        tree.zone[cell] = entry[1 + (cell >> 6)] >> (cell & 63) & 1
    return entry[0] == key


# Weights


@kernel
def _weight(tree: Tree, cell: int) -> int:
    """Return the weight of the lines through `cell` without stones of both sides.

    A line open to the attacker weighs 8, doubled for each stone on it; a line open only to the
    defender weighs half of that.
    """
    row = tree.through.offset(cell * tree.most_through)
    attacks, defences = tree.attacks, tree.defences
    weight, index = 0, 0
    while row[index] != NONE:
        own, other = attacks[row[index]], defences[row[index]]
        if other == 0:
            weight += 8 << own
        elif own == 0:
            weight += 4 << other
        index += 1
    return weight


@kernel
def _potential(tree: Tree) -> int:
    """Return the potential of all lines without a stone of the defender: LINE_POTENTIAL for each,
    halved for every cell that the attacker lacks."""
    attacks, defences, lengths = tree.attacks, tree.defences, tree.lengths
    potential = 0
    for line in range(tree.count):
        if defences[line] == 0:
            potential += LINE_POTENTIAL >> min(lengths[line] - attacks[line], POTENTIAL_BITS)
    return potential


@kernel
def _most_relief(tree: Tree) -> int:
    """Return the greatest potential that one stone of the defender removes."""
    attacks, defences, lengths = tree.attacks, tree.defences, tree.lengths
    greatest = 0
    for cell in range(tree.cells):
        if tree.owners[cell] == 0:
            row, relief, index = tree.through.offset(cell * tree.most_through), 0, 0
            while row[index] != NONE:
                line = row[index]
                if defences[line] == 0:
                    relief += LINE_POTENTIAL >> min(lengths[line] - attacks[line], POTENTIAL_BITS)
                index += 1
            greatest = max(greatest, relief)
    return greatest


@kernel
def _holds(tree: Tree, side: int) -> bool:
    """Return whether the defender holds because the attacker's potential is too small.

    The limit is LINE_POTENTIAL with the defender to move, half of it with the attacker to move
    (Erdős & Selfridge 1973).
    """
    potential = _potential(tree)
    if 2 * potential < LINE_POTENTIAL:
        return True
    return side == DEFENDER and (
        potential < LINE_POTENTIAL or 2 * (potential - _most_relief(tree)) < LINE_POTENTIAL
    )


# The search


@kernel
def judge(tree: Tree, key: int, side: int) -> tuple[int, int]:
    """Return the state of a node before its moves are tried, and the forced move, NONE if there is
    none."""
    if side == DEFENDER:
        if threats.completing_any(tree, DEFENDER).count != 0:
            return SUCCEEDS, NONE
    elif threats.win(tree, key, tree.fours):
        return SUCCEEDS, NONE
    forced = threats.completing_any(tree, 1 - side)
    if forced.count == 2:
        return FAILS, NONE
    if _holds(tree, side):
        return (SUCCEEDS if side == DEFENDER else FAILS), NONE
    return OPEN, NONE if forced.count == 0 else forced.first


@kernel
def is_threat(tree: Tree, key: int, known: int, forced: int, side: int) -> bool:
    """Return whether the defender is to move, is not forced, and the attacker threatens to win by
    fours. Write the zone of these to `zone`."""
    if known != OPEN or forced != NONE or side == ATTACKER:
        return False
    return threats.win(tree, key, tree.fours)


@kernel
def _is_on_three(tree: Tree, cell: int) -> bool:
    """Return whether the attacker could complete a line through `cell` with three stones or
    fewer."""
    row, index = tree.through.offset(cell * tree.most_through), 0
    while row[index] != NONE:
        line = row[index]
        if tree.defences[line] == 0 and tree.lengths[line] - tree.attacks[line] <= 3:
            return True
        index += 1
    return False


@kernel
def _list_moves(tree: Tree, ply: int, is_zoned: bool, only_threes: bool) -> int:
    """List the open cells by weight, or only those in the zone or where a three is possible; return
    their number.

    Cells on no open line are equivalent, so only one of them is listed.
    """
    moves, weights = tree.moves.offset(ply * tree.cells), tree.weights
    owners, zone = tree.owners, tree.zone
    count, has_idle = 0, False
    for cell in range(tree.cells):
        if owners[cell] != 0 or (is_zoned and zone[cell] == 0):
            continue
        if only_threes and not _is_on_three(tree, cell):
            continue
        weight = _weight(tree, cell)
        if weight == 0:
            if has_idle:
                continue
            has_idle = True
        index = count
        while index > 0 and weights[index - 1] < weight:
            moves[index], weights[index] = moves[index - 1], weights[index - 1]
            index -= 1
        moves[index], weights[index] = cell, weight
        count += 1
    return count


@kernel
def _write_keys(tree: Tree, ply: int, key: int, count: int, side: int, stones: int) -> int:
    """Write the keys of the children, one for each class of symmetric ones; return their number."""
    moves, keys = tree.moves.offset(ply * tree.cells), tree.keys.offset(ply * tree.cells)
    kept = 0
    for index in range(count):
        cell = moves[index]
        child_key = _stored_as(_hash_after(tree, ply, key, cell, side, stones + 1), 1 - side)
        is_new = True
        if stones < tree.alike:
            for other in range(kept):
                if keys[other] == child_key:
                    is_new = False
        if is_new:
            moves[kept], keys[kept] = cell, child_key
            kept += 1
    return kept


@kernel
def _refute_by_fours(tree: Tree, ply: int, key: int, count: int, only_threes: bool) -> None:
    """Store a loss for each reply of the defender after which the attacker wins by fours, and with
    `only_threes` its zone."""
    moves, keys = tree.moves.offset(ply * tree.cells), tree.keys.offset(ply * tree.cells)
    for index in range(count):
        if probe(tree, keys[index]).word == 0 and tree.stop == 0:
            cell = moves[index]
            threats.place(tree, cell, DEFENDER)
            if threats.win(tree, key ^ zobrist_of(tree, cell, DEFENDER), tree.fours):
                store(tree, keys[index], 0, INFINITE, 1)
                if only_threes:
                    _store_zone_of_leaf(tree, keys[index], ATTACKER)
            threats.lift(tree, cell, DEFENDER)


@kernel
def list_children(
    tree: Tree,
    ply: int,
    key: int,
    forced: int,
    side: int,
    stones: int,
    is_zoned: bool,
    only_threes: bool,
) -> int:
    """List the moves of a node, of the defender only those in the zone if `is_zoned`; return their
    number."""
    count = 1
    if forced != NONE:
        tree.moves[ply * tree.cells] = forced
    else:
        count = _list_moves(tree, ply, is_zoned, only_threes and side == ATTACKER)
    count = _write_keys(tree, ply, key, count, side, stones)
    if is_zoned:
        _refute_by_fours(tree, ply, key, count, only_threes)
    return count


@inlined
def _select(tree: Tree, ply: int, count: int, side: int) -> tuple[int, int, int, int, int]:
    """Return the child to search, both numbers of the node, the least number of the other children,
    and the number of children that have not failed."""
    keys = tree.keys.offset(ply * tree.cells)
    own, next_, best, greatest, left = INFINITE + 1, INFINITE, 0, 0, 0
    for index in range(count):
        numbers = probe(tree, keys[index])
        if numbers.word == 0:
            theirs, ours = 1, 1 if side == DEFENDER else 1 + MOVE_INCREASE * index
        else:
            theirs, ours = numbers.own, numbers.other
        if theirs != 0:
            greatest = max(greatest, theirs)
            left += 1
        if ours < own:
            next_ = min(next_, own)
            own, best = ours, index
        else:
            next_ = min(next_, ours)
    if left == 0:
        return best, INFINITE, 0, next_, left
    other = INFINITE if own == 0 else min(INFINITE - 1, greatest + left - 1)
    return best, own, other, next_, left


@kernel
def _expand(
    tree: Tree,
    ply: int,
    key: int,
    stored_as: int,
    stones: int,
    side: int,
    own_limit: int,
    other_limit: int,
    only_threes: bool,
) -> None:
    """Search a node until one of its numbers reaches its limit; store them under `stored_as`.

    With `only_threes` the attacker makes only fours and threes, and the zone of a win is stored.
    """
    clock()
    tree.expanded += 1
    expanded = tree.expanded
    if expanded > tree.most:
        tree.spent = 1
    if tree.stop | tree.spent != 0:
        return
    # 1. What is known at once.
    known, forced = judge(tree, key, side)
    is_zoned = is_threat(tree, key, known, forced, side)
    if only_threes and side == DEFENDER and known == OPEN and forced == NONE and not is_zoned:
        known = SUCCEEDS
    # 2. A quiet position: whether the attacker wins by threes, as if it were to move.
    is_quiet = known == OPEN and forced == NONE and not is_zoned
    if is_quiet and tree.is_large and not only_threes and (side == DEFENDER or ply > 0):
        inner, threes = key ^ THREES, _stored_as(key ^ THREES, ATTACKER)
        if probe(tree, threes).word == 0:
            most, tree.most = tree.most, expanded + THREES_NODES
            first = tree.alike + 1  # symmetric positions share no entry
            _expand(tree, ply + 1, inner, threes, first, ATTACKER, INFINITE, INFINITE, True)
            tree.most, tree.spent = most, 0
            if tree.stop != 0:
                return
            if probe(tree, threes).word == 0:
                store(tree, threes, 1, 1, THREES_NODES)
        numbers = probe(tree, threes)
        if numbers.word != 0 and numbers.own == 0:
            if side == ATTACKER:
                known = SUCCEEDS
            else:
                is_zoned = _load_zone(tree, threes)
    # 3. The children.
    count = 0
    if known == OPEN:
        count = list_children(tree, ply, key, forced, side, stones, is_zoned, only_threes)
    if count == 0:  # without a move the defender succeeds
        is_success = known == SUCCEEDS or (known == OPEN and side == DEFENDER)
        store(tree, stored_as, 0 if is_success else INFINITE, INFINITE if is_success else 0, 1)
        if only_threes and is_success == (side == ATTACKER):
            _store_zone_of_leaf(tree, stored_as, side)
        if ply == 0 and is_success and side == ATTACKER:
            tree.best = tree.pv[0]
        return
    while True:
        index, own, other, next_, left = _select(tree, ply, count, side)
        cell = tree.moves[ply * tree.cells + index]
        if own == 0 or other == 0 or own >= own_limit or other >= other_limit:
            store(tree, stored_as, own, other, tree.expanded - expanded + 1)
            if only_threes and side == ATTACKER and own == 0:
                _store_zone_of_move(tree, ply, stored_as, index)
            if only_threes and side == DEFENDER and other == 0:
                _store_zone_of_replies(tree, ply, key, stored_as, count, is_zoned)
            if ply == 0 and own == 0:
                tree.best = cell
            return
        threats.place(tree, cell, side)
        update_hashes(tree, ply, cell, side, stones + 1)
        after = key ^ zobrist_of(tree, cell, side)
        child_key = tree.keys[ply * tree.cells + index]
        theirs = other_limit - left + 1
        ours = min(own_limit, next_ + next_ // 4 + 1)
        _expand(tree, ply + 1, after, child_key, stones + 1, 1 - side, theirs, ours, only_threes)
        threats.lift(tree, cell, side)
        if tree.stop | tree.spent != 0:
            return


@kernel
def begin(tree: Tree, side: int, most: int, mark: int) -> tuple[int, int, int]:
    """Prepare a search of at most `most` nodes of the board given by `owners`.

    Return its key, its table key and its number of stones; `mark` is in all keys.
    """
    key = threats.fill(tree) ^ mark
    for number in range(tree.symmetries):
        tree.hashes[number] = 1 ^ mark
    stones = 0
    for cell in range(tree.cells):
        owner = tree.owners[cell]
        if owner != 0 and owner != threats.HOLE:
            stones += 1
            images = _images(tree, cell, owner - 1)
            for number in range(tree.symmetries):
                tree.hashes[number] ^= images[number]
    least = key
    if stones <= tree.alike:
        least = tree.hashes[0]
        for number in range(1, tree.symmetries):
            least = min(least, tree.hashes[number])
    tree.best = NONE
    tree.most, tree.spent = tree.expanded + most, 0
    return key, _stored_as(least, side), stones


@kernel
def prove(tree: Tree, side: int, most: int) -> int:
    """Search the board given by `owners`, with `side` to move, for at most `most` nodes.

    Return the word of its `Numbers`.
    """
    key, stored_as, stones = begin(tree, side, most, 0)
    _expand(tree, 0, key, stored_as, stones, side, INFINITE, INFINITE, False)
    return probe(tree, stored_as).word


ENTRIES: tuple[Any, ...] = (prove,)
"""The kernels called from Python."""

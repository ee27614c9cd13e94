"""The kernel that blocks lines which share at most one cell, on boards of any size.

`blocks` returns whether the defender puts a stone on every line of the attacker. It does, with the
attacker to move, if each line without a stone of the defender has two empty cells of its own: when
the attacker takes one of them, the defender takes the other. Whether there are such cells is a
matching of cells to lines, each of which needs two, so it is found without trial (Berge 1957:
a matching is largest if no alternating path makes it larger). Where there are not enough cells, the
search goes on: after each move of the attacker one of a few replies has to lead to a matching, with
a limit for the number of replies in a row.

- Zones, as in `lines`. Other stones of the attacker on cells outside a zone would not change the
  answer. The cells of a matching are its zone; of all largest matchings one is taken that leaves
  out cells which no searched move has ruled out yet, so that they need not be searched. A set of
  cells which is matched can be extended to a largest matching, so cells are added in that order.
- Order. The cells on lines that lack cells in the largest matching come first, for both sides. A
  line lacks cells if an alternating path leads to it from a line that is not satisfied.
- Bound. A reply saves at most two cells for each line through its cell, less that cell. If the
  attacker always takes the cell on most of the lines that lack cells, the defender gets at best
  every second cell in the order of these numbers, and each move of the attacker takes one more
  cell from the lines. Where that is not enough, the search stops.
- Table. Positions that are equal up to symmetry share an entry. With few stones all symmetries are
  tried, of which the cube of seven has 1,152.
"""

from __future__ import annotations

from typing import Annotated, Any

from plyscope_fast.machine.block import Bits, Block, Packed, Rows, Words
from plyscope_fast.machine.kernel import clock, kernel

EMPTY, ATTACKER, DEFENDER = 0, 1, 2
NONE = -1
MAX_REPLIES = 12
"""The replies that are tried."""
MAX_ROUNDS = 8
"""The greatest limit for the replies in a row."""
PLIES = 2 * MAX_ROUNDS + 3
NEEDY_FACTOR = 5
"""The factor of the weight of lines that lack cells."""
UNPROVED = 1 << 20
"""The part of the entry of a failed search."""


class Move(Packed):
    """A move to be searched; greater words are searched first."""

    cell: Annotated[int, Bits(16)]
    weight: Annotated[int, Bits(47)]


class Search(Block):
    """The data of `blocks`. An array by plies has a row for each ply."""

    # counters
    nodes: int
    # set by the caller
    stop: int  # not 0: stop
    limit: int  # the value of `nodes` at which the search stops
    stones: Words  # [cells]  EMPTY, ATTACKER or DEFENDER
    # the answer
    spent: int  # not 0: `limit` has been reached
    best: int  # the reply at the root, NONE if there is none
    # set once
    cells: int
    count: int  # the number of lines
    lines: Words  # [count, width]  the cells of a line, ended by NONE
    width: int
    through: Words  # [cells, row]  the lines through a cell, ended by NONE
    row: int
    symmetries: int
    images: Words  # [symmetries, cells]
    random: Words  # [2, cells, symmetries]  the random word of a stone's image
    table: Words  # [entries, 2 + zone_words]  key, rounds, and the zone of the least image
    entries: int
    zone_words: int
    # overwritten
    blocked: Words  # [count]  the number of the defender's stones on a line
    owners: Words  # [plies, cells]  the line to which a cell is matched, or NONE
    matched: Words  # [plies, count, 2]  the cells matched to a line, or NONE
    needy: Words  # [plies, count]  1 if a line lacks cells
    zones: Words  # [plies, cells]  1 if a cell belongs to the zone of the answer
    left: Words  # [plies, cells]  1 if no searched move has ruled a cell out
    searched: Words  # [plies, cells]  1 if a move has been searched
    moves: Rows[Move]  # [plies, cells]
    queue: Words  # [cells]  of a search for an alternating path
    parents: Words  # [cells]
    seen: Words  # [cells]  the number of the search that has seen a cell
    searches: int
    hashes: Words  # [symmetries]
    crossed: Words  # [row]  the cells, counted by their lines that lack cells


# Matchings


@kernel
def _match(search: Search, ply: int, first: int) -> bool:
    """Match one more cell to a line, with all cells that are matched already; return whether an
    alternating path from it leads to a line that has one cell too few."""
    owners = search.owners.offset(ply * search.cells)
    matched = search.matched.offset(ply * search.count * 2)
    search.searches += 1
    search.queue[0], search.seen[first] = first, search.searches
    begin, end = 0, 1
    while begin < end:
        cell = search.queue[begin]
        begin += 1
        lines = search.through.offset(cell * search.row)
        index = 0
        while lines[index] != NONE:
            line = lines[index]
            index += 1
            if search.blocked[line] != 0 or line == owners[cell]:
                continue
            for slot in range(2):
                other = matched[2 * line + slot]
                if other == NONE:
                    place = 2 * line + slot
                    while True:  # each cell of the path moves on to the next line
                        old = owners[cell]
                        owners[cell] = place >> 1
                        if old != NONE:
                            old = 2 * old + (0 if matched[2 * old] == cell else 1)
                        matched[place] = cell
                        if cell == first:
                            return True
                        cell, place = search.parents[cell], old
                if search.seen[other] != search.searches:
                    search.seen[other] = search.searches
                    search.parents[other] = cell
                    search.queue[end] = other
                    end += 1
    return False


@kernel
def _missing(search: Search, ply: int) -> int:
    """Return how many cells the lines lack."""
    matched = search.matched.offset(ply * search.count * 2)
    missing = 0
    for line in range(search.count):
        if search.blocked[line] == 0:
            missing += 1 if matched[2 * line] == NONE else 0
            missing += 1 if matched[2 * line + 1] == NONE else 0
    return missing


@kernel
def _complete(search: Search, ply: int) -> int:
    """Make the matching of a ply as large as possible; return how many cells the lines lack."""
    owners = search.owners.offset(ply * search.cells)
    missing = _missing(search, ply)
    for cell in range(search.cells):
        if missing == 0:
            return 0
        if search.stones[cell] == EMPTY and owners[cell] == NONE and _match(search, ply, cell):
            missing -= 1
    return missing


@kernel
def _clear(search: Search, ply: int) -> None:
    """Begin with no cell matched."""
    for cell in range(search.cells):
        search.owners[ply * search.cells + cell] = NONE
    for place in range(2 * search.count):
        search.matched[ply * search.count * 2 + place] = NONE


@kernel
def _copy(search: Search, ply: int, cell: int) -> None:
    """Copy the matching of a ply to the next one, without a cell that has been taken and without
    the lines that are blocked."""
    cells, places = search.cells, 2 * search.count
    for at in range(cells):
        owner = search.owners[ply * cells + at]
        is_kept = owner != NONE and at != cell and search.blocked[owner] == 0
        search.owners[(ply + 1) * cells + at] = owner if is_kept else NONE
    for place in range(places):
        at = search.matched[ply * places + place]
        is_kept = at != NONE and at != cell and search.blocked[place >> 1] == 0
        search.matched[(ply + 1) * places + place] = at if is_kept else NONE


@kernel
def _choose_zone(search: Search, ply: int) -> None:
    """Store as the zone the cells of a largest matching, which leaves out as many as possible of
    the cells that are left at the attacker's last node, then at those before it."""
    cells = search.cells
    here = ply + 1  # the matching of this ply is still needed
    _clear(search, here)
    missing = _missing(search, here)
    zone = search.zones.offset(ply * cells)
    for cell in range(cells):
        zone[cell] = 0
    for rank in range(3):
        for cell in range(cells):
            if missing == 0:
                return
            if search.stones[cell] != EMPTY or zone[cell] != 0:
                continue
            own = 2 if ply > 1 and search.left[(ply - 2) * cells + cell] != 0 else 0
            if rank == 0 and own == 0:
                for before in range(ply % 2, ply - 2, 2):
                    own = 1 if search.left[before * cells + cell] != 0 else own
            if own <= rank and _match(search, here, cell):
                zone[cell] = 1
                missing -= 1


@kernel
def _find_needy(search: Search, ply: int) -> None:
    """Find the lines that lack cells, in every largest matching or in some."""
    needy = search.needy.offset(ply * search.count)
    owners = search.owners.offset(ply * search.cells)
    matched = search.matched.offset(ply * search.count * 2)
    end = 0
    for line in range(search.count):
        is_short = matched[2 * line] == NONE or matched[2 * line + 1] == NONE
        needy[line] = 1 if is_short and search.blocked[line] == 0 else 0
        if needy[line] != 0:
            search.queue[end] = line
            end += 1
    begin = 0
    while begin < end:
        cells = search.lines.offset(search.queue[begin] * search.width)
        begin += 1
        index = 0
        while cells[index] != NONE:
            owner = owners[cells[index]]
            index += 1
            if owner != NONE and needy[owner] == 0:
                needy[owner] = 1
                search.queue[end] = owner
                end += 1


# Positions


@kernel
def _put(search: Search, cell: int, stone: int) -> None:
    """Put a stone on a cell, or take the one there away."""
    change = 1 if stone == DEFENDER else -1 if search.stones[cell] == DEFENDER else 0
    search.stones[cell] = stone
    lines = search.through.offset(cell * search.row)
    index = 0
    while lines[index] != NONE and change != 0:
        search.blocked[lines[index]] += change
        index += 1


@kernel
def _list_moves(search: Search, ply: int, most: int) -> int:
    """List at most `most` empty cells, those on the heaviest lines first, and write `crossed`;
    return their number."""
    needy, row = search.needy.offset(ply * search.count), ply * search.cells
    count = 0
    for number in range(search.row):
        search.crossed[number] = 0
    for cell in range(search.cells):
        if search.stones[cell] != EMPTY:
            continue
        weight, lacking, index = 0, 0, 0
        lines = search.through.offset(cell * search.row)
        while lines[index] != NONE:
            line = lines[index]
            index += 1
            if search.blocked[line] == 0:
                stones, at = 0, line * search.width
                while search.lines[at] != NONE:
                    stones += 1 if search.stones[search.lines[at]] == ATTACKER else 0
                    at += 1
                weight += (NEEDY_FACTOR if needy[line] != 0 else 1) << stones
                lacking += needy[line]
        search.crossed[lacking] += 1
        move = Move(cell=cell, weight=weight)
        if count == most and search.moves[row + count - 1].word >= move.word:
            continue
        place = row + min(count, most - 1)
        while place > row and search.moves[place - 1].word < move.word:
            search.moves[place] = search.moves[place - 1]
            place -= 1
        search.moves[place] = move
        count = min(count + 1, most)
    return count


@kernel
def _may_match(search: Search, missing: int, is_defence: bool, rounds: int) -> bool:
    """Return whether `rounds` replies might save the cells that lines lack (see the bound)."""
    left = missing + rounds - (1 if is_defence else 0)
    place, end = 0 if is_defence else 1, 0
    for crossing in range(search.row - 1, 0, -1):
        end += search.crossed[crossing]
        while place < end and rounds > 0:
            left -= 2 * crossing - 1
            place += 2
            rounds -= 1
    return left <= 0


@kernel
def _better(search: Search, ply: int, cell: int) -> int:
    """Return a searched cell that is on every line through `cell` that is not blocked, or NONE."""
    lines = search.through.offset(cell * search.row)
    first = 0
    while lines[first] != NONE and search.blocked[lines[first]] != 0:
        first += 1
    if lines[first] == NONE:
        return NONE
    at = lines[first] * search.width
    while search.lines[at] != NONE:
        other = search.lines[at]
        at += 1
        if search.searched[ply * search.cells + other] == 0:
            continue
        is_better, index = True, first + 1
        while lines[index] != NONE:
            line = lines[index] * search.width
            if search.blocked[lines[index]] == 0:
                while search.lines[line] != NONE and search.lines[line] != other:
                    line += 1
                is_better = is_better and search.lines[line] == other
            index += 1
        if is_better:
            return other
    return NONE


# The table


@kernel
def _least_image(search: Search) -> tuple[int, int]:
    """Return the hash of the position's least image, and the symmetry that leads to it."""
    hashes, count = search.hashes, search.symmetries
    for index in range(count):
        hashes[index] = 0
    for cell in range(search.cells):
        stone = search.stones[cell]
        if stone != EMPTY:
            words = search.random.offset(((stone - 1) * search.cells + cell) * count)
            for index in range(count):
                hashes[index] ^= words[index]
    best = 0
    for index in range(count):
        best = index if hashes[index] < hashes[best] else best
    return hashes[best], best


@kernel
def _entry(search: Search, key: int) -> Words:
    """Return the entry of a position."""
    return search.table.offset((key & (search.entries - 1)) * (2 + search.zone_words))


@kernel
def _load_zone(search: Search, ply: int, entry: Words, symmetry: int) -> None:
    """Store the zone of an entry as the zone of a ply."""
    images = search.images.offset(symmetry * search.cells)
    for cell in range(search.cells):
        image = images[cell]
        search.zones[ply * search.cells + cell] = entry[2 + (image >> 6)] >> (image & 63) & 1


@kernel
def _save(search: Search, ply: int, key: int, symmetry: int, rounds: int, is_won: bool) -> None:
    """Write an entry: of a success with its zone, of a failure with the replies that were not
    enough."""
    entry = _entry(search, key)
    entry[0], entry[1] = key, rounds + 1 + (0 if is_won else UNPROVED)
    images = search.images.offset(symmetry * search.cells)
    for word in range(search.zone_words):
        entry[2 + word] = 0
    for cell in range(search.cells):
        if search.zones[ply * search.cells + cell] != 0:
            image = images[cell]
            entry[2 + (image >> 6)] |= 1 << (image & 63)


# The search


@kernel
def blocks(search: Search, ply: int, is_defence: bool, rounds: int) -> bool:
    """Return whether the defender is shown to block all lines with at most `rounds` replies before
    a matching; the zone is in `zones` at this ply.

    `is_defence` is true if the defender is to move. The result has no meaning if `stop` or `spent`
    is set.
    """
    # 1. The node.
    clock()
    cells = search.cells
    zone = search.zones.offset(ply * cells)
    search.nodes += 1
    if search.nodes >= search.limit:
        search.spent = 1
    if search.stop | search.spent != 0:
        return False
    # 2. The matching, and the table.
    missing = _complete(search, ply)
    if missing == 0 and not is_defence:
        _choose_zone(search, ply)
        return True
    if rounds == 0:
        return False
    key, symmetry = 0, 0
    if not is_defence and ply > 0:
        key, symmetry = _least_image(search)
        entry = _entry(search, key)
        if entry[0] == key and entry[1] != 0:
            if entry[1] < UNPROVED:
                _load_zone(search, ply, entry, symmetry)
                return True
            if rounds < entry[1] - UNPROVED:
                return False
    # 3. The moves.
    _find_needy(search, ply)
    count = _list_moves(search, ply, MAX_REPLIES if is_defence else cells)
    if not _may_match(search, missing, is_defence, rounds):
        return False
    if is_defence:
        for fewer in range(rounds):
            for index in range(count):
                cell = search.moves[ply * cells + index].cell
                _put(search, cell, DEFENDER)
                _copy(search, ply, cell)
                is_held = blocks(search, ply + 1, False, fewer)
                _put(search, cell, EMPTY)
                if search.stop | search.spent != 0:
                    return False
                if is_held:
                    for at in range(cells):
                        zone[at] = search.zones[(ply + 1) * cells + at]
                    zone[cell] = 1
                    if ply == 0:
                        search.best = cell
                    return True
        return False
    for cell in range(cells):
        zone[cell], search.searched[ply * cells + cell] = 0, 0
        search.left[ply * cells + cell] = 1 if search.stones[cell] == EMPTY else 0
    left = search.left.offset(ply * cells)
    for index in range(count):
        cell = search.moves[ply * cells + index].cell
        if left[cell] == 0:
            continue
        better = _better(search, ply, cell)
        if better != NONE:
            zone[cell], zone[better], left[cell] = 1, 1, 0
            continue
        _put(search, cell, ATTACKER)
        _copy(search, ply, cell)
        is_held = blocks(search, ply + 1, True, rounds)
        _put(search, cell, EMPTY)
        if search.stop | search.spent != 0:
            return False
        if not is_held:
            if ply > 0:
                _save(search, ply, key, symmetry, rounds, False)
            return False
        for at in range(cells):
            if search.zones[(ply + 1) * cells + at] != 0:
                zone[at] = 1
            else:
                left[at] = 0
        left[cell], search.searched[ply * cells + cell] = 0, 1
    if ply > 0:
        _save(search, ply, key, symmetry, rounds, True)
    return True


@kernel
def begin(search: Search) -> None:
    """Prepare the search of the position in `stones`."""
    for line in range(search.count):
        search.blocked[line] = 0
        at = line * search.width
        while search.lines[at] != NONE:
            search.blocked[line] += 1 if search.stones[search.lines[at]] == DEFENDER else 0
            at += 1
    _clear(search, 0)
    search.best = NONE


@kernel
def is_matched(search: Search, order: Words) -> bool:
    """Return whether each line that is not blocked has two cells of its own, which are then in
    `matched`. Cells are added in this order, which begins with those that the zone may contain."""
    _clear(search, 0)
    missing = _missing(search, 0)
    for index in range(search.cells):
        if missing > 0 and search.stones[order[index]] == EMPTY:
            missing -= 1 if _match(search, 0, order[index]) else 0
    return missing == 0


ENTRIES: tuple[Any, ...] = (blocks, begin, is_matched)
"""The kernels called from Python."""

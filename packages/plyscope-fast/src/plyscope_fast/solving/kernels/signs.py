"""The kernel that looks for signs, one on each empty cell, by which a side plays to the end.

`verify.check_signs` holds the rules by which a side obeys signs. `find` searches by simulated
annealing (Kirkpatrick, Gelatt & Vecchi 1983): it changes one sign at a time, and the cost of the
signs is the number of positions in which they fail when all moves of the opponent are played.

- Where to begin. Signs that were found for other positions are played first, since neighbours often
  have the same ones. Those that fail least are where the first search begins.
- Where to change. Mostly a cell that could be taken in one of the positions that failed last.
- Early end. The random number that decides whether a worse cost is accepted is drawn first. So the
  play ends as soon as the cost is too great.
- Temperature. The cost enters by its logarithm, because one failure early in the game counts as one
  and a failure late in the game in many positions. `chances` holds the greatest factor by which the
  cost may grow, for each temperature and draw.

A word is a set of cells, so a board has at most 64.
"""

from __future__ import annotations

from typing import Annotated, Any

from plyscope.randomness import GOLDEN
from plyscope_fast.machine.block import Block, Words, signed
from plyscope_fast.machine.kernel import clock, kernel, lowest, shifted

SIGNS, PAIRED, CLAIM = 7, 2, 3
"""The number of signs; the sign that asks only where it is the only one of its kind; and the sign
of claimeven and claimodd."""
FACTOR = signed(GOLDEN)
SEEN_BITS = 17
"""The binary logarithm of the number of positions that the table of one play holds."""
MAX_POSITIONS = 60_000
"""The greatest number of positions in one play; with more the signs are given up."""
MAX_FAILURES = 400
"""The greatest cost that is counted."""
STACK = 4 * 4096
STEPS = 6_000
"""The number of changes before the search begins anew."""
TEMPERATURES, DRAWS = 60, 256
KNOWN = 256
"""The number of signs found last that are tried first."""
NEAR = 40
"""The greatest cost of signs found for another position with which a search begins."""
UNIT = 1024
"""The number that stands for 1 in `chances`."""


class Search(Block):
    """The data of `find`. S is the side that obeys the signs, T the other."""

    # counters
    nodes: int  # positions met with S to move
    # set by the caller
    stop: int  # not 0: stop
    limit: int  # the value of `nodes` at which the search stops
    random: int  # the state of the random numbers, not 0
    mine: int  # the stones of S
    theirs: int
    wins: int  # the cells by which S completes a line
    threats: int  # those by which T does
    is_mine_next: int
    least: int  # 1 for a win, 0 for a draw
    # the answer
    signs: Words  # [cells]
    # set once
    board: int
    floor: int  # the cells that need none below them
    width: int
    cells: int
    through: Words  # [cells, row]  the lines through a cell, ended by 0
    row: int
    first: Words  # [cells]  the sign with which the search begins, mostly
    chances: Words  # [TEMPERATURES, DRAWS]
    # overwritten
    known: Words  # [KNOWN, SIGNS]  the cells with each sign of signs that were found, in a ring
    found: int  # the number of signs that were found
    asked: Annotated[Words, SIGNS]  # [sign]  the cells with a sign
    empty: Words  # [cells]  the empty cells
    stack: Words  # [STACK]  positions: the stones of S and T, `wins` and `threats`
    seen: Words  # [1 << SEEN_BITS, 3]  the play, and the stones of S and T
    plays: int
    fronts: Words  # [2, MAX_FAILURES]  the cells that could be taken in a position that failed
    failures: Annotated[Words, 2]  # [buffer]  the number of fronts
    buffer: int  # the fronts of the signs that were accepted


@kernel
def _draw(search: Search, count: int) -> int:
    """Return a random number below `count` (xorshift: Marsaglia 2003)."""
    number = search.random
    number ^= number << 13
    number ^= shifted(number, 7)
    number ^= number << 17
    search.random = number
    return shifted(number, 33) % count


@kernel
def is_new(search: Search, mine: int, theirs: int) -> bool:
    """Return whether this play has not met a position; note it."""
    at = shifted((mine ^ (theirs * FACTOR)) * FACTOR, 64 - SEEN_BITS)
    while True:
        entry = search.seen.offset(3 * at)
        if entry[0] != search.plays:
            entry[0], entry[1], entry[2] = search.plays, mine, theirs
            return True
        if entry[1] == mine and entry[2] == theirs:
            return False
        at = (at + 1) & ((1 << SEEN_BITS) - 1)


@kernel
def completing(search: Search, cell: int, own: int) -> int:
    """Return the cells by which these stones, of which `cell` is the last, complete a line."""
    lines = search.through.offset(cell * search.row)
    index, found = 0, 0
    while lines[index] != 0:
        left = lines[index] & ~own
        if left & (left - 1) == 0:
            found |= left
        index += 1
    return found


@kernel
def _fail(search: Search, front: int) -> None:
    """Note a failure."""
    buffer = 1 - search.buffer
    count = search.failures[buffer]
    if count < MAX_FAILURES:
        search.fronts[buffer * MAX_FAILURES + count] = front
        search.failures[buffer] = count + 1


@kernel
def _reply(search: Search, top: int, mine: int, theirs: int, wins: int, threats: int) -> int:
    """Put the positions after each move of T on the stack; return their number there."""
    taken = mine | theirs
    front = search.board & ~taken & (shifted(taken, search.width) | search.floor)
    while front != 0:
        cell = lowest(front)
        front &= front - 1
        now = theirs | 1 << cell
        if is_new(search, mine, now):
            place = search.stack.offset(4 * top)
            place[0], place[1], place[2] = mine, now, wins
            place[3] = threats | completing(search, cell, now)
            top += 1
    return top


@kernel
def asked(search: Search, front: int) -> int:
    """Return the cells for which the signs ask."""
    for sign in range(1, SIGNS):
        found = search.asked[sign] & front
        if sign == PAIRED and found & (found - 1) != 0:
            continue
        if found != 0:
            return found
    return 0


@kernel
def _play(search: Search, most: int) -> int:
    """Return the number of positions in which the signs fail, at least `most` + 1 if there are
    more than `most`."""
    search.plays += 1
    search.failures[1 - search.buffer] = 0
    failures, top, met = 0, 0, 0
    mine, theirs, wins, threats = search.mine, search.theirs, search.wins, search.threats
    if search.is_mine_next != 0:
        place = search.stack
        place[0], place[1], place[2], place[3] = mine, theirs, wins, threats
        top = 1
    else:
        top = _reply(search, 0, mine, theirs, wins, threats)
    while top > 0:
        top -= 1
        met += 1
        search.nodes += 1
        place = search.stack.offset(4 * top)
        mine, theirs, wins, threats = place[0], place[1], place[2], place[3]
        taken = mine | theirs
        free = search.board & ~taken
        front = free & (shifted(taken, search.width) | search.floor)
        if wins & front != 0:
            continue
        move = threats & front
        if move == 0:
            move = asked(search, front)
        failed = free
        if free == 0:
            failed = search.board if search.least != 0 else 0
        elif move != 0 and move & (move - 1) == 0:
            taken |= move
            after = search.board & ~taken & (shifted(taken, search.width) | search.floor)
            failed = 0
            if free == move:
                failed = move if search.least != 0 else 0
            elif threats & after != 0:
                failed = front | after
            else:
                mine |= move
                wins |= completing(search, lowest(move), mine)
                top = _reply(search, top, mine, theirs, wins, threats)
        else:
            failed = front
        if failed != 0:
            _fail(search, failed)
            failures += 1
        if failures > most:
            return failures
        if met > MAX_POSITIONS:
            return max(failures, most) + 1
    return failures


@kernel
def put(search: Search, cell: int, sign: int) -> None:
    """Put a sign on a cell."""
    search.asked[search.signs[cell]] &= ~(1 << cell)
    search.asked[sign] |= 1 << cell
    search.signs[cell] = sign


@kernel
def _choose(search: Search, count: int) -> int:
    """Return the cell whose sign is changed next."""
    failures = search.failures[search.buffer]
    if failures > 0 and _draw(search, 4) != 0:
        front = search.fronts[search.buffer * MAX_FAILURES + _draw(search, failures)]
        front &= search.board & ~(search.mine | search.theirs)
        some, number = front, 0
        while some != 0:
            some &= some - 1
            number += 1
        if number > 0:
            for _ in range(_draw(search, number)):
                front &= front - 1
            return lowest(front)
    return search.empty[_draw(search, count)]


@kernel
def simplify(search: Search, count: int) -> None:
    """Replace as many signs as possible by 0, and others by CLAIM: less to read and to store."""
    for index in range(count):
        cell = search.empty[index]
        old = search.signs[cell]
        for sign in range(0, CLAIM + 1, CLAIM):
            if search.signs[cell] != old or old == sign or search.stop != 0:
                continue
            put(search, cell, sign)
            if _play(search, 0) != 0:
                put(search, cell, old)


@kernel
def _recall(search: Search, index: int) -> None:
    """Put signs that were found before on the empty cells."""
    free = search.board & ~(search.mine | search.theirs)
    for sign in range(1, SIGNS):
        search.asked[sign] = search.known[index * SIGNS + sign] & free


@kernel
def _nearest(search: Search) -> int:
    """Return the index of the signs found before that fail least here, −1 if all fail too often."""
    best, most = -1, NEAR
    for back in range(1, 1 + min(KNOWN, search.found)):
        index = (search.found - back) % KNOWN
        _recall(search, index)
        cost = _play(search, most)
        if cost <= most:
            best, most = index, cost - 1
        if most < 0:
            break
    return best


@kernel
def keep(search: Search) -> None:
    """Keep the signs that were found."""
    place = search.known.offset(search.found % KNOWN * SIGNS)
    for sign in range(SIGNS):
        place[sign] = search.asked[sign]
    search.found += 1


@kernel
def _begin(search: Search, count: int, index: int) -> None:
    """Put signs found before on the empty cells, or any if the index is −1."""
    if index >= 0:
        _recall(search, index)
    for number in range(count):
        cell = search.empty[number]
        sign = search.first[cell]
        if index >= 0:
            sign = 0
            for other in range(1, SIGNS):
                if shifted(search.asked[other], cell) & 1 != 0:
                    sign = other
        elif _draw(search, 4) == 0:
            sign = _draw(search, SIGNS)
        search.signs[cell] = sign
    for sign in range(SIGNS):
        search.asked[sign] = 0
    for number in range(count):
        cell = search.empty[number]
        search.asked[search.signs[cell]] |= 1 << cell


@kernel
def find(search: Search, count: int) -> bool:
    """Return whether signs were found for the `count` empty cells.

    The first search begins with signs found before, if some fail little here, and half as hot.
    """
    index = _nearest(search)
    while True:
        _begin(search, count, index)
        cost = _play(search, MAX_FAILURES)
        search.buffer = 1 - search.buffer
        begin = STEPS // 2 if index >= 0 else 0
        index = -1
        for step in range(begin, STEPS):
            clock()
            if cost == 0:
                simplify(search, count)
                keep(search)
                return True
            if search.stop != 0 or search.nodes >= search.limit:
                return False
            cell = _choose(search, count)
            old, sign = search.signs[cell], _draw(search, SIGNS)
            if old == sign:
                continue
            temperature = step * TEMPERATURES // STEPS
            chance = search.chances[temperature * DRAWS + _draw(search, DRAWS)]
            most = min(MAX_FAILURES, (1 + cost) * chance // UNIT - 1)
            put(search, cell, sign)
            now = _play(search, most)
            if now <= most:
                cost = now
                search.buffer = 1 - search.buffer
            else:
                put(search, cell, old)


ENTRIES: tuple[Any, ...] = (find,)

"""The kernel that finds signs by clauses: exact, where `signs` is lucky.

The unknowns are the sign of each empty cell. A position that was met with S to move has a variable,
and so has each choice of a cell out of a front, the cells that can be taken. The clauses say:

- A choice asks its cell to have the least sign of the front, as `verify.check_signs` has it.
- In a position that is met, one of the moves that can keep the result is chosen, or is forced.
- From a position that is met, the choice leads to the positions after each reply.

Only few positions have clauses (counterexample-guided: Solar-Lezama et al. 2006). Signs that
satisfy them are played out; the positions that lead to those in which they fail get clauses too,
until the signs hold or no signs can. A short search says which moves lose the result at once, since
clauses would have to learn it from many lines of play.
"""

from __future__ import annotations

from typing import Any

from plyscope_fast.machine.block import Block, Words
from plyscope_fast.machine.kernel import kernel, lowest, shifted
from plyscope_fast.solving.kernels.clauses import (
    SATISFIED,
    Logic,
    back,
    clear,
    end,
    is_full,
    new_variable,
    satisfy,
    say,
)
from plyscope_fast.solving.kernels.signs import (
    CLAIM,
    FACTOR,
    MAX_POSITIONS,
    PAIRED,
    SIGNS,
    Search,
    asked,
    completing,
    is_new,
    keep,
    put,
    simplify,
)

BITS = 16
"""The binary logarithm of the size of each table."""
PLACES = 1 << BITS
OF_A_CELL = SIGNS + SIGNS - CLAIM
"""The variables of a cell: each sign, and for the signs from CLAIM on whether it has this or a
lesser one other than PAIRED."""
PROBED = 10_000
"""The limit of positions in the search for a move that loses the result."""
FAILURES = 100
"""The number of failures that get clauses at a time."""
YES, NO, UNKNOWN = 1, 0, -1


class Met(Block):
    """The positions that have clauses, and the tables."""

    waiting: int  # the number of indices in `open`
    room: int  # what is left of PROBED
    count: int  # the number of entries in use of `choices` and of `positions`
    cells: Words  # [cells]  the index of an empty cell
    lines: Words  # [MAX_POSITIONS + 1, 5]  stones, completing cells, and the index met before
    open: Words  # [MAX_POSITIONS + 1]  the indices that are still to be played
    failed: Words  # [FAILURES]  the indices in which the signs fail
    positions: Words  # [PLACES, 4]  the stones of S and T with S to move, the variable
    # or 0, and the cells by which T completes a line
    choices: Words  # [PLACES, 4]  the front, the cell, the variable or 0, and 0
    proved: Words  # [PLACES, 4]  stones of S and T, 2 + 2 * least + is_mine_next, and YES or NO


@kernel
def _front(search: Search, taken: int) -> int:
    """Return the cells that can be taken."""
    return search.board & ~taken & (shifted(taken, search.width) | search.floor)


@kernel
def _reaches(
    search: Search, met: Met, mine: int, theirs: int, wins: int, threats: int, is_mine: int
) -> int:
    """Return whether S reaches the result; `is_mine` is 1 where it is to move."""
    taken = mine | theirs
    front = _front(search, taken)
    own, other = threats, wins
    if is_mine != 0:
        own, other = wins, threats
    if front == 0:
        return 1 - search.least
    if own & front != 0:
        return is_mine
    forced = other & front
    if forced != 0:
        if forced & (forced - 1) != 0:
            return 1 - is_mine
        front = forced
    met.room -= 1
    search.nodes += 1
    if met.room < 0:
        return UNKNOWN
    kind = 2 + 2 * search.least + is_mine
    entry = met.proved.offset(4 * shifted((mine ^ (theirs * FACTOR) ^ kind) * FACTOR, 64 - BITS))
    if entry[0] == mine and entry[1] == theirs and entry[2] == kind:
        return entry[3]
    result = 1 - is_mine
    while front != 0 and result != is_mine:
        cell = lowest(front)
        front &= front - 1
        if is_mine != 0:
            now = mine | 1 << cell
            found = _reaches(
                search, met, now, theirs, wins | completing(search, cell, now), threats, 0
            )
        else:
            now = theirs | 1 << cell
            found = _reaches(
                search, met, mine, now, wins, threats | completing(search, cell, now), 1
            )
        if found != 1 - is_mine:
            result = found
    if result != UNKNOWN:
        entry[0], entry[1], entry[2], entry[3] = mine, theirs, kind, result
    return result


@kernel
def _entry(table: Words, one: int, other: int) -> Words:
    """Return the entry of two words in a table, or the one where they go."""
    at = shifted((one ^ (other * FACTOR)) * FACTOR, 64 - BITS)
    while True:
        entry = table.offset(4 * at)
        if entry[2] == 0 or (entry[0] == one and entry[1] == other):
            return entry
        at = (at + 1) & (PLACES - 1)


@kernel
def _has(met: Met, cell: int, sign: int) -> int:
    """Return the literal that a cell has a sign."""
    return 2 * (1 + OF_A_CELL * met.cells[cell] + sign)


@kernel
def _at_most(met: Met, cell: int, sign: int) -> int:
    """Return the literal of a sign from 1 to `sign`, but PAIRED; `sign` is CLAIM at least."""
    return _has(met, cell, SIGNS + sign - CLAIM)


@kernel
def _two(logic: Logic, one: int, other: int) -> None:
    """Add a clause of two literals."""
    say(logic, one)
    say(logic, other)
    end(logic)


@kernel
def _three(logic: Logic, one: int, other: int, third: int) -> None:
    """Add a clause of three literals."""
    say(logic, one)
    say(logic, other)
    say(logic, third)
    end(logic)


@kernel
def _choice(met: Met, logic: Logic, front: int, cell: int) -> int:
    """Return the literal that the signs ask for a cell of a front, and for no other."""
    entry = _entry(met.choices, front, cell)
    if entry[2] != 0:
        return 2 * entry[2]
    variable = new_variable(logic, 1)
    met.count += 1
    entry[0], entry[1], entry[2] = front, cell, variable
    no = 2 * variable + 1
    _two(logic, no, _has(met, cell, 0) ^ 1)
    others = front & ~(1 << cell)
    rest = others
    while rest != 0:
        other = lowest(rest)
        rest &= rest - 1
        paired = _has(met, other, PAIRED)
        _two(logic, no, _has(met, other, 1) ^ 1)
        _three(logic, no, _has(met, cell, PAIRED) ^ 1, paired ^ 1)
        for sign in range(CLAIM, SIGNS):
            _three(logic, no, _has(met, cell, sign) ^ 1, _at_most(met, other, sign) ^ 1)
        say(logic, no)
        say(logic, paired ^ 1)
        say(logic, _has(met, cell, PAIRED))
        partners = others & ~(1 << other)
        while partners != 0:
            say(logic, _has(met, lowest(partners), PAIRED))
            partners &= partners - 1
        end(logic)
    return 2 * variable


@kernel
def _unknowns(search: Search, met: Met, logic: Logic, count: int) -> None:
    """Add the variables of the signs, which are decided as `search.signs` has them at first."""
    for index in range(count):
        cell = search.empty[index]
        met.cells[cell] = index
        for sign in range(SIGNS):
            new_variable(logic, 0 if search.signs[cell] == sign else 1)
        for _ in range(CLAIM, SIGNS):
            new_variable(logic, 1)
        for sign in range(SIGNS):
            say(logic, _has(met, cell, sign))
        end(logic)
        for sign in range(SIGNS):
            for other in range(sign):
                _two(logic, _has(met, cell, sign) ^ 1, _has(met, cell, other) ^ 1)
        for sign in range(CLAIM, SIGNS):
            _two(logic, _has(met, cell, 1) ^ 1, _at_most(met, cell, sign))
            _two(logic, _has(met, cell, sign) ^ 1, _at_most(met, cell, sign))
            if sign > CLAIM:
                _two(logic, _at_most(met, cell, sign - 1) ^ 1, _at_most(met, cell, sign))


@kernel
def _lead(logic: Logic, variable: int, choice: int, after: int) -> None:
    """Add that a position leads to another by a choice, 0 if it is forced."""
    say(logic, 2 * variable + 1)
    if choice != 0:
        say(logic, choice ^ 1)
    say(logic, 2 * after)
    end(logic)


@kernel
def _befores(search: Search, met: Met, logic: Logic, mine: int, theirs: int, variable: int) -> None:
    """Add that the positions with clauses two moves earlier lead to one."""
    taken = mine | theirs
    last = taken & ~(taken << search.width) & theirs & ~search.theirs
    while last != 0:
        reply = last & -last
        last &= last - 1
        before = taken & ~reply
        moves = before & ~(before << search.width) & mine & ~search.mine
        while moves != 0:
            move = moves & -moves
            moves &= moves - 1
            entry = _entry(met.positions, mine & ~move, theirs & ~reply)
            if entry[2] != 0:
                front = _front(search, before & ~move)
                if entry[3] & front == 0:
                    _lead(logic, entry[2], _choice(met, logic, front, lowest(move)), variable)
                elif entry[3] & front == move:
                    _lead(logic, entry[2], 0, variable)


@kernel
def _code(search: Search, met: Met, logic: Logic, place: Words) -> None:
    """Add the clauses of a position with S to move, a line of `Met.lines`."""
    mine, theirs, wins, threats = place[0], place[1], place[2], place[3]
    entry = _entry(met.positions, mine, theirs)
    if entry[2] != 0:
        return
    variable = new_variable(logic, 1)
    met.count += 1
    entry[0], entry[1], entry[2], entry[3] = mine, theirs, variable, threats
    if place[4] < 0:
        say(logic, 2 * variable)
        end(logic)
    front = _front(search, mine | theirs)
    forced = threats & front
    moves = front if forced == 0 else forced
    if forced & (forced - 1) != 0:
        moves = 0
    able = 0
    while moves != 0:
        cell = lowest(moves)
        moves &= moves - 1
        now = mine | 1 << cell
        met.room = PROBED
        more = wins | completing(search, cell, now)
        if _reaches(search, met, now, theirs, more, threats, 0) != NO:
            able |= 1 << cell
            choice = 0
            if forced == 0:
                choice = _choice(met, logic, front, cell)
            after = _front(search, now | theirs)
            while after != 0:
                following = _entry(met.positions, now, theirs | (after & -after))
                after &= after - 1
                if following[2] != 0:
                    _lead(logic, variable, choice, following[2])
    if forced == 0 or able == 0:
        say(logic, 2 * variable + 1)
        while able != 0:
            say(logic, _choice(met, logic, front, lowest(able)))
            able &= able - 1
        end(logic)
    _befores(search, met, logic, mine, theirs, variable)


@kernel
def _add(search: Search, met: Met, number: int, mine: int, theirs: int, at: int) -> int:
    """Add the positions after each move of T to `number` lines; return their new number."""
    wins, threats = search.wins, search.threats
    if at >= 0:
        above = met.lines.offset(5 * at)
        cell = lowest(mine & ~above[0])
        wins, threats = above[2] | completing(search, cell, mine), above[3]
    front = _front(search, mine | theirs)
    while front != 0 and number < MAX_POSITIONS:
        cell = lowest(front)
        front &= front - 1
        now = theirs | 1 << cell
        if is_new(search, mine, now):
            place = met.lines.offset(5 * number)
            place[0], place[1], place[2] = mine, now, wins
            place[3], place[4] = threats | completing(search, cell, now), at
            met.open[met.waiting] = number
            met.waiting += 1
            number += 1
    return number


@kernel
def _failures(search: Search, met: Met) -> int:
    """Play the signs out; return the number of failures, −1 if there are too many positions."""
    search.plays += 1
    met.waiting = 0
    number, failed = 0, 0
    if search.is_mine_next != 0:
        place = met.lines
        place[0], place[1], place[2], place[3] = (
            search.mine,
            search.theirs,
            search.wins,
            search.threats,
        )
        place[4] = -1
        met.open[0] = 0
        met.waiting = number = 1
    else:
        number = _add(search, met, 0, search.mine, search.theirs, -1)
    while met.waiting > 0 and failed < FAILURES:
        met.waiting -= 1
        search.nodes += 1
        at = met.open[met.waiting]
        place = met.lines.offset(5 * at)
        mine, theirs, threats = place[0], place[1], place[3]
        free = search.board & ~(mine | theirs)
        front = _front(search, mine | theirs)
        if place[2] & front != 0 or (free == 0 and search.least == 0):
            continue
        move = threats & front
        if move == 0:
            move = asked(search, front)
        fails = move == 0 or move & (move - 1) != 0
        if not fails and free == move:
            fails = search.least != 0
        elif not fails:
            fails = threats & _front(search, mine | theirs | move) != 0
            if not fails:
                number = _add(search, met, number, mine | move, theirs, at)
        if fails:
            met.failed[failed] = at
            failed += 1
    if failed == 0 and number >= MAX_POSITIONS:
        return -1
    return failed


@kernel
def _read(search: Search, met: Met, logic: Logic, count: int) -> None:
    """Put the signs that the values tell on the empty cells."""
    for index in range(count):
        cell = search.empty[index]
        for sign in range(SIGNS):
            if logic.value[_has(met, cell, sign)] == 1:
                put(search, cell, sign)


@kernel
def _begin(search: Search, count: int) -> None:
    """Put the first signs on the empty cells."""
    for sign in range(SIGNS):
        search.asked[sign] = 0
    for index in range(count):
        cell = search.empty[index]
        search.signs[cell] = search.first[cell]
        search.asked[search.first[cell]] |= 1 << cell


@kernel
def deduce(search: Search, met: Met, logic: Logic, count: int) -> bool:
    """Return whether signs were found for the `count` empty cells."""
    clear(logic)
    for entry in range(4 * PLACES):
        met.positions[entry] = met.choices[entry] = 0
    met.count = 0
    _begin(search, count)
    _unknowns(search, met, logic, count)
    logic.fixed = OF_A_CELL * count
    while search.stop == 0 and search.nodes < search.limit:
        logic.limit = logic.steps + search.limit - search.nodes
        steps = logic.steps
        result = satisfy(logic)
        search.nodes += logic.steps - steps
        if result != SATISFIED:
            return False
        _read(search, met, logic, count)
        failures = _failures(search, met)
        if failures == 0:
            simplify(search, count)
            keep(search)
            return True
        back(logic, 0)
        for failure in range(failures):
            at = met.failed[failure]
            while at >= 0:
                if is_full(logic) or 2 * met.count > PLACES:
                    return False
                _code(search, met, logic, met.lines.offset(5 * at))
                at = met.lines[5 * at + 4]
        if failures < 0:
            return False
    return False


ENTRIES: tuple[Any, ...] = (deduce,)

"""The kernel that solves games of lines without gravity on boards of up to 64 cells: does the
attacker complete a line?

The attacker wants a line of its own; the defender wants that not to happen, and in the strong game
may complete a line first. In the weak game (Maker–Breaker) the defender's lines count for nothing.
Stones are words, one bit a cell.

`attack` searches depth first, with a table, and every answer comes with its zone: the cells that
matter. Stones that the loser had outside the zone, as many as it likes, would not change the
answer. So what the loser tries outside the zone of another try need not be searched (relevance
zones: Wu and Lin 2010; the must-play regions of Hex are the same for the winner's side). The zone
of a leaf keeps at least one cell of every line that the loser could still fill, two where it is the
loser's turn and it must answer a threat.

A cell that is on no line but those of another open cell is worth no more than that one: it need not
be searched once the other has failed. The same answers meet both, with the two cells exchanged, so
that both belong to the zone.

A position is what is left of it: lines that both sides have a stone on are no more, and cells on
none of the others are all alike.

In the weak game the defender's replies are tried in rounds, the first few with few nodes each, then
more of them with more: wrong replies may take longer than the right one, and mostly do where the
attacker has many ways to win.

The defender holds at once where the lines that are left weigh too little (Erdős and Selfridge
1973), or where disjoint pairs of cells can be found such that every one of them holds a pair.
"""

from __future__ import annotations

from plyscope.machine.block import signed
from plyscope.machine.kernel import get, highest, inlined, kernel, lowest, ones, put, shifted
from plyscope.randomness import GOLDEN, MIX_FIRST, MIX_SECOND

__all__ = ["BLOCK", "ENTRIES", "OPTIONS", "SHOWN", "SYMMETRIES", "UNLIMITED", "attack"]

(
    NODES,
    STOP,  # not 0: stop
    TABLE,
    SHIFT,  # 64 less the bits of a bucket's number
    # the address of all lines, each a word: of equally narrow ones the last gets its pair first
    LINES,
    COUNT,  # of the attacker's lines
    OTHERS,  # of the defender's lines: the same, or none
    THROUGH,  # the address of 64 rows of lines, those through each cell, that 0 ends
    ROW,  # words of such a row
    LONGEST,  # the cells of the longest line
    LIMIT,  # of nodes; at it the search, or that of a reply, stops
    SYMMETRIC,  # positions that are alike by symmetry share an entry with more open cells than this
    ZOBRIST,  # the address of the random words by kind of cell, cell and symmetry
    # the address of the images of the cells under each symmetry, and then of those under its
    # inverse
    IMAGES,
    PAIRS,  # the address of the lists of lines for which pairs are looked for
    TRIES,  # steps of a search for pairs
    LEFT,  # those that are left
    PAIRED,  # the cells of the pairs that were found
    TRIED,  # moves of the defender after which pairs are looked for
    ROUND,  # nodes for each of the first replies in the first round
    SPENT,  # not 0: LIMIT has been reached
    BEST,  # the cell played at the root
    # a word by which the entries of this game are told from those of others; its lowest bits are 0
    SEAL,
    DONE,  # by ply, how many moves are searched, and in the lowest bits of how many
    ZONE,  # the zone of the answer, by ply
    # by cell, one more than the later cell that it was paired with when pairs were last found
    PARTNER,
    MOVES,  # 64 words a ply, the moves to be searched
) = (*range(24), 31, 31 + 66, 31 + 66 + 64)
SHOWN = ZONE - DONE
BLOCK = MOVES + 66 * 64
"""The words of the block that `attack` works on."""
SYMMETRIES = 8
OPTIONS = 28
"""Pairs of a line that are tried: those of its first eight cells."""
UNLIMITED = 1 << 60
FEW, WIDER, MORE = 4, 2, 4
"""The replies of the first round; from one round to the next there are WIDER more of them, with
MORE times the nodes."""
LAST = 1024
"""What a pair that was found the last time is worth in lines that it is on."""
FACTORS = (signed(GOLDEN), signed(MIX_FIRST), signed(MIX_SECOND))
KEPT = 6
"""An entry is two words: a key, sealed, and the zone.

    key     58 bits of the position's | 5 bits, one more than the logarithm of the nodes | 1 bit, the answer
    sealed  key ^ its 6 lowest bits times a number, moved up by 6 ^ zone times a number ^ SEAL

So every bit that is changed in either word, of a file that was damaged, of one that is another
game's, or of an entry of which a killed process wrote half, changes the 58 bits: it fits no
position but with a chance of one in 2**58. An empty entry is two zeros."""


@inlined
def _without_first(word: int) -> int:
    return word & (word - 1)


@kernel
def _live(base: int, count: int, other: int) -> int:
    """Return the cells of the first `count` lines on which `other` has no stone."""
    lines = get(base, LINES)
    found = 0
    for index in range(count):
        line = get(lines, index)
        found |= line if line & other == 0 else 0
    return found


@kernel
def _needs(base: int, cell: int, own: int, other: int) -> int:
    """Return the cells that complete a line through `cell`, on which `own` has a stone by now."""
    row = get(base, THROUGH) + 8 * cell * get(base, ROW)
    found, index = 0, 0
    line = get(row, 0)
    while line != 0:
        left = line & ~own
        if line & other == 0 and _without_first(left) == 0:
            found |= left
        index += 1
        line = get(row, index)
    return found


@kernel
def _weight(base: int, cell: int, own: int, other: int) -> int:
    """Return the weight of the lines through `cell` on which `other` has no stone: 1 halved for
    every cell that `own` has not on it, times 2 to the length of the longest line."""
    row, longest = get(base, THROUGH) + 8 * cell * get(base, ROW), get(base, LONGEST)
    found, index = 0, 0
    line = get(row, 0)
    while line != 0:
        if line & other == 0:
            found += 1 << (longest - ones(line & ~own))
        index += 1
        line = get(row, index)
    return found


@kernel
def _shared(base: int, cell: int, attack_: int, defence: int) -> int:
    """Return the cells that are on every line through `cell` that either side could still fill."""
    row = get(base, THROUGH) + 8 * cell * get(base, ROW)
    has_others = get(base, OTHERS) != 0
    found, index = -1, 0
    line = get(row, 0)
    while line != 0:
        if line & defence == 0 or (has_others and line & attack_ == 0):
            found &= line
        index += 1
        line = get(row, index)
    return found


@kernel
def _covered(base: int, zone: int, loser: int, winner: int, count: int, least: int) -> int:
    """Return `zone` with `least` cells of every line that the loser could still fill."""
    lines = get(base, LINES)
    for index in range(count):
        line = get(lines, index)
        if line & winner == 0:
            left = line & ~loser
            missing = least - ones(left & zone)
            left &= ~zone
            while missing > 0 and left != 0:
                zone |= left & -left
                left = _without_first(left)
                missing -= 1
    return zone


@kernel
def _has_pairs(base: int, depth: int, count: int, used: int, narrowest: int) -> bool:
    """Return whether disjoint pairs of cells, none of them `used`, were found for the lines listed
    at this depth, of which `narrowest` has the fewest cells; they are in PAIRED.

    Pairs that were found the last time are tried first: from one position to the next most of them
    stay."""
    left = get(base, LEFT)
    if count == 0:
        put(base, PAIRED, used)
        return True
    if left <= 0:
        return False
    put(base, LEFT, left - 1)
    most = get(base, COUNT)
    here = get(base, PAIRS) + 8 * depth * (most + OPTIONS)
    after = here + 8 * (most + OPTIONS)
    # Its pairs, those that are on most lines first.
    options = 0
    firsts = narrowest
    is_only = _without_first(_without_first(narrowest)) == 0
    for _ in range(8):
        one = firsts & -firsts
        firsts ^= one
        seconds = firsts
        while seconds != 0 and options < OPTIONS:
            pair = one | seconds & -seconds
            shared = LAST if get(base, PARTNER + lowest(one)) == lowest(seconds) + 1 else 0
            seconds = _without_first(seconds)
            if not is_only:
                for index in range(count):
                    shared += 1 if get(here, index) & pair == pair else 0
            order = shared << 12 | lowest(pair) << 6 | lowest(_without_first(pair))
            place = options
            while place > 0 and get(here, most + place - 1) < order:
                put(here, most + place, get(here, most + place - 1))
                place -= 1
            put(here, most + place, order)
            options += 1
    for option in range(options):
        order = get(here, most + option)
        first, second = order >> 6 & 63, order & 63
        pair = 1 << first | 1 << second
        others, next_, fewest = 0, 0, 65
        for index in range(count):
            line = get(here, index)
            if line & pair != pair:
                line &= ~pair
                size = ones(line)
                if size <= fewest:
                    next_, fewest = line, size
                    if size < 2:
                        break
                put(after, others, line)
                others += 1
        if fewest >= 2 and _has_pairs(base, depth + 1, others, used | pair, next_):
            put(base, PARTNER + first, second + 1)
            put(base, PARTNER + second, 0)
            return True
        if get(base, LEFT) <= 0:
            return False
    return False


@kernel
def _is_paired(base: int, attack: int, defence: int) -> bool:
    """Return whether pairs hold all that the attacker could still fill."""
    most = get(base, COUNT)
    lines, lists = get(base, LINES), get(base, PAIRS)
    count, narrowest, fewest = 0, 0, 65
    for index in range(most):
        line = get(lines, index)
        if line & defence == 0:
            line &= ~attack
            if ones(line) <= fewest:
                narrowest, fewest = line, ones(line)
                if fewest < 2:
                    return False
            put(lists, count, line)
            count += 1
    put(base, LEFT, get(base, TRIES))
    return _has_pairs(base, 0, count, 0, narrowest)


@kernel
def _mixed(attack: int, defence: int, open_: int) -> int:
    """Return the key of what is left of a position."""
    key = attack * FACTORS[0]
    key = ((key ^ shifted(key, 32)) + defence) * FACTORS[1]
    key = ((key ^ shifted(key, 29)) + open_) * FACTORS[2]
    return key ^ shifted(key, 32)


@kernel
def _symmetric(base: int, attack: int, defence: int, open_: int) -> int:
    """Return the key of a position and all that are alike by symmetry; in the lowest bits, which
    symmetry gives it."""
    h0, h1, h2, h3, h4, h5, h6, h7 = 0, 0, 0, 0, 0, 0, 0, 0
    for kind in range(3):
        cells = attack if kind == 0 else defence if kind == 1 else open_
        words = get(base, ZOBRIST) + 8 * 64 * SYMMETRIES * kind
        while cells != 0:
            row = words + 8 * SYMMETRIES * lowest(cells)
            h0 ^= get(row, 0)
            h1 ^= get(row, 1)
            h2 ^= get(row, 2)
            h3 ^= get(row, 3)
            h4 ^= get(row, 4)
            h5 ^= get(row, 5)
            h6 ^= get(row, 6)
            h7 ^= get(row, 7)
            cells = _without_first(cells)
    key = min(h0 & ~7, h1 & ~7 | 1)
    key = min(key, h2 & ~7 | 2)
    key = min(key, h3 & ~7 | 3)
    key = min(key, h4 & ~7 | 4)
    key = min(key, h5 & ~7 | 5)
    key = min(key, h6 & ~7 | 6)
    return min(key, h7 & ~7 | 7)


@kernel
def _image(base: int, zone: int, row: int) -> int:
    """Return a zone under a symmetry, or its inverse."""
    images = get(base, IMAGES) + 8 * 64 * row
    found = 0
    while zone != 0:
        found |= 1 << get(images, lowest(zone))
        zone = _without_first(zone)
    return found


@inlined
def _opened(base: int, place: int) -> int:
    """Return the key of an entry, with its answer; in the lowest bits 0 where it is empty."""
    table = get(base, TABLE)
    key = get(table, place) ^ get(table, place + 1) * FACTORS[0] ^ get(base, SEAL)
    return key ^ (key & 63) * FACTORS[1] << KEPT


@inlined
def _sealed(base: int, key: int, zone: int) -> int:
    """Return the first word of an entry."""
    return key ^ (key & 63) * FACTORS[1] << KEPT ^ zone * FACTORS[0] ^ get(base, SEAL)


@kernel
def attack(
    base: int,
    attack_: int,
    defence: int,
    ply: int,
    needs: int,
    threats: int,
    weight: int,
    is_defence: bool,
) -> bool:
    """Return whether the attacker wins; the zone of the answer is in the block.

    `needs` and `threats` are the cells that complete a line of the attacker's and of the
    defender's, `weight` that of the lines that the attacker could still fill; `is_defence` tells
    whose turn it is.
    """
    nodes = get(base, NODES)
    put(base, NODES, nodes + 1)
    if nodes >= get(base, LIMIT):
        put(base, SPENT, 1)
    if get(base, STOP) | get(base, SPENT) != 0:
        return False
    if ply < SHOWN:
        put(base, DONE + ply, 1)
    here, there = ZONE + ply, ZONE + ply + 1
    most, others = get(base, COUNT), get(base, OTHERS)
    limit = 1 << get(base, LONGEST)
    mover, other = (defence, attack_) if is_defence else (attack_, defence)
    can_win, must_stop = (threats, needs) if is_defence else (needs, threats)
    own_lines, other_lines = (others, most) if is_defence else (most, others)
    if can_win != 0:
        put(base, here, _covered(base, can_win & -can_win, other, mover, other_lines, 1))
        put(base, BEST, lowest(can_win))
        return not is_defence
    rest = _without_first(must_stop)
    if rest != 0:
        put(
            base,
            here,
            _covered(base, must_stop & -must_stop | rest & -rest, mover, other, own_lines, 2),
        )
        return is_defence
    if must_stop != 0:
        cell = lowest(must_stop)
        change = _weight(base, cell, attack_, defence)
        if (
            is_defence
            and 2 * (weight - change) >= limit
            and _is_paired(base, attack_, defence | must_stop)
        ):
            put(base, here, must_stop | get(base, PAIRED))
            put(base, BEST, cell)
            return False
        made = _needs(base, cell, mover | must_stop, other) if own_lines != 0 else 0
        if is_defence:
            answer = attack(
                base, attack_, defence | must_stop, ply + 1, 0, made, weight - change, False
            )
        else:
            answer = attack(
                base, attack_ | must_stop, defence, ply + 1, made, 0, weight + change, True
            )
        zone = must_stop | get(base, there)
        if (
            answer == is_defence
        ):  # the mover's other moves lose at once, if it can complete no line with them
            zone = _covered(base, zone, mover, other, own_lines, 2)
        else:
            put(base, BEST, cell)
        put(base, here, zone)
        return answer
    live = _live(base, most, defence)
    empty = ~(attack_ | defence)
    if (weight if is_defence else 2 * weight) < limit and (live == 0 or ply > 0 or not is_defence):
        put(base, here, live & empty)
        return False
    counting = _live(base, others, attack_)
    open_ = (live | counting) & empty
    # The table.
    is_symmetric = ones(open_) > get(base, SYMMETRIC)
    key = (
        _symmetric(base, attack_ & live, defence & counting, open_)
        if is_symmetric
        else _mixed(attack_ & live, defence & counting, open_)
    )
    symmetry = key & 7
    key &= ~63
    if is_defence:
        key ^= FACTORS[0] << KEPT
    table = get(base, TABLE)
    place = shifted(key * FACTORS[0], get(base, SHIFT)) << 2
    for slot in range(2):
        entry = _opened(base, place + 2 * slot)
        if shifted(entry ^ key, KEPT) == 0 and entry & 63 != 0 and ply > 0:
            zone = get(table, place + 2 * slot + 1)
            put(base, here, _image(base, zone, SYMMETRIES + symmetry) if is_symmetric else zone)
            return entry & 1 != 0
    # The moves, in order of the lines through them; the defender's own count in the weak game too,
    # for what they are worth as a hint.
    count = 0
    at = MOVES + 64 * ply
    cells = open_
    while cells != 0:
        cell = lowest(cells)
        cells = _without_first(cells)
        order = (
            2 * _weight(base, cell, attack_, defence) + _weight(base, cell, defence, attack_)
        ) << 6 | cell
        index = at + count
        while index > at and get(base, index - 1) < order:
            put(base, index, get(base, index - 1))
            index -= 1
        put(base, index, order)
        count += 1
    is_won = is_defence
    zone, found = 0, -1
    if is_defence:
        tried = get(base, TRIED)
        for index in range(count):
            cell = get(base, at + index) & 63
            move = 1 << cell
            lighter = weight - _weight(base, cell, attack_, defence)
            if 2 * lighter < limit:
                is_won, found, zone = False, cell, move | _live(base, most, defence | move) & empty
                break
            if index < tried and _is_paired(base, attack_, defence | move):
                is_won, found, zone = False, cell, move | get(base, PAIRED)
                break
    if found < 0:
        left, searched = open_, 0
        last, budget = get(base, LIMIT), get(base, ROUND) if is_defence else UNLIMITED
        width = FEW if budget < UNLIMITED else count
        is_done = False
        while not is_done:
            is_done = width >= count
            for index in range(min(width, count)):
                cell = get(base, at + index) & 63
                move = 1 << cell
                if left & move == 0:
                    continue
                better = _shared(base, cell, attack_, defence) & searched
                if better != 0:
                    zone |= move | better & -better
                    left &= ~move
                    continue
                if ply < SHOWN:
                    put(base, DONE + ply, index << 8 | count)
                change = _weight(base, cell, attack_, defence)
                put(base, LIMIT, min(last, get(base, NODES) + budget))
                if is_defence:
                    made = _needs(base, cell, defence | move, attack_) if others != 0 else 0
                    answer = attack(
                        base, attack_, defence | move, ply + 1, 0, made, weight - change, False
                    )
                else:
                    made = _needs(base, cell, attack_ | move, defence)
                    answer = attack(
                        base, attack_ | move, defence, ply + 1, made, 0, weight + change, True
                    )
                put(base, LIMIT, last)
                if get(base, STOP) != 0 or get(base, NODES) > last:
                    return False
                if get(base, SPENT) != 0:
                    put(base, SPENT, 0)
                    is_done = False
                    continue
                if answer != is_defence:
                    is_won, found, zone = answer, cell, move | get(base, there)
                    is_done = True
                    break
                zone |= get(base, there)
                left &= get(base, there) & ~move
                searched |= move
            width += WIDER
            budget *= MORE
    put(base, here, zone)
    if found >= 0:
        put(base, BEST, found)
    # Into the table, in the place of its own or of the cheaper one.
    work = highest(get(base, NODES) - nodes | 1) + 1
    entry = key & ~63 | work << 1 | (1 if is_won else 0)
    first = _opened(base, place)
    if first & 63 != 0 and shifted(first ^ key, KEPT) != 0:
        if work >= shifted(first & 63, 1):
            put(table, place + 2, get(table, place))
            put(table, place + 3, get(table, place + 1))
        else:
            place += 2
    kept_zone = _image(base, zone, symmetry) if is_symmetric else zone
    put(table, place, _sealed(base, entry, kept_zone))
    put(table, place + 1, kept_zone)
    return is_won


ENTRIES = (attack,)

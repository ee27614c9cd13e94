"""The kernel that solves gravity games: k in a row on columns that fill from below, such as Connect
Four.

A side's stones are one word: a column takes height + 1 bits from the bottom, its topmost bit always
0, so that shifts never run from one column into the next (John Tromp's board). Scores count, for
the side to move, the stones that the winner has left plus one (Pons). `test` asks whether the score
is above a bound, which is all that bisection needs.

What it knows beside the transposition table, which holds true bounds under whole keys and so stays
true from one position to the next:

- A move that lets the opponent complete a line, and a cell below one that the opponent needs, is no move; where one is left it is played
  at once, without a node.
- Follow-up: the opponent of the mover can answer every move in the same column, where that has an even number of empty cells, and play
  two columns with odd numbers against each other. So he gets every other cell, of columns with an odd number above the next one. If no
  line fits into what is left to the mover, the mover does not win (claimeven; Allis 1988). If one of his own cells completes a line, he
  wins when the mover has nothing else to play than the cell below it, and the mover gets nothing above it. If the empty cells are odd in
  number, a column is left over; there the follower needs such a cell (the zugzwang that an odd threat of the first player is good for).
- A child whose bound is in the table, or follows so, is looked at before any child is searched.
"""

from __future__ import annotations

import sys
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType

from plyscope.machine.block import signed
from plyscope.machine.kernel import get, highest, inlined, kernel, ones, prefetch, put, shifted
from plyscope.randomness import GOLDEN

__all__ = ["ASKED", "BLOCK", "ENDED", "ENTRIES", "UNBOUND", "narrow", "of_board"]

(
    NODES,
    LIMIT,  # of nodes; at it the search stops
    STOP,  # not 0: stop
    TABLE,
    SHIFT,  # key bits less the bits of a bucket's number
    REST,  # the bits of a key that an entry keeps
    MIRRORED,  # mirror images share an entry below so many stones
    LOOKING,  # children are looked up in the table below so many stones
    LOW,
    HIGH,  # between them lies the score, as far as is known
    KEEPING,  # the table is used below so many stones
    # from here on, PLY_WORDS a ply, the moves to be searched: for each its order, its cell, and the
    # threats it makes
    MOVES,
) = range(12)
PLY_WORDS = 64
BLOCK = MOVES + 65 * PLY_WORDS
"""The words of the block that `test` works on."""
ASKED = 4
"""Words of a question to `narrow`: the stones of the side to move, those of both, and the scores
between which the answer lies."""
FACTOR = signed(GOLDEN)
"""What spreads keys over the table; it is odd."""
SCORE_BITS, WORK_BITS = 8, 6
KEY_FROM = SCORE_BITS + WORK_BITS
"""An entry: what it keeps of the key from this bit on, the logarithm of the nodes it cost, and the
code of its bound."""
CODE = (1 << SCORE_BITS) - 1
UPPER, MIDDLE, LOWER = 64, 128, 192
"""Codes of bounds of 0: those below MIDDLE are of upper bounds, 0 of none."""
ENDED = 2
"""STOP as set by who asks: it ends all that is asked, not the position at hand alone."""
UNBOUND = 64
"""More than any score."""
NEAR = 8
"""The width of an interval of scores within which the sign is asked for first."""
WIDTH = COLUMN = LENGTH = CELLS = KEYS = BOARD = BOTTOM = FIRST_OF_PAIRS = FOLLOWED = 0
COLUMNS: tuple[int, ...] = (0,)
IS_WIDE = IS_HIGH = True
"""Of a board, which `of_board` fills in: the columns, the bits of a column (one more than its
cells), the length of a line, the number of cells, the bits of keys, the cells, the lowest ones,
those that a follower leaves to the mover, the highest score of a follower, each column's, the outer
ones first, and whether lines have room across and upward."""


@cache
def of_board(width: int, height: int, length: int) -> ModuleType:
    """Return this module for a board, whose numbers its kernels are compiled with."""
    spec = spec_from_file_location(f"{__name__}_{width}x{height}_{length}", __file__)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = module_from_spec(spec)
    spec.loader.exec_module(module)
    column = height + 1
    bottom = sum(1 << at * column for at in range(width))
    board = bottom * ((1 << height) - 1)
    outer_first = sorted(range(width), key=lambda at: -abs(2 * at - (width - 1)))
    numbers = {
        "WIDTH": width,
        "COLUMN": column,
        "LENGTH": length,
        "CELLS": width * height,
        "KEYS": (1 << width * column) - 1,
        "BOARD": board,
        "BOTTOM": bottom,
        "FIRST_OF_PAIRS": sum(bottom << row for row in range(height) if row % 2 == height % 2),
        "FOLLOWED": height // 2,
    }
    vars(module).update({name: signed(number) for name, number in numbers.items()})
    columns = tuple(signed(((1 << height) - 1) << at * column) for at in outer_first)
    vars(module).update(COLUMNS=columns, IS_WIDE=width >= length, IS_HIGH=height >= length)
    return module


@inlined
def _around(stones: int, step: int) -> int:
    """Return the cells that have three of `stones` in a row of four with them, in the direction of
    `step`."""
    after = (stones << step) & (stones << 2 * step)
    before = shifted(stones, step) & shifted(stones, 2 * step)
    return after & (stones << 3 * step | shifted(stones, step)) | before & (
        stones << step | shifted(stones, 3 * step)
    )


@kernel
def _completing(stones: int, step: int) -> int:
    """Return the cells that have all others of a row of any length with them, in the direction of
    `step`."""
    found = 0
    for at in range(LENGTH):
        line = -1
        for other in range(LENGTH):
            if other < at:
                line &= stones << (at - other) * step
            elif other > at:
                line &= shifted(stones, (other - at) * step)
        found |= line
    return found


@inlined
def threats(stones: int) -> int:
    """Return the cells that complete a line of `stones`, among them taken ones and those above the
    columns."""
    found = 0
    if LENGTH == 4:
        if IS_HIGH:
            found |= (stones << 1) & (stones << 2) & (stones << 3)
        if IS_WIDE:
            found |= _around(stones, COLUMN)
        if IS_HIGH and IS_WIDE:
            found |= _around(stones, COLUMN - 1) | _around(stones, COLUMN + 1)
        return found
    if IS_HIGH:
        found |= _completing(stones, 1)
    if IS_WIDE:
        found |= _completing(stones, COLUMN)
    if IS_HIGH and IS_WIDE:
        found |= _completing(stones, COLUMN - 1) | _completing(stones, COLUMN + 1)
    return found


@inlined
def _four(stones: int, step: int) -> int:
    """Return the stones that begin a row of four in the direction of `step`."""
    pairs = stones & shifted(stones, step)
    return pairs & shifted(pairs, 2 * step)


@kernel
def _row(stones: int, step: int) -> int:
    """Return the stones that begin a row of any length in the direction of `step`."""
    found = stones
    for at in range(1, LENGTH):
        found &= shifted(stones, at * step)
    return found


@inlined
def _has_line(stones: int) -> bool:
    """Return whether `stones` hold a line."""
    found = 0
    if LENGTH == 4:
        if IS_HIGH:
            found |= _four(stones, 1)
        if IS_WIDE:
            found |= _four(stones, COLUMN)
        if IS_HIGH and IS_WIDE:
            found |= _four(stones, COLUMN - 1) | _four(stones, COLUMN + 1)
        return found != 0
    if IS_HIGH:
        found |= _row(stones, 1)
    if IS_WIDE:
        found |= _row(stones, COLUMN)
    if IS_HIGH and IS_WIDE:
        found |= _row(stones, COLUMN - 1) | _row(stones, COLUMN + 1)
    return found != 0


@inlined
def _worth(wins: int) -> int:
    """Return the score of a follower who gets the lowest of these cells only when all others but
    those above it are taken."""
    row = 0
    while wins & (BOTTOM << row) == 0:
        row += 1
    return 1 + (COLUMN - 2 - row) // 2


@inlined
def _bound_of_follow_up(own: int, mask: int, theirs: int, is_even: bool, alpha: int) -> int:
    """Return a bound of the score of the mover by the opponent's follow-up, UNBOUND for none; only
    one of at most `alpha` is looked for.

    `theirs` are the empty cells that complete a line of the opponent; `is_even` tells whether the
    empty cells are even in number.
    """
    board, bottom, first = BOARD, BOTTOM, FIRST_OF_PAIRS
    empty = board ^ mask
    odd = (mask + bottom) & board & ~first
    followed = empty & ~first & ~odd
    wins = theirs & followed
    beyond = ((board + bottom - wins) | wins) & board
    if is_even:
        if (wins == 0 and alpha < -1) or _has_line(own | odd | empty & first & ~beyond):
            return UNBOUND
        if wins != 0:
            return -_worth(wins)
        return -1 if _has_line(own ^ mask | followed) else 0
    of_odd = ((odd + board) & ~board) - odd
    wins = theirs & of_odd & first
    if wins == 0:
        return UNBOUND
    for index in range(WIDTH):
        column = COLUMNS[index]
        win = wins & column
        win &= -win
        if win != 0 and not _has_line(
            own | odd | empty & first & ~column & ~beyond | empty & column & ~first & (win - 1)
        ):
            return -_worth(win)
    return UNBOUND


@kernel
def _mirrored(word: int) -> int:
    """Return the word with the columns in reverse order."""
    width, column = WIDTH, COLUMN
    whole = (1 << column) - 1
    found = 0
    while width > 0:
        found = found << column | word & whole
        word = shifted(word, column)
        width -= 1
    return found


@inlined
def _spread(base: int, own: int, mask: int, stones: int) -> int:
    """Return the key of a position, of mirror images the smaller one while there are few stones,
    spread over all its bits."""
    key = own + mask
    if stones < get(base, MIRRORED):
        key = min(key, _mirrored(own) + _mirrored(mask))
    return (key * FACTOR) & KEYS


@inlined
def _code_of(base: int, spread: int) -> int:
    """Return the code of the bound that the table holds, 0 for none."""
    table, place = get(base, TABLE), shifted(spread, get(base, SHIFT)) << 1
    kept = (spread & get(base, REST)) << KEY_FROM
    entry = get(table, place)
    if shifted(entry ^ kept, KEY_FROM) == 0 and entry & CODE != 0:
        return entry & CODE
    entry = get(table, place + 1)
    if shifted(entry ^ kept, KEY_FROM) == 0:
        return entry & CODE
    return 0


@kernel
def _keep(base: int, spread: int, code: int, nodes: int) -> None:
    """Write an entry: in the place of its own, else of the bucket's cheaper one."""
    table, place = get(base, TABLE), shifted(spread, get(base, SHIFT)) << 1
    kept = (spread & get(base, REST)) << KEY_FROM
    work = highest(nodes | 1)
    entry = kept | work << SCORE_BITS | code
    first = get(table, place)
    if shifted(first ^ kept, KEY_FROM) == 0:
        put(table, place, entry)
    elif shifted(get(table, place + 1) ^ kept, KEY_FROM) != 0 and work >= (
        first >> SCORE_BITS & (1 << WORK_BITS) - 1
    ):
        put(table, place + 1, first)
        put(table, place, entry)
    else:
        put(table, place + 1, entry)


@kernel
def test(base: int, own: int, mask: int, stones: int, alpha: int, theirs: int) -> int:
    """Return a bound of the score of the mover, who cannot win at once: a lower one above `alpha`,
    else an upper one.

    `theirs` are the empty cells that complete a line of the opponent.
    """
    sign = 1
    while True:
        other = own ^ mask
        moves = (mask + BOTTOM) & BOARD
        forced = moves & theirs
        if forced != 0:
            if forced & (forced - 1) != 0:
                return -sign * ((CELLS - stones) // 2)
            moves = forced
        moves &= ~shifted(theirs, 1)
        if moves == 0:
            return -sign * ((CELLS - stones) // 2)
        if stones >= CELLS - 2:
            return 0
        least, most = -((CELLS - 2 - stones) // 2), (CELLS - 1 - stones) // 2
        if least > alpha:
            return sign * least
        if most <= alpha:
            return sign * most
        if moves & (moves - 1) != 0:
            break
        own, mask, stones, alpha, sign = other, mask | moves, stones + 1, -alpha - 1, -sign
        theirs = threats(own ^ mask) & (BOARD ^ mask)
        if alpha >= -FOLLOWED:
            bound = _bound_of_follow_up(own, mask, theirs, (CELLS - stones) & 1 == 0, alpha)
            if bound <= alpha:
                return sign * bound
    nodes = get(base, NODES)
    put(base, NODES, nodes + 1)
    if nodes >= get(base, LIMIT):
        put(base, STOP, 1)
    if get(base, STOP) != 0:
        return 0
    is_kept = stones < get(base, KEEPING)
    spread = 0
    if is_kept:
        spread = _spread(base, own, mask, stones)
        code = _code_of(base, spread)
        if code > MIDDLE:
            if code - LOWER > alpha:
                return sign * (code - LOWER)
        elif code != 0 and code - UPPER <= alpha:
            return sign * (code - UPPER)
    # The moves by the threats they make, equal ones by columns from the middle.
    count = 0
    at = MOVES + stones * PLY_WORDS
    is_looking = stones < get(base, LOOKING)
    is_followed, is_odd = alpha < FOLLOWED, (CELLS - stones) & 1 == 1
    blocked = ~(theirs << 1)
    won = (CELLS - stones - 1) // 2
    for index in range(WIDTH):
        move = moves & COLUMNS[index]
        if move == 0:
            continue
        after = mask | move
        if stones + 1 < get(base, KEEPING):
            prefetch(
                get(base, TABLE),
                shifted(_spread(base, other, after, stones + 1), get(base, SHIFT)) << 1,
            )
        mine = threats(own | move) & (BOARD ^ after)
        replies = (after + BOTTOM) & BOARD
        forced = replies & mine
        if (
            forced & (forced - 1) != 0
            or (forced if forced != 0 else replies) & ~shifted(mine, 1) == 0
        ):
            return sign * won
        if is_followed:
            bound = _bound_of_follow_up(other, after, mine, is_odd, -alpha - 1)
            if bound < -alpha:
                return -sign * bound
        order = 2 * ones(mine & blocked) - ones(mine & replies)
        place = at + 3 * count
        while place > at and get(base, place - 3) > order:
            put(base, place, get(base, place - 3))
            put(base, place + 1, get(base, place - 2))
            put(base, place + 2, get(base, place - 1))
            place -= 3
        put(base, place, order)
        put(base, place + 1, move)
        put(base, place + 2, mine)
        count += 1
    best = -UNBOUND
    if is_looking:
        left = 0
        for index in range(count):
            place = at + 3 * index
            code = _code_of(base, _spread(base, other, mask | get(base, place + 1), stones + 1))
            if code > MIDDLE:
                if LOWER - code <= alpha:
                    best = max(best, LOWER - code)
                    continue
            elif code != 0 and UPPER - code > alpha:
                return sign * (UPPER - code)
            for word in range(3):
                put(base, at + 3 * left + word, get(base, place + word))
            left += 1
        count = left
    for index in range(count - 1, -1, -1):
        place = at + 3 * index
        score = -test(
            base, other, mask | get(base, place + 1), stones + 1, -alpha - 1, get(base, place + 2)
        )
        if get(base, STOP) != 0:
            return 0
        best = max(best, score)
        if score > alpha:
            break
    if is_kept:
        _keep(base, spread, best + (LOWER if best > alpha else UPPER), get(base, NODES) - nodes)
    return sign * best


@kernel
def needed(own: int, mask: int) -> int:
    """Return the empty cells that complete a line of `own`."""
    return threats(own) & (BOARD ^ mask)


@inlined
def _question(low: int, high: int) -> int:
    """Return the next bound to ask about: far from 0 first, near 0 the sign."""
    if high - low <= NEAR:
        return min(max(0, low), high - 1)
    middle = (low + high) >> 1
    return min(middle, -((-low) >> 1)) if middle <= 0 else max(middle, high >> 1)


@inlined
def _in_columns(rows: int) -> int:
    """Return stones, given as the bits of a board of rows from the top, as a word of columns."""
    found = 0
    for column in range(WIDTH):
        for up in range(COLUMN - 1):
            found |= (shifted(rows, (COLUMN - 2 - up) * WIDTH + column) & 1) << column * COLUMN + up
    return found


@kernel
def _score(base: int, own: int, mask: int) -> int:
    """Return the score of the mover, found between the block's LOW and HIGH, which tell how far it
    came where STOP is set."""
    stones = ones(mask)
    left = CELLS - stones
    if _has_line(own ^ mask):
        return -(left // 2) - 1
    if _has_line(own):
        return left // 2 + 1
    if threats(own) & (mask + BOTTOM) & BOARD != 0:
        return (left + 1) // 2
    theirs = threats(own ^ mask) & (BOARD ^ mask)
    low, high = max(get(base, LOW), -(left // 2)), min(get(base, HIGH), (left + 1) // 2)
    while low < high:
        bound = _question(low, high)
        found = test(base, own, mask, stones, bound, theirs)
        if get(base, STOP) != 0:
            return 0
        if found > bound:
            low = max(low, found)
        else:
            high = min(high, found)
        put(base, LOW, low)
        put(base, HIGH, high)
    return low


@kernel
def narrow(base: int, positions: int, count: int, nodes: int) -> None:
    """Bring together the bounds of the scores of `count` positions, as far as `nodes` for each
    suffice.

    A position is ASKED words: the stones of the mover and all stones, as bits of a board of rows
    from the top, and the two bounds.
    """
    for number in range(count):
        at = positions + 8 * ASKED * number
        put(base, LOW, get(at, 2))
        put(base, HIGH, get(at, 3))
        put(base, LIMIT, get(base, NODES) + nodes)
        found = _score(base, _in_columns(get(at, 0)), _in_columns(get(at, 1)))
        if get(base, STOP) == 0:
            put(base, LOW, found)
            put(base, HIGH, found)
        put(at, 2, get(base, LOW))
        put(at, 3, get(base, HIGH))
        if get(base, STOP) == ENDED:
            return
        put(base, STOP, 0)


ENTRIES = (narrow,)

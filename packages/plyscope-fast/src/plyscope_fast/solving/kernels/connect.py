"""The kernel that solves gravity games: k in a row on columns that fill from below.

`test` returns whether a position's score is above a bound; `narrow` moves two bounds together by
such questions. A score is the number of stones that the winner has left plus one (Pons), in the
view of the side to move: negative for a loss, 0 for a draw.

A word holds one bit a cell. A column takes height + 1 bits from the bottom, the topmost always 0,
so that no shift runs from one column into the next (Tromp). On a board of 4 columns and 3 rows:

     3   7  11  15     never taken             up       1 bit
     2   6  10  14     the top row             across   height + 1 bits
     1   5   9  13                             diagonal height, height + 2 bits
     0   4   8  12     the bottom row

A position is two such words, `own` for the stones of the mover and `mask` for all stones. Adding
the bottom row to `mask` carries, in each column, into the lowest empty cell:

     stones     own        mask       mask + bottom
     . . . .    . . . .    . . . .    . . . .
     . . . .    . . . .    . . . .    . 1 . .          after 2, 2, 3 with O to move:
     . O . .    . 1 . .    . 1 . .    . . 1 .          own  = 10 0000            = bit 5
     . X X .    . . . .    . 1 1 .    1 . . 1          mask = 1 0011 0000        = bits 4, 5, 8

So `own + mask` is a unique key of the position.

The search is alpha-beta with null windows and a transposition table. The entries of the table are
proven bounds under complete keys, so they stay valid from one position to the next. Other
techniques:

- Forced moves. The mover must take a cell that completes a line of the opponent, and must not play
  below one. A single remaining move is played at once, without a node, until a position with a
  choice or a bound is reached. All moves of a node are followed so before one is searched.
- Follow-up (claimeven; Allis 1988). The opponent answers every move in the same column if it has an
  even number of empty cells, and pairs columns with odd numbers. So the opponent gets every other
  cell. If no line fits into the cells left to the mover, the mover does not win. If one of the
  opponent's cells completes a line, the opponent wins when the mover has to play the cell below it.
  If the number of empty cells is odd, one column remains unpaired. There the follower needs such a
  cell (the zugzwang by an odd threat of the first player).
- Children in the table. All children are looked up before any is searched.
- Order of moves. Moves that make threats come first; early in the game, cells of many lines count.
- Two tables. Most nodes are late in the game, so their table is small: it fits into the cache.
- Threads. Several threads can answer one question with one table. They tell each other which
  positions they search, and search moves to such positions last (after Weill 1996). An entry of the
  table is one word with the complete key, so threads cannot read half of one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from plyscope.randomness import GOLDEN
from plyscope_fast.machine.block import (
    Bits,
    Block,
    Constants,
    Packed,
    Rows,
    Words,
    fields_of,
    signed,
)
from plyscope_fast.machine.kernel import clock, highest, inlined, kernel, ones, prefetch, shifted

KEY_BITS = 50
"""The greatest number of bits of a key that an entry stores."""
FACTOR = signed(GOLDEN)
"""The odd factor that spreads keys over the table."""
STOP_ALL = 2
"""The value of `stop` that ends all questions, set by the caller."""
NO_BOUND = 64
"""A number above all scores: no bound."""
NEAR_WIDTH = 8
"""The width of an interval of scores from which the sign is tested first."""
BUSY_KEYS = 1 << 12
"""The number of keys of positions that threads search."""
SEARCHED = -(1 << 20)
"""The order of a move that has been searched, less than that of any other."""


@dataclass(frozen=True)
class Shape(Constants):
    """A board and the length of its lines, with which the kernels are compiled."""

    width: int
    height: int
    length: int

    @property
    def column(self) -> int:
        """The bits of a column: its cells and the one above them."""
        return self.height + 1

    @property
    def cells(self) -> int:
        """The number of cells."""
        return self.width * self.height

    @property
    def bits(self) -> int:
        """The number of bits of a board."""
        return self.width * self.column

    @property
    def keys(self) -> int:
        """The mask of a key."""
        return (1 << self.bits) - 1

    @property
    def bottom(self) -> int:
        """The lowest cell of each column."""
        return sum(1 << at * self.column for at in range(self.width))

    @property
    def board(self) -> int:
        """The set of all cells."""
        return self.bottom * ((1 << self.height) - 1)

    @property
    def leaders(self) -> int:
        """The lower cell of each pair of a column, in pairs from the top; the follower answers on
        the upper one."""
        return sum(self.bottom << row for row in range(self.height) if row % 2 == self.height % 2)

    @property
    def most_by_follow_up(self) -> int:
        """The highest score that follow-up can show."""
        return self.height // 2

    @property
    def columns(self) -> tuple[int, ...]:
        """The cells of each column, the outer columns first."""
        outer_first = sorted(range(self.width), key=lambda at: -abs(2 * at - (self.width - 1)))
        return tuple(((1 << self.height) - 1) << at * self.column for at in outer_first)

    @property
    def line_bits(self) -> tuple[int, ...]:
        """Of the numbers of lines to which the cells belong, the cells that have each bit."""
        lines = dict.fromkeys(range(self.bits), 0)
        for step in (1, self.column, self.column - 1, self.column + 1):
            for first in range(self.bits):
                line = [first + at * step for at in range(self.length)]
                if all(self.board >> cell & 1 for cell in line):
                    for cell in line:
                        lines[cell] += 1
        return tuple(
            sum(1 << cell for cell, count in lines.items() if count >> bit & 1)
            for bit in range(max(1, max(lines.values()).bit_length()))
        )

    @property
    def line_bit_count(self) -> int:
        """The number of `line_bits`."""
        return len(self.line_bits)

    @property
    def is_wide(self) -> bool:
        """Whether a line fits across the board."""
        return self.width >= self.length

    @property
    def is_high(self) -> bool:
        """Whether a line fits upward."""
        return self.height >= self.length


class AnyShape(Block):
    """The numbers of a Shape as data, for a kernel that serves all boards."""

    width: int
    height: int
    length: int
    column: int
    cells: int
    bits: int
    keys: int
    bottom: int
    board: int
    leaders: int
    most_by_follow_up: int
    is_wide: bool
    is_high: bool
    line_bit_count: int
    columns: Annotated[Words, 32]
    line_bits: Annotated[Words, 8]

    @classmethod
    def of_shape(cls, shape: Shape) -> AnyShape:
        """Return the data of a shape."""
        numbers: dict[str, Any] = {}
        for name in fields_of(cls):
            number = getattr(shape, name)
            is_tuple = isinstance(number, tuple)
            numbers[name] = [*map(signed, number)] if is_tuple else signed(number)
        return cls(**numbers)


class Entry(Packed):
    """An entry of the table; an empty one is 0.

     63 .. 14   13 .. 8   7 .. 1   0
    | key      | work    | score  | is_lower |
    """

    is_lower: Annotated[int, Bits(1)]
    """1 if the score is at least `score`, 0 if it is at most that."""
    score: Annotated[int, Bits(7, is_signed=True)]
    work: Annotated[int, Bits(6)]
    """One more than the logarithm of the nodes it cost, 0 for none."""
    key: Annotated[int, Bits(KEY_BITS)]
    """The bits of the position's key that the place in the table does not determine."""


class Move(Block):
    """A move to be searched: the position to which it and the forced moves after it lead."""

    order: int
    """The sort key; greater ones are searched first."""
    own: int
    """The stones of the side to move in that position."""
    mask: int
    """All stones."""
    stones: int
    """The number of stones."""
    theirs: int
    """The empty cells that complete a line of the side that has just moved."""
    key: int
    """The key, 0 if the position is not kept in the table."""


class Question(Block):
    """A position to score."""

    rows_own: int
    """The stones of the mover, as a bitboard of rows from the top."""
    rows_mask: int
    """All stones, as a bitboard of rows from the top."""
    low: int
    high: int
    """The bounds of the score, both included; `narrow` moves them together."""


class Search(Block):
    """The data of `test` and `narrow`."""

    # counters
    nodes: int
    # set by `narrow` for each question
    limit: int  # the value of `nodes` at which the search stops
    stop: int  # not 0: stop; STOP_ALL: and skip all further questions
    low: int  # the bounds of the current score
    high: int
    # set once
    table: Rows[Entry]  # [buckets, 2] of positions with `late` stones and more
    late: int
    late_shift: int  # key bits less the bits of a bucket's number
    begin: int  # the index, from `table`, of the first entry of positions with fewer stones
    shift: int  # key bits less the bits of a bucket's number, for these positions
    rest: int  # the mask of the key bits that an entry stores
    mirrored: int  # the number of stones below which mirror images share an entry
    keeping: int  # the number of stones below which the tables are used
    sharing: int  # the number of stones below which threads avoid each other; 0 if there is one
    busy: Words  # [BUSY_KEYS]  keys of positions that threads search, by their lowest bits
    # overwritten at each node
    moves: Annotated[Rows[Move], 32 * 32]  # [stones, width]


# Lines


@inlined
def _completing(shape: Shape, stones: int, step: int) -> int:
    """Return the cells that complete a row in the direction of `step`."""
    if shape.length == 4:
        after = (stones << step) & (stones << 2 * step)
        before = shifted(stones, step) & shifted(stones, 2 * step)
        return after & (stones << 3 * step | shifted(stones, step)) | before & (
            stones << step | shifted(stones, 3 * step)
        )
    completing = 0
    for at in range(shape.length):
        row = -1
        for other in range(shape.length):
            if other < at:
                row &= stones << (at - other) * step
            elif other > at:
                row &= shifted(stones, (other - at) * step)
        completing |= row
    return completing


@inlined
def _on_top(shape: Shape, stones: int) -> int:
    """Return the cells that complete a vertical row of `stones` at its top."""
    row = stones << 1
    for count in range(2, shape.length):
        row &= stones << count
    return row


@inlined
def _threats(shape: Shape, stones: int, mask: int) -> int:
    """Return the empty cells that complete a line of `stones`."""
    cells = 0
    if shape.is_high:
        cells |= _on_top(shape, stones)
    if shape.is_wide:
        cells |= _completing(shape, stones, shape.column)
    if shape.is_high and shape.is_wide:
        cells |= _completing(shape, stones, shape.column - 1)
        cells |= _completing(shape, stones, shape.column + 1)
    return cells & (shape.board ^ mask)


@inlined
def _rows(shape: Shape, stones: int, step: int) -> int:
    """Return the first stones of complete rows in the direction of `step`."""
    if shape.length == 4:
        pairs = stones & shifted(stones, step)
        return pairs & shifted(pairs, 2 * step)
    first = stones
    for at in range(1, shape.length):
        first &= shifted(stones, at * step)
    return first


@inlined
def _has_line(shape: Shape, stones: int) -> bool:
    """Return whether `stones` contain a line."""
    first = 0
    if shape.is_high:
        first |= _rows(shape, stones, 1)
    if shape.is_wide:
        first |= _rows(shape, stones, shape.column)
    if shape.is_high and shape.is_wide:
        first |= _rows(shape, stones, shape.column - 1) | _rows(shape, stones, shape.column + 1)
    return first != 0


# Bounds without search


@inlined
def _safe_moves(shape: Shape, mask: int, theirs: int) -> int:
    """Return the moves after which the opponent cannot complete a line; `theirs` are the cells that
    complete one."""
    moves = (mask + shape.bottom) & shape.board
    forced = moves & theirs
    if forced != 0:
        moves = forced if forced & (forced - 1) == 0 else 0
    return moves & ~shifted(theirs, 1)


@inlined
def _bound_by_count(shape: Shape, moves: int, stones: int, alpha: int) -> int:
    """Return a bound by the number of stones left, NO_BOUND if it does not decide.

    `moves` are the safe moves; without one the opponent wins at once.
    """
    left = shape.cells - stones
    if moves == 0:
        return -(left // 2)
    if left <= 2:
        return 0
    least, most = -((left - 2) // 2), (left - 1) // 2
    if least > alpha:
        return least
    return most if most <= alpha else NO_BOUND


@inlined
def _score_of_waiting(shape: Shape, wins: int) -> int:
    """Return the score of a follower who gets the lowest of the cells `wins` when only the cells
    above it are empty."""
    row = 0
    while wins & (shape.bottom << row) == 0:
        row += 1
    return 1 + (shape.height - 1 - row) // 2


@inlined
def _bound_by_follow_up(
    shape: Shape, own: int, mask: int, theirs: int, is_even: bool, alpha: int
) -> int:
    """Return an upper bound by the opponent's follow-up, NO_BOUND if it shows none of at most
    `alpha`.

    `theirs` are the empty cells that complete a line of the opponent; `is_even` is true if the
    number of empty cells is even. Two columns of height 4, the second with a stone:

        f  f     f  followed: the opponent gets it
        l  l     l  led: the mover may get it
        f  o     o  odd: either side may get it
        l  x
    """
    board, bottom, leaders = shape.board, shape.bottom, shape.leaders
    empty = board ^ mask
    odd = (mask + bottom) & board & ~leaders
    followed = empty & ~leaders & ~odd
    wins = theirs & followed
    beyond = ((board + bottom - wins) | wins) & board  # the lowest of them, and all above it
    led = own | odd | empty & leaders & ~beyond  # the cells that the mover has or may get
    if is_even:
        if (wins == 0 and alpha < -1) or _has_line(shape, led):
            return NO_BOUND
        if wins != 0:
            return -_score_of_waiting(shape, wins)
        return -1 if _has_line(shape, own ^ mask | followed) else 0
    in_odd_columns = ((odd + board) & ~board) - odd
    wins = theirs & in_odd_columns & leaders
    if wins == 0:
        return NO_BOUND
    for index in range(shape.width):
        column = shape.columns[index]
        win = wins & column
        win &= -win
        # The mover begins the unpaired column, so the sides swap roles in it.
        if win != 0 and not _has_line(
            shape, own | odd | led & ~column | empty & column & ~leaders & (win - 1)
        ):
            return -_score_of_waiting(shape, win)
    return NO_BOUND


# The transposition table


@kernel
def _mirrored(shape: Shape, word: int) -> int:
    """Return a board with its columns in reverse order."""
    image = 0
    for _ in range(shape.width):
        image = image << shape.column | word & (1 << shape.column) - 1
        word = shifted(word, shape.column)
    return image


@inlined
def _key(shape: Shape, search: Search, own: int, mask: int, stones: int) -> int:
    """Return the key of a position, mixed over all its bits; with few stones, mirror images share
    a key."""
    key = own + mask
    if stones < search.mirrored:
        key = min(key, _mirrored(shape, own) + _mirrored(shape, mask))
    return (key * FACTOR) & shape.keys


@inlined
def _bucket(search: Search, key: int, stones: int) -> int:
    """Return the index of the first of the two entries of a position's bucket."""
    if stones >= search.late:
        return shifted(key, search.late_shift) << 1
    return search.begin + (shifted(key, search.shift) << 1)


@inlined
def _probe(search: Search, key: int, stones: int) -> Entry:
    """Return the entry of a position, an empty one if there is none."""
    place, rest = _bucket(search, key, stones), key & search.rest
    entry = search.table[place]
    if entry.key == rest:
        return entry
    entry = search.table[place + 1]
    return entry if entry.key == rest else Entry.of(0)


@inlined
def _settles(entry: Entry, alpha: int) -> bool:
    """Return whether the entry decides if the score is above `alpha`."""
    return entry.work != 0 and (entry.score > alpha) == (entry.is_lower != 0)


@kernel
def _store(search: Search, key: int, stones: int, is_lower: int, score: int, nodes: int) -> None:
    """Write an entry, replacing an older one of its position, else the cheaper one of its
    bucket."""
    place, table = _bucket(search, key, stones), search.table
    work = highest(nodes | 1) + 1
    entry = Entry(is_lower=is_lower, score=score, work=work, key=key & search.rest)
    first = table[place]
    if first.key != entry.key:
        if table[place + 1].key != entry.key and entry.work >= first.work:
            table[place + 1] = first
        else:
            place += 1
    table[place] = entry


# The search


@inlined
def _follow_forced(
    shape: Shape, own: int, mask: int, stones: int, alpha: int, theirs: int
) -> tuple[int, int, int, int, int]:
    """Play the moves of a position as long as there is one only. Return a bound of the mover's
    score, and the stones of the side to move, all stones, their number and `theirs` at the end.

    The bound is NO_BOUND if neither counting nor follow-up decides whether the score is above
    `alpha`.
    """
    sign = 1
    while True:
        moves = _safe_moves(shape, mask, theirs)
        bound = _bound_by_count(shape, moves, stones, alpha)
        if bound == NO_BOUND and alpha >= -shape.most_by_follow_up:
            is_even = (shape.cells - stones) & 1 == 0
            bound = _bound_by_follow_up(shape, own, mask, theirs, is_even, alpha)
            bound = bound if bound <= alpha else NO_BOUND
        if bound != NO_BOUND:
            return sign * bound, own, mask, stones, theirs
        if moves & (moves - 1) != 0:
            return NO_BOUND, own, mask, stones, theirs
        own, mask, stones, alpha, sign = own ^ mask, mask | moves, stones + 1, -alpha - 1, -sign
        theirs = _threats(shape, own ^ mask, mask)


@inlined
def _write(
    target: Move, order: int, own: int, mask: int, stones: int, theirs: int, key: int
) -> None:
    target.order, target.own, target.mask = order, own, mask
    target.stones, target.theirs, target.key = stones, theirs, key


@inlined
def _copy(target: Move, move: Move) -> None:
    _write(target, move.order, move.own, move.mask, move.stones, move.theirs, move.key)


@inlined
def _list_moves(
    shape: Shape, search: Search, own: int, mask: int, stones: int, alpha: int, theirs: int
) -> tuple[int, int]:
    """List the moves that no bound decides, the best last; return their number, and the best bound
    of the others, which ends the node if it is above `alpha`.

    The order of a move is 16 for each cell it threatens that is not above one of the opponent's
    threats, less 8 for each threat that can be answered at once. In the first half of the game the
    number of lines through its cell is added. Among equal moves inner columns are better.
    """
    row, count, best = stones * shape.width, 0, -NO_BOUND
    moves = _safe_moves(shape, mask, theirs)
    for index in range(shape.width):
        move = moves & shape.columns[index]
        if move == 0:
            continue
        after = mask | move
        threats = _threats(shape, own | move, after)
        bound, side, all_stones, number, wins = _follow_forced(
            shape, own ^ mask, after, stones + 1, -alpha - 1, threats
        )
        if bound != NO_BOUND:
            best = max(best, -bound)
            if best > alpha:
                return 0, best
            continue
        key = 0
        if number < search.keeping:
            key = _key(shape, search, side, all_stones, number)
            prefetch(search.table.address, _bucket(search, key, number))
        replies = (after + shape.bottom) & shape.board
        order = 16 * ones(threats & ~(theirs << 1)) - 8 * ones(threats & replies)
        if 2 * stones < shape.cells:
            for bit in range(shape.line_bit_count):
                order += ones(move & shape.line_bits[bit]) << bit
        place = row + count
        while place > row and search.moves[place - 1].order > order:
            _copy(search.moves[place], search.moves[place - 1])
            place -= 1
        _write(search.moves[place], order, side, all_stones, number, wins, key)
        count += 1
    return count, best


@inlined
def _alpha_of(move: Move, stones: int, alpha: int) -> int:
    """Return the bound to test at the end of a move, in the view of the side to move there."""
    return -alpha - 1 if (move.stones - stones) & 1 == 1 else alpha


@inlined
def _cut_by_table(
    shape: Shape, search: Search, stones: int, alpha: int, count: int, best: int
) -> tuple[int, int]:
    """Remove the listed moves that the table decides; return the number of moves left, and the best
    bound of the removed ones and `best`, which ends the node if it is above `alpha`."""
    row, left = stones * shape.width, 0
    for index in range(count):
        move = search.moves[row + index]
        entry = Entry.of(0)
        if move.stones < search.keeping:
            entry = _probe(search, move.key, move.stones)
        if _settles(entry, _alpha_of(move, stones, alpha)):
            best = max(best, -entry.score if (move.stones - stones) & 1 == 1 else entry.score)
            if best > alpha:
                return 0, best
        else:
            _copy(search.moves[row + left], move)
            left += 1
    return left, best


@kernel
def test(
    shape: Shape,
    search: Search,
    own: int,
    mask: int,
    stones: int,
    alpha: int,
    theirs: int,
    key: int,
) -> int:
    """Return a bound of the mover's score: a lower bound above `alpha`, or an upper bound of at
    most `alpha`.

    The mover has several safe moves, none of which completes a line. `theirs` are the empty cells
    that complete a line of the opponent. The result has no meaning if `search.stop` is set.
    """
    # 1. The node.
    clock()
    nodes = search.nodes
    search.nodes = nodes + 1
    if nodes >= search.limit:
        search.stop = 1
    if search.stop != 0:
        return 0
    # 2. The table.
    is_kept = stones < search.keeping
    if is_kept:
        entry = _probe(search, key, stones)
        if _settles(entry, alpha):
            return entry.score
    # 3. The moves, their bounds, and their entries in the table.
    count, best = _list_moves(shape, search, own, mask, stones, alpha, theirs)
    if best <= alpha:
        count, best = _cut_by_table(shape, search, stones, alpha, count, best)
    if best > alpha:
        return best
    # 4. The children, the best first; at last those that another thread searches.
    is_shared, index, waiting, turn = stones < search.sharing, count, 0, 0
    while best <= alpha and (index > 0 or waiting > 0):
        if index == 0:
            index, waiting, turn = count, 0, 1
        index -= 1
        move = search.moves[stones * shape.width + index]
        if move.order == SEARCHED:
            continue
        place = move.key & (BUSY_KEYS - 1)
        if is_shared:
            if turn == 0 and index < count - 1 and search.busy[place] == move.key:
                waiting += 1
                continue
            search.busy[place] = move.key
        move.order = SEARCHED
        sign = -1 if (move.stones - stones) & 1 == 1 else 1
        score = sign * test(
            shape,
            search,
            move.own,
            move.mask,
            move.stones,
            _alpha_of(move, stones, alpha),
            move.theirs,
            move.key,
        )
        if is_shared:
            search.busy[place] = 0
        if search.stop != 0:
            return 0
        best = max(best, score)
    if is_kept:
        _store(search, key, stones, 1 if best > alpha else 0, best, search.nodes - nodes)
    return best


@inlined
def _next_bound(low: int, high: int) -> int:
    """Return the next bound to test: far from 0 first, near 0 the sign."""
    if high - low <= NEAR_WIDTH:
        return min(max(0, low), high - 1)
    middle = (low + high) >> 1
    return min(middle, -((-low) >> 1)) if middle <= 0 else max(middle, high >> 1)


@inlined
def _in_columns(shape: Shape, rows: int) -> int:
    """Return the board of columns for a bitboard of rows from the top."""
    word = 0
    for column in range(shape.width):
        for up in range(shape.height):
            bit = shifted(rows, (shape.height - 1 - up) * shape.width + column) & 1
            word |= bit << column * shape.column + up
    return word


@kernel
def _score(shape: Shape, search: Search, own: int, mask: int) -> int:
    """Return the score of the mover, which is between `search.low` and `search.high`.

    If `search.stop` is set, `low` and `high` are the bounds proved before the stop.
    """
    stones = ones(mask)
    left = shape.cells - stones
    if _has_line(shape, own ^ mask):
        return -(left // 2) - 1
    if _has_line(shape, own):
        return left // 2 + 1
    if _threats(shape, own, mask) & (mask + shape.bottom) != 0:
        return (left + 1) // 2
    theirs = _threats(shape, own ^ mask, mask)
    low, high = max(search.low, -(left // 2)), min(search.high, (left + 1) // 2)
    while low < high:
        alpha = _next_bound(low, high)
        bound, side, all_stones, number, wins = _follow_forced(
            shape, own, mask, stones, alpha, theirs
        )
        if bound == NO_BOUND:
            sign = -1 if (number - stones) & 1 == 1 else 1
            key = _key(shape, search, side, all_stones, number)
            last = -alpha - 1 if sign < 0 else alpha
            bound = sign * test(shape, search, side, all_stones, number, last, wins, key)
        if search.stop != 0:
            return 0
        if bound > alpha:
            low = max(low, bound)
        else:
            high = min(high, bound)
        search.low, search.high = low, high
    return low


@kernel
def narrow(shape: Shape, search: Search, questions: Rows[Question], count: int, nodes: int) -> None:
    """Narrow the bounds of `count` questions, with at most `nodes` nodes for each."""
    for number in range(count):
        question = questions[number]
        search.low, search.high = question.low, question.high
        search.limit = search.nodes + nodes
        own, mask = _in_columns(shape, question.rows_own), _in_columns(shape, question.rows_mask)
        score = _score(shape, search, own, mask)
        if search.stop == 0:
            search.low, search.high = score, score
        question.low, question.high = search.low, search.high
        if search.stop == STOP_ALL:
            return
        search.stop = 0


ENTRIES: tuple[Any, ...] = (narrow,)
FOR_ANY: tuple[Any, ...] = tuple(entry.with_data(AnyShape) for entry in ENTRIES)
"""The kernels that serve all boards; on 7×6 they take 1.1 times as long."""
"""The kernels called from Python, each compiled for a shape by `of`."""

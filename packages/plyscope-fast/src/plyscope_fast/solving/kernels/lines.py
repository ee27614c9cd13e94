"""The kernel that solves games of lines without gravity on boards of up to 64 cells.

`attacker_wins` returns whether the attacker completes a line. The defender prevents it, and in the
strong game may complete a line first. In the weak game (Maker–Breaker) the defender's lines do not
count. In misère (`attacker_forces`) the attacker makes the defender complete a line. With exact
lines (`attacker_wins_exactly`) a stone at an end of a line of its owner spoils that line. Stones
are bitboards of one word.

The search is depth first, with a transposition table. Every answer has a zone, the relevant cells:
any stones of the loser outside the zone would not change the answer. Techniques:

- Relevance zones (Wu and Lin 2010; must-play regions of Hex are the same for the winner's side). A
  move of the loser outside the zone of another of its moves need not be searched. The zone of a
  leaf contains at least one cell of every line that the loser could still fill, or two if the loser
  is to move and must answer a threat.
- Dominated cells. A cell all of whose lines also pass through another open cell need not be
  searched once the other cell has failed. The same replies refute both, with the two cells
  exchanged, so both belong to the zone.
- Reduced keys. Lines with stones of both sides are dropped from a position, and cells on none of
  the other lines are equivalent.
- Weights (Erdős and Selfridge 1973). The defender holds if the attacker's lines weigh too little: a
  line weighs 2 to the length of the longest line, halved for each missing cell.
- Pairings. The defender holds if there are disjoint pairs of cells such that every line of the
  attacker contains a pair.
- Rounds. In the weak game the defender's replies are searched in rounds, first a few with few nodes
  each, then more with more nodes: a wrong reply may take longer than the right one, and usually
  does if the attacker has many ways to win.
"""

from __future__ import annotations

from typing import Annotated, Any

from plyscope.randomness import GOLDEN, MIX_FIRST, MIX_SECOND
from plyscope.searching.limit import NO_LIMIT
from plyscope_fast.machine.block import Bits, Block, Packed, Rows, Words, signed
from plyscope_fast.machine.kernel import clock, highest, inlined, kernel, lowest, ones, shifted

CELLS = 64
PLIES = CELLS + 2
PROGRESS_PLIES = 7
"""The number of plies whose progress is recorded."""
SYMMETRIES = 8
LINE_PAIRS = 28
"""The pairs of a line that are tried: those of its first eight cells."""
FIRST_REPLIES, ADDED_REPLIES, NODES_FACTOR = 4, 2, 4
"""The replies of the first round, the number added from round to round, and the factor of their
nodes."""
LAST_PAIR_BONUS = 1024
"""The bonus of a pair that was found the last time, in lines."""
FACTORS = (signed(GOLDEN), signed(MIX_FIRST), signed(MIX_SECOND))
FIRST_TRIES, TRIES_FACTOR = 64, 8
"""The step limit of the first round of searches for pairs, and the factor from round to round."""
NONE, UNKNOWN = -1, -1
"""No cell; no answer."""


class Answer(Packed):
    """The part of a table entry other than the zone; the work of an empty entry is 0.

     63 .. 6   5 .. 1   0
    | key     | work   | is_won |
    """

    is_won: Annotated[int, Bits(1)]
    work: Annotated[int, Bits(5)]
    """One more than the logarithm of the nodes."""
    key: Annotated[int, Bits(58)]


HEAVIEST = (1 << 57) - 1
"""The limit of the weight that orders moves in misère."""
ANSWER_BITS = 6
"""The bits of an answer below its key."""
TO_DEFEND = FACTORS[0] & (1 << 58) - 1
"""The exclusive or that marks keys of positions with the defender to move."""

ODD_IDLE = FACTORS[1] & (1 << 58) - 1
"""The exclusive or that marks keys with an odd number of idle cells."""


class Entry(Block):
    """An entry of the table: a sealed answer and its zone, both 0 if it is empty.

    sealed = answer ^ (its lowest six bits × a number << 6) ^ zone × a number ^ seal

    So any changed bit in either word changes the 58 bits of the key, whether a file is damaged or
    of another game, or a killed process has written half an entry. Such an entry matches a position
    with a chance of one in 2**58.
    """

    sealed: int
    zone: int


class Move(Packed):
    """A move to be searched; greater words are searched first."""

    cell: Annotated[int, Bits(6)]
    weight: Annotated[int, Bits(58)]


class Pair(Packed):
    """Two cells of a line; the greatest word is tried first."""

    second: Annotated[int, Bits(6)]
    first: Annotated[int, Bits(6)]
    shared: Annotated[int, Bits(52)]
    """The number of lines through both cells, plus LAST_PAIR_BONUS for a pair found the last
    time."""


class Progress(Packed):
    """The number of moves of a ply, and the index of the current one."""

    count: Annotated[int, Bits(8)]
    index: Annotated[int, Bits(8)]


class Search(Block):
    """The data of `attacker_wins`."""

    # counters
    nodes: int
    # set by the caller
    stop: int  # not 0: stop
    limit: int  # the value of `nodes` at which the search, or that of a reply, stops
    # the answer
    spent: int  # not 0: `limit` has been reached
    best: int  # the cell played at the root
    zones: Annotated[Words, PLIES]  # [plies]  the zone of the answer
    progress: Annotated[Rows[Progress], PROGRESS_PLIES]  # [plies]
    # overwritten at each node
    moves: Annotated[Rows[Move], PLIES * CELLS]  # [plies, cells]
    # of a search for pairs
    lists: Words  # [depths, count]  the lines that need a pair
    options: Rows[Pair]  # [depths, LINE_PAIRS]
    left: int  # the number of steps left
    paired: int  # the cells of the pairs found
    partner: Annotated[Words, CELLS]  # [cells]  one more than the later cell of its last pair
    # set once
    lines: Words  # [count]  a search for pairs takes the last of equally narrow lines first
    ends: Words  # [count]  the cells beyond the ends of exact lines
    count: int  # the number of the attacker's lines
    others: int  # the number of the defender's lines: the same, or 0
    through: Words  # [cells, row]  the lines through a cell, ended by 0
    row: int
    longest: int  # the cells of the longest line
    table: Rows[Entry]  # [buckets, 2]
    shift: int  # 64 less the bits of a bucket's number
    seal: int  # a number that identifies entries of this game; its lowest six bits are 0
    board: int  # the cells of the board
    symmetric: int  # with more open cells than this, symmetric positions share an entry
    zobrist: Words  # [3, cells, SYMMETRIES]  random words by kind of cell
    images: Words  # [2, SYMMETRIES, cells]  the image under a symmetry, and under its inverse
    tries: int  # the step limit of the last round of searches for pairs
    tried: int  # the number of the defender's moves after which the first round searches for pairs
    round: int  # the node limit of each reply in the first round


@inlined
def _without_first(word: int) -> int:
    """Return a word without the lowest of its bits."""
    return word & (word - 1)


# Lines


@kernel
def _live(search: Search, count: int, other: int) -> int:
    """Return the cells of the first `count` lines on which `other` has no stone."""
    lines, cells = search.lines, 0
    for index in range(count):
        cells |= lines[index] if lines[index] & other == 0 else 0
    return cells


@inlined
def _through(search: Search, cell: int) -> Words:
    """Return the lines through a cell, ended by 0."""
    return search.through.offset(cell * search.row)


@kernel
def _completing(search: Search, cell: int, own: int, other: int) -> int:
    """Return the cells that complete a line through `cell`, on which `own` has a stone."""
    lines = _through(search, cell)
    cells, index = 0, 0
    while lines[index] != 0:
        left = lines[index] & ~own
        if lines[index] & other == 0 and _without_first(left) == 0:
            cells |= left
        index += 1
    return cells


@kernel
def _weight(search: Search, cell: int, own: int, other: int) -> int:
    """Return the weight of the lines through `cell` on which `other` has no stone."""
    lines, longest = _through(search, cell), search.longest
    weight, index = 0, 0
    while lines[index] != 0:
        if lines[index] & other == 0:
            weight += 1 << (longest - ones(lines[index] & ~own))
        index += 1
    return weight


@kernel
def _shared(search: Search, cell: int, attack: int, defence: int) -> int:
    """Return the cells that are on every line through `cell` that either side could still fill."""
    lines, has_others = _through(search, cell), search.others != 0
    cells, index = -1, 0
    while lines[index] != 0:
        if lines[index] & defence == 0 or (has_others and lines[index] & attack == 0):
            cells &= lines[index]
        index += 1
    return cells


@kernel
def _covered(search: Search, zone: int, loser: int, winner: int, count: int, least: int) -> int:
    """Return `zone` with `least` cells of every line that the loser could still fill."""
    lines = search.lines
    for index in range(count):
        line = lines[index]
        if line & winner == 0:
            left = line & ~loser
            missing = least - ones(left & zone)
            left &= ~zone
            while missing > 0 and left != 0:
                zone |= left & -left
                left = _without_first(left)
                missing -= 1
    return zone


# Pairings


@inlined
def _list_pairs(search: Search, depth: int, count: int, narrowest: int) -> int:
    """List pairs of cells of a line, those on most of the listed lines first; return their
    number."""
    here, pairs = search.lists.offset(depth * search.count), depth * LINE_PAIRS
    is_only = _without_first(_without_first(narrowest)) == 0
    options, firsts = 0, narrowest
    for _ in range(8):
        first = firsts & -firsts
        firsts ^= first
        seconds = firsts
        while seconds != 0 and options < LINE_PAIRS:
            cells = first | seconds & -seconds
            is_last = search.partner[lowest(first)] == lowest(seconds) + 1
            shared = LAST_PAIR_BONUS if is_last else 0
            seconds = _without_first(seconds)
            if not is_only:
                for index in range(count):
                    shared += 1 if here[index] & cells == cells else 0
            pair = Pair(second=lowest(_without_first(cells)), first=lowest(cells), shared=shared)
            place = pairs + options
            while place > pairs and search.options[place - 1].word < pair.word:
                search.options[place] = search.options[place - 1]
                place -= 1
            search.options[place] = pair
            options += 1
    return options


@kernel
def _has_pairs(search: Search, depth: int, count: int, used: int, narrowest: int) -> bool:
    """Return whether the lines listed at this depth have disjoint pairs of cells that are not
    `used`, and store their cells in `paired`.

    `narrowest` is the line with the fewest cells. Pairs found the last time are tried first, since
    most of them stay valid from one position to the next. A pair blocks the lines that contain both
    of its cells; the other lines lose its cells, and are listed at the next depth:

        here    a b c   b c d   c e      the pair is a b: it blocks the first line
        after           c d     c e      then c e, the narrowest; d is left: no pair
    """
    if count == 0:
        search.paired = used
        return True
    if search.left <= 0:
        return False
    search.left -= 1
    here = search.lists.offset(depth * search.count)
    after = here.offset(search.count)
    options = _list_pairs(search, depth, count, narrowest)
    for option in range(options):
        pair = search.options[depth * LINE_PAIRS + option]
        cells = 1 << pair.first | 1 << pair.second
        others, next_, fewest = 0, 0, CELLS + 1
        for index in range(count):
            line = here[index]
            if line & cells != cells:
                line &= ~cells
                size = ones(line)
                if size <= fewest:
                    next_, fewest = line, size
                    if size < 2:
                        break
                after[others] = line
                others += 1
        if fewest >= 2 and _has_pairs(search, depth + 1, others, used | cells, next_):
            search.partner[pair.first], search.partner[pair.second] = pair.second + 1, 0
            return True
        if search.left <= 0:
            return False
    return False


@kernel
def is_paired(search: Search, attack: int, defence: int, tries: int) -> bool:
    """Return whether a pairing that is found in `tries` steps blocks all lines that the attacker
    could still fill. If there is none, `left` is not 0, unless more steps might find one.

    Its cells are in `paired`; `partner` has the later cell of each pair, plus one, for the earlier
    one, and 0 for the later one."""
    lines, listed = search.lines, search.lists
    count, narrowest, fewest = 0, 0, CELLS + 1
    search.left = tries
    for index in range(search.count):
        line = lines[index]
        if line & defence == 0:
            line &= ~attack
            if ones(line) <= fewest:
                narrowest, fewest = line, ones(line)
                if fewest < 2:
                    return False
            listed[count] = line
            count += 1
    return _has_pairs(search, 0, count, 0, narrowest)


# The table


@kernel
def _mixed(attack: int, defence: int, open_: int) -> int:
    """Return the hash of a reduced position."""
    key = attack * FACTORS[0]
    key = ((key ^ shifted(key, 32)) + defence) * FACTORS[1]
    key = ((key ^ shifted(key, 29)) + open_) * FACTORS[2]
    return key ^ shifted(key, 32)


@kernel
def _symmetric(search: Search, attack: int, defence: int, open_: int) -> int:
    """Return the hash that a position shares with its symmetric ones; its lowest three bits are the
    number of the symmetry."""
    h0, h1, h2, h3, h4, h5, h6, h7 = 0, 0, 0, 0, 0, 0, 0, 0
    for kind in range(3):
        cells = attack if kind == 0 else defence if kind == 1 else open_
        words = search.zobrist.offset(CELLS * SYMMETRIES * kind)
        while cells != 0:
            word = words.offset(SYMMETRIES * lowest(cells))
            h0 ^= word[0]
            h1 ^= word[1]
            h2 ^= word[2]
            h3 ^= word[3]
            h4 ^= word[4]
            h5 ^= word[5]
            h6 ^= word[6]
            h7 ^= word[7]
            cells = _without_first(cells)
    key = min(h0 & ~7, h1 & ~7 | 1)
    key = min(key, h2 & ~7 | 2)
    key = min(key, h3 & ~7 | 3)
    key = min(key, h4 & ~7 | 4)
    key = min(key, h5 & ~7 | 5)
    key = min(key, h6 & ~7 | 6)
    return min(key, h7 & ~7 | 7)


@kernel
def _image(search: Search, zone: int, symmetry: int) -> int:
    """Return the image of a zone under a symmetry, or under its inverse if SYMMETRIES is added."""
    images, image = search.images.offset(CELLS * symmetry), 0
    while zone != 0:
        image |= 1 << images[lowest(zone)]
        zone = _without_first(zone)
    return image


@inlined
def _bucket(search: Search, key: int) -> int:
    """Return the index of the first of the two entries of a position's bucket."""
    return shifted((key << ANSWER_BITS) * FACTORS[0], search.shift) << 1


@inlined
def _stirred(word: int) -> int:
    """Return a word with its lowest six bits mixed into the others; the function is its own
    inverse."""
    return word ^ (word & 63) * FACTORS[1] << ANSWER_BITS


@inlined
def _open_entry(search: Search, entry: Entry) -> Answer:
    """Return the answer of an entry; its work is 0 if the entry is empty."""
    return Answer.of(_stirred(entry.sealed ^ entry.zone * FACTORS[0] ^ search.seal))


@inlined
def _hashed(
    search: Search, is_defence: bool, attack: int, defence: int, open_: int
) -> tuple[int, int, int]:
    """Return the key of a reduced position, its symmetry (NONE if symmetries are not used), and the
    open cells. `attack` and `defence` are the stones that matter."""
    symmetry = NONE
    if ones(open_) > search.symmetric:
        hashed = _symmetric(search, attack, defence, open_)
        symmetry = hashed & 7
    else:
        hashed = _mixed(attack, defence, open_)
    return shifted(hashed, ANSWER_BITS) ^ (TO_DEFEND if is_defence else 0), symmetry, open_


@inlined
def _key(
    search: Search, is_defence: bool, attack: int, defence: int, live: int
) -> tuple[int, int, int]:
    """Return the key of a reduced position, its symmetry (NONE if symmetries are not used), and the
    open cells. `live` are the cells of the attacker's lines."""
    counting = _live(search, search.others, attack)
    open_ = (live | counting) & ~(attack | defence)
    return _hashed(search, is_defence, attack & live, defence & counting, open_)


@inlined
def _probe(search: Search, ply: int, key: int, symmetry: int) -> int:
    """Return the answer of the table and store its zone, UNKNOWN if there is none."""
    place = _bucket(search, key)
    for slot in range(2):
        entry = search.table[place + slot]
        answer = _open_entry(search, entry)
        if answer.key == key and answer.work != 0:
            zone = entry.zone
            if symmetry != NONE:
                zone = _image(search, zone, SYMMETRIES + symmetry)
            search.zones[ply] = zone
            return answer.is_won
    return UNKNOWN


@inlined
def _store(search: Search, key: int, symmetry: int, is_won: bool, zone: int, nodes: int) -> None:
    """Write an entry, replacing an older one of its position, else the cheaper one of its
    bucket."""
    work = min(highest(nodes | 1) + 1, 31)
    place = _bucket(search, key)
    entry, other = search.table[place], search.table[place + 1]
    first = _open_entry(search, entry)
    if first.work != 0 and first.key != key:
        if work >= first.work:
            other.sealed, other.zone = entry.sealed, entry.zone
        else:
            entry = other
    if symmetry != NONE:
        zone = _image(search, zone, symmetry)
    answer = Answer(is_won=1 if is_won else 0, work=work, key=key)
    entry.sealed = _stirred(answer.word) ^ zone * FACTORS[0] ^ search.seal
    entry.zone = zone


# The search


@inlined
def _show(search: Search, ply: int, count: int, index: int) -> None:
    """Record the progress of a ply."""
    if ply < PROGRESS_PLIES:
        search.progress[ply] = Progress(count=count, index=index)


@inlined
def _enter(search: Search, ply: int) -> bool:
    """Count a node; return whether the search continues."""
    clock()
    if search.nodes >= search.limit:
        search.spent = 1
    search.nodes += 1
    if search.stop | search.spent != 0:
        return False
    _show(search, ply, 1, 0)
    return True


@inlined
def _covered_by_mover(
    search: Search, zone: int, is_defence: bool, attack: int, defence: int
) -> int:
    """Return the zone of a loss, with two cells of every line that the mover could still fill.

    So no other move completes a line, and each of them loses at once.
    """
    if is_defence:
        return _covered(search, zone, defence, attack, search.others, 2)
    return _covered(search, zone, attack, defence, search.count, 2)


@inlined
def _answer_at_once(
    search: Search, ply: int, is_defence: bool, attack: int, defence: int, needs: int, threats: int
) -> int:
    """Return the answer, with its zone, if the mover completes a line or cannot prevent one; else
    UNKNOWN."""
    mover, other = (defence, attack) if is_defence else (attack, defence)
    can_win, must_stop = (threats, needs) if is_defence else (needs, threats)
    if can_win != 0:
        count = search.count if is_defence else search.others
        search.zones[ply] = _covered(search, can_win & -can_win, other, mover, count, 1)
        search.best = lowest(can_win)
        return 0 if is_defence else 1
    rest = _without_first(must_stop)
    if rest != 0:
        two = must_stop & -must_stop | rest & -rest
        search.zones[ply] = _covered_by_mover(search, two, is_defence, attack, defence)
        return 1 if is_defence else 0
    return UNKNOWN


@inlined
def _write_forced(
    search: Search, ply: int, is_defence: bool, attack: int, defence: int, cell: int, is_won: bool
) -> None:
    """Write the zone of a node with a forced move; `is_won` is its answer."""
    zone = 1 << cell | search.zones[ply + 1]
    if is_won == is_defence:
        zone = _covered_by_mover(search, zone, is_defence, attack, defence)
    else:
        search.best = cell
    search.zones[ply] = zone


@inlined
def _after(
    search: Search, is_defence: bool, attack: int, defence: int, weight: int, cell: int, change: int
) -> tuple[int, int, int, int, int]:
    """Return the arguments of `attacker_wins` after a move: both stones, the cells that
    complete a line of each side, and the weight, which changes by `change`."""
    move = 1 << cell
    if is_defence:
        threats = 0
        if search.others != 0:
            threats = _completing(search, cell, defence | move, attack)
        return attack, defence | move, 0, threats, weight - change
    needs = _completing(search, cell, attack | move, defence)
    return attack | move, defence, needs, 0, weight + change


@inlined
def _insert(search: Search, row: int, count: int, move: Move) -> None:
    """Insert a move into a list of `count` moves, the greatest words first."""
    place = row + count
    while place > row and search.moves[place - 1].word < move.word:
        search.moves[place] = search.moves[place - 1]
        place -= 1
    search.moves[place] = move


@inlined
def _list_moves(search: Search, ply: int, attack: int, defence: int, open_: int) -> int:
    """List the open cells by the weight of the lines through them, and return their number.

    The attacker's lines count twice. The defender's lines count in the weak game too, since they
    improve the order.
    """
    row, count = CELLS * ply, 0
    while open_ != 0:
        cell = lowest(open_)
        open_ = _without_first(open_)
        own, other = _weight(search, cell, attack, defence), _weight(search, cell, defence, attack)
        _insert(search, row, count, Move(cell=cell, weight=2 * own + other))
        count += 1
    return count


@inlined
def _holds_by_pairs(
    search: Search, ply: int, attack: int, defence: int, cell: int, lighter: int
) -> bool:
    """Return whether the defender holds by pairs after a forced move, and store the zone.

    Pairs are searched for only if the remaining weight, `lighter`, is too great to hold by weight.
    """
    if 2 * lighter < 1 << search.longest or not is_paired(
        search, attack, defence | 1 << cell, search.tries
    ):
        return False
    search.zones[ply], search.best = 1 << cell | search.paired, cell
    return True


@inlined
def _look_up(
    search: Search, ply: int, is_defence: bool, attack: int, defence: int, weight: int
) -> tuple[int, int, int, int]:
    """Return the answer by weight or by the table, with its zone, else UNKNOWN; and the key, its
    symmetry and the open cells.

    At the root the table is not used. If the defender is to move there, the weight is used only if
    no line is left, since the search must find the defender's move.
    """
    live = _live(search, search.count, defence)
    is_light = (weight if is_defence else 2 * weight) < 1 << search.longest
    if is_light and (live == 0 or ply > 0 or not is_defence):
        search.zones[ply] = live & ~(attack | defence)
        return 0, 0, NONE, 0
    key, symmetry, open_ = _key(search, is_defence, attack, defence, live)
    answer = _probe(search, ply, key, symmetry) if ply > 0 else UNKNOWN
    return answer, key, symmetry, open_


@inlined
def _is_needless(
    search: Search, cell: int, attack: int, defence: int, left: int, searched: int
) -> tuple[bool, int]:
    """Return whether a move need not be searched, and the cells that the reason adds to the zone.

    It need not be if it is not among the cells `left`, or if one of the moves `searched`, which all
    have lost, is at least as good.
    """
    if left & 1 << cell == 0:
        return True, 0
    better = _shared(search, cell, attack, defence) & searched
    return better != 0, 1 << cell | better & -better


@inlined
def _holding_move(
    search: Search,
    ply: int,
    is_defence: bool,
    attack: int,
    defence: int,
    weight: int,
    count: int,
    most: int,
) -> tuple[int, int]:
    """Return a listed move after which the defender holds by weights or by pairs, and the zone;
    NONE if none is found, or if the attacker is to move.

    Pairs that are found in few steps come first: each round searches for pairs after half as many
    moves, with more steps, at most `most`. If the defender holds by weights, `paired` is 0.
    """
    tries, tried, is_done = min(FIRST_TRIES, most), search.tried, not is_defence
    without = 0  # the moves after which there are no pairs
    while not is_done:
        is_done = tries == most
        for index in range(count):
            cell = search.moves[CELLS * ply + index].cell
            after = defence | 1 << cell
            if 2 * (weight - _weight(search, cell, attack, defence)) < 1 << search.longest:
                search.paired = 0
                return cell, 1 << cell | _live(search, search.count, after) & ~(attack | defence)
            if index < tried and without & 1 << cell == 0:
                if is_paired(search, attack, after, tries):
                    return cell, 1 << cell | search.paired
                without |= 1 << cell if search.left > 0 else 0
        count = tried = min(count, max(1, tried >> 1))
        tries = min(TRIES_FACTOR * tries, most)
    return NONE, 0


@kernel
def holding_reply(
    search: Search, attack: int, defence: int, needs: int, weight: int, tries: int
) -> int:
    """Return a move of the defender, to move, after which it holds by weights or by pairs that are
    found in `tries` steps; NONE if none is found. The pairs are as in `is_paired`, the other
    arguments as in `attacker_wins`."""
    cells = needs
    if needs == 0:
        cells = _live(search, search.count, defence) & ~(attack | defence)
    elif _without_first(needs) != 0:
        return NONE
    count = _list_moves(search, 0, attack, defence, cells)
    cell, _ = _holding_move(search, 0, True, attack, defence, weight, count, tries)
    return cell


@kernel
def attacker_wins(
    search: Search,
    ply: int,
    is_defence: bool,
    attack: int,
    defence: int,
    needs: int,
    threats: int,
    weight: int,
) -> bool:
    """Return whether the attacker wins; the zone of the answer is in `zones` at this ply.

    `needs` and `threats` are the cells that complete a line of the attacker and of the defender.
    `weight` is the weight of the lines that the attacker could still fill. `is_defence` is true if
    the defender is to move. The result has no meaning if `stop` or `spent` is set.
    """
    # 1. The node.
    nodes = search.nodes
    if not _enter(search, ply):
        return False
    # 2. Lines that are completed at once, and forced moves.
    answer = _answer_at_once(search, ply, is_defence, attack, defence, needs, threats)
    if answer != UNKNOWN:
        return answer != 0
    forced = needs if is_defence else threats
    if forced != 0:
        cell = lowest(forced)
        change = _weight(search, cell, attack, defence)
        if is_defence and _holds_by_pairs(search, ply, attack, defence, cell, weight - change):
            return False
        after = _after(search, is_defence, attack, defence, weight, cell, change)
        is_won = attacker_wins(search, ply + 1, not is_defence, *after)
        _write_forced(search, ply, is_defence, attack, defence, cell, is_won)
        return is_won
    # 3. The weight of the attacker's lines, and the table.
    answer, key, symmetry, open_ = _look_up(search, ply, is_defence, attack, defence, weight)
    if answer != UNKNOWN:
        return answer != 0
    # 4. The moves, in rounds; `searched` are those with which the mover has lost.
    count = _list_moves(search, ply, attack, defence, open_)
    best, zone = _holding_move(
        search, ply, is_defence, attack, defence, weight, count, search.tries
    )
    is_won = is_defence and best == NONE
    left, searched, last = open_, 0, search.limit
    budget = search.round if is_defence else NO_LIMIT
    width, is_done = FIRST_REPLIES if budget < NO_LIMIT else count, best != NONE
    while not is_done:
        is_done = width >= count
        for index in range(min(width, count)):
            cell = search.moves[CELLS * ply + index].cell
            move = 1 << cell
            is_needless, why = _is_needless(search, cell, attack, defence, left, searched)
            if is_needless:
                zone |= why
                left &= ~move
                continue
            _show(search, ply, count, index)
            change = _weight(search, cell, attack, defence)
            search.limit = min(last, search.nodes + budget)
            after = _after(search, is_defence, attack, defence, weight, cell, change)
            child_won = attacker_wins(search, ply + 1, not is_defence, *after)
            search.limit = last
            if search.stop != 0 or search.nodes > last:
                return False
            if search.spent != 0:  # search it again in the next round, with more nodes
                search.spent, is_done = 0, False
                continue
            after_zone = search.zones[ply + 1]
            if child_won != is_defence:
                is_won, best, zone, is_done = child_won, cell, move | after_zone, True
                break
            zone |= after_zone
            left &= after_zone & ~move
            searched |= move
        width += ADDED_REPLIES
        budget *= NODES_FACTOR
    # 5. The answer.
    search.zones[ply], search.best = zone, search.best if best == NONE else best
    _store(search, key, symmetry, is_won, zone, search.nodes - nodes)
    return is_won


# Misère


@inlined
def _completed_by(search: Search, own: int, other: int) -> int:
    """Return the cells that complete a line of `own`, anywhere on the board."""
    lines, cells = search.lines, 0
    for index in range(search.count):
        left = lines[index] & ~own
        if lines[index] & other == 0 and _without_first(left) == 0:
            cells |= left
    return cells


@inlined
def _list_safe(search: Search, ply: int, own: int, other: int, cells: int) -> int:
    """List cells, those on the fewest lines first, and return their number."""
    row, count = CELLS * ply, 0
    while cells != 0:
        cell = lowest(cells)
        cells = _without_first(cells)
        lines = 2 * _weight(search, cell, own, other) + _weight(search, cell, other, own)
        move = Move(cell=cell, weight=HEAVIEST - min(lines, HEAVIEST))
        _insert(search, row, count, move)
        count += 1
    return count


@kernel
def _avoids(search: Search, attack: int, defence: int) -> bool:
    """Return whether the defender completes no line in misère, by weights or by pairs of cells on
    its own lines.

    By weights (the potential of Erdős and Selfridge) it takes the cell on the lightest lines. The
    attacker's next cell lay on lines at least as heavy, which count no more. So the weight stays
    below half that of a complete line before each of the defender's moves, and a move at most
    doubles it. By pairs it answers in the same pair; when only pairs are left it begins one, and
    the attacker has to take the last cell of the board.
    """
    lines, weight = search.lines, 0
    for index in range(search.count):
        if lines[index] & attack == 0:
            weight += 1 << (search.longest - ones(lines[index] & ~defence))
    return 2 * weight < 1 << search.longest or is_paired(search, defence, attack, search.tries)


@kernel
def attacker_forces(search: Search, ply: int, is_defence: bool, attack: int, defence: int) -> bool:
    """Return whether the attacker makes the defender complete a line, and completes none before.

    A stone can hurt its owner, so there are no zones. A cell on no open line of either side is
    *idle*. Two idle cells change no value, since a side answers one with the other; so at most one
    is a move, and keys have only the parity of their number.
    """
    nodes = search.nodes
    if not _enter(search, ply):
        return False
    live = _live(search, search.count, defence)
    counting = _live(search, search.count, attack)
    if counting == 0:  # the defender has no line to complete
        return False
    mover, other = (defence, attack) if is_defence else (attack, defence)
    empty = search.board & ~(attack | defence)
    safe = empty & ~_completed_by(search, mover, other)
    key, symmetry, open_ = _key(search, is_defence, attack, defence, live)
    idle = empty & ~open_
    cells = safe & open_
    if ones(idle) & 1 != 0:
        key ^= ODD_IDLE
        cells |= idle & -idle
    elif cells == 0 and ply == 0:
        cells = idle & -idle
    if empty == 0:
        return False
    if cells == 0:
        search.best = lowest(empty)
        return is_defence and open_ != 0
    if ply > 0:
        answer = _probe(search, ply, key, symmetry)
        if answer != UNKNOWN:
            return answer != 0
        if _avoids(search, attack, defence):
            return False
    count = _list_safe(search, ply, mover, other, cells)
    is_won, best = is_defence, NONE
    for index in range(count):
        cell = search.moves[CELLS * ply + index].cell
        _show(search, ply, count, index)
        move = 1 << cell
        if is_defence:
            child_won = attacker_forces(search, ply + 1, False, attack, defence | move)
        else:
            child_won = attacker_forces(search, ply + 1, True, attack | move, defence)
        if search.stop | search.spent != 0:
            return False
        if child_won != is_defence:
            is_won, best = child_won, cell
            break
    search.best = best
    _store(search, key, symmetry, is_won, 0, search.nodes - nodes)
    return is_won


# Exact lines


@kernel
def _completing_exactly(search: Search, cell: int, own: int, other: int) -> int:
    """Return the cells that complete an exact line through `cell`, on which `own` has a stone."""
    lines, ends, cells = search.lines, search.ends, 0
    for index in range(search.count):
        line = lines[index]
        if line & 1 << cell != 0 and line & other == 0 and ends[index] & own == 0:
            left = line & ~own
            cells |= left if _without_first(left) == 0 else 0
    return cells


@kernel
def _relevant(search: Search, own: int, other: int) -> int:
    """Return the cells of the lines on which `other` has no stone, and of their ends."""
    lines, ends, cells = search.lines, search.ends, 0
    for index in range(search.count):
        cells |= lines[index] | ends[index] if lines[index] & other == 0 else 0
    return cells


@kernel
def _covered_exactly(search: Search, zone: int, loser: int, winner: int, least: int) -> int:
    """Return `zone` with `least` cells of every line that the loser could still fill, or with an
    anchor: a stone of the loser at an end."""
    lines, ends = search.lines, search.ends
    for index in range(search.count):
        line, anchors = lines[index], ends[index] & loser
        if line & winner == 0 and anchors & zone == 0:
            left = line & ~loser
            if ones(left) < least:
                zone |= anchors & -anchors
            else:
                missing = least - ones(left & zone)
                left &= ~zone
                while missing > 0 and left != 0:
                    zone |= left & -left
                    left = _without_first(left)
                    missing -= 1
    return zone


@inlined
def _answer_exactly(
    search: Search, ply: int, is_defence: bool, attack: int, defence: int, needs: int, threats: int
) -> int:
    """Return the answer, with its zone, if the mover completes a line or cannot prevent one; else
    UNKNOWN."""
    mover, other = (defence, attack) if is_defence else (attack, defence)
    can_win, must_stop = (threats, needs) if is_defence else (needs, threats)
    if can_win != 0:
        search.zones[ply] = _covered_exactly(search, can_win & -can_win, other, mover, 1)
        search.best = lowest(can_win)
        return 0 if is_defence else 1
    rest = _without_first(must_stop)
    if rest != 0:
        two = must_stop & -must_stop | rest & -rest
        search.zones[ply] = _covered_exactly(search, two, mover, other, 2)
        return 1 if is_defence else 0
    return UNKNOWN


@inlined
def _after_exactly(
    search: Search, is_defence: bool, attack: int, defence: int, weight: int, cell: int
) -> tuple[int, int, int, int, int]:
    """Return the arguments of `attacker_wins_exactly` after a move, as `_after` does."""
    move, change = 1 << cell, _weight(search, cell, attack, defence)
    if is_defence:
        threats = _completing_exactly(search, cell, defence | move, attack)
        return attack, defence | move, 0, threats, weight - change
    needs = _completing_exactly(search, cell, attack | move, defence)
    return attack | move, defence, needs, 0, weight + change


@kernel
def attacker_wins_exactly(
    search: Search,
    ply: int,
    is_defence: bool,
    attack: int,
    defence: int,
    needs: int,
    threats: int,
    weight: int,
) -> bool:
    """Return whether the attacker completes an exact line before the defender completes one.

    The arguments are as in `attacker_wins`. The weight and the pairs ignore ends: who stops longer
    rows too stops exact lines. A stone can hurt its owner, so there are no dominated cells, and a
    cell on no open line, an *idle* cell, can be the best move. As in misère, at most one idle cell
    is a move, and keys have the parity of their number.

    A zone has two parts. Its empty cells are as in `attacker_wins`. Its stones of the loser are
    *anchors*: they spoil lines of the loser that would be complete, or threatened, without them.
    The answer holds if the loser has any other stones outside the zone, more of them or fewer, but
    all anchors. So a move outside the zone of another move fails too if the other stone is no
    anchor: the winner replies as if both were there. If each move of the loser is an anchor of its
    own zone, the loser might be better off without a move. Then the zone is the whole board, which
    makes the answer one about this position only. So it is if the winner plays an idle cell.
    """
    # 1. The node; lines that are completed at once, and forced moves.
    nodes = search.nodes
    if not _enter(search, ply):
        return False
    answer = _answer_exactly(search, ply, is_defence, attack, defence, needs, threats)
    if answer != UNKNOWN:
        return answer != 0
    forced = needs if is_defence else threats
    if forced != 0:
        cell = lowest(forced)
        lighter = weight - _weight(search, cell, attack, defence)
        if is_defence and _holds_by_pairs(search, ply, attack, defence, cell, lighter):
            return False
        after = _after_exactly(search, is_defence, attack, defence, weight, cell)
        is_won = attacker_wins_exactly(search, ply + 1, not is_defence, *after)
        zone = forced | search.zones[ply + 1]
        if is_won != is_defence:
            search.best = cell
        elif is_defence:
            zone = _covered_exactly(search, zone, defence, attack, 2)
        else:
            zone = _covered_exactly(search, zone, attack, defence, 2)
        search.zones[ply] = zone
        return is_won
    # 2. The weight of the attacker's lines, and the table.
    live, empty = _live(search, search.count, defence), search.board & ~(attack | defence)
    is_light = (weight if is_defence else 2 * weight) < 1 << search.longest
    if is_light and (live == 0 or ply > 0 or not is_defence):
        search.zones[ply] = live & empty
        return False
    ours, theirs = _relevant(search, attack, defence), _relevant(search, defence, attack)
    key, symmetry, open_ = _hashed(
        search, is_defence, attack & ours, defence & theirs, empty & (ours | theirs)
    )
    if open_ == 0:
        search.zones[ply] = _covered_exactly(search, 0, attack, defence, 1)
        return False
    idle = empty & ~open_
    key ^= ODD_IDLE if ones(idle) & 1 != 0 else 0
    idle &= -idle if ones(idle) & 1 != 0 else 0
    answer = _probe(search, ply, key, symmetry) if ply > 0 else UNKNOWN
    if answer != UNKNOWN:
        return answer != 0
    # 3. The moves; `has_others` is whether a move fails whose stone is no anchor.
    count = _list_moves(search, ply, attack, defence, open_)
    if idle != 0:
        search.moves[CELLS * ply + count] = Move(cell=lowest(idle), weight=0)
        count += 1
    best, zone = _holding_move(
        search, ply, is_defence, attack, defence, weight, count, search.tries
    )
    is_won = is_defence and best == NONE
    left, has_others, index = open_ | idle, False, 0
    while best == NONE and index < count:
        cell = search.moves[CELLS * ply + index].cell
        move = 1 << cell
        if left & move != 0:
            _show(search, ply, count, index)
            after = _after_exactly(search, is_defence, attack, defence, weight, cell)
            child_won = attacker_wins_exactly(search, ply + 1, not is_defence, *after)
            if search.stop | search.spent != 0:
                return False
            after_zone = search.zones[ply + 1]
            if child_won != is_defence:
                is_won, best = child_won, cell
                zone = search.board if move == idle else move | after_zone
            else:
                zone |= after_zone if move == idle else after_zone & ~move
                if after_zone & move == 0:
                    left &= after_zone
                    has_others = True
        index += 1
    if best == NONE and not has_others:
        zone = search.board
    # 4. The answer.
    search.zones[ply], search.best = zone, search.best if best == NONE else best
    _store(search, key, symmetry, is_won, zone, search.nodes - nodes)
    return is_won


ENTRIES: tuple[Any, ...] = (attacker_wins, is_paired, holding_reply)
"""The kernels called from Python."""
MISERE_ENTRIES: tuple[Any, ...] = (attacker_forces,)
"""The kernels called from Python in misère."""
EXACT_ENTRIES: tuple[Any, ...] = (attacker_wins_exactly,)
"""The kernels called from Python with exact lines."""

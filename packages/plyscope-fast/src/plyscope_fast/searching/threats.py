"""A board with the threats of both sides: the cells with which a side would complete a line.

`taken_by` and `filled` are not updated, since the playing engine does not read them.
"""

from __future__ import annotations

from array import array
from functools import lru_cache
from itertools import count
from typing import Any

from plyscope.evaluation.heuristic import Heuristic
from plyscope.evaluation.linetable import NO_KIND, LineTable
from plyscope.evaluation.terms import ends_of
from plyscope.randomness import mix, position_key
from plyscope.rules.linegame import LineGame
from plyscope.rules.lines import bits, by_cell
from plyscope.rules.position import Position
from plyscope.rules.symmetry import symmetries
from plyscope.searching.conventions import Conventions
from plyscope_fast.machine.block import Words, signed
from plyscope_fast.machine.kernel import inlined, kernel, lowest
from plyscope_fast.searching.board import toggle
from plyscope_fast.searching.layout import (
    COUNTERS,
    DEAD,
    MINE_MISS_ONE,
    OPEN,
    Root,
    State,
    line_states,
    line_table,
    listed,
    zeros,
)
from plyscope_fast.searching.patterns import (
    PatternBoard,
    flip,
    is_winning,
    lift_pattern,
    place_pattern,
)
from plyscope_fast.searching.terms import add_threat, change_terms, restore_ends

CANONICAL_STONES = 8
"""The greatest number of stones up to which symmetric positions share an entry of the table."""
CANONICAL_CELLS = 64
"""The most cells of a board whose symmetries are used."""
SECOND_TO_MOVE = signed(mix(0x7F4A7C15))


class ThreatBoard(PatternBoard):
    """The board of the playing engine."""

    # changed by a move and restored by lift
    missing: Words  # [lines]  sum of the numbers of the empty cells; the cell if only one is empty
    ends_held: Words  # [lines, side]  stones of the side at the ends of a line (exactly)
    wins: Words  # [side, cells]  number of lines that the side completes with the cell
    playable: Words  # [words]  bitboard of the cells where a stone can be placed
    first_move: int  # the best move of the root so far, −1 before the first depth
    stone_count: int
    symmetry_keys: Words  # [symmetries]  keys of the position's images

    # written at each node
    canonical_by: Words  # [plies]  number of the symmetry that maps the board to its canonical one
    killers: Words  # [plies, 2]
    history: Words  # [side, cells]

    # set once, or for a pass
    excluded: Words  # [cells]  1 for moves of the root that are not searched
    order_scores: Words  # [states]  what a line adds to the ordering score of a move
    word_count: int
    ending_starts: Words  # [cells]  first index of a cell's lines in `ending` (exactly)
    ending: Words  # [entries]  lines with an end at a cell, −1 after its last
    above: Words  # [cells]  cell that becomes playable when this one is taken, −1 for none
    canonical_stones: int  # the most stones with which symmetric positions share a key, −1 for none
    symmetry_count: int
    permutations: Words  # [symmetries, cells]
    inverses: Words  # [symmetries, cells]
    side_key: int

    needs_lines = True

    def __init__(
        self,
        position: Position,
        heuristic: Heuristic,
        conventions: Conventions,
        depth: int,
        node_limit: int,
        function: int = 0,
    ) -> None:
        # forced moves are searched beyond the depth, so make room for the longest game
        super().__init__(position, heuristic, conventions, position.game.size, node_limit, function)
        self.total += self.pattern_total

    def begin(self, node_limit: int) -> None:
        """Prepare the board for another pass; killers and history are not cleared."""
        for counter in COUNTERS:
            setattr(self, counter, 0)
        self.node_limit = node_limit
        for field, size in (("root_moves", Root.size()), ("excluded", 1)):
            begin, count = self.index_of(field), size * self.cells
            self.words[begin : begin + count] = zeros(count)

    def exclude(self, cell: int) -> None:
        """Exclude the move `cell` of the root from the rest of the pass."""
        self.excluded[cell] = 1

    def _more(
        self, position: Position, heuristic: Heuristic, conventions: Conventions, depth: int
    ) -> dict[str, Any]:
        """Return the fields that this class declares."""
        game, taken = position.game, position.first | position.second
        plies, words = game.size + 2, (game.size + 63) // 64
        stones = (position.stones(position.side), position.stones(1 - position.side))
        wins = [_wins_of(game, stones[mover], taken) for mover in (0, 1)]
        winning = [sum(1 << cell for cell in range(game.size) if of_side[cell]) for of_side in wins]
        playable = game.landing(taken)  # with those that Renju forbids
        table = heuristic if isinstance(heuristic, LineTable) else None
        images, of_symmetries = _of_symmetries(game, table)
        keys = [
            position_key(_moved(position.first, image), _moved(position.second, image))
            for image in images
        ]
        table, patterns = line_table(heuristic), {}
        if "patterns" in table.terms:
            from plyscope_fast.searching.rootpatterns import fields_of_patterns

            patterns = fields_of_patterns(position, table)
        return {
            **of_symmetries,
            "missing": [sum(bits(mask & ~taken)) for mask in game.masks],
            **(_of_ends(game, stones) if game.exactly else {}),
            "wins": wins[0] + wins[1],
            "winning": _words_of(winning[0], words) + _words_of(winning[1], words),
            "playable": _words_of(playable, words),
            "order_scores": _order_scores(game, table),
            "live": sum(1 for mask in game.masks if not (mask & stones[0] and mask & stones[1])),
            "stone_count": taken.bit_count(),
            "symmetry_keys": [signed(key) for key in keys],
            **{name: zeros(2 * words) for name in ("opening", "making")},
            "first_move": -1,
            "canonical_by": zeros(plies),
            "killers": [-1] * 2 * plies,
            "history": zeros(2 * game.size),
            "excluded": zeros(game.size),
            "word_count": words,
            "above": [cell.bit_length() - 1 for cell in game.above],
            "side_key": SECOND_TO_MOVE if position.side else 0,
            **patterns,
        }


def _words_of(cells: int, count: int) -> list[int]:
    return [signed(cells >> 64 * word) for word in range(count)]


def _wins_of(game: LineGame, stones: int, taken: int) -> list[int]:
    """Return for each cell the number of lines that the side with `stones` completes with it."""
    wins = [0] * game.size
    for mask, _, ends in game.lines if not game.misere else ():
        missing, is_held = mask & ~stones, game.exactly and ends & stones
        if missing.bit_count() == 1 and not missing & taken and not is_held:
            wins[missing.bit_length() - 1] += 1
    return wins


def _of_ends(game: LineGame, stones: tuple[int, int]) -> dict[str, Any]:
    """Return the board's fields for the cells at the ends of lines."""
    starts, lines = listed(by_cell(game.size, (line.ends for line in game.lines), count()))
    held = [(line.ends & of_side).bit_count() for line in game.lines for of_side in stones]
    return {"ends_held": held, "ending_starts": starts, "ending": lines}


@lru_cache(maxsize=16)
def _order_scores(game: LineGame, table: LineTable) -> array[int]:
    return array("q", map(_order_score, line_states(game, table)[0]))


def _order_score(state: State) -> int:
    """Return the ordering score of a line in this state: higher if it has more stones or is
    shorter, 0 if both sides have stones on it."""
    _, _, length, _, mine, theirs = state
    return (
        0
        if length == 0 or (mine and theirs)
        else 1 << 2 * min(8, mine + theirs + max(0, 5 - length))
    )


Image = tuple[int, ...]


@lru_cache(maxsize=16)
def _of_symmetries(game: LineGame, table: LineTable | None) -> tuple[list[Image], dict[str, Any]]:
    """Return the symmetries that do not change the evaluation, and the board's fields for them."""
    images = symmetries(game) if game.size <= CANONICAL_CELLS else ()
    kept = [image for image in images if table is not None and _keeps(game, table, image)]
    kept = kept or [tuple(range(game.size))]
    inverses = [sorted(range(game.size), key=image.__getitem__) for image in kept]
    return kept, {
        "canonical_stones": CANONICAL_STONES if len(kept) > 1 else -1,
        "symmetry_count": len(kept),
        "permutations": array("q", [cell for image in kept for cell in image]),
        "inverses": array("q", [cell for image in inverses for cell in image]),
    }


def _keeps(game: LineGame, table: LineTable, image: Image) -> bool:
    """Return whether the symmetry `image` never changes the evaluation of a position."""
    has_kinds = table.weights or table.kinds
    counted = {
        line.mask: (table.weight(line), table.kinds.get(line.kind, NO_KIND))
        for line in (game.lines if has_kinds else ())
    }
    ends = {line.mask: ends_of(line) for line in game.lines if "ends" in table.terms}
    values = [
        (value, *(table.threat_value(game, cell, side) for side in (0, 1)))
        for cell, value in enumerate(table.cell_values(game))
    ]
    columns = set(game.columns) if game.gravity and table.mobility else ()
    return (
        all(counted[_moved(mask, image)] == alike for mask, alike in counted.items())
        and all(ends[_moved(mask, image)] == _moved(end, image) for mask, end in ends.items())
        and all(values[image[cell]] == value for cell, value in enumerate(values))
        and all(tuple(image[cell] for cell in column) in columns for column in columns)
    )


def _moved(stones: int, image: Image) -> int:
    return sum(1 << image[cell] for cell in bits(stones))


@kernel
def change_win(board: ThreatBoard, mover: int, cell: int, change: int) -> None:
    """Add `change` to the number of lines of `mover` that lack only `cell`."""
    wins = board.wins.offset(mover * board.cells)
    count = wins[cell] + change
    wins[cell] = count
    if (change > 0 and count == 1) or count == 0:
        flip(board.winning.offset(mover * board.word_count), cell)


@inlined
def is_unheld(board: ThreatBoard, line: int, standing: int) -> bool:
    """Return whether the side that lacks one cell of a line has no stone at the line's ends; always
    true without the rule `exactly`."""
    return not board.exactly or board.ends_held[2 * line + standing - MINE_MISS_ONE] == 0


@kernel
def hold_ends(board: ThreatBoard, cell: int, mover: int, change: int) -> None:
    """Add `change` to the number of stones of `mover` at the ends of the lines with an end at
    `cell`.

    While a side has a stone at an end of a line, it cannot threaten to complete exactly this line.
    """
    ending, values, held = board.ending, board.values, board.ends_held
    entry = board.ending_starts[cell]
    line = ending[entry]
    while line >= 0:
        count = held[2 * line + mover] + change
        held[2 * line + mover] = count
        is_turned = count == 1 if change > 0 else count == 0
        standing = values[board.states[line]].standing
        if is_turned and standing == MINE_MISS_ONE + mover and not board.misere:
            change_win(board, mover, board.missing[line], -change)
        entry += 1
        line = ending[entry]


@kernel
def completes_unheld(board: ThreatBoard, cell: int, mover: int) -> bool:
    """Return whether a line through `cell` is complete and has no stone of `mover` at its ends."""
    through, entry = board.through, board.starts[cell]
    has_line = False
    line = through[entry]
    while line >= 0:
        is_complete = board.values[board.states[line]].is_complete != 0
        has_line |= is_complete and board.ends_held[2 * line + mover] == 0
        entry += 1
        line = through[entry]
    return has_line


@kernel
def flip_playable(board: ThreatBoard, cell: int) -> None:
    """Toggle whether `cell` is playable, and with gravity also whether the cell above it is."""
    flip(board.playable, cell)
    if board.gravity:
        above = board.above[cell]
        if above >= 0:
            flip(board.playable, above)


@kernel
def flip_keys(board: ThreatBoard, cell: int, mover: int) -> None:
    """Toggle a stone in the keys of all symmetric positions."""
    images, keys = board.permutations, board.symmetry_keys
    for number in range(board.symmetry_count):
        keys[number] ^= board.keys[2 * images[number * board.cells + cell] + mover]


@kernel
def place(board: ThreatBoard, cell: int, mover: int) -> bool:
    """Place a stone of `mover` at `cell`, modifying the board; return whether it completes a
    line."""
    toggle(board, cell, mover)
    board.stone_count += 1
    board.empty -= 1
    flip_playable(board, cell)
    if board.stone_count <= board.canonical_stones:
        flip_keys(board, cell, mover)
    step = 1 if mover == 0 else board.stride
    states, values, through = board.states, board.values, board.through
    missing = board.missing
    if board.exactly and not board.by_patterns:
        hold_ends(board, cell, mover, 1)
    change, has_line, died = 0, 0, 0
    if board.has_terms:
        change += change_terms(board, cell, mover, 0, board.empty, 0, board.plane)
    if board.directions != 0:
        completes = is_winning(board.pattern_counts[mover * board.cells + cell])
        change += place_pattern(board, cell, mover)
        if board.by_patterns:
            board.total += change
            return completes
    entry = board.starts[cell]
    line = through[entry]
    while line >= 0:
        state = states[line]
        states[line] = state + step
        before, after = values[state], values[state + step]
        change += after.value - before.value
        has_line |= after.is_complete
        last = missing[line] - cell
        missing[line] = last
        if after.standing == DEAD:
            died += before.standing != DEAD
        elif after.standing != OPEN:
            if not board.misere and is_unheld(board, line, after.standing):
                change_win(board, after.standing - MINE_MISS_ONE, last, 1)
            if board.threat_words != 0:
                change += add_threat(board, last, mover, board.empty)
        entry += 1
        line = through[entry]
    board.live -= died
    board.total += change
    if has_line != 0 and board.exactly:
        return completes_unheld(board, cell, mover)
    return has_line != 0


@kernel
def lift(board: ThreatBoard, cell: int, mover: int, total: int) -> None:
    """Undo `place`; `total` is the value of `board.total` before it."""
    toggle(board, cell, mover)
    if board.stone_count <= board.canonical_stones:
        flip_keys(board, cell, mover)
    board.stone_count -= 1
    board.empty += 1
    flip_playable(board, cell)
    if board.directions != 0:
        lift_pattern(board, cell, mover)
        if board.by_patterns:
            board.total = total
            return
    step = 1 if mover == 0 else board.stride
    states, through = board.states, board.through
    values, missing = board.values, board.missing
    died = 0
    entry = board.starts[cell]
    line = through[entry]
    while line >= 0:
        state = states[line]
        standing = values[state].standing
        if standing == DEAD:
            died += values[state - step].standing != DEAD
        elif standing != OPEN and not board.misere and is_unheld(board, line, standing):
            change_win(board, standing - MINE_MISS_ONE, missing[line], -1)
        states[line] = state - step
        missing[line] += cell
        entry += 1
        line = through[entry]
    if board.has_terms:
        restore_ends(board, cell)
    if board.exactly:
        hold_ends(board, cell, mover, -1)
    board.live += died
    board.total = total


@kernel
def threat(board: ThreatBoard, mover: int, after: int) -> int:
    """Return the first cell after `after` that completes a line of `mover`, −1 if there is none."""
    winning, begin = board.winning.offset(mover * board.word_count), after + 1
    for word in range(begin >> 6, board.word_count):
        found = board.playable[word] & winning[word]
        if word == begin >> 6:
            found &= -1 << (begin & 63)
        if found != 0:
            return 64 * word + lowest(found)
    return -1


@kernel
def key_of(board: ThreatBoard, ply: int) -> int:
    """Return the key of the board at `ply`; with few stones symmetric positions share a key.

    The number of the symmetry is written to `canonical_by`.
    """
    key, by = board.key, 0
    if board.stone_count <= board.canonical_stones:
        for number in range(board.symmetry_count):
            if board.symmetry_keys[number] < key:
                key, by = board.symmetry_keys[number], number
    board.canonical_by[ply] = by
    return key ^ board.side_key ^ (SECOND_TO_MOVE if ply & 1 else 0)

"""A board that knows who threatens what: for each side the cells that would complete a line for it.

To what `layout` lays out it adds

    beside each value        a number FLAGS further: bits that say what state the line is in, and WORTH further what a stone on it is worth
    beside each line         a number HOLES further: the empty cells of the line, added bit by bit; where one is left it is that cell
    wins                     for each cell in how many lines it is the last one missing to the root's side, then to the other side
    words                    bitboards of 64 cells a word: where a stone may go; where a win is for the root's side, and for the other
    above                    for each cell the one that becomes playable when it is taken, −1 where there is none
    symmetries               permutations of the cells that the evaluation keeps, and their inverses; the position's key under each
    killers and history      what made cutoffs before, by ply and by cell

Only cells still empty count as wins; those of taken cells are left as they are, since nobody asks
for them.
"""

from __future__ import annotations

from array import array
from functools import lru_cache
from itertools import pairwise

from plyscope.evaluation.heuristic import Heuristic
from plyscope.evaluation.linetable import LineTable
from plyscope.machine.block import signed
from plyscope.machine.kernel import get, kernel, lowest, put
from plyscope.randomness import mix, position_key
from plyscope.rules.linegame import LineGame, Position, bits
from plyscope.rules.symmetry import symmetries
from plyscope.searching.compiled import board, layout
from plyscope.searching.compiled.layout import CompiledBoard
from plyscope.searching.conventions import Conventions

__all__ = ["ThreatBoard", "key_of", "lift", "place", "threat"]

(
    FLAGS,
    WORTH,
    HOLES,
    WINS,
    WORDS,
    PLAYABLE,
    ABOVE,
    LIVE,
    STONES,
    FOLDED,
    SYMMETRIES,
    PERMUTATIONS,
    INVERSES,
    SYMMETRY_KEYS,
    FOLDED_BY,
    SIDE_KEY,
    KILLERS,
    HISTORY,
    EXCLUDED,
    HEADER,
) = range(layout.HEADER, layout.HEADER + 20)

WIN_OF_MINE, WIN_OF_THEIRS, IS_DEAD = 1, 2, 4
"""FLAGS: one stone is missing to the root's side, or to the other, and no side can complete the
line any more."""
FOLDED_STONES = 8
"""Stones up to which positions that mirror each other are one."""
FOLDED_CELLS = 64
"""Cells up to which symmetries are looked for."""
SECOND_TO_MOVE = signed(mix(0x7F4A7C15))


class ThreatBoard(CompiledBoard):
    """The board of the playing engine."""

    header = HEADER
    counts_lines = True

    def __init__(
        self,
        position: Position,
        heuristic: Heuristic,
        conventions: Conventions,
        depth: int,
        node_limit: int,
        function: int = 0,
    ) -> None:
        # duties are played out beyond the depth, so there is room for the longest game
        super().__init__(position, heuristic, conventions, position.game.size, node_limit, function)

    def begin(self, node_limit: int) -> None:
        """Make the board ready for another pass; what made cutoffs is remembered."""
        for slot in (*range(layout.NODES, layout.DEEPEST + 1), layout.STOP):
            self.memory[slot] = 0
        self.memory[layout.LIMIT] = node_limit
        for begin, count in (
            (self[layout.ROOT], layout.ROOT_FIELDS * self[layout.CELLS]),
            (self[EXCLUDED], self[layout.CELLS]),
        ):
            self.memory[begin : begin + count] = array("q", bytes(8 * count))

    def exclude(self, cell: int) -> None:
        """Leave the move `cell` of the root out for the rest of the pass."""
        self.memory[self[EXCLUDED] + cell] = 1

    def _lay_beside_values(self, shapes: list[tuple[int, int]], stride: int) -> None:
        at = self._size - len(shapes) * stride * stride
        states = [
            (length, state % stride, state // stride)
            for _, length in shapes
            for state in range(stride * stride)
        ]
        self._flags = self._lay([_flags(*state) for state in states]) - at
        self._worth = self._lay([_worth(*state) for state in states]) - at

    def _lay_beside_lines(self, game: LineGame, taken: int) -> None:
        holes = [sum(bits(mask & ~taken)) for mask in game.masks]
        self._holes = self._lay(holes) - (self._size - 2 * len(holes))

    def _lay_more(self, position: Position, heuristic: Heuristic) -> dict[int, int]:
        game, taken = position.game, position.first | position.second
        words = (game.size + 63) // 64
        stones = (position.stones(position.side), position.stones(1 - position.side))
        wins = [[0] * game.size, [0] * game.size]
        for mask in game.masks if not game.misere else ():
            for mover in (0, 1):
                missing = mask & ~stones[mover]
                if missing.bit_count() == 1 and not missing & taken:
                    wins[mover][missing.bit_length() - 1] += 1
        winning = [
            sum(1 << cell for cell in range(game.size) if wins[mover][cell]) for mover in (0, 1)
        ]
        above = (
            {under: cell for column in game.columns for under, cell in pairwise(column)}
            if game.gravity
            else {}
        )
        playable = sum(1 << cell for cell in game.moves(position))
        kept, permutations, inverses = _symmetries(
            game, heuristic if isinstance(heuristic, LineTable) else None
        )
        keys = [
            position_key(_moved(position.first, image), _moved(position.second, image))
            for image in kept
        ]
        return {
            FLAGS: self._flags,
            WORTH: self._worth,
            HOLES: self._holes,
            WINS: self._lay([*wins[0], *wins[1]]),
            WORDS: words,
            PLAYABLE: self._lay(
                [
                    signed(board >> 64 * word)
                    for board in (playable, *winning)
                    for word in range(words)
                ]
            ),
            ABOVE: self._lay([above.get(cell, -1) for cell in range(game.size)]),
            LIVE: sum(1 for mask in game.masks if not (mask & stones[0] and mask & stones[1])),
            STONES: taken.bit_count(),
            FOLDED: FOLDED_STONES if len(kept) > 1 else -1,
            SYMMETRIES: len(kept),
            PERMUTATIONS: self._lay(permutations),
            INVERSES: self._lay(inverses),
            SYMMETRY_KEYS: self._lay([signed(key) for key in keys]),
            FOLDED_BY: self._lay([0] * self.plies),
            SIDE_KEY: SECOND_TO_MOVE if position.side else 0,
            KILLERS: self._lay([-1] * 2 * self.plies),
            HISTORY: self._lay([0] * 2 * game.size),
            EXCLUDED: self._lay([0] * game.size),
        }


def _flags(length: int, mine: int, theirs: int) -> int:
    dead = IS_DEAD if mine and theirs else 0
    return (
        dead
        + (WIN_OF_MINE if (mine, theirs) == (length - 1, 0) else 0)
        + (WIN_OF_THEIRS if (mine, theirs) == (0, length - 1) else 0)
    )


def _worth(length: int, mine: int, theirs: int) -> int:
    """Return what a stone on the line is worth to either side when moves are ordered: more the
    fuller it is and the shorter."""
    if mine and theirs:
        return 0
    return 1 << 2 * min(8, mine + theirs + max(0, 5 - length))


@lru_cache(maxsize=16)
def _symmetries(
    game: LineGame, heuristic: LineTable | None
) -> tuple[list[tuple[int, ...]], list[int], list[int]]:
    """Return the symmetries that keep the evaluation, and all their images and those of their
    inverses, one after the other."""
    images = () if heuristic is None or game.size > FOLDED_CELLS else symmetries(game)
    kept = [image for image in images if heuristic is not None and _keeps(game, heuristic, image)]
    kept = kept or [tuple(range(game.size))]
    inverses = [sorted(range(game.size), key=image.__getitem__) for image in kept]
    return (
        kept,
        [cell for image in kept for cell in image],
        [cell for image in inverses for cell in image],
    )


def _keeps(game: LineGame, heuristic: LineTable, image: tuple[int, ...]) -> bool:
    """Whether positions that the symmetry carries to each other have one evaluation."""
    if not heuristic.weights:
        return True
    weights = {line.mask: heuristic.weights.get(line.kind, 1) for line in game.lines}
    return all(weights[_moved(mask, image)] == weight for mask, weight in weights.items())


def _moved(stones: int, image: tuple[int, ...]) -> int:
    return sum(1 << image[cell] for cell in bits(stones))


@kernel
def change_win(base: int, mover: int, cell: int, change: int) -> None:
    """Add to the lines in which `cell` is the last one missing to `mover`."""
    at = get(base, WINS) + mover * get(base, layout.CELLS) + cell
    count = get(base, at) + change
    put(base, at, count)
    if (change > 0 and count == 1) or count == 0:
        word = get(base, PLAYABLE) + (1 + mover) * get(base, WORDS) + (cell >> 6)
        put(base, word, get(base, word) ^ (1 << (cell & 63)))


@kernel
def flip_playable(base: int, cell: int) -> None:
    """Let `cell` be playable if it was not, and the cell above it the other way round."""
    word = get(base, PLAYABLE) + (cell >> 6)
    put(base, word, get(base, word) ^ (1 << (cell & 63)))
    if get(base, layout.GRAVITY) != 0:
        above = get(base, get(base, ABOVE) + cell)
        if above >= 0:
            word = get(base, PLAYABLE) + (above >> 6)
            put(base, word, get(base, word) ^ (1 << (above & 63)))


@kernel
def flip_keys(base: int, cell: int, mover: int) -> None:
    """Put a stone in the keys of all symmetries, or take it away; only as long as positions are
    folded."""
    cells = get(base, layout.CELLS)
    for number in range(get(base, SYMMETRIES)):
        image = get(base, get(base, PERMUTATIONS) + number * cells + cell)
        at = get(base, SYMMETRY_KEYS) + number
        put(base, at, get(base, at) ^ get(base, get(base, layout.KEYS) + 2 * image + mover))


@kernel
def place(base: int, cell: int, mover: int) -> bool:
    """Let `mover` take `cell`, modified in place; return whether that made a line whole."""
    board.toggle(base, cell, mover)
    stones = get(base, STONES) + 1
    put(base, STONES, stones)
    put(base, layout.EMPTY, get(base, layout.EMPTY) - 1)
    flip_playable(base, cell)
    if stones <= get(base, FOLDED):
        flip_keys(base, cell, mover)
    step = 1 if mover == 0 else get(base, layout.STRIDE)
    flags, holes = get(base, FLAGS), get(base, HOLES)
    change, whole, died = 0, 0, 0
    entry = get(base, get(base, layout.STARTS) + cell)
    line = get(base, entry)
    while line != 0:
        at = get(base, line)
        put(base, line, at + step)
        after = get(base, at + step)
        change += (after >> 1) - (get(base, at) >> 1)
        whole |= after & 1
        hole = get(base, line + holes) - cell
        put(base, line + holes, hole)
        flag = get(base, at + step + flags)
        if flag != 0:
            if flag == IS_DEAD:
                died += (get(base, at + flags) & IS_DEAD) == 0
            elif get(base, layout.MISERE) == 0:
                change_win(base, flag - 1, hole, 1)
        entry += 1
        line = get(base, entry)
    put(base, LIVE, get(base, LIVE) - died)
    put(base, layout.TOTAL, get(base, layout.TOTAL) + change)
    return whole != 0


@kernel
def lift(base: int, cell: int, mover: int, total: int) -> None:
    """Take back what `place` did; `total` is the sum of the lines before it."""
    board.toggle(base, cell, mover)
    stones = get(base, STONES)
    if stones <= get(base, FOLDED):
        flip_keys(base, cell, mover)
    put(base, STONES, stones - 1)
    put(base, layout.EMPTY, get(base, layout.EMPTY) + 1)
    flip_playable(base, cell)
    step = 1 if mover == 0 else get(base, layout.STRIDE)
    flags, holes = get(base, FLAGS), get(base, HOLES)
    died = 0
    entry = get(base, get(base, layout.STARTS) + cell)
    line = get(base, entry)
    while line != 0:
        at = get(base, line)
        flag = get(base, at + flags)
        if flag != 0:
            if flag == IS_DEAD:
                died += (get(base, at - step + flags) & IS_DEAD) == 0
            elif get(base, layout.MISERE) == 0:
                change_win(base, flag - 1, get(base, line + holes), -1)
        put(base, line, at - step)
        put(base, line + holes, get(base, line + holes) + cell)
        entry += 1
        line = get(base, entry)
    put(base, LIVE, get(base, LIVE) + died)
    put(base, layout.TOTAL, total)


@kernel
def threat(base: int, mover: int, after: int) -> int:
    """Return the first cell beyond `after` where `mover` would complete a line now, −1 if there is
    none."""
    words, playable = get(base, WORDS), get(base, PLAYABLE)
    for word in range((after + 1) >> 6, words):
        found = get(base, playable + word) & get(base, playable + (1 + mover) * words + word)
        if word == (after + 1) >> 6:
            found &= -1 << ((after + 1) & 63)
        if found != 0:
            return 64 * word + lowest(found)
    return -1


@kernel
def key_of(base: int, ply: int) -> int:
    """Return the key of the board at `ply`, one for all positions that mirror each other while
    there are few stones; note by which symmetry it is theirs."""
    key, by = get(base, layout.KEY), 0
    if get(base, STONES) <= get(base, FOLDED):
        keys = get(base, SYMMETRY_KEYS)
        for number in range(get(base, SYMMETRIES)):
            if get(base, keys + number) < key:
                key, by = get(base, keys + number), number
    put(base, get(base, FOLDED_BY) + ply, by)
    return key ^ (get(base, SIDE_KEY) if ply & 1 == 0 else SECOND_TO_MOVE ^ get(base, SIDE_KEY))

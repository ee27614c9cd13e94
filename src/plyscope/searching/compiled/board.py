"""The board that kernels change and restore: one block of 64-bit integers, addressed by its first byte.

    HEADER   counters and settings, by the names below
    owner    for each cell 1 when it is taken
    filled   for each column the stones in it (gravity; otherwise one number that nothing reads)
    columns  for each column its cells from the bottom up (gravity)
    column   for each cell where the stones in its column are counted
    values   for each kind and length of line, by the root side's stones + stride × the other side's: what the heuristic gives, doubled, plus
             1 when one side has the whole line
    lines    for each line where its value is
    entries  for each line through a cell where that line is, then 0 (an end that is found, not counted: loops so short are slower when
             the compiler makes vectors of them)
    starts   for each cell where its entries begin
    plies    for each ply PLY_FIELDS numbers
    moves    for each ply the moves, then the keys they are sorted by
    lines of play   for each ply the principal variation below it
    root     for each cell ROOT_FIELDS numbers about the root's move there

The side to move at the root moves at even plies; all values are in its view. A stone on a line moves the line's place among the values by 1
or by the stride, so that a move costs one addition and one look-up for each line through its cell.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyscope._jit import get, inlined, kernel, put
from plyscope.evaluation.linetable import LineTable
from plyscope.rules.linegame import LineGame, Position
from plyscope.searching.conventions import CHOICES, Conventions
from plyscope.searching.score import INFINITY, MAX_EVALUATION, WIN

__all__ = ["CompiledBoard"]

(
    NODES,
    LEAVES,
    CUTOFFS,
    RESEARCHES,
    HORIZON,
    DEEPEST,
    LIMIT,
    STOP,
    TOTAL,
    EMPTY,
    CELLS,
    COLUMNS,
    HEIGHT,
    GRAVITY,
    MISERE,
    STRIDE,
    CLAMP,
    SCORING,
    ORDER,
    OPEN,
    HARD,
    STRICT,
    SEED,
    OWNER,
    FILLED,
    COLUMN_CELLS,
    COLUMN_OF,
    STARTS,
    PLIES,
    MOVES,
    PV,
    LINE_LENGTH,
    ROOT,
    HEADER,
) = range(34)

LEAST_WIDTH, GREATEST_WIDTH, LEAVES_AT, PLY_FIELDS = 0, 1, 2, 3
ROOT_VALUE, ROOT_ALPHA, ROOT_BETA, ROOT_SEARCHED, ROOT_NODES, ROOT_LEAVES, ROOT_CUTOFFS, ROOT_FIELDS = range(8)
MIX_SEED, MIX_PLY, MIX_MOVE = (np.uint64(factor) for factor in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))
TOP_BIT = np.uint64(1 << 63)


class CompiledBoard:
    """A position laid out for the kernels, with the settings of a search; `base` is what kernels are called with."""

    def __init__(self, position: Position, heuristic: LineTable, conventions: Conventions, depth: int, node_limit: int) -> None:
        game = position.game
        self.plies = min(depth, game.size) + 2
        self._parts: list[tuple[int, list[int]]] = []
        self._size = HEADER
        taken = position.first | position.second
        settings = {
            LIMIT: node_limit,
            EMPTY: game.size - taken.bit_count(),
            CELLS: game.size,
            COLUMNS: len(game.columns),
            HEIGHT: game.height,
            LINE_LENGTH: self.plies + 1,
            GRAVITY: int(game.gravity),
            MISERE: int(game.misere),
            CLAMP: -1 if heuristic.clamp is None else heuristic.clamp,
            SCORING: CHOICES["scoring"].index(conventions.scoring),
            ORDER: CHOICES["order"].index(conventions.order),
            OPEN: int(conventions.root == "open"),
            HARD: int(conventions.bound == "hard"),
            STRICT: int(conventions.cut == "gt"),
            SEED: (conventions.seed + (1 << 63)) % (1 << 64) - (1 << 63),
            OWNER: self._lay([taken >> cell & 1 for cell in range(game.size)]),
            **self._lay_columns(game, taken),
            **self._lay_lines(position, heuristic),
            PLIES: self._lay([1 << 40, -1, 0] * self.plies),
            MOVES: self._lay([], 2 * game.size * self.plies),
            PV: self._lay([], (self.plies + 1) ** 2),
            ROOT: self._lay([], ROOT_FIELDS * game.size),
        }
        self.memory: np.ndarray[Any, np.dtype[np.int64]] = np.zeros(self._size, dtype=np.int64)
        for offset, numbers in self._parts:
            self.memory[offset : offset + len(numbers)] = numbers
        for slot, number in settings.items():
            self.memory[slot] = number

    def _lay(self, numbers: list[int], zeros: int = 0) -> int:
        """Add `numbers` and then `zeros` to the block, and return where they begin."""
        begin = self._size
        self._parts.append((begin, numbers))
        self._size += len(numbers) + zeros
        return begin

    def _lay_columns(self, game: LineGame, taken: int) -> dict[int, int]:
        columns = game.columns if game.gravity else ()
        filled = self._lay([sum(taken >> cell & 1 for cell in column) for column in columns], 1)
        column_of = {cell: number for number, column in enumerate(columns) for cell in column}
        return {
            FILLED: filled,
            COLUMN_CELLS: self._lay([cell for column in columns for cell in column]),
            COLUMN_OF: self._lay([filled + column_of.get(cell, len(columns)) for cell in range(game.size)]),
        }

    def _lay_lines(self, position: Position, heuristic: LineTable) -> dict[int, int]:
        """Lay out the values of every state, the lines, and the entries through every cell; return the settings that tell of them."""
        game = position.game
        stride = max((mask.bit_count() for mask in game.masks), default=0) + 1
        mine, theirs = position.stones(position.side), position.stones(1 - position.side)
        states = [(mine & mask).bit_count() + stride * (theirs & mask).bit_count() for mask in game.masks]
        shapes = [(heuristic.weights.get(line.kind, 1), line.mask.bit_count()) for line in game.lines]
        values = {shape: _values(heuristic, *shape, stride) for shape in sorted(set(shapes))}
        total = sum(values[shape][state] >> 1 for shape, state in zip(shapes, states, strict=True))
        values_at = {shape: self._lay(numbers) for shape, numbers in values.items()}
        first_line = self._lay([values_at[shape] + state for shape, state in zip(shapes, states, strict=True)])
        through = [[first_line + line for line, mask in enumerate(game.masks) if mask >> cell & 1] for cell in range(game.size)]
        return {TOTAL: total, STRIDE: stride, STARTS: self._lay([self._lay([*lines, 0]) for lines in through])}

    @property
    def base(self) -> int:
        """The address of the block."""
        return int(self.memory.ctypes.data)

    def __getitem__(self, slot: int) -> int:
        return int(self.memory[slot])

    def stop(self) -> None:
        """Make the kernel return as soon as it enters another node; may be called from another thread."""
        self.memory[STOP] = 1

    def line(self) -> tuple[int, ...]:
        """Return the principal variation of the root."""
        start = self[PV]
        return tuple(int(cell) for cell in self.memory[start + 1 : start + 1 + self.memory[start]])

    def ply(self, number: int, field: int) -> int:
        """Return a number that was kept for a ply."""
        return int(self.memory[self[PLIES] + PLY_FIELDS * number + field])

    def root(self, cell: int, field: int) -> int:
        """Return a number that was kept for the root's move at `cell`."""
        return int(self.memory[self[ROOT] + ROOT_FIELDS * cell + field])


def _values(heuristic: LineTable, weight: int, length: int, stride: int) -> list[int]:
    """Return by state what a line of this weight and length counts, doubled, plus 1 when one side has all of it."""
    pairs = ((state % stride, state // stride) for state in range(stride * stride))
    return [2 * weight * heuristic.value(mine, theirs) + int(length in (mine, theirs)) for mine, theirs in pairs]


@inlined
def line_at(base: int, ply: int) -> int:
    """Return where the principal variation of `ply` begins: its length, then its moves."""
    return get(base, PV) + ply * get(base, LINE_LENGTH)


@kernel
def enter(base: int, ply: int) -> bool:
    """Count a call at `ply`; return False when the search has to stop."""
    if get(base, STOP) != 0:
        return False
    nodes = get(base, NODES) + 1
    if nodes > get(base, LIMIT):
        put(base, STOP, 2)
        return False
    put(base, NODES, nodes)
    if ply > get(base, DEEPEST):
        put(base, DEEPEST, ply)
    put(base, line_at(base, ply), 0)
    return True


@kernel
def place(base: int, cell: int, mover: int) -> bool:
    """Let `mover` (0: the root's side) take `cell`, modified in place; return whether that made a line whole."""
    put(base, get(base, OWNER) + cell, 1)
    put(base, EMPTY, get(base, EMPTY) - 1)
    column = get(base, get(base, COLUMN_OF) + cell)
    put(base, column, get(base, column) + 1)
    step = 1 if mover == 0 else get(base, STRIDE)
    change, whole = 0, 0
    entry = get(base, get(base, STARTS) + cell)
    line = get(base, entry)
    while line != 0:
        at = get(base, line)
        put(base, line, at + step)
        after = get(base, at + step)
        change += (after >> 1) - (get(base, at) >> 1)
        whole |= after & 1
        entry += 1
        line = get(base, entry)
    put(base, TOTAL, get(base, TOTAL) + change)
    return whole != 0


@kernel
def lift(base: int, cell: int, mover: int, total: int) -> None:
    """Take back what `place` did; `total` is the sum of the lines before it."""
    put(base, get(base, OWNER) + cell, 0)
    put(base, EMPTY, get(base, EMPTY) + 1)
    column = get(base, get(base, COLUMN_OF) + cell)
    put(base, column, get(base, column) - 1)
    step = 1 if mover == 0 else get(base, STRIDE)
    entry = get(base, get(base, STARTS) + cell)
    line = get(base, entry)
    while line != 0:
        put(base, line, get(base, line) - step)
        entry += 1
        line = get(base, entry)
    put(base, TOTAL, total)


@kernel
def static(base: int, ply: int, is_whole: bool, total: int, empty: int) -> int:
    """Return the score, in the root's view, of a board whose lines sum to `total` and that has `empty` cells left, without looking further.

    `is_whole` tells that the last move made a line whole.
    """
    scoring = get(base, SCORING)
    if scoring != 0 and is_whole:
        win = WIN - ply if scoring == 2 else WIN
        is_mine = (ply & 1) != get(base, MISERE)
        return win if is_mine else -win
    if scoring != 0 and empty == 0:
        return 0
    clamp = get(base, CLAMP)
    if clamp >= 0:
        total = max(-clamp, min(clamp, total))
    if scoring != 0:
        total = max(-MAX_EVALUATION, min(MAX_EVALUATION, total))
    return total


@kernel
def is_leaf(base: int, depth: int, is_whole: bool) -> bool:
    """Return whether the node is not searched further."""
    return depth <= 0 or is_whole or get(base, EMPTY) == 0


@kernel
def leaf(base: int, ply: int, is_whole: bool, total: int, empty: int) -> int:
    """Count a leaf and return its score in the root's view."""
    put(base, LEAVES, get(base, LEAVES) + 1)
    at = get(base, PLIES) + PLY_FIELDS * ply + LEAVES_AT
    put(base, at, get(base, at) + 1)
    if not is_whole and empty != 0:
        put(base, HORIZON, get(base, HORIZON) + 1)
    return static(base, ply, is_whole, total, empty)


@kernel
def look(base: int, ply: int, cell: int) -> int:
    """Return the score, in the root's view, of the board after the stone at `cell` that leads to `ply`, doubled, plus 1 when the game is
    over there: as by placing it, but the board is only read."""
    step = 1 if ply & 1 else get(base, STRIDE)
    total, whole = get(base, TOTAL), 0
    entry = get(base, get(base, STARTS) + cell)
    line = get(base, entry)
    while line != 0:
        at = get(base, line)
        after = get(base, at + step)
        total += (after >> 1) - (get(base, at) >> 1)
        whole |= after & 1
        entry += 1
        line = get(base, entry)
    empty = get(base, EMPTY) - 1
    return 2 * static(base, ply, whole != 0, total, empty) + (whole != 0 or empty == 0)


@inlined
def has_room(base: int, count: int) -> bool:
    """Return whether so many more nodes are within the limit, twice over."""
    return get(base, NODES) + 2 * count <= get(base, LIMIT)


@kernel
def frontier(base: int, ply: int, count: int, alpha: int, beta: int, again: bool) -> int:
    """Search the node at `ply`, all whose `count` moves lead to leaves, and return its score within the window for its side to move.

    With `again` a move but the first whose score lies within the window is searched twice, as by a null window and then by an open one.
    The limit has room for that: `has_room`.
    """
    sign = 1 - 2 * (ply & 1)
    moves = get(base, MOVES) + 2 * get(base, CELLS) * ply
    strict = get(base, STRICT)
    best, best_cell = -INFINITY, -1
    horizon, repeated, index = 0, 0, 0
    while index < count:
        cell = get(base, moves + index)
        found = look(base, ply + 1, cell)
        index += 1
        score, is_over = sign * (found >> 1), found & 1
        horizon += 1 - is_over
        if again and index > 1 and alpha < score < beta and alpha + 1 < beta:
            repeated += 1
            horizon += 1 - is_over
        best = max(best, score)
        if score > alpha:
            alpha, best_cell = score, cell
        if alpha > beta or (alpha == beta and strict == 0):
            put(base, CUTOFFS, get(base, CUTOFFS) + 1)
            break
    put(base, RESEARCHES, get(base, RESEARCHES) + repeated)
    index += repeated
    put(base, NODES, get(base, NODES) + index)
    put(base, LEAVES, get(base, LEAVES) + index)
    put(base, HORIZON, get(base, HORIZON) + horizon)
    at = get(base, PLIES) + PLY_FIELDS * (ply + 1) + LEAVES_AT
    put(base, at, get(base, at) + index)
    if ply >= get(base, DEEPEST):
        put(base, DEEPEST, ply + 1)
    if best_cell >= 0:
        line = line_at(base, ply)
        put(base, line, 1)
        put(base, line + 1, best_cell)
    return best


@kernel
def generate(base: int, ply: int) -> int:
    """Write the moves of the node at `ply` in the order of the conventions and return their number; `move_at` reads them."""
    at = get(base, MOVES) + 2 * get(base, CELLS) * ply
    count = 0
    if get(base, GRAVITY) != 0:
        for column in range(get(base, COLUMNS)):
            filled = get(base, get(base, FILLED) + column)
            if filled < get(base, HEIGHT):
                put(base, at + count, get(base, get(base, COLUMN_CELLS) + column * get(base, HEIGHT) + filled))
                count += 1
    else:
        owner = get(base, OWNER)
        for cell in range(get(base, CELLS)):
            if get(base, owner + cell) == 0:
                put(base, at + count, cell)
                count += 1
    widths = get(base, PLIES) + PLY_FIELDS * ply
    put(base, widths + LEAST_WIDTH, min(count, get(base, widths + LEAST_WIDTH)))
    put(base, widths + GREATEST_WIDTH, max(count, get(base, widths + GREATEST_WIDTH)))
    if get(base, ORDER) != 0:
        _sort(base, ply, at, count)
    return count


@kernel
def _sort(base: int, ply: int, at: int, count: int) -> None:
    """Sort the moves by the conventions' keys, least first; equal ones stay as they were."""
    keys = at + get(base, CELLS)
    for index in range(count):
        cell = get(base, at + index)
        key = _key(base, ply, cell)
        place_at = index
        while place_at > 0 and get(base, keys + place_at - 1) > key:
            put(base, at + place_at, get(base, at + place_at - 1))
            put(base, keys + place_at, get(base, keys + place_at - 1))
            place_at -= 1
        put(base, at + place_at, cell)
        put(base, keys + place_at, key)


@kernel
def _key(base: int, ply: int, cell: int) -> int:
    order = get(base, ORDER)
    if order == 3:
        return _draw(get(base, SEED), ply, cell)
    score = look(base, ply + 1, cell) >> 1
    return -score if (ply & 1 == 0) == (order == 1) else score


@kernel
def _draw(seed: int, ply: int, move: int) -> int:
    """Return the draw of the reference, brought from unsigned to signed order."""
    mixed = np.uint64(seed) * MIX_SEED + np.uint64(ply) * MIX_PLY + np.uint64(move) * MIX_MOVE
    mixed = (mixed ^ (mixed >> np.uint64(30))) * MIX_PLY
    mixed = (mixed ^ (mixed >> np.uint64(27))) * MIX_MOVE
    mixed = mixed ^ (mixed >> np.uint64(31))
    return np.int64(mixed ^ TOP_BIT)  # type: ignore[return-value]


@inlined
def move_at(base: int, ply: int, index: int) -> int:
    """Return a move that `generate` wrote."""
    return get(base, get(base, MOVES) + 2 * get(base, CELLS) * ply + index)


@kernel
def improve(base: int, ply: int, cell: int) -> None:
    """Make `cell` and the line below it the principal variation of `ply`."""
    here, below = line_at(base, ply), line_at(base, ply + 1)
    length = get(base, below)
    put(base, here, length + 1)
    put(base, here + 1, cell)
    for index in range(length):
        put(base, here + 2 + index, get(base, below + 1 + index))


@kernel
def note_root(base: int, cell: int, score: int, alpha: int, beta: int, nodes: int, leaves: int, cutoffs: int) -> None:
    """Keep what the root's move was worth within (alpha, beta), and add what it cost; the counts are those from before it was searched."""
    at = get(base, ROOT) + ROOT_FIELDS * cell
    put(base, at + ROOT_VALUE, score)
    put(base, at + ROOT_ALPHA, alpha)
    put(base, at + ROOT_BETA, beta)
    put(base, at + ROOT_SEARCHED, 1)
    put(base, at + ROOT_NODES, get(base, at + ROOT_NODES) + get(base, NODES) - nodes)
    put(base, at + ROOT_LEAVES, get(base, at + ROOT_LEAVES) + get(base, LEAVES) - leaves)
    put(base, at + ROOT_CUTOFFS, get(base, at + ROOT_CUTOFFS) + get(base, CUTOFFS) - cutoffs)


@inlined
def is_closed(base: int, alpha: int, beta: int) -> bool:
    """Return whether the window leaves nothing to find."""
    return alpha > beta or (alpha == beta and get(base, STRICT) == 0)


@inlined
def within(base: int, score: int, alpha: int, beta: int) -> int:
    """Return `score`, brought within the window when fail-hard."""
    return max(alpha, min(beta, score)) if get(base, HARD) != 0 else score

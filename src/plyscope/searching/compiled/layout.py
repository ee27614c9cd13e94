"""The layout of the board that kernels change and restore: one block of 64-bit integers, addressed
by its first byte.

    HEADER   counters and settings, by the names below
    keys     for each cell what a stone of the root's side there, and one of the other side, does to the position's key
    owner    for each cell 1 when it is taken
    filled   for each column the stones in it (gravity; otherwise one number that nothing reads)
    columns  for each column its cells from the bottom up (gravity)
    column   for each cell where the stones in its column are counted
    values   for each kind and length of line, by the root side's stones + stride × the other side's: what the heuristic gives, doubled,
             plus 1 when one side has the whole line
    lines    for each line where its value is
    entries  for each line through a cell where that line is, then 0 (an end that is found, not counted: loops so short are slower when
             the compiler makes vectors of them)
    starts   for each cell where its entries begin
    masks    in place of the entries, where no table is summed: for each cell where the words of the lines through it are, which end with 0
    groups   where nothing but the stones counts: for each step and length of lines their first cells, which end with 0
    answers  where a function is asked, what it answered about the boards it was asked last: both sides' stones and the answer, doubled,
             plus 1 where there is one
    plies    for each ply PLY_FIELDS numbers
    moves    for each ply the moves, then the keys they are sorted by
    lines of play   for each ply the principal variation below it
    root     for each cell ROOT_FIELDS numbers about the root's move there

The side to move at the root moves at even plies; all values are in its view. A stone on a line
moves the line's place among the values by 1 or by the stride, so that a move costs one addition and
one look-up for each line through its cell.
"""

from __future__ import annotations

from array import array
from functools import lru_cache
from itertools import pairwise

from plyscope.evaluation.function import FunctionHeuristic, RandomHeuristic
from plyscope.evaluation.heuristic import Heuristic
from plyscope.evaluation.linetable import LineTable
from plyscope.machine.block import signed
from plyscope.randomness import position_key, stone_key
from plyscope.rules.linegame import LineGame, Position
from plyscope.searching.conventions import CHOICES, Conventions
from plyscope.searching.limit import NO_LIMIT

__all__ = ["CompiledBoard"]

(
    NODES,
    LEAVES,
    CUTOFFS,
    RESEARCHES,
    HITS,
    HORIZON,
    DEEPEST,
    LIMIT,
    STOP,
    MINE,
    THEIRS,
    KEY,
    TOTAL,
    EMPTY,
    CELLS,
    COLUMNS,
    HEIGHT,
    GRAVITY,
    MISERE,
    STRIDE,
    EVALUATOR,
    CLAMP,
    FUNCTION,
    SALT,
    SIGN,
    CALLS,
    IS_ASKING,
    FAILED_MINE,
    FAILED_THEIRS,
    SCORING,
    ORDER,
    OPEN,
    SHALLOW,
    HARD,
    STRICT,
    SEED,
    KEYS,
    OWNER,
    FILLED,
    COLUMN_CELLS,
    COLUMN_OF,
    STARTS,
    MASKS,
    GROUPS,
    BOARD,
    BOTTOM,
    BELOW,
    COLUMN_MASKS,
    ANSWERS,
    ANSWERS_SHIFT,
    PLIES,
    MOVES,
    PV,
    LINE_LENGTH,
    ROOT,
    HEADER,
) = range(56)

TABLE_SUM, FUNCTION_CALL, RANDOM_DRAW, NO_OPINION = range(4)
"""EVALUATOR: how leaves are evaluated. Where no table is summed, on boards of one word, lines are
not counted but looked at as bitboards."""
RUNNING, ASKED, NODES_SPENT, HEURISTIC_FAILED, MEMORY_SPENT = range(5)
"""STOP: why the kernel has to return."""
LEAST_WIDTH, GREATEST_WIDTH, LEAVES_AT, PLY_FIELDS = range(4)
GROUP_STEP, GROUP_STARTS, GROUP_LENGTH, GROUP_FIELDS = range(4)
ANSWER_MINE, ANSWER_THEIRS, ANSWER_VALUE, ANSWER_FIELDS = range(4)
MOST_ANSWER_BITS = 18
"""Answers of a function that are kept: their number doubles with each of these. More take longer to
fetch than they save."""
(
    ROOT_VALUE,
    ROOT_ALPHA,
    ROOT_BETA,
    ROOT_SEARCHED,
    ROOT_NODES,
    ROOT_LEAVES,
    ROOT_CUTOFFS,
    ROOT_FIELDS,
) = range(8)
NOTHING = LineTable("nothing", {})
WORD = 64


class CompiledBoard:
    """A position laid out for the kernels, with the settings of a search; `base` is what kernels
    are called with.

    `function` is the address of the native form of a FunctionHeuristic. Boards of searches that
    need more have a longer `header`.
    """

    header = HEADER
    counts_lines = False
    """Whether kernels read the counts of lines themselves, so that they are wanted whatever the
    heuristic."""

    def __init__(
        self,
        position: Position,
        heuristic: Heuristic,
        conventions: Conventions,
        depth: int,
        node_limit: int,
        function: int = 0,
    ) -> None:
        game = position.game
        mine, theirs = position.stones(position.side), position.stones(1 - position.side)
        self.plies = min(depth, game.size) + 2
        self._parts: list[tuple[int, list[int]]] = []
        self._size = self.header
        taken = position.first | position.second
        evaluator = self._evaluator(game, heuristic)
        answer_bits = min(2 * depth + 2, MOST_ANSWER_BITS)
        has_words = evaluator != TABLE_SUM and not self.counts_lines and game.size <= WORD
        settings = {
            LIMIT: node_limit,
            MINE: signed(mine),
            THEIRS: signed(theirs),
            KEY: signed(position_key(position.first, position.second)),
            EMPTY: game.size - taken.bit_count(),
            CELLS: game.size,
            COLUMNS: len(game.columns),
            HEIGHT: game.height,
            LINE_LENGTH: self.plies + 1,
            GRAVITY: int(game.gravity),
            MISERE: int(game.misere),
            CLAMP: -1
            if not isinstance(heuristic, LineTable) or heuristic.clamp is None
            else heuristic.clamp,
            EVALUATOR: evaluator,
            FUNCTION: function,
            SALT: signed(heuristic.salt) if isinstance(heuristic, RandomHeuristic) else 0,
            SIGN: -1 if position.side else 1,
            SCORING: CHOICES["scoring"].index(conventions.scoring),
            ORDER: CHOICES["order"].index(conventions.order),
            OPEN: int(conventions.root == "open"),
            SHALLOW: int(conventions.cutoffs == "shallow"),
            HARD: int(conventions.bound == "hard"),
            STRICT: int(conventions.cut == "gt"),
            SEED: signed(conventions.seed),
            KEYS: self._lay(_keys(game.size, position.side)),
            OWNER: self._lay([taken >> cell & 1 for cell in range(game.size)]),
            MASKS: self._lay([self._lay([*map(signed, masks), 0]) for masks in game.masks_through])
            if has_words
            else 0,
            ANSWERS: self._lay([], ANSWER_FIELDS << answer_bits)
            if evaluator == FUNCTION_CALL
            else 0,
            ANSWERS_SHIFT: 64 - answer_bits,
            **(
                self._lay_groups(game)
                if evaluator == NO_OPINION
                and node_limit == NO_LIMIT
                and conventions.order == "generated"
                else {}
            ),
            **self._lay_columns(game, taken),
            **self._lay_lines(
                game, mine, theirs, heuristic if isinstance(heuristic, LineTable) else NOTHING
            ),
            PLIES: self._lay([1 << 40, -1, 0] * self.plies),
            MOVES: self._lay([], 2 * game.size * self.plies),
            PV: self._lay([], (self.plies + 1) ** 2),
            ROOT: self._lay([], ROOT_FIELDS * game.size),
        }
        settings |= self._lay_more(position, heuristic)
        self.memory = array("q", bytes(8 * self._size))
        for offset, numbers in self._parts:
            self.memory[offset : offset + len(numbers)] = array("q", numbers)
        for slot, number in settings.items():
            self.memory[slot] = number

    def _evaluator(self, game: LineGame, heuristic: Heuristic) -> int:
        if isinstance(heuristic, FunctionHeuristic | RandomHeuristic):
            return FUNCTION_CALL if isinstance(heuristic, FunctionHeuristic) else RANDOM_DRAW
        has_opinion = not isinstance(heuristic, LineTable) or any(heuristic.values.values())
        return TABLE_SUM if has_opinion or self.counts_lines or game.size > WORD else NO_OPINION

    def _lay(self, numbers: list[int], zeros: int = 0) -> int:
        """Add `numbers` and then `zeros` to the block, and return where they begin."""
        begin = self._size
        self._parts.append((begin, numbers))
        self._size += len(numbers) + zeros
        return begin

    def _lay_groups(self, game: LineGame) -> dict[int, int]:
        """Lay out what `bitboards` reads, and return the settings that tell of it: none where lines or
        columns do not run in even steps."""
        groups = _groups_of(game)
        columns = game.columns if game.gravity else ()
        falls = {cell - above for column in columns for cell, above in pairwise(column)}
        if groups is None or len(falls) > 1 or min(falls, default=1) < 1:
            return {}
        return {
            GROUPS: self._lay(groups, 1),
            BOARD: signed(game.board),
            BOTTOM: signed(sum(1 << column[0] for column in columns)),
            BELOW: max(falls, default=0),
            COLUMN_MASKS: self._lay(list(map(signed, game.column_masks)) if game.gravity else []),
        }

    def _lay_columns(self, game: LineGame, taken: int) -> dict[int, int]:
        columns = game.columns if game.gravity else ()
        filled = self._lay([sum(taken >> cell & 1 for cell in column) for column in columns], 1)
        column_of = {cell: number for number, column in enumerate(columns) for cell in column}
        return {
            FILLED: filled,
            COLUMN_CELLS: self._lay([cell for column in columns for cell in column]),
            COLUMN_OF: self._lay(
                [filled + column_of.get(cell, len(columns)) for cell in range(game.size)]
            ),
        }

    def _lay_lines(
        self, game: LineGame, mine: int, theirs: int, heuristic: LineTable
    ) -> dict[int, int]:
        """Lay out the values of every state, the lines, and the entries through every cell; return
        the settings that tell of them."""
        stride = game.longest_line + 1
        states = [
            (mine & mask).bit_count() + stride * (theirs & mask).bit_count() for mask in game.masks
        ]
        shapes, values, through = _lines_of(game, heuristic, stride)
        total = sum(values[shape][state] >> 1 for shape, state in zip(shapes, states, strict=True))
        values_at = {shape: self._lay(numbers) for shape, numbers in values.items()}
        self._lay_beside_values(list(values), stride)
        first_line = self._lay(
            [values_at[shape] + state for shape, state in zip(shapes, states, strict=True)]
        )
        self._lay_beside_lines(game, mine | theirs)
        entries, starts = through
        first_entry = self._lay([first_line + line if line >= 0 else 0 for line in entries])
        return {
            TOTAL: total,
            STRIDE: stride,
            STARTS: self._lay([first_entry + start for start in starts]),
        }

    def _lay_beside_values(self, shapes: list[tuple[int, int]], stride: int) -> None:
        """Lay out more about every state of the lines of these (weight, length)."""

    def _lay_beside_lines(self, game: LineGame, taken: int) -> None:
        """Lay out more about every line."""

    def _lay_more(self, position: Position, heuristic: Heuristic) -> dict[int, int]:
        """Lay out more, and return the settings that tell of it."""
        return {}

    @property
    def base(self) -> int:
        """The address of the block."""
        return self.memory.buffer_info()[0]

    def __getitem__(self, slot: int) -> int:
        return self.memory[slot]

    def stop(self) -> None:
        """Make the kernel return as soon as it enters another node; may be called from another
        thread."""
        self.memory[STOP] = ASKED

    def line(self) -> tuple[int, ...]:
        """Return the principal variation of the root."""
        start = self[PV]
        return tuple(self.memory[start + 1 : start + 1 + self.memory[start]])

    def ply(self, number: int, field: int) -> int:
        """Return a number that was kept for a ply."""
        return self.memory[self[PLIES] + PLY_FIELDS * number + field]

    def root(self, cell: int, field: int) -> int:
        """Return a number that was kept for the root's move at `cell`."""
        return self.memory[self[ROOT] + ROOT_FIELDS * cell + field]


Shape = tuple[int, int]


@lru_cache(maxsize=64)
def _keys(size: int, side: int) -> list[int]:
    """Return for each cell what a stone of `side` there, and one of the other side, does to a
    position's key."""
    return [signed(stone_key(cell, mover)) for cell in range(size) for mover in (side, 1 - side)]


@lru_cache(maxsize=64)
def _groups_of(game: LineGame) -> list[int] | None:
    """Return the step, the first cells and the length of lines that are alike but for where they
    begin, one group after the other; None where a line does not run in even steps."""
    groups: dict[tuple[int, int], int] = {}
    for line in game.lines:
        cells = sorted(line.cells())
        steps = {after - cell for cell, after in pairwise(cells)}
        if len(steps) != 1:
            return None
        group = steps.pop(), len(cells)
        groups[group] = groups.get(group, 0) | 1 << cells[0]
    return [
        number
        for (step, length), starts in groups.items()
        for number in (step, signed(starts), length)
    ]


@lru_cache(maxsize=64)
def _lines_of(
    game: LineGame, heuristic: LineTable, stride: int
) -> tuple[list[Shape], dict[Shape, list[int]], tuple[list[int], list[int]]]:
    """Return each line's weight and length, the values of each such shape by state, the numbers of
    the lines through each cell, −1 after the last, and where those of each cell begin."""
    shapes = [(heuristic.weights.get(line.kind, 1), line.mask.bit_count()) for line in game.lines]
    values = {shape: _values(heuristic, *shape, stride) for shape in sorted(set(shapes))}
    entries: list[int] = []
    starts = []
    for cell in range(game.size):
        starts.append(len(entries))
        entries += [*(line for line, mask in enumerate(game.masks) if mask >> cell & 1), -1]
    return shapes, values, (entries, starts)


def _values(heuristic: LineTable, weight: int, length: int, stride: int) -> list[int]:
    """Return by state what a line of this weight and length counts, doubled, plus 1 when one side
    has all of it."""
    pairs = ((state % stride, state // stride) for state in range(stride * stride))
    return [
        2 * weight * heuristic.value(mine, theirs) + int(length in (mine, theirs))
        for mine, theirs in pairs
    ]

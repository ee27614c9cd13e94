"""The board that kernels change and restore, and the layout of a position in it.

The side to move at the root is number 0, and all values are in its view. A stone on a line
increases the state of the line by 1 or by the stride, so a move costs one addition and one look-up
for each line through its cell.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import count, pairwise
from typing import Annotated, Any, NamedTuple

from plyscope.evaluation.function import FunctionHeuristic, RandomHeuristic
from plyscope.evaluation.heuristic import Heuristic
from plyscope.evaluation.linetable import LineTable
from plyscope.evaluation.terms import MAX_ENDS, ends_of, threat_cells
from plyscope.randomness import position_key, stone_key
from plyscope.rules.linegame import MAX_CELLS, LineGame
from plyscope.rules.lines import Line, bits, by_cell
from plyscope.rules.position import Position
from plyscope.searching.conventions import CHOICES, Conventions
from plyscope.searching.score import HALF_BITS
from plyscope_fast.machine.block import Bits, Block, Packed, Rows, Words, signed

TABLE_SUM, TERM_SUM, FUNCTION_CALL, RANDOM_DRAW, NO_EVALUATION = range(5)
"""The ways to evaluate leaves."""
RUNNING, STOP_REQUESTED, NODES_SPENT, HEURISTIC_FAILED, MEMORY_SPENT = range(5)
"""The reasons why a kernel has to return."""
OPEN, MINE_MISS_ONE, THEIRS_MISS_ONE, DEAD = range(4)
"""The standing of a line: DEAD if both sides have stones on it; MINE_MISS_ONE or THEIRS_MISS_ONE if
the root's side, or the other side, lacks one stone to complete it; else OPEN."""
BY_HEURISTIC, BY_RESULT, BY_DISTANCE = range(len(CHOICES["scoring"]))
GENERATED, BEST_FIRST, WORST_FIRST, RANDOM = range(len(CHOICES["order"]))
MAX_ANSWER_BITS = 18
"""The binary logarithm of the entries of the largest cache of a function's values. A larger cache
costs more time than it saves."""
ALTERNATING = array("q", [0, 1] * (MAX_CELLS // 2 + 2))
"""The sides to move, by ply, if a turn is one stone."""
EMPTY_TABLE = LineTable("nothing", {})
WORD_BITS = 64


class Ply(Block):
    """The counts of the nodes at one ply."""

    least_width: int  # least and greatest number of moves of a node
    greatest_width: int
    leaves: int


NO_NODES = array("q", (1 << 40, -1, 0))
"""A `Ply` without nodes."""


class Root(Block):
    """The result for a move of the root."""

    value: int  # its score within the window (alpha, beta)
    alpha: int
    beta: int
    turn: int  # 0 if it was not searched; moves are sorted by it
    nodes: int  # its cost
    leaves: int
    cutoffs: int


class LineGroup(Block):
    """Lines that differ only in their first cells."""

    step: int  # the distance from a cell of a line to the next, 0 after the last group
    starts: int  # bitboard of the first cells of the lines
    length: int
    ended_before: int  # the `starts` with an end one step before the first cell
    ended_after: int  # the `starts` with an end one step after the last cell


class LineValue(Packed):
    """The heuristic's value of a state of a line, and the standing of the line."""

    is_complete: Annotated[int, Bits(1)]  # one side has all its cells
    misses_one: Annotated[int, Bits(1)]  # one more stone of its only side completes it
    standing: Annotated[int, Bits(2)]  # OPEN, MINE_MISS_ONE, THEIRS_MISS_ONE or DEAD
    value: Annotated[int, Bits(60, is_signed=True)]


class KnownValue(Packed):
    """The cached value of a heuristic's function for a board, if there is one."""

    is_known: Annotated[int, Bits(1)]
    value: Annotated[int, Bits(63, is_signed=True)]


class Answer(Block):
    """The cache entry with the value of a function for one board, given by two bitboards."""

    mine: int
    theirs: int
    known: KnownValue


class Board(Block):
    """A position, the results and counts of a search, and its settings."""

    # changed by a move and restored by lift
    stones: Annotated[Words, 2]  # [side]  bit by cell, modulo 64
    key: int  # Zobrist key
    total: int  # sum of the lines' values; of terms: two sums (`compiled.terms`)
    empty: int  # the number of empty cells
    taken_by: Words  # [cells]  1 + the side of the stone, 0 for an empty cell, 3 for a hole
    filled: Words  # [columns + 1]  stones in a column (gravity; the last is not read)
    states: Words  # [lines]  the index of the line's value in `values`
    threats: Words  # [cells + 1, 3, words]  for each number of empty cells: the cells that complete
    # a line of either side, and the cells taken

    # reason to return, and counters
    stopped: int  # RUNNING, or the reason why the kernel has to return
    nodes: int  # calls of `enter`
    leaves: int
    cutoffs: int
    researches: int
    table_hits: int
    horizon_leaves: int
    deepest: int  # the greatest ply
    calls: int  # calls of the heuristic's function
    is_asking: bool  # the function has been called and has not returned
    failed: Annotated[Words, 2]  # [side]  the stones on which it failed

    # written at each node
    plies: Rows[Ply]  # [plies]
    move_words: Words  # [plies, 2, cells]  the moves, then their sort keys
    pv: Words  # [plies, plies]  the length of the principal variation below a ply, then its moves
    root_moves: Rows[Root]  # [cells]
    answers: Rows[Answer]  # [2**bits]

    # set once: the game
    cells: int
    columns: int
    height: int
    gravity: bool
    misere: bool
    exactly: bool
    keys: Words  # [cells, side]  the Zobrist word of a stone
    column_of: Words  # [cells]
    column_cells: Words  # [columns, height]  from the bottom up
    starts: Words  # [cells]  the first index of a cell's lines in `through` and `masks`
    through: Words  # [entries]  lines through a cell, −1 after its last
    by_masks: bool  # lines are tested as bitboards, and have no states
    masks: Words  # [entries]  stones of the lines through a cell, 0 after its last
    end_masks: Words  # [entries]  the ends of these lines (exactly)
    end_starts: Words  # [lines]  the first index of a line's ends in `ends` (exactly)
    ends: Words  # [entries]  cells at the ends of a line, −1 after its last
    stride: int  # the difference of two states that differ by one stone of the other side
    values: Rows[LineValue]  # [shapes, empty ends, stride * stride]

    # set once: terms other than lines
    has_terms: bool
    cell_values: Words  # [cells, side]
    plane: int  # the difference of two states that differ by one empty end, 0 if ends do not count
    beyond_starts: Words  # [cells]  the first index of a cell's lines in `beyond`
    beyond: Words  # [entries]  lines with an end at a cell, −1 after its last
    threat_words: int  # words of a row of `threats` for a side, 0 if threats do not count
    threat_values: Words  # [cells, side]
    line_cells: Words  # [lines, stride − 1]
    mobility: int

    # set once: searches in registers
    in_registers: bool
    groups: Rows[LineGroup]  # [groups + 1]
    board_mask: int
    bottom: int  # lowest cells of the columns
    fall: int  # the distance from a cell to the one below it
    column_masks: Words  # [columns]

    # set once: how to search
    node_limit: int
    ply_count: int
    evaluator: int  # TABLE_SUM, TERM_SUM, FUNCTION_CALL, RANDOM_DRAW or NO_EVALUATION
    clamp: int  # the limit of the heuristic's absolute value, −1 for none
    function: int  # address of the heuristic's native form
    answers_shift: int  # 64 less the bits of an answer's index
    salt: int
    sign: int  # −1 if the second side moves at the root
    scoring: int  # BY_HEURISTIC, BY_RESULT or BY_DISTANCE
    order: int  # GENERATED, BEST_FIRST, WORST_FIRST or RANDOM
    seed: int
    is_open: bool  # each move of the root has the full window
    is_shallow: bool
    is_hard: bool
    cuts_above: bool  # cut off only if alpha > beta
    movers: Annotated[Words, MAX_CELLS + 3]  # [plies + 1]  the side to move, 0 for the root's


COUNTERS = (
    *("stopped", "nodes", "leaves", "cutoffs", "researches", "table_hits", "horizon_leaves"),
    "deepest",
)
"""Fields that are set to 0 before a search."""


class CompiledBoard(Board):
    """A position in the layout of kernels, with the settings of a search.

    `function` is the address of the native form of a FunctionHeuristic. Subclasses declare further
    fields.
    """

    needs_lines = False
    """Whether the kernels need the states of lines even if the heuristic does not."""

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
        plies = min(depth, game.size) + 2
        evaluator = self._evaluator(game, heuristic)
        answer_bits = min(2 * depth + 2, MAX_ANSWER_BITS)
        by_masks = evaluator > TERM_SUM and not self.needs_lines and game.size <= WORD_BITS
        table = line_table(heuristic)
        fields: dict[str, Any] = {
            **_of_position(position),
            **_of_game(game, position.side),
            **of_conventions(conventions),
            **(_of_masks(game) if by_masks else self._of_lines(position, heuristic)),
            **self._more(position, heuristic, conventions, depth),
            "node_limit": node_limit,
            "ply_count": plies,
            "movers": movers_of(position, plies + 1),
            "evaluator": evaluator,
            "clamp": -1 if table.clamp is None else table.clamp,
            "function": function,
            "salt": signed(heuristic.salt) if isinstance(heuristic, RandomHeuristic) else 0,
            "answers_shift": 64 - answer_bits,
            "plies": NO_NODES * plies,
            "move_words": zeros(2 * game.size * plies),
            "pv": zeros(plies * plies),
            "root_moves": zeros(Root.size() * game.size),
        }
        if evaluator == TERM_SUM:
            terms = _of_terms(position, table)
            fields |= {**terms, "total": fields["total"] + terms["total"]}
        if evaluator == FUNCTION_CALL:
            fields["answers"] = zeros(Answer.size() << answer_bits)
        if (
            evaluator == NO_EVALUATION
            and conventions.order == "generated"
            and game.alternates
            and (registers := _of_registers(game)) is not None
        ):
            fields |= registers
        super().__init__(**fields)

    def _evaluator(self, game: LineGame, heuristic: Heuristic) -> int:
        if isinstance(heuristic, FunctionHeuristic | RandomHeuristic):
            return FUNCTION_CALL if isinstance(heuristic, FunctionHeuristic) else RANDOM_DRAW
        table = line_table(heuristic)
        if not table.is_of_lines:
            return TERM_SUM
        return (
            TABLE_SUM if table.terms or self.needs_lines or game.size > WORD_BITS else NO_EVALUATION
        )

    def _of_lines(self, position: Position, heuristic: Heuristic) -> dict[str, Any]:
        """Return the fields of lines and their values."""
        game, table = position.game, line_table(heuristic)
        mine, theirs = position.stones(position.side), position.stones(1 - position.side)
        (values, packed), stride = _values_of(game, table), game.longest_line + 1
        states = [
            first + (mine & mask).bit_count() + stride * (theirs & mask).bit_count()
            for first, mask in zip(line_states(game, table)[1], game.masks, strict=True)
        ]
        if levels_of(table) > 1:
            free = ~(mine | theirs)
            for line, ends in enumerate(map(ends_of, game.lines)):
                states[line] += stride * stride * (ends & free).bit_count()
        starts, through = _lines_through(game)
        return {
            "total": sum([values[state] for state in states]),
            "stride": stride,
            "values": packed,
            "states": states,
            "starts": starts,
            "through": through,
            **(_of_ends(game) if game.exactly else {}),
        }

    def _more(
        self, position: Position, heuristic: Heuristic, conventions: Conventions, depth: int
    ) -> dict[str, Any]:
        """Return the fields that a subclass declares."""
        return {}

    def stop(self) -> None:
        """Make the kernel return at its next node; any thread may call this."""
        self.stopped = STOP_REQUESTED

    def settle(self) -> None:
        """Complete the counts of a search that was stopped."""

    def variation(self) -> tuple[int, ...]:
        """Return the principal variation of the root."""
        begin = self.index_of("pv")
        return tuple(self.words[begin + 1 : begin + 1 + self.words[begin]])


class State(NamedTuple):
    """A state of lines: their kind if the heuristic has a table for it, their weight and length,
    the number of empty ends, and the number of stones of each side."""

    kind: str
    weight: int
    length: int
    empty_ends: int
    mine: int
    theirs: int


def line_table(heuristic: Heuristic) -> LineTable:
    """Return the line table of a heuristic; an empty one if it has none."""
    return heuristic if isinstance(heuristic, LineTable) else EMPTY_TABLE


def levels_of(table: LineTable) -> int:
    """Return the number of different counts of empty ends in the states of lines."""
    return 1 + MAX_ENDS if "ends" in table.terms else 1


def zeros(count: int) -> array[int]:
    """Return an array of `count` zeros."""
    return array("q", bytes(8 * count))


def _of_position(position: Position) -> dict[str, Any]:
    """Return the board's fields that a move changes, except those of lines."""
    game, taken = position.game, position.first | position.second
    columns = game.columns if game.gravity else ()
    height = max(map(len, columns), default=0)
    taken_by = zeros(game.size)
    for mark, side in ((1, position.side), (2, 1 - position.side)):
        for cell in bits(position.stones(side) | game.holes):  # a hole is taken by both
            taken_by[cell] |= mark
    return {
        "stones": [signed(position.stones(side)) for side in (position.side, 1 - position.side)],
        "key": signed(position_key(position.first, position.second)),
        "empty": position.empty.bit_count(),
        "sign": -1 if position.side else 1,
        "taken_by": taken_by,
        "filled": [
            *(height - sum(not taken >> cell & 1 for cell in column) for column in columns),
            0,
        ],
    }


def movers_of(position: Position, count: int) -> Sequence[int]:
    """Return the side to move at each of the first `count` plies, 0 for the root's side."""
    game, stones = position.game, (position.first | position.second).bit_count()
    if game.alternates:
        return ALTERNATING[:count]
    return [game.turn_at(stones + ply) ^ position.side for ply in range(count)]


def of_conventions(conventions: Conventions) -> dict[str, Any]:
    """Return the fields that say how to search."""
    return {
        "scoring": CHOICES["scoring"].index(conventions.scoring),
        "order": CHOICES["order"].index(conventions.order),
        "is_open": conventions.root == "open",
        "is_shallow": conventions.cutoffs == "shallow",
        "is_hard": conventions.bound == "hard",
        "cuts_above": conventions.cut == "gt",
        "seed": signed(conventions.seed),
    }


@lru_cache(maxsize=64)
def _of_game(game: LineGame, side: int) -> dict[str, Any]:
    """Return the board's fields that are equal for all positions with `side` to move."""
    columns = game.columns if game.gravity else ()
    height = max(map(len, columns), default=0)
    column_of = {cell: number for number, column in enumerate(columns) for cell in column}
    sides = (side, 1 - side)
    keys = [signed(stone_key(cell, mover)) for cell in range(game.size) for mover in sides]
    return {
        "cells": game.size,
        "columns": len(columns),
        "height": height,
        "gravity": game.gravity,
        "misere": game.misere,
        "exactly": game.exactly,
        "keys": array("q", keys),
        "column_of": [column_of.get(cell, len(columns)) for cell in range(game.size)],
        "column_cells": [
            cell for column in columns for cell in (*[-1] * (height - len(column)), *column)
        ],
    }


@lru_cache(maxsize=64)
def _of_masks(game: LineGame) -> dict[str, Any]:
    """Return the board's fields for lines as bitboards."""
    starts, through = _lines_through(game)
    lines = [game.lines[line] if line >= 0 else Line(0, "none") for line in through]
    fields = {"by_masks": True, "starts": starts, "masks": [signed(line.mask) for line in lines]}
    return (
        {**fields, "end_masks": [signed(line.ends) for line in lines]} if game.exactly else fields
    )


@lru_cache(maxsize=64)
def _of_registers(game: LineGame) -> dict[str, Any] | None:
    """Return the board's fields that the kernels in `bitboards` read; None if the cells of a line
    or column are not at equal distances."""
    groups: dict[tuple[int, int], list[int]] = {}
    for line in game.lines:
        cells = line.cells()
        steps = {after - cell for cell, after in pairwise(cells)}
        if len(steps) != 1:
            return None
        step = steps.pop()
        starts = groups.setdefault((step, len(cells)), [0, 0, 0])
        ends = (1 << cells[0] >> step, 1 << cells[-1] + step) if game.exactly else (0, 0)
        if game.exactly and line.ends & ~sum(ends):
            return None
        for number, is_one in enumerate((True, *(line.ends & end for end in ends))):
            starts[number] |= 1 << cells[0] if is_one else 0
    columns = game.columns if game.gravity else ()
    falls = {cell - above for column in columns for cell, above in pairwise(column)}
    if len(falls) > 1 or min(falls, default=1) < 1:
        return None
    numbers = [
        number
        for (step, length), (starts, *ended) in groups.items()
        for number in (step, signed(starts), length, *map(signed, ended))
    ]
    return {
        "in_registers": True,
        "groups": [*numbers, *zeros(LineGroup.size())],
        "board_mask": signed(game.board),
        "bottom": signed(sum(1 << column[0] for column in columns)),
        "fall": max(falls, default=0),
        "column_masks": [signed(mask) for mask in game.column_masks] if game.gravity else [],
    }


@lru_cache(maxsize=64)
def _of_ends(game: LineGame) -> dict[str, Any]:
    """Return the board's fields for the cells at the ends of lines."""
    starts, ends = listed([list(bits(line.ends)) for line in game.lines])
    return {"end_starts": starts, "ends": ends}


@lru_cache(maxsize=64)
def _lines_through(game: LineGame) -> tuple[array[int], array[int]]:
    """Return the numbers of the lines through each cell, as joined lists (see `listed`)."""
    return listed(by_cell(game.size, game.masks, count()))


@lru_cache(maxsize=64)
def _lines_beyond(game: LineGame) -> tuple[array[int], array[int]]:
    """Return the numbers of the lines that end next to each cell, as joined lists (see
    `listed`)."""
    return listed(by_cell(game.size, map(ends_of, game.lines), count()))


def listed(numbers: Iterable[Iterable[int]]) -> tuple[array[int], array[int]]:
    """Return the index of each list's first item, and all lists joined, each followed by −1."""
    starts, ended = array("q"), array("q")
    for each in numbers:
        starts.append(len(ended))
        ended.extend([*each, -1])
    return starts, ended


@lru_cache(maxsize=64)
def line_states(game: LineGame, table: LineTable) -> tuple[list[State], list[int]]:
    """Return the states of all lines, and for each line the index of its first state. Lines of the
    same kind, weight and length share their states."""
    stride = game.longest_line + 1
    shapes = [
        (table.own_kind(line), table.weight(line), line.mask.bit_count()) for line in game.lines
    ]
    different = sorted(set(shapes))
    states = [
        State(*shape, empty_ends, mine, theirs)
        for shape in different
        for empty_ends in range(levels_of(table))
        for theirs in range(stride)
        for mine in range(stride)
    ]
    size = len(states) // len(different) if different else 0
    return states, [different.index(shape) * size for shape in shapes]


@lru_cache(maxsize=64)
def _values_of(game: LineGame, table: LineTable) -> tuple[list[int], array[int]]:
    """Return the value of each state of lines, and its LineValue."""
    values = []
    packed = array("q")
    for state in line_states(game, table)[0]:
        value, standing = _value_of(state, table), _standing(state)
        is_complete = int(state.length in (state.mine, state.theirs))
        misses_one = int(standing in (MINE_MISS_ONE, THEIRS_MISS_ONE))
        values.append(value)
        packed.append(
            LineValue(
                is_complete=is_complete, misses_one=misses_one, standing=standing, value=value
            ).word
        )
    return values, packed


def _value_of(state: State, table: LineTable) -> int:
    kind, weight, _, empty_ends, mine, theirs = state
    to_move, waiting = (
        weight * table.line_value(kind, mine, theirs, empty_ends, is_to_move)
        for is_to_move in (True, False)
    )
    return to_move if table.is_of_lines else to_move + (waiting << HALF_BITS)


def twice(value: int) -> int:
    """Return a word (`compiled.terms`) whose two sums both have this value."""
    return value + (value << HALF_BITS)


def _standing(state: State) -> int:
    _, _, length, _, mine, theirs = state
    if mine and theirs:
        return DEAD
    if max(mine, theirs) == length - 1 > 0:
        return MINE_MISS_ONE if mine else THEIRS_MISS_ONE
    return OPEN


def _of_terms(position: Position, table: LineTable) -> dict[str, Any]:
    """Return the board's fields for the terms other than lines."""
    game, sides = position.game, (position.side, 1 - position.side)
    by_cell = [twice(value) for value in table.cell_values(game)]
    own, other = (sum(by_cell[cell] for cell in bits(position.stones(side))) for side in sides)
    fields: dict[str, Any] = {
        "has_terms": True,
        "cell_values": array("q", [value * sign for value in by_cell for sign in (1, -1)]),
        "mobility": table.mobility if game.gravity or game.misere else 0,
        "total": own - other,
    }
    if levels_of(table) > 1:
        starts, beyond = _lines_beyond(game)
        plane = (game.longest_line + 1) ** 2
        fields |= {"plane": plane, "beyond_starts": starts, "beyond": beyond}
    if not {"threats", "mobility"} & set(table.terms):
        return fields
    words = (game.size + WORD_BITS - 1) // WORD_BITS
    taken = position.first | position.second
    cells = [threat_cells(position, side) for side in sides]
    begin, threats = 3 * words * position.empty.bit_count(), zeros(3 * words * (game.size + 1))
    for number, row in enumerate((*cells, taken)):
        for word in range(words):
            threats[begin + number * words + word] = signed(row >> WORD_BITS * word)
    values = _threat_values(game, table, position.side)
    total = sum(values[2 * cell + mover] for mover in (0, 1) for cell in bits(cells[mover]))
    bottom = sum(1 << column[0] for column in game.columns) if game.gravity else 0
    return {
        **fields,
        "threats": threats,
        "threat_words": words,
        "threat_values": values,
        "line_cells": _line_cells(game),
        "board_mask": signed(game.board),
        "bottom": signed(bottom),
        "fall": game.width if game.gravity else 0,
        "total": fields["total"] + total,
    }


@lru_cache(maxsize=64)
def _threat_values(game: LineGame, table: LineTable, root: int) -> array[int]:
    """Return the values of threats by cell and side, the root's side first."""
    return array(
        "q",
        [
            twice(table.threat_value(game, cell, root ^ mover) * (-1 if mover else 1))
            for cell in range(game.size)
            for mover in (0, 1)
        ],
    )


@lru_cache(maxsize=64)
def _line_cells(game: LineGame) -> array[int]:
    """Return the cells of each line, padded to the length of the longest."""
    longest = game.longest_line
    cells = [[*line.cells(), *[0] * longest][:longest] for line in game.lines]
    return array("q", [cell for line in cells for cell in line])

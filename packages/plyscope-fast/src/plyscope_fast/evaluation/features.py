"""Evaluation of many positions by many tables: counts of features times the values of the tables.

The stones of X and O are arrays [positions, cells]. Their product with the incidence matrix
[cells, lines] is the number of stones on each line, which gives the state of the line as a number.
Lines of each kind and length are counted by state, once for all tables. Sums are exact below 2⁵³.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise, product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from plyscope.evaluation.linetable import LineTable, pattern_values
from plyscope.evaluation.terms import EVEN, MAX_ENDS, ODD, ends_of, row_parity
from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position
from plyscope_fast.evaluation.patterns import OUTSIDE, pattern_map

CHUNK_NUMBERS = 500_000
"""The numbers in an array [positions, lines] or [positions, cells] of one chunk of positions."""
WORD_CELLS = 64
"""Cells of the largest board that fits in one word."""
LINE_TERMS = {"lines", "tempo", "ends"}

Whole = npt.NDArray[np.int64]
Real = npt.NDArray[np.float32]
Exact = npt.NDArray[np.float64]


def evaluations(
    tables: Sequence[LineTable], positions: Sequence[Position], sides: Sequence[int]
) -> Whole:
    """Return `table.evaluate(position, side)` without clamp, as an array [position, table].

    All positions are of one game; `sides` are the sides evaluated for. A position object that
    occurs several times for the same side is evaluated once.

    >>> import plyscope as ps
    >>> two = [ps.parse("connect4 44455"), ps.parse("connect4 4444")]
    >>> evaluations([ps.TermSum(cells={"d1": 3}), ps.TermSum(tempo={(2, 0): 5})], two, [0, 1])
    array([[ 3, -5],
           [-3,  0]])
    """
    if not positions:
        return np.zeros((0, len(tables)), np.int64)
    game = positions[0].game
    values, size = _values_of(tuple(tables), game), max(1, len(game.lines), game.size)
    objects = np.fromiter(map(id, positions), np.int64, len(positions)) * 2 + np.asarray(sides)
    _, firsts, again = np.unique(objects, return_index=True, return_inverse=True)
    parts, at_once = [], max(1, CHUNK_NUMBERS // size)
    for begin in range(0, len(firsts), at_once):
        some = firsts[begin : begin + at_once].tolist()
        asked = [positions[at] for at in some], [sides[at] for at in some]
        parts.append(_evaluated(values, game, *asked))
    return np.concatenate(parts).astype(np.int64)[again]


class _Shape(NamedTuple):
    """The lines and cells of a game as arrays."""

    incidence: Real
    """[cell, line] 1 if the cell is on the line."""
    beyond: Real
    """[cell, line] 1 if the cell is an end of the line."""
    lengths: Whole
    kinds: tuple[tuple[str, int], ...]
    """The distinct kinds and lengths of lines."""
    kind_of: Real
    """[line] the index in `kinds`."""
    above: Whole
    """[cell] the cell above; if there is none, the number of cells."""
    below: Whole
    is_odd: Real
    """[cell] 1 if its row is odd."""
    board: Real
    """[cell] 1 if it is no hole."""

    @property
    def stride(self) -> int:
        """The difference between the numbers of two states that differ by one opponent's stone."""
        return int(self.lengths.max(initial=0)) + 1


@lru_cache(maxsize=16)
def _shape_of(game: LineGame) -> _Shape:
    """Return the lines and cells of a game as arrays, cached by game."""
    size = game.size
    of_lines = [(line.kind, line.mask.bit_count()) for line in game.lines]
    kinds = tuple(dict.fromkeys(of_lines))
    above, below = np.full(size, size), np.full(size, size)
    for column in game.columns if game.gravity else ():
        for under, cell in pairwise(column):
            above[under], below[cell] = cell, under
    return _Shape(
        incidence=unpacked(game.masks, size).T,
        beyond=unpacked([ends_of(line) for line in game.lines], size).T,
        lengths=np.array([length for _, length in of_lines], np.int64),
        kinds=kinds,
        kind_of=np.array([kinds.index(of) for of in of_lines], np.float32),
        above=above,
        below=below,
        is_odd=np.array([row_parity(game, cell) for cell in range(size)], np.float32),
        board=unpacked([game.board], size)[0],
    )


def unpacked(boards: Sequence[int], cells: int) -> Real:
    """Return the bits of the bitboards as an array [board, cell]."""
    if cells <= WORD_CELLS:
        words = np.fromiter(boards, np.dtype("<u8"), len(boards))
        rows = words.view(np.uint8).reshape(len(boards), WORD_CELLS // 8)
    else:
        width = (cells + 7) // 8
        packed = b"".join(board.to_bytes(width, "little") for board in boards)
        rows = np.frombuffer(packed, np.uint8).reshape(len(boards), width)
    return np.unpackbits(rows, axis=1, count=cells, bitorder="little").astype(np.float32)


class _Values(NamedTuple):
    """The values of tables as arrays, None for a term that no table has."""

    tables: int
    lines: tuple[Exact, Exact] | None
    """Two arrays [state, table]: with the opponent to move, and with the evaluated side to move."""
    levels: int
    """The number of levels of empty ends: 3 if ends count, else 1."""
    cells: Exact | None
    """[cell, table], the value of a stone"""
    threats: Exact | None
    """[2 × side + parity of the row, table]"""
    mobility: Exact | None
    """[1, table]"""
    patterns: tuple[Exact, Exact] | None
    """Two arrays [class, table]: with the side of the pattern not to move, and with it to move."""


@lru_cache(maxsize=16)
def _values_of(tables: tuple[LineTable, ...], game: LineGame) -> _Values:
    """Return the values of all tables as arrays, cached by tables and game."""
    terms = {term for table in tables for term in table.terms}

    def where(term: str, rows: Sequence[Sequence[int]]) -> Exact | None:
        return np.array(rows, np.float64).T if term in terms else None

    def by_class(is_to_move: bool) -> Exact:
        rows = [pattern_values(table, game, is_to_move) for table in tables]
        return np.array(rows, np.float64).T

    levels = 1 + MAX_ENDS if "ends" in terms else 1
    keys = [(side, row) for side in (0, 1) for row in (EVEN, ODD)]
    return _Values(
        tables=len(tables),
        lines=(
            (
                _line_values(tables, game, False, levels),
                _line_values(tables, game, True, levels),
            )
            if terms & LINE_TERMS
            else None
        ),
        levels=levels,
        cells=where("cells", [table.cell_values(game) for table in tables]),
        threats=where("threats", [[table.threats.get(key, 0) for key in keys] for table in tables]),
        mobility=where("mobility", [[table.mobility] for table in tables]),
        patterns=(
            (by_class(False), by_class(True))
            if "patterns" in terms and pattern_map(game) is not None
            else None
        ),
    )


def _line_values(
    tables: Sequence[LineTable], game: LineGame, is_to_move: bool, levels: int
) -> Exact:
    """Return the values of a line [state, table]; a state is (kind, empty ends, theirs, mine)."""
    shape = _shape_of(game)
    values = np.zeros((len(shape.kinds), levels, shape.stride, shape.stride, len(tables)))
    for at, table in enumerate(tables):
        for number, (kind, length) in enumerate(shape.kinds if LINE_TERMS & {*table.terms} else ()):
            weight = table.weights.get(kind, 1)
            for empty, theirs in product(range(levels), range(length + 1)):
                for mine in range(length + 1 - theirs):
                    value = table.line_value(kind, mine, theirs, empty, is_to_move)
                    values[number, empty, theirs, mine, at] = weight * value
    return values.reshape(math.prod(values.shape[:-1]), len(tables))


def values_of_lines(tables: Sequence[LineTable], game: LineGame) -> Exact:
    """Return an array [state, table]: the value that each table gives to a line in each state. A
    state includes the side to move."""
    ends: dict[tuple[str, int], int] = {}
    for line in game.lines:
        shape = line.kind, line.mask.bit_count()
        ends[shape] = max(ends.get(shape, 0), ends_of(line).bit_count())
    can_be = np.zeros((len(ends), 1 + MAX_ENDS, _shape_of(game).stride ** 2), bool)
    for number, most in enumerate(ends.values()):
        can_be[number, : most + 1] = True
    both = [
        _line_values(tables, game, is_to_move, 1 + MAX_ENDS)[can_be.ravel()]
        for is_to_move in (True, False)
    ]
    return np.vstack(both)


def _evaluated(
    values: _Values, game: LineGame, positions: Sequence[Position], sides: Sequence[int]
) -> Exact:
    """Return the evaluations of positions, without clamp, as an array [position, table]."""
    shape, sides_ = _shape_of(game), np.array(sides)[:, None]
    first = unpacked([position.first for position in positions], game.size)
    second = unpacked([position.second for position in positions], game.size)
    free, sign = shape.board - first - second, 1.0 - 2 * sides_
    total = np.zeros((len(positions), values.tables))
    if values.lines is not None:
        mine, theirs = np.where(sides_, second, first), np.where(sides_, first, second)
        states = (mine + shape.stride * theirs) @ shape.incidence
        if values.levels > 1:
            states += shape.stride**2 * (free @ shape.beyond)
        states += values.levels * shape.stride**2 * shape.kind_of
        counts = _counted(states.astype(np.int64), len(values.lines[0]))
        movers = np.fromiter((position.side for position in positions), np.int64, len(positions))
        is_to_move = movers[:, None] == sides_
        total += np.where(is_to_move, counts @ values.lines[1], counts @ values.lines[0])
    if values.cells is not None:
        total += sign * ((first - second).astype(np.float64) @ values.cells)
    if values.patterns is not None:
        total += _of_patterns(values.patterns, game, first, second, positions, sides)
    if values.threats is None and values.mobility is None:
        return total
    on_lines = first @ shape.incidence, second @ shape.incidence
    threats = [_threats(own, other, free, shape) for own, other in (on_lines, on_lines[::-1])]
    if values.threats is not None:
        rows = np.column_stack((1 - shape.is_odd, shape.is_odd))
        by_row = np.hstack((threats[0] @ rows, -(threats[1] @ rows))).astype(np.float64)
        total += sign * (by_row @ values.threats)
    if values.mobility is not None:
        total += sign * (_safe_moves(game, threats, free, shape) @ values.mobility)
    return total


@lru_cache(maxsize=16)
def _surroundings(game: LineGame) -> tuple[Whole, npt.NDArray[np.uint8]]:
    """Return the cells around each cell [cell, direction, place], and the classes, as arrays."""
    found = pattern_map(game)
    assert found is not None
    return np.array(found.around, np.int64), np.frombuffer(found.classes, np.uint8)


def _of_patterns(
    values: tuple[Exact, Exact],
    game: LineGame,
    first: Real,
    second: Real,
    positions: Sequence[Position],
    sides: Sequence[int],
) -> Exact:
    """Return the sums of the values of patterns [position, table]."""
    around, of_codes = _surroundings(game)
    digits = np.full((len(positions), game.size + 1), OUTSIDE, np.int64)
    digits[:, :-1] = first + 2 * second + OUTSIDE * unpacked([game.holes], game.size)
    both = of_codes[digits[:, around] @ 4 ** np.arange(around.shape[2])]
    both[digits[:, :-1] != 0] = 0
    movers = np.fromiter((position.side for position in positions), np.int64, len(positions))
    total = np.zeros((len(positions), values[0].shape[1]))
    for owner, classes in enumerate((both & 15, both >> 4)):
        counts = _counted(classes.reshape(len(positions), -1).astype(np.int64), len(values[0]))
        sign = np.where(np.array(sides) == owner, 1.0, -1.0)[:, None]
        is_to_move = (movers == owner)[:, None]
        total += sign * np.where(is_to_move, counts @ values[1], counts @ values[0])
    return total


def _counted(states: Whole, number: int) -> Exact:
    """Return the number of lines in each state [position, state]."""
    rows = np.arange(len(states))[:, None] * number
    counts = np.bincount((states + rows).ravel(), minlength=len(states) * number)
    return counts.reshape(len(states), number).astype(np.float64)


def _threats(own: Real, other: Real, free: Real, shape: _Shape) -> Real:
    """Return 1 for each empty cell that completes a line of the side of `own` [position, cell]."""
    misses_one = (own == shape.lengths - 1) & (other == 0) & (shape.lengths > 1)
    reached = misses_one.astype(np.float32) @ shape.incidence.T
    found: Real = np.minimum(reached, free)
    return found


def _safe_moves(game: LineGame, threats: Sequence[Real], free: Real, shape: _Shape) -> Exact:
    """Return the number of X's safe moves less O's [position, 1]."""
    if game.misere:
        more = threats[1] - threats[0]
    else:  # without a cell above there is no threat
        none = np.zeros((len(free), 1), np.float32)
        more = (np.hstack((threats[0] - threats[1], none)))[:, shape.above]
    if game.gravity:
        full = np.hstack((1 - free, np.ones((len(free), 1), np.float32)))
        more = more * full[:, shape.below]
    difference: Exact = (more * free).sum(axis=1, keepdims=True).astype(np.float64)
    return difference

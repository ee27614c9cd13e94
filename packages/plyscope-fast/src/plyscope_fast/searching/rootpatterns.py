"""The patterns of a position at the root of a search by the playing engine.

`patterns.py` has the kernels that update them; this module is imported for a table with patterns.
"""

from __future__ import annotations

from array import array
from functools import lru_cache
from operator import mul
from typing import Any

from plyscope.evaluation.linetable import LineTable
from plyscope.evaluation.terms import ONLY_PATTERNS
from plyscope.rules.game import FIRST
from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position
from plyscope.searching.score import HALF_BITS
from plyscope_fast.evaluation.patterns import classes_of_both, codes_of, pattern_map
from plyscope_fast.machine.block import signed
from plyscope_fast.searching.patterns import (
    COUNT_BITS,
    COUNTED_CLASSES,
    NOT_DEAD,
    is_making,
    is_opening,
    is_winning,
)

DIGIT_ONES = 0x5555_5555_5555_5555
"""The lower bit of each digit of a code in base 4."""


def fields_of_patterns(position: Position, table: LineTable) -> dict[str, Any]:
    """Return the fields of patterns, none if they do not count on this game."""
    game = position.game
    found = pattern_map(game)
    if found is None:
        return {}
    values, marks = _of_classes(game, table)
    codes, classes = codes_of(found, position), found.classes
    is_swapped = game.renju and position.side != FIRST
    if position.side:  # the digits 1 and 2 change places; 0 and 3 do not
        classes = classes_of_both(game, is_swapped)
        codes = [(code >> 1 & DIGIT_ONES) | (code & DIGIT_ONES) << 1 for code in codes]
    both = [*map(classes.__getitem__, codes)]
    first, second = [each & 15 for each in both], [each >> 4 for each in both]
    directions = len(found.kinds)
    sums = _by_cell(values[0], first, directions) + _by_cell(values[1], second, directions)
    counts = _by_cell(marks, first, directions) + _by_cell(marks, second, directions)
    taken = position.first | position.second | game.holes
    is_free = [not taken >> cell & 1 for cell in range(game.size)]
    by_patterns = set(table.terms) <= ONLY_PATTERNS
    sets: dict[str, Any] = {"opening": is_opening, "making": is_making}
    if by_patterns:
        sets["winning"] = is_winning

    def cells_of(test: Any) -> list[int]:
        in_both = [
            free and test.function(each) for free, each in zip(2 * is_free, counts, strict=True)
        ]
        return _bitboard(in_both[: game.size]) + _bitboard(in_both[game.size :])

    fields: dict[str, Any] = {
        "pattern_codes": codes,
        "pattern_sums": sums,
        "pattern_counts": counts,
        "free": _bitboard(is_free),
        **{name: cells_of(test) for name, test in sets.items()},
        **_of_map(game, is_swapped),
        "pattern_values": values[0] + values[1],
        "pattern_marks": marks,
        "by_patterns": by_patterns,
        "pattern_total": sum(map(mul, sums, 2 * is_free)),
    }
    if by_patterns:
        fields["live"] = sum(count >> 16 for count in map(mul, counts, 2 * is_free))
    return fields


def _by_cell(by_class: list[int], classes: list[int], directions: int) -> list[int]:
    """Return for each cell the sum of what its classes in all directions have in `by_class`."""
    each = [*map(by_class.__getitem__, classes)]
    return [sum(each[at : at + directions]) for at in range(0, len(each), directions)]


def _bitboard(cells: list[bool]) -> list[int]:
    """Return the words of the bitboard of the cells that are true."""
    board = sum(1 << cell for cell, is_in in enumerate(cells) if is_in)
    return [signed(board >> begin) for begin in range(0, len(cells), 64)]


@lru_cache(maxsize=16)
def _of_classes(game: LineGame, table: LineTable) -> tuple[tuple[list[int], list[int]], list[int]]:
    """Return the values of the classes for each side, and what each class adds to a count."""
    top = 2 * game.longest_line - 1
    values, marks = ([0] * 16, [0] * 16), [0] * 16
    for number in range(1, top + 1):
        to_move, waiting = (table.pattern_value(number, tempo) for tempo in (True, False))
        values[0][number] = to_move + (waiting << HALF_BITS)
        values[1][number] = -waiting - (to_move << HALF_BITS)
        strength = top - number
        marks[number] = NOT_DEAD
        if strength < COUNTED_CLASSES:
            marks[number] += 1 << COUNT_BITS * strength
    return values, marks


@lru_cache(maxsize=16)
def _of_map(game: LineGame, is_swapped: bool) -> dict[str, Any]:
    """Return the fields of the surroundings of cells; the game must have patterns. With Renju's
    rules the digit of the first side is 1, or 2 if `is_swapped`."""
    found = pattern_map(game)
    assert found is not None
    around = [cell for of_cell in found.around for places in of_cell for cell in places]
    return {
        "directions": len(found.kinds),
        "places": len(found.around[0][0]),
        "around": around,
        "pattern_classes": array("q", classes_of_both(game, is_swapped)),
        "fouls_of": 1 + is_swapped if game.renju else 0,
        "row": game.longest_line,
        "caro": game.caro,
    }

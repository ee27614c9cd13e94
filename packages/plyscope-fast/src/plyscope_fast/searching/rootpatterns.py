"""The patterns of a position at the root of a search by the playing engine, counted by NumPy.

`patterns.py` has the kernels that update them; this module is imported for a table with patterns.
"""

from __future__ import annotations

from array import array
from functools import lru_cache
from typing import Any

import numpy as np

from plyscope.evaluation.linetable import LineTable
from plyscope.evaluation.terms import ONLY_PATTERNS
from plyscope.rules.game import FIRST
from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position
from plyscope.searching.score import HALF_BITS
from plyscope_fast.evaluation.patterns import classes_of_both, codes_of, pattern_map
from plyscope_fast.searching.patterns import (
    COUNT_BITS,
    COUNTED_CLASSES,
    NOT_DEAD,
    is_making,
    is_opening,
    is_winning,
)


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
        codes = (codes >> 1 & 0x5555_5555_5555_5555) | (codes & 0x5555_5555_5555_5555) << 1
    both = classes[codes].astype(np.int64)
    sums = np.stack([values[side][both >> 4 * side & 15].sum(axis=1) for side in (0, 1)])
    counts = np.stack([marks[both >> 4 * side & 15].sum(axis=1) for side in (0, 1)])
    taken = position.first | position.second | game.holes
    is_free = np.array([not taken >> cell & 1 for cell in range(game.size)])
    by_patterns = set(table.terms) <= ONLY_PATTERNS
    sets: dict[str, Any] = {"opening": is_opening, "making": is_making}
    if by_patterns:
        sets["winning"] = is_winning
    words = (game.size + 63) // 64
    fields: dict[str, Any] = {
        "pattern_codes": codes.ravel(),
        "pattern_sums": sums.ravel(),
        "pattern_counts": counts.ravel(),
        "free": bitboard(is_free, words),
        **{
            name: [
                word
                for side in (0, 1)
                for word in bitboard([*map(test.function, counts[side].tolist())] & is_free, words)
            ]
            for name, test in sets.items()
        },
        **_of_map(game, is_swapped),
        "pattern_values": values.ravel(),
        "pattern_marks": marks,
        "by_patterns": by_patterns,
        "pattern_total": int(sums[:, is_free].sum()),
    }
    if by_patterns:
        fields["live"] = int((counts[:, is_free] >> 16).sum())
    return {
        name: [*map(int, field)] if isinstance(field, np.ndarray) else field
        for name, field in fields.items()
    }


def bitboard(cells: Any, words: int) -> list[int]:
    """Return the words of the bitboard of the cells that are true."""
    board = np.zeros(64 * words, bool)
    board[: len(cells)] = cells
    return [int(word) for word in np.packbits(board, bitorder="little").view("<i8")]


@lru_cache(maxsize=16)
def _of_classes(game: LineGame, table: LineTable) -> tuple[Any, Any]:
    """Return the values of the classes [side, class], and what each adds to a count."""
    top = 2 * game.longest_line - 1
    values = np.zeros((2, 16), np.int64)
    marks = np.zeros(16, np.int64)
    for number in range(1, top + 1):
        to_move, waiting = (table.pattern_value(number, tempo) for tempo in (True, False))
        values[0, number] = to_move + (waiting << HALF_BITS)
        values[1, number] = -waiting - (to_move << HALF_BITS)
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
    _, directions, places = found.around.shape
    return {
        "directions": directions,
        "places": places,
        "around": found.around.ravel().tolist(),
        "pattern_classes": array("q", classes_of_both(game, is_swapped).tobytes()),
        "fouls_of": 1 + is_swapped if game.renju else 0,
        "row": game.longest_line,
        "caro": game.caro,
    }

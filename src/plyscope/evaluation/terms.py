"""The features that a table counts on a board: ends of lines, threats and safe moves."""

from __future__ import annotations

from plyscope.rules import cells as names
from plyscope.rules.linegame import LineGame
from plyscope.rules.lines import Line, bits
from plyscope.rules.position import Position

ODD, EVEN = 1, 0
MAX_ENDS = 2
"""Ends of a line."""
NUMERALS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight")
"""The numbers of stones of patterns, in words."""
ONLY_PATTERNS = {"patterns", "cells"}
"""Terms that do not need the states of lines."""


def ends_of(line: Line) -> int:
    """Return the bitboard of the cells just beyond the two ends of a line."""
    ends: int = line.ends & ~line.mask
    return ends


def row_parity(game: LineGame, cell: int) -> int:
    """Return ODD or EVEN, for the row of a cell, numbered from the bottom."""
    return (game.height - names.coordinates(game.shape, cell)[1]) % 2


def threat_cells(position: Position, side: int) -> int:
    """Return the empty cells that complete a line of `side` with at least two cells."""
    stones, other = position.stones(side), position.stones(1 - side)
    found = 0
    for mask in position.game.masks:
        missing = mask & ~stones
        if missing & (missing - 1) == 0 and missing != mask and not missing & other:
            found |= missing
    return found


def safe_moves(position: Position, side: int) -> int:
    """Return the moves with which `side`, if it is to move, does not lose at once."""
    game, taken = position.game, position.first | position.second
    playable = game.landing(taken)
    if game.misere:
        return playable & ~threat_cells(position, side)
    if not game.gravity:
        return playable
    threatened = threat_cells(position, 1 - side)
    return sum(1 << cell for cell in bits(playable) if not threatened & game.above[cell])


def pattern_of(number: int) -> tuple[int, int]:
    """Return the pattern (stones, open) of class `number` (`plyscope_fast.evaluation.patterns`)."""
    return (number + 1) // 2, (number + 1) % 2


def pattern_name(number: int) -> str:
    """Return the name of the pattern of a class: `open three`."""
    stones, is_open = pattern_of(number)
    return f"{'open' if is_open else 'closed'} {NUMERALS[stones]}"

"""Patterns: what a stone on an empty cell would make, on each straight run of cells through it.

A cell is looked at together with the `reach` cells on either side along one direction: k − 1 cells,
or k if the cells at the ends of a line matter. With the stone in the middle, the pattern of a side
is named by a number of stones and by whether it is open:

    (k, 0)    the stone completes a line
    (k−1, 1)  then two cells complete a line: an open four if k is 5, which cannot be blocked
    (k−1, 0)  then one cell completes a line: a four
    (j, 1)    one more stone makes an open pattern of j + 1 stones: an open three
    (j, 0)    one more stone makes at best a closed one of j + 1 stones

So the rule for a completed line determines the patterns, by a recursion over the stones added. In
Renju, X's patterns are those of exact lines; forbidden cells have patterns too. The pattern
(j, open) has the number 2j − 1 + open. The number 0 means that no line of the side can use the cell
any more. Programs for five in a row often have such tables (Allis 1994 describes the threats).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from plyscope.evaluation.patterns import has_patterns, reach_of
from plyscope.evaluation.terms import pattern_of
from plyscope.rules.linegame import LineGame
from plyscope.rules.lines import bits, chains
from plyscope.rules.position import Position

Whole = npt.NDArray[np.int64]
OUTSIDE = 3
"""The digit of a cell outside the board, or of a hole; 0 is an empty cell, 1 a stone of the first
side, 2 one of the second."""


class PatternMap(NamedTuple):
    """The surroundings of the cells of a game."""

    around: Whole
    """The cells around a cell along a direction, from behind to ahead [cell, direction, place]; −1
    outside the board."""
    classes: npt.NDArray[np.uint8]
    """The classes of the two sides by the code of the surroundings; that of the second in the upper
    four bits."""
    kinds: tuple[str, ...]
    """The kind of the lines in each direction."""


@lru_cache(maxsize=32)
def pattern_map(game: LineGame) -> PatternMap | None:
    """Return the surroundings of the cells, None if the game has no patterns."""
    if not has_patterns(game) or not isinstance(game.given, int):
        return None
    reach = reach_of(game)
    found = list(chains(game.shape, game.given, game.torus, game.holes))
    kinds = {chain.direction: chain.kind for chain in found}
    around = np.full((game.size, len(kinds), 2 * reach), -1, np.int64)
    offsets = [*range(-reach, 0), *range(1, reach + 1)]
    for chain in found:
        for at, cell in enumerate(chain.cells):
            for place, offset in enumerate(offsets):
                if chain.is_ring or 0 <= at + offset < len(chain.cells):
                    there = chain.cells[(at + offset) % len(chain.cells)]
                    around[cell, list(kinds).index(chain.direction), place] = there
    return PatternMap(around, classes_of_both(game), tuple(kinds.values()))


@lru_cache(maxsize=16)
def pattern_classes(k: int, exactly: bool, caro: bool = False) -> npt.NDArray[np.uint8]:
    """Return the class of a stone by its surroundings: numbers whose digits, from behind to ahead,
    are 0 for an empty cell, 1 for an own stone and 2 for any other cell.

    Their base is 3; with `caro` it is 4, and 2 is a stone of the opponent, 3 a cell outside.
    """
    base, reach = 4 if caro else 3, k if exactly or caro else k - 1
    digits = _digits(base, 2 * reach)
    run = np.ones(len(digits), np.int64)
    is_blocked = np.full(len(digits), caro)
    for places in (range(reach - 1, -1, -1), range(reach, 2 * reach)):
        unbroken, before = np.ones(len(digits), bool), False
        for place in places:
            ending = unbroken & (digits[:, place] == 2)
            unbroken &= digits[:, place] == 1
            run += unbroken
            before |= ending
        is_blocked &= before
    complete = 2 * k - 1
    is_complete = run == k if exactly else run >= k
    classes = np.where(is_complete & ~((run == k) & is_blocked), complete, 0)
    free = (digits == 0).sum(axis=1)
    codes = np.arange(len(digits))
    for count in range(1, 2 * reach + 1):
        at = codes[(free == count) & (classes != complete)]
        ways, best = np.zeros(len(at), np.int64), np.zeros(len(at), np.int64)
        for place in range(2 * reach):
            is_free = digits[at, place] == 0
            after = np.where(is_free, classes[np.where(is_free, at + base**place, 0)], 0)
            ways += after == complete
            best = np.maximum(best, np.where(after == complete, 0, after))
        classes[at] = np.where(
            ways >= 2, complete - 1, np.where(ways == 1, complete - 2, np.maximum(best - 2, 0))
        )
    return classes.astype(np.uint8)


@lru_cache(maxsize=32)
def possible_patterns(game: LineGame) -> tuple[tuple[int, int], ...]:
    """Return the patterns (stones, open) that can occur on the board, the weakest first."""
    found = pattern_map(game)
    if found is None:
        return ()
    is_outside = np.unique((found.around < 0).reshape(-1, found.around.shape[2]), axis=0)
    classes = pattern_classes(game.longest_line, game.exactly or game.renju, game.caro)
    digits = _digits(4 if game.caro else 3, found.around.shape[2])
    fits = ((digits == digits.max()) | ~is_outside[:, None, :]).all(axis=2).any(axis=0)
    return tuple(pattern_of(int(number)) for number in np.unique(classes[fits]) if number)


def classes_of_both(game: LineGame, is_swapped: bool = False) -> npt.NDArray[np.uint8]:
    """Return the classes of both sides by codes in base 4 with the digits of OUTSIDE; `is_swapped`
    means that 1 is a stone of the second side, whose class is then in the lower four bits."""
    exact = (game.exactly or game.renju, game.exactly)
    exact = exact[::-1] if is_swapped else exact
    return _classes_of_both(game.longest_line, reach_of(game), exact, game.caro)


@lru_cache(maxsize=16)
def _classes_of_both(
    k: int, reach: int, exact: tuple[bool, bool], caro: bool
) -> npt.NDArray[np.uint8]:
    """Return the classes of both sides, if lines of each must be exact or not, by codes in base 4
    of `reach` cells on either side."""
    digits = _digits(4, 2 * reach)
    found = []
    for mine, is_exact in enumerate(exact, 1):
        classes = pattern_classes(k, is_exact, caro)
        base, as_seen = 4 if caro else 3, np.array([0, 2, 2, 3 if caro else 2])
        as_seen[mine] = 1
        unseen = reach - (k if is_exact or caro else k - 1)
        seen = digits[:, unseen : 2 * reach - unseen].T
        codes = sum(as_seen[digit] * base**place for place, digit in enumerate(seen))
        found.append(classes[codes])
    both: npt.NDArray[np.uint8] = (found[0] | found[1] << 4).astype(np.uint8)
    return both


def _digits(base: int, count: int) -> npt.NDArray[np.int8]:
    """Return the digits of all numbers of `count` digits, the lowest first [number, place]."""
    numbers = np.arange(base**count)
    return np.column_stack(
        [(numbers // base**place % base).astype(np.int8) for place in range(count)]
    )


def codes_of(found: PatternMap, position: Position) -> Whole:
    """Return the code of each cell's surroundings [cell, direction]."""
    digits = np.zeros(position.game.size + 1, np.int64)
    for digit, cells in ((1, position.first), (2, position.second), (3, position.game.holes)):
        digits[list(bits(cells))] = digit
    digits[-1] = OUTSIDE
    codes: Whole = digits[found.around] @ 4 ** np.arange(found.around.shape[2])
    return codes


def classes_of(position: Position) -> tuple[Whole, Whole] | None:
    """Return the classes of the first side and of the second [cell, direction], 0 on cells that
    are taken; None if the game has no patterns."""
    found = pattern_map(position.game)
    if found is None:
        return None
    both = found.classes[codes_of(found, position)].astype(np.int64)
    both[list(bits(position.first | position.second | position.game.holes))] = 0
    return both & 15, both >> 4


def patterns_of(position: Position) -> Iterator[tuple[int, int, str, int]]:
    """Yield the patterns on the empty cells: side, cell, kind of line, and class.

    Cells with class 0 are left out, and so is every cell if the game has no patterns.
    """
    found = pattern_map(position.game)
    for side, classes in enumerate(classes_of(position) or ()):
        for cell, direction in zip(*classes.nonzero(), strict=True):
            kind = found.kinds[direction] if found else ""
            yield side, int(cell), kind, int(classes[cell, direction])


def pattern_counts(position: Position) -> list[list[int]]:
    """Return the number of patterns of each class of the first side and of the second, [] if the
    game has no patterns."""
    classes = classes_of(position) or ()
    return [np.bincount(of_side.ravel()).tolist() for of_side in classes]


def sums_after_moves(position: Position, values: Sequence[Sequence[int]]) -> list[int]:
    """Return for each empty cell the sum of the values of all patterns after a move there.

    `values` are those of the first side and of the second, by class. The sum is in the view of the
    first side; it is 0 if the game has no patterns. A move changes the codes around it only.
    """
    game = position.game
    found = pattern_map(game)
    if found is None:
        return [0] * game.size
    taken = position.first | position.second | game.holes
    is_empty = np.array([not taken >> cell & 1 for cell in range(game.size)])
    first, second = (np.array([*of_side, *[0] * 16])[:16] for of_side in values)
    by_both = np.subtract.outer(first, second).ravel(order="F")  # the second in the upper four bits
    codes = codes_of(found, position)
    worth = by_both[found.classes[codes]] * is_empty[:, None]
    is_changed = (found.around >= 0) & is_empty[found.around] & is_empty[:, None, None]
    cells, directions, places = is_changed.nonzero()
    after = codes[cells, directions] + (1 + position.side) * 4**places
    changes = by_both[found.classes[after]] - worth[cells, directions]
    sums = worth.sum() - worth.sum(axis=1)
    np.add.at(sums, found.around[is_changed], changes)
    return [int(total) for total in sums]

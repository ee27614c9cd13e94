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
from itertools import product
from typing import NamedTuple

from plyscope.evaluation.patterns import has_patterns, reach_of
from plyscope.evaluation.terms import pattern_of
from plyscope.rules.linegame import LineGame
from plyscope.rules.lines import bits, chains
from plyscope.rules.position import Position

OUTSIDE = 3
"""The digit of a cell outside the board, or of a hole; 0 is an empty cell, 1 a stone of the first
side, 2 one of the second."""
FIRST_CLASS, SECOND_CLASS = (bytes(both >> shift & 15 for both in range(256)) for shift in (0, 4))
"""Tables for `bytes.translate` that take the class of one side out of both."""


class PatternMap(NamedTuple):
    """The surroundings of the cells of a game."""

    around: tuple[tuple[tuple[int, ...], ...], ...]
    """The cells around a cell along a direction, from behind to ahead [cell][direction][place]; −1
    outside the board."""
    seen_by: tuple[tuple[tuple[int, int, int], ...], ...]
    """The places at which a cell is seen [cell]: the other cell, the index of its surroundings in
    a direction (cell × directions + direction), and the weight 4**place of the place."""
    empty: tuple[int, ...]
    """The codes of the surroundings on the empty board [cell × directions + direction]."""
    classes: bytes
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
    outside = [-1] * (2 * reach)
    around = [[[*outside] for _ in kinds] for _ in range(game.size)]
    offsets = [*range(-reach, 0), *range(1, reach + 1)]
    for chain in found:
        for at, cell in enumerate(chain.cells):
            places = around[cell][list(kinds).index(chain.direction)]
            for place, offset in enumerate(offsets):
                if chain.is_ring or 0 <= at + offset < len(chain.cells):
                    places[place] = chain.cells[(at + offset) % len(chain.cells)]
    seen_by: list[list[tuple[int, int, int]]] = [[] for _ in range(game.size)]
    empty = [0] * (game.size * len(kinds))
    for cell, of_cell in enumerate(around):
        for direction, places in enumerate(of_cell):
            index = cell * len(kinds) + direction
            for place, there in enumerate(places):
                if there >= 0:
                    seen_by[there].append((cell, index, 4**place))
                if there < 0 or game.holes >> there & 1:
                    empty[index] += OUTSIDE * 4**place
    return PatternMap(
        around=tuple(tuple(map(tuple, of_cell)) for of_cell in around),
        seen_by=tuple(map(tuple, seen_by)),
        empty=tuple(empty),
        classes=classes_of_both(game),
        kinds=tuple(kinds.values()),
    )


@lru_cache(maxsize=16)
def pattern_classes(k: int, exactly: bool, caro: bool = False) -> bytes:
    """Return the class of a stone by its surroundings: numbers whose digits, from behind to ahead,
    are 0 for an empty cell, 1 for an own stone and 2 for any other cell.

    Their base is 3; with `caro` it is 4, and 2 is a stone of the opponent, 3 a cell outside.
    """
    base, reach = 4 if caro else 3, k if exactly or caro else k - 1
    half, complete = base**reach, 2 * k - 1
    sides = []
    """For the digits behind and for those ahead, by number: the stones next to the cell, whether a
    stone of the opponent ends them, and what a stone on each empty cell adds to the number."""
    for weight, is_behind in ((1, True), (half, False)):
        of_side = []
        for digits in product(range(base), repeat=reach):  # the last digit is the lowest
            nearest = digits if is_behind else digits[::-1]
            stones = next((at for at, digit in enumerate(nearest) if digit != 1), reach)
            is_ended = caro and stones < reach and nearest[stones] == 2
            added = [weight * base**at for at, digit in enumerate(reversed(digits)) if not digit]
            of_side.append((stones, is_ended, added))
        sides.append(of_side)
    behind, ahead = sides
    classes = bytearray(half * half)
    for high in range(half - 1, -1, -1):  # a stone more makes the number greater
        stones, is_ended, added = ahead[high]
        for low in range(half - 1, -1, -1):
            code = high * half + low
            others, is_other_ended, added_behind = behind[low]
            run = 1 + stones + others
            if (run == k and not (is_ended and is_other_ended)) or (run > k and not exactly):
                classes[code] = complete
                continue
            best = ways = 0
            for step in (*added, *added_behind):
                after = classes[code + step]
                if after == complete:
                    ways += 1
                elif after > best:
                    best = after
            classes[code] = complete - min(ways, 2) % 2 - 1 if ways else max(best - 2, 0)
    return bytes(classes)


@lru_cache(maxsize=32)
def possible_patterns(game: LineGame) -> tuple[tuple[int, int], ...]:
    """Return the patterns (stones, open) that can occur on the board, the weakest first."""
    found = pattern_map(game)
    if found is None:
        return ()
    outside = {
        frozenset(place for place, there in enumerate(places) if there < 0)
        for of_cell in found.around
        for places in of_cell
    }
    classes = pattern_classes(game.longest_line, game.exactly or game.renju, game.caro)
    base = 4 if game.caro else 3
    numbers: set[int] = set()
    for places in outside:
        if not any(fewer < places for fewer in outside):  # they allow more
            codes = [0]
            for place in range(2 * reach_of(game)):
                digits = (base - 1,) if place in places else range(base)
                codes = [code + digit * base**place for digit in digits for code in codes]
            numbers.update(map(classes.__getitem__, codes))
    return tuple(map(pattern_of, sorted(numbers - {0})))


def classes_of_both(game: LineGame, is_swapped: bool = False) -> bytes:
    """Return the classes of both sides by codes in base 4 with the digits of OUTSIDE; `is_swapped`
    means that 1 is a stone of the second side, whose class is then in the lower four bits."""
    exact = (game.exactly or game.renju, game.exactly)
    exact = exact[::-1] if is_swapped else exact
    return _classes_of_both(game.longest_line, reach_of(game), exact, game.caro)


@lru_cache(maxsize=16)
def _classes_of_both(k: int, reach: int, exact: tuple[bool, bool], caro: bool) -> bytes:
    """Return the classes of both sides, if lines of each must be exact or not, by codes in base 4
    of `reach` cells on either side."""
    found = []
    for mine, is_exact in enumerate(exact, 1):
        base, as_seen = 4 if caro else 3, [0, 2, 2, 3 if caro else 2]
        as_seen[mine] = 1
        seen = k if is_exact or caro else k - 1
        codes = [0]
        for place in range(-reach, reach):
            weight = base ** (place + seen) if -seen <= place < seen else 0
            codes = [code + digit * weight for digit in as_seen for code in codes]
        found.append(map(pattern_classes(k, is_exact, caro).__getitem__, codes))
    return bytes([first | second << 4 for first, second in zip(*found, strict=True)])


def codes_of(found: PatternMap, position: Position) -> list[int]:
    """Return the codes of the surroundings of all cells [cell × directions + direction]."""
    codes = [*found.empty]
    for digit, cells in ((1, position.first), (2, position.second)):
        for cell in bits(cells):
            for _, index, weight in found.seen_by[cell]:
                codes[index] += digit * weight
    return codes


def _classes_by_side(found: PatternMap, position: Position) -> tuple[bytes, bytes]:
    """Return the classes of the first side and of the second [cell × directions + direction], 0 on
    cells that are taken."""
    both = bytearray(map(found.classes.__getitem__, codes_of(found, position)))
    count = len(found.kinds)
    for cell in bits(position.first | position.second | position.game.holes):
        both[cell * count : (cell + 1) * count] = bytes(count)
    return bytes(both.translate(FIRST_CLASS)), bytes(both.translate(SECOND_CLASS))


def classes_of(position: Position) -> tuple[list[bytes], list[bytes]] | None:
    """Return the classes of the first side and of the second [cell][direction], 0 on cells that are
    taken; None if the game has no patterns."""
    found = pattern_map(position.game)
    if found is None:
        return None
    count = len(found.kinds)
    first, second = (
        [of_side[at : at + count] for at in range(0, len(of_side), count)]
        for of_side in _classes_by_side(found, position)
    )
    return first, second


def patterns_of(position: Position) -> Iterator[tuple[int, int, str, int]]:
    """Yield the patterns on the empty cells: side, cell, kind of line, and class.

    Cells with class 0 are left out, and so is every cell if the game has no patterns.
    """
    found = pattern_map(position.game)
    for side, of_side in enumerate(classes_of(position) or ()):
        for cell, classes in enumerate(of_side):
            for kind, number in zip(found.kinds if found else (), classes, strict=True):
                if number:
                    yield side, cell, kind, number


def pattern_counts(position: Position) -> list[list[int]]:
    """Return the number of patterns of each class of the first side and of the second, [] if the
    game has no patterns."""
    found = pattern_map(position.game)
    if found is None:
        return []
    return [
        [*map(of_side.count, range(max(of_side) + 1))]
        for of_side in _classes_by_side(found, position)
    ]


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
    first, second = ([*of_side, *[0] * 16][:16] for of_side in values)
    by_both = [first[both & 15] - second[both >> 4] for both in range(256)]
    codes, classes, count = codes_of(found, position), found.classes, len(found.kinds)
    worth = [by_both[classes[code]] for code in codes]
    for cell in bits(taken):
        worth[cell * count : (cell + 1) * count] = [0] * count
    total, digit = sum(worth), 1 + position.side
    sums = []
    for cell in range(game.size):
        after = total - sum(worth[cell * count : (cell + 1) * count])
        for other, index, weight in () if taken >> cell & 1 else found.seen_by[cell]:
            if not taken >> other & 1:
                after += by_both[classes[codes[index] + digit * weight]] - worth[index]
        sums.append(after)
    return sums

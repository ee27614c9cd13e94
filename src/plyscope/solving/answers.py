"""Answers to everything: pairs of cells and replies in the same column, as `verify` checks them.

A player with such an answer needs no search: the positions after it are all good for it.
"""

from __future__ import annotations

import contextlib
from typing import Any

from plyscope.errors import OptionError
from plyscope.rules.linegame import LineGame
from plyscope.rules.lines import bits
from plyscope.rules.position import Position
from plyscope.solving.verify import Game, Rejected, check_follow, follow_up

PAIRING_TRIES = 2_000
"""The limit of steps of the search for a pairing."""
Pairs = tuple[tuple[int, int], ...]


def game_data(game: LineGame) -> dict[str, Any]:
    """Return the `game` object of a proof's first line.

    It has k if the lines are all straight lines of k cells, and else lists each line once. Rules
    added after the first checkers are present only if the game has them, so that a checker that
    does not know them rejects the file.
    """
    if not game.variants <= {"torus", "gravity", "misere", "holes", "exactly"}:
        known = "turns of one stone, lines of any kind and exact ones, holes, gravity, misère"
        raise OptionError(
            f"a proof of {game.name!r}; expected rules that the checker knows: {known}"
        )
    by_length = isinstance(game.given, int) and isinstance(game.torus, bool) and bool(game.lines)
    data: dict[str, Any] = {
        "shape": list(game.shape),
        "torus": game.torus and by_length,
        "gravity": game.gravity,
        "misere": game.misere,
    }
    if game.holes:
        data["holes"] = list(bits(game.holes))
    if game.exactly:
        data["exactly"] = True
    if by_length:
        return {**data, "k": game.given}
    told = dict.fromkeys((line.mask, line.ends if game.exactly else 0) for line in game.lines)
    data["lines"] = [list(bits(mask)) for mask, _ in told]
    if game.exactly:
        data["ends"] = [list(bits(ends)) for _, ends in told]
    return data


def find_follow(
    rules: Game, stones: tuple[int, int], side: int, least: int
) -> tuple[int, ...] | None:
    """Return the cells that an answer `follow` names in pairs, None if there is no such answer.

    The lowest cells of columns with an odd number of empty cells are named, unless the column has a
    winning cell. If their number is then odd, one column with a winning cell is named too.
    """
    own, taken = stones[side], stones[0] | stones[1]
    fixed = own
    odd: list[list[int]] = []
    winning: list[tuple[list[int], int]] = []
    for column in rules.columns:
        empty = [cell for cell in column if not taken >> cell & 1]
        upper, denied, is_won = follow_up(rules, empty, own)
        if is_won and len(empty) % 2:
            winning.append((empty, upper | denied))
        elif len(empty) % 2:
            odd.append(empty)
        else:
            fixed |= upper | denied
    lines = [line for line, _ in rules.lines if not line & fixed]
    for named in (*winning,) if len(odd) % 2 else (None,):
        columns = odd if named is None else [*odd, named[0]]
        gets = 0
        for empty in columns:
            upper, denied, _ = follow_up(rules, empty[1:], own)
            gets |= upper | denied
        for other in winning:
            gets |= 0 if other is named else other[1]
        cells = _matched(
            [empty[0] for empty in columns], [line for line in lines if not line & gets]
        )
        if cells is not None:
            with contextlib.suppress(Rejected):
                check_follow(rules, cells, stones, side, least)
                return cells
    return None


def _matched(cells: list[int], lines: list[int]) -> tuple[int, ...] | None:
    """Return these cells in pairs such that every line contains a pair, None if that is
    impossible."""
    if not cells:
        return None if lines else ()
    among = sum(1 << cell for cell in cells)
    if len(cells) % 2 or any((line & among).bit_count() < 2 for line in lines):
        return None
    for other in cells[1:]:
        pair = 1 << cells[0] | 1 << other
        rest = [cell for cell in cells[1:] if cell != other]
        found = _matched(rest, [line for line in lines if line & pair != pair])
        if found is not None:
            return cells[0], other, *found
    return None


def find_pairs(position: Position, side: int) -> Pairs | None:
    """Return disjoint pairs of empty cells such that every line without a stone of `side`, in
    misère of its opponent, has one.

    Return None if none are found. If none are needed, return any pair if there is one.
    """
    own = position.stones(1 - side if position.game.misere else side)
    empty = position.game.board & ~(position.first | position.second)
    open_ = [line & empty for line in position.game.masks if not line & own]
    if any(line.bit_count() < 2 for line in open_):
        return None
    tries = PAIRING_TRIES

    def extend(lines: list[int], free: int, pairs: Pairs) -> Pairs | None:
        nonlocal tries
        tries -= 1
        if not lines:
            return pairs
        narrowest = min(lines, key=lambda line: (line & free).bit_count())
        cells = list(bits(narrowest & free))
        for at, one in enumerate(cells):
            for other in cells[:at]:
                if tries <= 0:
                    return None
                pair = 1 << one | 1 << other
                left = [line for line in lines if line & pair != pair]
                longer = extend(left, free & ~pair, (*pairs, (other, one)))
                if longer is not None:
                    return longer
        return None

    found = extend(open_, empty, ())
    if found == () and empty.bit_count() > 1:
        one, other, *_ = bits(empty)
        return ((one, other),)
    return found or None

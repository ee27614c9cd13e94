"""Mixed-integer programmes (HiGHS) for what `tuning` proves by branch and bound over cones.

Both raise TimeoutError if HiGHS does not finish in time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import gcd
from typing import Any

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import dok_array

import oracles
from plyscope_optima.siblings import Options

IMAGES = oracles.turns_and_mirrors(3, 3)


def least_by_programme(
    choices: Counter[Options], dimension: int, most: int, seconds: float = 1200
) -> float:
    """Return the least loss of whole weights up to `most`, by a mixed-integer programme (HiGHS).

    Variables are the weights, for each difference of options whether its product with them is at
    least 1, 0, or at most −1, and for each choice which set of options is rated highest.
    """
    signs: dict[tuple[int, ...], int] = {}
    rows: list[tuple[dict[int, float], float]] = []
    costs: list[float] = []
    owners: list[int] = []
    demanded: list[tuple[int, int, int]] = []
    for number, (options, times_) in enumerate(choices.items()):
        for size in range(1, len(options) + 1):
            for best in combinations(range(len(options)), size):
                wrong, moves = (sum(options[at][part] for at in best) for part in (2, 1))
                for other in range(len(options)):
                    pair = zip(options[best[0]][0][:-1], options[other][0][:-1], strict=True)
                    difference = [a - b for a, b in pair]
                    if any(difference):
                        divisor = int(np.gcd.reduce(difference))
                        turn = 1 if difference > [0] * dimension else -1
                        key = tuple(turn * number // divisor for number in difference)
                        at = signs.setdefault(key, len(signs))
                        is_level, is_below = other in best, turn < 0
                        demanded.append((len(costs), at, 1 if is_level else 2 * is_below))
                costs.append(times_ * wrong / moves)
                owners.append(number)
    first_set = dimension + 3 * len(signs)
    width = first_set + len(costs)
    large = most * max((sum(map(abs, difference)) for difference in signs), default=0)
    for difference, at in signs.items():
        above, level, below = range(dimension + 3 * at, dimension + 3 * at + 3)
        for sign, side in ((1, above), (-1, below)):
            product_ = {i: float(sign * number) for i, number in enumerate(difference)}
            rows.append((product_ | {side: -large - 1}, -large))
            rows.append((product_ | {level: -large}, -large))
    for some, at, sign in demanded:
        rows.append(({dimension + 3 * at + sign: 1.0, first_set + some: -1.0}, 0))
    matrix = dok_array((len(rows), width))
    for row, (entries, _) in enumerate(rows):
        for column, number in entries.items():
            matrix[row, column] = number
    once = dok_array((len(signs) + len(choices), width))
    for at in range(3 * len(signs)):
        once[at // 3, dimension + at] = 1
    for some, owner in enumerate(owners):
        once[len(signs) + owner, first_set + some] = 1
    rest = width - dimension
    result = milp(
        [0.0] * (first_set) + costs,
        constraints=[
            LinearConstraint(matrix.tocsr(), [low for _, low in rows]),
            LinearConstraint(once.tocsr(), 1, 1),
        ],
        integrality=[1] * first_set + [0] * len(costs),
        bounds=Bounds([-most] * dimension + [0] * rest, [most] * dimension + [1] * rest),
        options={"time_limit": seconds, "mip_rel_gap": 0.0},
    )
    if result.status == 1:
        raise TimeoutError
    assert result.success, result.message
    return float(result.fun)


def unbeaten_by_programme(
    sides: str, at: Sequence[int], most: int = 20, seconds: float = 1200
) -> list[int] | None:
    """Return whole weights up to `most` that never lose at depth 1, by a mixed-integer programme
    (HiGHS) over boards up to symmetry; None if there are none.

    Variables are the weights; whether a board is reached; whether a group of moves with the same
    features may be played there; and by direction, whether the product is at least 1 or at most −1.
    """
    columns: dict[Any, int] = {("weight", number): number for number in range(len(at))}
    rows: list[tuple[dict[int, float], float]] = []

    def column(*key: Any) -> int:
        return columns.setdefault(key, len(columns))

    def above(difference: tuple[int, ...]) -> int:
        """The variable that demands a positive product."""
        divisor = gcd(*difference)
        key = tuple(number // divisor for number in difference)
        if ("above", key) not in columns:
            own = column("above", key)
            large = most * sum(map(abs, key)) + 1
            entries = {number: float(x) for number, x in enumerate(key)}
            rows.append((entries | {own: -float(large)}, 1.0 - large))  # above ⟹ product ≥ 1
        return columns["above", key]

    def all_of(b: oracles.Board, side: str) -> set[oracles.Board] | None:
        """The boards of `side` to move that the opponent can reach, None if `side` has lost."""
        other = "O" if side == "X" else "X"
        if oracles.has_line(b, other, oracles.LINES3):
            return None
        if oracles.has_line(b, side, oracles.LINES3) or "." not in b:
            return set()
        if oracles.to_move(b) == side:
            return {min(tuple(b[cell] for cell in image) for image in IMAGES)}
        found: set[oracles.Board] = set()
        for cell in oracles.moves(b, oracles.LINES3):
            after = all_of(oracles.place(b, cell, other), side)
            if after is None:
                return None
            found |= after
        return found

    for side in sides.upper():
        start = all_of((".",) * 9, side) or set()
        queue, seen = list(start), set(start)
        for b in start:
            rows.append(({column(side, b): 1.0}, 1.0))
        while queue:
            b = queue.pop()
            groups: dict[tuple[int, ...], list[oracles.Board]] = {}
            for cell in oracles.moves(b, oracles.LINES3):
                after = oracles.place(b, cell, side)
                features = oracles.features3(after, side) if "." in after else (0,) * 10
                groups.setdefault(tuple(features[one] for one in at), []).append(after)
            won = [
                each
                for group in groups.values()
                for each in group
                if oracles.has_line(each, side, oracles.LINES3)
            ]
            if won:
                continue
            for features, group in groups.items():
                others = [
                    above(tuple(x - y for x, y in zip(other, features, strict=True)))
                    for other in groups
                    if other != features
                ]
                played = column(side, b, features)
                rows.append(({played: 1.0} | dict.fromkeys(others, 1.0), 1.0))
                for after in group:
                    following = all_of(after, side)
                    entries = {column(side, b): -1.0, played: -1.0}
                    if following is None:
                        rows.append((entries, -1.0))  # never reached and played
                    for each in following or ():
                        rows.append((entries | {column(side, each): 1.0}, -1.0))
                        if each not in seen:
                            seen.add(each)
                            queue.append(each)
    matrix = dok_array((len(rows), len(columns)))
    for row, (entries, _) in enumerate(rows):
        for place, number in entries.items():
            matrix[row, place] = number
    rest = len(columns) - len(at)
    result = milp(
        [0.0] * len(columns),
        constraints=[LinearConstraint(matrix.tocsr(), [low for _, low in rows])],
        integrality=[1] * len(columns),
        bounds=Bounds([-most] * len(at) + [0] * rest, [most] * len(at) + [1] * rest),
        options={"time_limit": seconds},
    )
    if result.status == 1:
        raise TimeoutError
    assert result.status in (0, 2), result.message
    return [round(number) for number in result.x[: len(at)]] if result.success else None

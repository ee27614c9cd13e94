"""Report cards, wrong moves and certificates without NumPy have the same numbers as with it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from commands import python
from plyscope.lab.judging import lists

np = pytest.importorskip("numpy")

MEASURED = """
import json, sys
import plyscope as ps
from plyscope.evaluation.heuristics import find_heuristic
from plyscope.lab.judging import arrays
from plyscope.lab.judging.populations import population_of
from plyscope_web.wrongmap import Compared, WrongMap

def measured():
    cards = [
        ps.report_card("counted-lines", depth=4),
        ps.report_card(lambda mine, theirs: 3 * mine - 2 * theirs, depth=1),
        ps.report_card("open-lines", "3,4,3,gravity", depth=2),
    ]
    yield [{**card.as_dict(), "microseconds": 0} for card in cards]
    for text in ("tictactoe", "3,4,3,gravity"):
        game = ps.parse_game(text)
        map_ = WrongMap(population_of(game, None, 0), is_whole=True)
        before, after = (
            map_.judge(find_heuristic(name, game), 1) for name in ("open-lines", "counted-lines")
        )
        both = Compared(before, after)
        yield len(map_), before.wrong, after.wrong, after.faulty, both.chance
        yield both.fixed.tolist(), both.regressed.tolist()
        yield [[str(each.position), *each[1:]] for each in map_.shown(both.fixed, before, 8, after)]
    for name in ("two-ply", "one-ply"):
        found = ps.certify(name).as_dict()
        yield {key: value for key, value in found.items() if "seconds" not in key}
    match = ps.play_match("one-ply", "random", games=20, seed=1).as_dict()
    yield {key: value for key, value in match.items() if "seconds" not in key}

print(json.dumps([arrays.np.__name__, *measured()], default=str, sort_keys=True))
"""


def test_numbers_are_the_same_without_numpy() -> None:
    path = ":".join([str(Path(__file__).parents[1]), *sys.path])
    texts = [
        python("-c", f"{first}\n{MEASURED}", env={"PYTHONPATH": path}).stdout
        for first in ("", "from blocked import block; block()")
    ]
    (with_numpy, *expected), (without, *found) = map(json.loads, texts)
    assert (with_numpy, without) == ("numpy", "plyscope.lab.judging.lists")
    assert found == expected


def test_a_sample_without_packages_names_the_extra() -> None:
    path = ":".join([str(Path(__file__).parents[1]), *sys.path])
    code = """
from blocked import block; block()
import plyscope as ps
for game in ("tictactoe", "connect4", "5,5,4"):
    try:
        ps.report_card("counted-lines", game, samples=20)
    except ps.PlyscopeError as error:
        print(error)
"""
    lines = python("-c", code, env={"PYTHONPATH": path}).stdout.splitlines()
    assert [line.partition(" needs ")[0] for line in lines] == [
        f"a sample of {game!r}" for game in ("tictactoe", "connect4", "5,5,4")
    ]
    assert all('`pip install "plyscope[fast]"`' in line for line in lines)


def of(items: list[Any]) -> tuple[Any, lists.Array]:
    return np.array(items), lists.array(items)


def test_functions_of_lists_agree_with_those_of_numpy() -> None:
    random = Random(5)
    for _ in range(50):
        count = random.randint(1, 30)
        a, b = (of([random.randint(-9, 9) for _ in range(count)]) for _ in range(2))
        indices = of([random.randrange(count) for _ in range(random.randint(1, 40))])
        times = of([random.randint(0, 3) for _ in range(count)])
        starts = of(sorted({0, *(random.randrange(count) for _ in range(4))}))
        real = of([random.choice([random.random(), float("nan")]) for _ in range(count)])
        both = []
        for at, m in enumerate((np, lists)):
            x, y, i, t, s, r = a[at], b[at], indices[at], times[at], starts[at], real[at]
            stored, flagged = x.copy(), x.copy()
            stored[i] = 7
            flagged[x > y] = y[x > y]
            found = [
                *(x + y, 3 - x, x * y, x / (y * y + 1), x >> 1, x & 1, -x, 1 * (x < y)),
                *(x == y, x != 3, (x >= y) | (x <= 2), x[i], x[x > y], x[1:], stored, flagged),
                *(m.append(0, m.cumsum(t)), m.diff(x), m.diff(x, append=4), m.repeat(x, t)),
                *(m.where(x > y, x, y), m.where(x > y, 1.5, y), m.flatnonzero(x > y), m.sign(x)),
                *(m.isnan(r), m.clip(x, -3, 4), m.searchsorted(m.cumsum(t), y), m.arange(count)),
                *(
                    m.add.reduceat(x, s),
                    m.maximum.reduceat(x, s),
                    m.full(3, 2),
                    m.zeros(2, m.int64),
                ),
                *((x > y).astype(m.int64), x.astype(m.float64), m.array([1, 0], m.bool_)),
            ]
            both.append([each.tolist() for each in found])
            both[-1] += [int(x.sum()), len(x), x[0] * 1, [*map(int, x)]]
        assert both[0] == both[1]

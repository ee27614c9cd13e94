"""Results as JSON."""

from __future__ import annotations

import doctest
import json
from dataclasses import dataclass
from typing import NamedTuple

import plyscope as ps
from plyscope import jsonable
from plyscope.jsonable import by_name
from plyscope.jsonable import jsonable as as_builtins
from plyscope.searching.score import Bound


class Pair(NamedTuple):
    one: int
    other: float


@dataclass(frozen=True)
class Inner:
    bound: Bound
    pair: Pair


@dataclass(frozen=True)
class Outer:
    inner: Inner
    position: object
    counts: dict[int, tuple[int, ...]]

    @property
    def total(self) -> int:
        return sum(map(sum, self.counts.values()))


def test_converts_a_dataclass_to_its_fields_by_name() -> None:
    outer = Outer(Inner(Bound.LOWER, Pair(1, float("inf"))), ps.parse("connect4 44"), {1: (2, 3)})
    data = by_name(outer)
    inner = {"bound": "lower", "pair": {"one": 1, "other": None}}
    assert data == {"inner": inner, "position": str(outer.position), "counts": {1: [2, 3]}}
    assert list(by_name(outer, "total", "inner", inner=0, more=1)) == ["total", "inner", "more"]
    assert by_name(outer, "total", extra=True) == {"total": 5, "extra": True}
    assert as_builtins([None, True, "text"]) == [None, True, "text"]


def test_converts_every_result_to_strict_json() -> None:
    results = [
        ps.search("tictactoe b2", depth=2),
        ps.solve("tictactoe b2"),
        ps.certify("one-ply"),
        ps.play_match("two-ply", "random", games=2),
    ]
    for result in results:
        text = json.dumps(result.as_dict(), allow_nan=False)
        assert json.loads(text) == result.as_dict()


def test_the_examples_hold() -> None:
    assert doctest.testmod(jsonable).failed == 0

"""What the tests of the two forms of a search share."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

from plyscope import ALGORITHMS, LineTable, TermSum, search
from plyscope.evaluation.linetable import KindTable
from plyscope.rules.games import GAMES
from plyscope.rules.linegame import Line, LineGame
from plyscope.searching.algorithms import TEXTBOOK
from plyscope.searching.conventions import CHOICES

SPECS = [
    *GAMES,
    "5,4,4",
    "4,3,3,torus",
    "4,4,3,misere",
    "5,5,3,gravity,misere",
    "3x2x2,2",
    "3x3x3,3,gravity",
    "6,1,3",
    "7,7,7",
]
TWINS = [name for name in TEXTBOOK if ALGORITHMS[name].compiled]
"""The algorithms that have both forms."""
FANO = LineGame(
    "fano",
    (7,),
    tuple(
        Line(mask, "line")
        for mask in (0b111, 0b11001, 0b1100001, 0b101010, 0b1010010, 0b1001100, 0b110100)
    ),
)
ALIKE = (
    *("value", "bound", "best_moves", "moves", "pv", "depth", "complete", "stopped", "nodes"),
    *("last_nodes", "leaves", "cutoffs", "table_hits", "researches", "minimal"),
)


def some_position(game: Any, draw: random.Random) -> Any:
    """A running game after some random moves."""
    while True:
        is_usual = draw.random() < 0.7 or not game.alternates
        position = game.start() if is_usual else game.position(0, 0, 1)
        for _ in range(draw.randrange(min(game.size, 40))):
            if not position.is_over:
                position = position.play(draw.choice(position.moves))
        if not position.is_over:
            return position


def a_table(draw: random.Random) -> LineTable:
    """A table in which the colours do not mirror each other."""
    values = {(mine, theirs): draw.randint(-50, 50) for mine in range(5) for theirs in range(5)}
    return LineTable(
        "drawn", values, {"diagonal": draw.randint(-2, 3), "column": 2}, draw.choice([None, 60])
    )


def some_terms(draw: random.Random, game: LineGame) -> TermSum:
    """Terms of all kinds, or some of them, in which the colours do not mirror each other."""
    stones = range(game.longest_line + 1)

    def values(*keys: range) -> dict[Any, int]:
        is_said = draw.random() < 0.7
        return {
            key: draw.randint(1, 90) - 100 * draw.randrange(2) for key in product(*keys) if is_said
        }

    return TermSum(
        a_table(draw),
        tempo=values(stones, stones),
        ends=values(stones[1:], range(3)),
        cells={
            game.format_cell(cell): value for (cell,), value in values(range(game.size)).items()
        },
        threats=values(range(2), range(2)),
        mobility=draw.randint(-20, 20) if game.size <= 64 else 0,
        kinds={
            kind: KindTable(values(stones, stones), values(stones, stones))
            for kind in sorted({line.kind for line in game.lines})
            if draw.random() < 0.3
        },
    )


def some_options(name: str, draw: random.Random, position: Any) -> dict[str, Any]:
    names = [
        *("counted-lines", "open-lines", "weighted-lines", "diagonal-lines", "result", "null"),
        *("random", a_table(draw)),
    ]
    options: dict[str, Any] = {"heuristic": draw.choice(names), "seed": draw.randrange(1000)}
    options |= {key: draw.choice(CHOICES[key]) for key in ALGORITHMS[name].takes if key in CHOICES}
    empty = position.game.size - (position.first | position.second).bit_count()
    options["depth"] = (
        draw.choice([1, 2, 3, None])
        if empty <= 6
        else draw.randint(1, 3)
        if empty < 20
        else 2
        if empty < 45
        else 1
    )
    if "window" in ALGORITHMS[name].takes and options.get("root") != "open" and draw.random() < 0.4:
        alpha = draw.randint(-30, 20)
        options["window"] = (alpha, alpha + draw.randint(1, 20))
    return options


def assert_twins(position: Any, algorithm: str, **options: Any) -> int:
    """Both forms find and count the same; return the nodes."""
    one, other = (
        search(position, algorithm, form=form, **options) for form in ("reference", "compiled")
    )
    assert (one.form, other.form) == ("reference", "compiled")
    assert type(one.value) is type(other.value), (str(position), algorithm, options)
    for key in ALIKE:
        assert getattr(one, key) == getattr(other, key), (key, str(position), algorithm, options)
    return one.nodes

"""A game of one's own is searched compiled as it is in Python: same value, counts, bounds and lines
on every position, whatever the conventions."""

from __future__ import annotations

import random
from typing import Any

import pytest

from plyscope import ALGORITHMS
from plyscope.searching.compiled.own.run import TEXTS
from plyscope.searching.conventions import CHOICES
from students import GAMES, OPINIONS
from twins import assert_twins


def some_position(game: Any, draw: random.Random) -> Any:
    """A running game after some random moves."""
    while True:
        position = game.start()
        for _ in range(draw.randrange(12)):
            if game.payoff(position) is None:
                position = game.play(position, draw.choice(game.moves(position)))
        if game.payoff(position) is None:
            return position


def some_options(name: str, game: Any, draw: random.Random) -> dict[str, Any]:
    takes = ALGORITHMS[name].takes
    options: dict[str, Any] = {key: draw.choice(CHOICES[key]) for key in takes if key in CHOICES}
    if options["scoring"] == "distance" and getattr(game, "scored", False):
        options["scoring"] = "result"
    options |= {"seed": draw.randrange(1000), "depth": draw.choice([1, 2, 3, 4, 5])}
    if "window" in takes and options.get("root") != "open" and draw.random() < 0.4:
        alpha = draw.randint(-6, 4)
        options["window"] = (alpha, alpha + draw.randint(1, 4))
    return options


@pytest.mark.parametrize(
    ("spec", "name"),
    [*((spec, "alphabeta") for spec in GAMES), *(("dag", name) for name in TEXTS), ("dots", "pvs")],
)
def test_twins_agree_under_all_conventions(spec: str, name: str) -> None:
    draw, game = random.Random(f"{spec} {name}"), GAMES[spec]()

    def hold(position: Any, **options: Any) -> None:
        assert_twins(position, name, heuristic=OPINIONS[spec], game=game, **options)

    for _ in range(80):
        hold(some_position(game, draw), **some_options(name, game, draw))
    for _ in range(10):
        hold(some_position(game, draw), nodes=draw.randint(1, 500))
    if spec != "othello":
        hold(game.start())

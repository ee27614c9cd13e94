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


@pytest.mark.parametrize("spec", GAMES)
def test_twins_agree_under_all_conventions(spec: str) -> None:
    draw, game = random.Random(spec), GAMES[spec]()
    for name in TEXTS:
        for _ in range(40):
            position = some_position(game, draw)
            assert_twins(
                position,
                name,
                heuristic=OPINIONS[spec],
                game=game,
                **some_options(name, game, draw),
            )
        for _ in range(5):
            assert_twins(
                some_position(game, draw),
                name,
                heuristic=OPINIONS[spec],
                game=game,
                nodes=draw.randint(1, 500),
            )
        if spec != "othello":
            assert_twins(game.start(), name, heuristic=OPINIONS[spec], game=game)

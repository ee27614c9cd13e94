"""A game of one's own is searched compiled as it is in Python: same value, counts, bounds and lines
on every position, whatever the conventions."""

from __future__ import annotations

import random
from typing import Any

import pytest

from plyscope import ALGORITHMS
from plyscope.searching.conventions import CHOICES
from plyscope_fast.searching.own.run import TEXTS
from sizes import sized
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


ALGORITHMS_OF = {spec: ["alphabeta"] for spec in GAMES}
ALGORITHMS_OF["dag"] = list(TEXTS)
ALGORITHMS_OF["hexapawn"].append("iterative-deepening")  # moves are pairs
ALGORITHMS_OF["dots"].append("mtdf")  # sides do not alternate
if sized(0, 1):
    for spec in GAMES:
        ALGORITHMS_OF[spec] = list(TEXTS)


@pytest.mark.parametrize("spec", GAMES)
def test_twins_agree_under_all_conventions(spec: str) -> None:
    """One test a game: each algorithm compiles for seconds, the game's own methods once."""
    game = GAMES[spec]()
    for name in ALGORITHMS_OF[spec]:
        draw = random.Random(f"{spec} {name}")
        asked: list[tuple[Any, dict[str, Any]]] = [
            (some_position(game, draw), some_options(name, game, draw))
            for _ in range(sized(40, 400))
        ]
        asked += [
            (some_position(game, draw), {"nodes": draw.randint(1, 500)})
            for _ in range(sized(10, 50))
        ]
        if spec != "othello" and sized(spec != "dots", True):  # dots has 400,000 nodes
            asked.append((game.start(), {}))
        for position, options in asked:
            assert_twins(position, name, heuristic=OPINIONS[spec], game=game, **options)

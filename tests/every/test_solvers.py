"""What every solver of the catalogue promises on every game that it plays."""

from __future__ import annotations

import random

import pytest

import plyscope as ps
from games import distance_of
from listed import EVERY_GAME, Oracle, game_of, is_small, late_state, sign
from plyscope.errors import OptionError
from plyscope.rules.linegame import LineGame
from plyscope.rules.source import as_position
from plyscope.solving.solvers import SOLVERS

SAMPLES = 2


@pytest.mark.parametrize("name", [*SOLVERS, "auto"])
@pytest.mark.parametrize("spec", EVERY_GAME)
def test_proves_the_values_of_brute_force_and_rejects_other_games(spec: str, name: str) -> None:
    """Value, score, best moves, and the value and distance of each move."""
    game, draw = game_of(spec), random.Random(f"{spec} {name}")
    start = as_position(game)
    is_scored, is_line = getattr(game, "scored", False), isinstance(game, LineGame)
    solver = dict(SOLVERS).get(name)
    if name == "tablebase" and is_line and game.size > 16:
        return  # seconds to generate: test_tablebase.py has one
    if solver is not None and not solver.plays(start):
        with pytest.raises(OptionError, match="'; expected ") as told:
            ps.solve(start, name)
        assert "\n" not in str(told.value)
        return
    for _ in range(SAMPLES):
        state = late_state(game, draw, 5)
        if not is_small(game, state):
            continue
        oracle, view = Oracle(game), -1 if game.side(state) else 1
        found = ps.solve(state, name, game=game)
        about = (str(state), found)
        if found.value is None:  # a book without it, or no win by threats
            assert name in ("book", "threats", "lines", "blocking"), about
            continue
        value = view * oracle.value(state)
        worth = {move: view * oracle.value(game.play(state, move)) for move in game.moves(state)}
        assert found.value == sign(value), about
        if is_scored:
            assert found.score == value, about
        assert found.best_moves or name == "threats", about  # which may prove a draw alone
        exact = worth if is_scored else {move: sign(each) for move, each in worth.items()}
        assert {exact[move] for move in found.best_moves} <= {max(exact.values())}, about
        for item in found.moves or ():
            assert item.value == sign(worth[item.move]), (about, item)
            ends = distance_of(game, game.play(state, item.move))[1] + 1
            assert item.distance in (None, ends), (about, item)
        if found.distance is not None:
            assert found.distance == distance_of(game, state)[1], about

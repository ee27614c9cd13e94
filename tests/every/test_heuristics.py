"""What every heuristic of the catalogue promises on every game."""

from __future__ import annotations

import random

import pytest

import plyscope as ps
from listed import LINE_GAMES, OWN_GAMES, game_of, late_state, some_game
from plyscope import HEURISTICS
from plyscope.errors import PlyscopeError
from plyscope.evaluation.heuristics import find_heuristic
from plyscope.searching.score import WIN

PLIES = 12
ONE_VIEW = ("five-numbers",)
"""Heuristics with other numbers for the stones of the evaluated side than for the other's."""


@pytest.mark.parametrize("name", HEURISTICS)
@pytest.mark.parametrize("spec", LINE_GAMES)
def test_gives_whole_numbers_that_negate_with_the_colours_and_add_up(spec: str, name: str) -> None:
    game, most = game_of(spec), HEURISTICS[name].quick_cells
    if most is not None and game.size > most:
        return
    states = [state for state, _ in some_game(game, random.Random(3))][:PLIES]
    for state in [*states, states[-1].play(states[-1].moves[0])]:
        heuristic = find_heuristic(name, game)
        value = heuristic.evaluate(state, 0)
        assert type(value) is int
        assert abs(value) < WIN
        if name not in ONE_VIEW:
            assert heuristic.evaluate(state, 1) == -value
        assert ps.evaluate(state, name, side="x") == value
        again = game.position(state.first, state.second, state.side) if game.alternates else state
        assert heuristic.evaluate(again, 0) == value
        explanation = heuristic.explain(state, 0)
        assert explanation.total == value
        if explanation.lines is not None and name != "result":
            assert explanation.sum == value


@pytest.mark.parametrize("name", HEURISTICS)
@pytest.mark.parametrize("spec", OWN_GAMES)
def test_says_nothing_of_a_game_without_lines_or_rejects_it(spec: str, name: str) -> None:
    game = game_of(spec)
    state = late_state(game, random.Random(spec))
    try:
        value = ps.evaluate(state, name, game=game)
    except PlyscopeError as refused:
        assert repr(name) in str(refused)
        assert "needs a line game" in str(refused)
        assert "\n" not in str(refused)
    else:
        assert (name, value) in {("null", 0), ("result", 0)}

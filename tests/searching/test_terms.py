"""Heuristics of several terms in both forms of a search."""

from __future__ import annotations

import random

import pytest

from plyscope import parse_game
from plyscope.searching.algorithms import TEXTBOOK
from twins import FANO, SPECS, assert_twins, some_options, some_position, some_terms


@pytest.mark.parametrize("spec", [*SPECS, "4,4,4,torus", "9,8,3", "fano"])
@pytest.mark.parametrize("name", TEXTBOOK)
def test_twins_agree_on_terms(name: str, spec: str) -> None:
    draw = random.Random(f"{name} {spec}")
    game = FANO if spec == "fano" else parse_game(spec)
    for _ in range(12 if game.size < 30 else 3):
        position = some_position(game, draw)
        options = {**some_options(name, draw, position), "heuristic": some_terms(draw, game)}
        assert_twins(position, name, **options)

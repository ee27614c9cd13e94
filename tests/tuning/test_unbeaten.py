"""Numbers that never lose: against every line of play by brute force, and sweeps of all weights."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from itertools import combinations, product
from math import gcd, inf

import pytest

import oracles
from plyscope import parse_game
from plyscope.errors import OptionError
from plyscope.lab.agents.catalogue import parse_agent
from plyscope.lab.judging.certify.every_line import EveryLine
from plyscope.lab.judging.whole import WholeGame
from plyscope.rules.game import FIRST
from plyscope.tuning.family import find_family
from plyscope_optima.optimum import games_lost
from plyscope_optima.unbeaten import NeverLoses, unbeaten
from programmes import unbeaten_by_programme
from sizes import sized

ALL = "kinds+cells"


@cache
def whole(game: str) -> WholeGame:
    return WholeGame(parse_game(game))


def choices(
    b: oracles.Board, side: str, depth: int, at: Sequence[int], weights: Sequence[int]
) -> list[int]:
    """The moves that minimax of `depth` plies rates best, with weights of the features `at`."""
    other = "O" if side == "X" else "X"

    def value(c: oracles.Board, plies: int) -> float:
        for who, result in ((side, 1e9), (other, -1e9)):
            if oracles.has_line(c, who, oracles.LINES3):
                return result
        if "." not in c:
            return 0
        if not plies:
            features = oracles.features3(c, side)
            return sum(features[one] * weight for one, weight in zip(at, weights, strict=True))
        mover = oracles.to_move(c)
        below = [
            value(oracles.place(c, cell, mover), plies - 1)
            for cell in oracles.moves(c, oracles.LINES3)
        ]
        return max(below) if mover == side else min(below)

    rated = {
        cell: value(oracles.place(b, cell, side), depth - 1)
        for cell in oracles.moves(b, oracles.LINES3)
    }
    return [cell for cell, score in rated.items() if score == max(rated.values())]


def never_loses(sides: str, depth: int, at: Sequence[int], weights: Sequence[int]) -> bool:
    """Play every line against every reply."""
    for side in sides.upper():
        known: dict[oracles.Board, bool] = {}

        def holds(b: oracles.Board, side: str = side, known: dict = known) -> bool:
            if b not in known:
                mover = oracles.to_move(b)
                other = "O" if side == "X" else "X"
                if oracles.has_line(b, other, oracles.LINES3):
                    known[b] = False
                elif oracles.has_line(b, side, oracles.LINES3) or "." not in b:
                    known[b] = True
                else:
                    cells = (
                        choices(b, side, depth, at, weights)
                        if mover == side
                        else oracles.moves(b, oracles.LINES3)
                    )
                    known[b] = all(holds(oracles.place(b, cell, mover)) for cell in cells)
            return known[b]

        if not holds((".",) * 9):
            return False
    return True


def some_family(draw: random.Random, size: int):
    every = find_family(ALL, "null", parse_game("tictactoe")).parameters
    at = sorted(draw.sample(range(len(every)), size))
    free = [every[one] for one in at]
    return find_family(ALL, "null", parse_game("tictactoe"), free), at


@pytest.mark.parametrize("seed", range(60))
def test_finds_weights_that_hold_every_line_of_play(seed: int) -> None:
    draw = random.Random(seed)
    depth = 1 if seed % 3 else 2
    family, at = some_family(draw, draw.randint(2, 10))
    sides = draw.choice(["x", "o", "xo"])
    search = NeverLoses(family, whole("tictactoe"), sides, depth)
    for _ in range(3):
        weights = tuple(draw.randint(-6, 6) for _ in at)
        assert search.holds(weights) == never_loses(sides, depth, at, weights)


PLANE = [at for at in product(range(-17, 18), repeat=2) if gcd(*at) == 1]
"""Weights in all sectors between directions of numbers up to 8, and on all of these."""


@pytest.mark.parametrize("seed", range(6))
def test_finds_two_weights_as_a_sweep_of_all_directions(seed: int) -> None:
    draw = random.Random(seed)
    family, at = some_family(draw, 2)
    for sides in ("x", "o"):
        found = unbeaten(family, sides, population=whole("tictactoe"))
        assert found.is_proved
        if found.weights is not None:
            assert never_loses(sides, 1, at, found.weights)
        else:
            assert not any(never_loses(sides, 1, at, weights) for weights in PLANE)


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("depth", [1, 2])
def test_beats_random_weights_where_none_hold(seed: int, depth: int) -> None:
    draw = random.Random(seed)
    family, at = some_family(draw, draw.randint(3, 6))
    sides = draw.choice(["x", "o", "xo"])
    found = unbeaten(family, sides, depth, population=whole("tictactoe"))
    assert found.is_proved
    if found.weights is not None:
        assert never_loses(sides, depth, at, found.weights)
        return
    for _ in range(60 // depth):
        weights = [draw.randint(-9, 9) for _ in at]
        assert not never_loses(sides, depth, at, weights)


def test_finds_two_numbers_that_hold_as_x_and_none_as_o() -> None:
    family = find_family("lines", "null", parse_game("tictactoe"))
    assert unbeaten(family, "x").weights == (1, 2)
    assert unbeaten(family, "o").is_possible is False
    assert unbeaten(family, "xo").is_possible is False
    table = find_family("table", "null", parse_game("tictactoe"))
    assert unbeaten(table, "o").is_possible is False


def test_needs_six_of_the_eight_numbers_by_kinds_of_lines() -> None:
    game = parse_game("tictactoe")
    every = find_family("kinds", "null", game).parameters
    for some in combinations(every, 5):
        family = find_family("kinds", "null", game, list(some))
        assert unbeaten(family, "o", population=whole("tictactoe")).is_possible is False
    family = find_family("kinds", "null", game, [*every[:1], *every[2:5], *every[6:]])
    found = unbeaten(family, population=whole("tictactoe"))
    assert found.weights is not None
    assert games_lost(family, found.weights) == (None, None)


@pytest.mark.parametrize("sides", ["x", "o"])
@pytest.mark.parametrize("seed", range(5))
def test_agrees_with_a_mixed_integer_programme(seed: int, sides: str) -> None:
    draw = random.Random(f"{seed} {sides}")
    family, at = some_family(draw, draw.randint(2, 6))
    found = unbeaten(family, sides, population=whole("tictactoe"))
    weights = unbeaten_by_programme(sides, at)
    assert (weights is not None) == found.is_possible
    assert weights is None or never_loses(sides, 1, at, weights)


NONE_AS_O = (0, 4), (0, 1, 2, 3), (1, 2, 3, 6, 7), (2, 3, 4, 6, 7), (0, 1, 2, 3, 8, 9)


@pytest.mark.parametrize("at", NONE_AS_O[: sized(3, 5)], ids=str)
def test_agrees_with_a_mixed_integer_programme_that_none_hold_as_o(at: tuple[int, ...]) -> None:
    every = find_family(ALL, "null", parse_game("tictactoe")).parameters
    free = [every[one] for one in at]
    family = find_family(ALL, "null", parse_game("tictactoe"), free)
    assert unbeaten(family, "o", population=whole("tictactoe")).is_possible is False
    assert unbeaten_by_programme("o", at) is None


@pytest.mark.parametrize("game", ["3,3,3,misere", "3,3,3,gravity", "4,2,3", "3,3,3,torus"])
def test_certify_confirms_weights_that_hold(game: str) -> None:
    rules = parse_game(game)
    for name in ("lines", "kinds+cells"):
        family = find_family(name, "null", rules)
        for sides in ("x", "o"):
            found = unbeaten(family, sides, population=whole(game))
            lost = games_lost(family, found.weights or family.weights_of_start)
            assert (lost["xo".index(sides)] is None) == (found.weights is not None)


def test_counted_lines_one_ply_deep_never_lose_4_4_4_as_x() -> None:
    """With the first of tied moves; `certify` follows O too."""
    agent = parse_agent("alphabeta depth=1 heuristic=counted-lines")
    lines = EveryLine(agent, parse_game("4,4,4"), FIRST, 10**6, inf, None)
    games = lines.play_out()
    assert games.losses == 0
    assert min(games.wins, games.draws) > 20_000


def test_keeps_the_factor_of_a_fixed_part() -> None:
    """Beside lines of 1 and 3, the cells alone are free."""
    family = find_family("cells", "counted-lines", parse_game("tictactoe"))
    found = unbeaten(family, "x", population=whole("tictactoe"))
    assert found.weights is not None
    assert (games_lost(family, found.weights) or ((), ()))[0] is None


def test_proves_nothing_by_a_stopped_search() -> None:
    family = find_family("kinds", "null", parse_game("tictactoe"))
    stopped = unbeaten(family, seconds=0, population=whole("tictactoe"))
    assert not stopped.is_proved
    assert stopped.is_possible is None
    assert stopped.nodes == 1


@pytest.mark.parametrize("sides", ["", "xy"])
def test_rejects_other_sides(sides: str) -> None:
    family = find_family("lines", "null", parse_game("tictactoe"))
    with pytest.raises(OptionError, match="expected x, o or xo"):
        unbeaten(family, sides)

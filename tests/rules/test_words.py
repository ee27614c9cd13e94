"""Line games as data: the words of a game's text, held to rules played by hand."""

from __future__ import annotations

import random
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

import pytest

import oracles
from games import BruteForce
from plyscope import parse, parse_game, perft, search, solve
from plyscope.evaluation.tablebase import generate
from plyscope.rules.linegame import LineGame
from plyscope.rules.lines import bits

MOST_CELLS = 7
"""Of a board that is played out by hand."""


def drawn(draw: random.Random) -> tuple[LineGame, oracles.LineRules]:
    """A small game whose rules are drawn, and the same rules for the oracle."""
    shape = draw.choice(
        [(3, 3), (4, 2), (3, 2), (2, 4), (5, 1), (2, 2, 2), (4, 3), (7, 1), (3, 1, 3)]
    )
    k = draw.choice((2, 3, 3, 3, 4))
    axes = [axis for axis in range(len(shape)) if draw.random() < 0.3]
    places = list(product(*map(range, shape)))
    fewest = max(len(places) - MOST_CELLS, 0)
    holes = draw.sample(places, fewest + draw.choice((0, 0, 1, 2)))
    hexagonal = len(shape) == 2 and draw.random() < 0.2
    steps: Any = None
    if hexagonal:
        steps = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)]
    elif draw.random() < 0.3:
        vectors = [step for step in product((-1, 0, 1, 2), repeat=len(shape)) if any(step)]
        steps = draw.sample(vectors, min(len(vectors), draw.randint(1, 3)))
    flags = {name: draw.random() < 0.3 for name in ("misere", "exactly")}
    flags["gravity"] = len(shape) > 1 and draw.random() < 0.3
    stones, first = draw.choice(((1, 1), (1, 1), (2, 1), (2, 2), (1, 2), (3, 1), (2, 3)))

    def number(place: tuple[int, ...]) -> int:
        return sum(x * prod(shape[:axis]) for axis, x in enumerate(place))

    game = LineGame.grid(
        *shape,
        k=k,
        torus="".join("xyzw"[axis] for axis in axes),
        holes=sum(1 << number(place) for place in holes),
        directions=None if hexagonal else steps and tuple(steps),
        hexagonal=hexagonal,
        stones=stones,
        first_stones=first,
        **flags,  # type: ignore[arg-type]
    )
    rules = oracles.LineRules(
        shape, k, steps=steps, round=axes, holes=holes, stones=stones, first=first, **flags
    )
    return game, rules


def stones_of(position: Any) -> oracles.Stones:
    """The stones as the oracle has them."""
    shape = position.game.shape

    def place(cell: int) -> tuple[int, ...]:
        return tuple(cell // prod(shape[:axis]) % size for axis, size in enumerate(shape))

    return frozenset(map(place, bits(position.first))), frozenset(map(place, bits(position.second)))


@pytest.mark.parametrize("seed", range(300))
def test_rules_drawn_at_random_are_played_as_by_hand(seed: int) -> None:
    draw = random.Random(seed)
    game, rules = drawn(draw)
    depth = 5
    counts = [
        (ply.sequences, ply.positions, ply.first_wins, ply.second_wins, ply.draws)
        for ply in perft(game, depth=depth)
    ]
    assert counts == rules.perft(depth), game
    assert BruteForce(game).value(game.start()) == rules.value((frozenset(), frozenset())), game
    assert parse_game(game.name).rules == game.rules
    position, met = game.start(), [game.start()]
    while not position.is_over:
        position = position.play(draw.choice(position.moves))
        met.append(position)
    for position in met:
        stones = stones_of(position)
        assert position == game.position(position.first, position.second)
        assert parse(str(position)) == position == parse(f"{position}", game)
        assert position.side == rules.mover(sum(map(len, stones)))
        assert position.game.payoff(position) == rules.worth(stones)
        if position.is_over or (game.board & ~(position.first | position.second)).bit_count() > 5:
            continue
        for algorithm in ("minimax", "alphabeta"):
            found = search(
                position, algorithm, heuristic="null", scoring="result", form="reference"
            )
            sign = -1 if position.side else 1
            value = found.value
            assert sign * ((value > 0) - (value < 0)) == rules.value(stones), position


@pytest.mark.parametrize("seed", range(300, 360))
def test_tablebases_of_drawn_rules_have_the_values_and_distances_by_hand(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plyscope.evaluation.tablebase.home", lambda: tmp_path)
    draw = random.Random(seed)
    game, rules = drawn(draw)
    table = generate(game, lambda what, count: None)
    position = game.start()
    while not position.is_over:
        value, plies = rules.outcome(stones_of(position))
        own = -value if position.side else value
        assert table.probe(position) == (own, plies), position
        verdict = solve(position, "tablebase")
        for item in verdict.moves or ():
            value, plies = rules.outcome(stones_of(position.play(item.move)))
            own = -value if position.side else value
            assert (item.value, item.distance) == (own, None if plies is None else plies + 1)
        assert all(
            (item.value, item.distance) == (verdict.value, verdict.distance)
            for item in verdict.moves or ()
            if item.move in verdict.best_moves
        )
        position = position.play(draw.choice(position.moves))
    value, plies = rules.outcome(stones_of(position))
    assert table.probe(position) == (-value if position.side else value, 0 if value else None)

"""The engine with patterns in positions that are won by threats, found by the solver."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from plyscope import parse_agent
from plyscope.solving.ask import Ask
from plyscope_fast.solving.threats import threat_solver
from sizes import sized
from threat_wins import Win, is_still_won, wins


@pytest.fixture(scope="module")
def sample() -> list[Win]:
    return random.Random(3).sample(wins(), 24)


def test_has_wins_of_the_kinds_that_the_file_says() -> None:
    known = wins()
    assert len({win.moves for win in known}) == len(known) >= 300
    for win in random.Random(4).sample(known, sized(16, len(known))):
        position = win.position
        solver, side = threat_solver(position.game), position.side
        fours = solver.by_fours(position, side)
        assert (win.kind == "fours") == (fours is not None), win
        assert 5 <= win.plies <= 21, win
        assert win.plies % 2 == 1, win
        assert solver.wins(Ask(position, limit=20_000), side, in_place=True).wins, win


def test_the_engine_keeps_wins_by_fours_and_most_by_threes() -> None:
    kept = Counter[str]()
    sample = random.Random(5).sample(wins(), sized(30, 300))
    agent = parse_agent("engine heuristic=patterns nodes=20000")
    for win in sample:
        move = agent.choose(win.position, random.Random(0)).move
        kept[win.kind] += is_still_won(win.position, move, threat_solver(win.position.game))
    asked = Counter(win.kind for win in sample)
    assert kept["fours"] >= 0.95 * asked["fours"], (kept, asked)
    assert kept["threes"] >= 0.6 * asked["threes"], (kept, asked)


def test_plays_the_wins_to_their_end(sample: list[Win]) -> None:
    player = parse_agent("engine heuristic=patterns nodes=4000")
    defender = parse_agent("engine heuristic=patterns nodes=2000")
    for win in sample[: sized(6, 24)]:
        position, draw = win.position, random.Random(0)
        winner, agents = position.side, [player, defender]
        while not position.is_over:
            position = position.play(agents[0].choose(position, draw).move)
            agents.reverse()
        assert position.winner == winner, win

"""The player: the engine, checked by the solver of threats."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from plyscope import parse, parse_agent
from plyscope.errors import OptionError, UnknownNameError
from plyscope.lab.agents import thinking
from plyscope.lab.agents.thinking import think
from plyscope.rules.position import Position
from plyscope.solving.ask import Ask
from plyscope.solving.threats import threat_solver
from sizes import sized
from threat_wins import Win, is_still_won, wins

FEW_NODES = 200
"""The engine's nodes, too few to find most wins by itself."""


@pytest.fixture(scope="module")
def sample() -> list[Win]:
    return random.Random(3).sample(wins(), 24)


def test_the_wins_are_of_the_kinds_that_the_file_says() -> None:
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


def test_the_player_keeps_wins_by_fours_and_most_by_threes() -> None:
    kept = Counter[str]()
    sample = random.Random(5).sample(wins(), sized(30, 300))
    agent = parse_agent("player nodes=20000")
    for win in sample:
        move = agent.choose(win.position, random.Random(0)).move
        kept[win.kind] += is_still_won(win.position, move, threat_solver(win.position.game))
    asked = Counter(win.kind for win in sample)
    assert kept["fours"] >= 0.95 * asked["fours"], (kept, asked)
    assert kept["threes"] >= 0.6 * asked["threes"], (kept, asked)


def test_it_keeps_the_wins_that_the_solver_finds(
    sample: list[Win], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(thinking, "NODES_SHARE", 20.0)
    reasons = []
    for win in sample:
        solver = threat_solver(win.position.game)
        found = think(win.position, heuristic="patterns", nodes=FEW_NODES)
        assert is_still_won(win.position, found.move, solver), win
        reasons.append(found.reason)
    assert "win" in reasons


def test_it_does_not_play_a_move_that_the_solver_refutes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In such positions with the other side to move, where some moves stop the win."""
    monkeypatch.setattr(thinking, "NODES_SHARE", 10.0)
    refuted = 0
    for win in [win for win in wins() if win.kind == "threes"]:
        if refuted:
            break
        position = win.position
        passed = position.game.position(position.first, position.second, 1 - position.side)
        found = think(passed, heuristic="patterns", nodes=FEW_NODES)
        if found.reason == "refuted":
            refuted += 1
            plain = parse_agent(f"engine heuristic=patterns nodes={FEW_NODES}")
            worse = passed.play(plain.choose(passed, random.Random(0)).move)
            assert attacker_wins(worse)
            assert not attacker_wins(passed.play(found.move))
    assert refuted > 0


def test_it_plays_the_wins_to_their_end(sample: list[Win]) -> None:
    player = parse_agent("player nodes=4000")
    defender = parse_agent("engine heuristic=patterns nodes=2000")
    for win in sample[: sized(6, 24)]:
        position, draw = win.position, random.Random(0)
        winner, agents = position.side, [player, defender]
        while not position.is_over:
            position = position.play(agents[0].choose(position, draw).move)
            agents.reverse()
        assert position.winner == winner, win


def attacker_wins(position: Position) -> bool:
    """Return whether the solver finds a win for the side to move."""
    solver = threat_solver(position.game)
    return bool(solver.wins(Ask(position, limit=4_000), position.side, in_place=True).wins)


def test_the_agent_has_limits_of_its_own() -> None:
    agent = parse_agent("player nodes=300")
    position = parse("7,7,5 d4 d5 e4")
    assert agent.choose(position, random.Random(0)) == agent.choose(position, random.Random(1))
    assert parse_agent("player nodes=1").choose(position, random.Random(0)).move in position.moves
    with pytest.raises(UnknownNameError, match="depth"):
        parse_agent("player depth=3")
    with pytest.raises(OptionError, match="nodes 'x'"):
        parse_agent("player nodes=x")

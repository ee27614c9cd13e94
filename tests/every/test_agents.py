"""What every agent of the catalogue promises on games of each kind."""

from __future__ import annotations

import random

import pytest

import plyscope as ps
from listed import SMALL, Oracle, game_of, late_state
from plyscope import AGENTS
from plyscope.errors import PlyscopeError
from plyscope.lab.matches.game import play_game
from plyscope.rules.linegame import LineGame
from plyscope.rules.source import as_position

KINDS = (
    *("tictactoe", "misere-tictactoe", "4,4,3,stones=2", "4,4,3,exactly,holes=b2"),
    *("connect4-5x4", "examples/nim.py", "student's dots", "othello, passing"),
)
LONGEST = ("engine", "level-9", "level-10")
"""Those that think for seconds, on the smallest board alone."""


@pytest.mark.parametrize("name", AGENTS)
@pytest.mark.parametrize("spec", KINDS)
def test_chooses_the_same_legal_move_by_seed_or_rejects_the_game(spec: str, name: str) -> None:
    game, agent = game_of(spec), ps.parse_agent(name)
    if name in LONGEST and spec != "tictactoe":
        return
    start = as_position(late_state(game, random.Random(spec), 5), game)
    try:
        choices = list(agent.choices(start))
    except PlyscopeError as refused:
        assert not isinstance(game, LineGame) or not game.alternates
        assert "expected" in str(refused) or "needs" in str(refused)
        assert "\n" not in str(refused)
        return
    assert choices
    assert set(choices) <= set(start.moves)
    chosen = [agent.choose(start, random.Random(2)).move for _ in range(2)]
    assert chosen[0] == chosen[1]
    assert chosen[0] in start.moves


@pytest.mark.parametrize("name", AGENTS)
def test_plays_a_whole_game(name: str) -> None:
    agent = ps.parse_agent(name)
    assert agent.name == name
    record = play_game((agent, AGENTS["random"]), ps.parse("tictactoe"), random.Random(1))
    assert (record.end.is_over, record.is_forfeit) == (True, False)
    assert ps.parse("tictactoe " + " ".join(record.moves)) == record.end


@pytest.mark.parametrize("text", ["perfect", "mtdf"])
@pytest.mark.parametrize("spec", SMALL)
def test_loses_only_lost_positions_when_it_sees_to_the_end(spec: str, text: str) -> None:
    game = game_of(spec)
    worth = Oracle(game).value(game.start())
    first, second = ps.certify(text, game).sides
    assert ((first.losses > 0), (second.losses > 0)) == ((worth < 0), (worth > 0))
    assert worth <= 0 or first.wins > 0 == first.draws

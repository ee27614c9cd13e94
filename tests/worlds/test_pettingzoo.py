"""PettingZoo's board games: held to the package where it is installed, and to observations composed
in the layout that it documents."""

from __future__ import annotations

import random
import warnings
from importlib import import_module
from typing import Any

import numpy as np
import pytest

import plyscope as ps
from plyscope.errors import OptionError
from plyscope.rules.position import Position
from plyscope_worlds.pettingzoo import (
    action_of_move,
    as_pettingzoo_policy,
    position_of_observation,
)
from sentences import refuses
from twins import some_position

GAMES = {"tictactoe_v3": "tictactoe", "connect_four_v3": "connect4"}

COMPOSED = {
    # after actions 1, 3, 4 of tictactoe_v3, seen by player_2
    "tictactoe": ([[[0, 0], [0, 1], [0, 0]], [[1, 0], [0, 1], [0, 0]], [[0, 0]] * 3], "a2 b3 b2"),
    # after actions 1, 1, 3 of connect_four_v3, seen by player_1
    "connect4": (
        [
            *[[[0, 0]] * 7] * 4,
            [[0, 0], [1, 0], *[[0, 0]] * 5],
            [[0, 0], [0, 1], [0, 0], [0, 1], *[[0, 0]] * 3],
        ],
        "b1 b2 d1",
    ),
}


def made(name: str) -> Any:
    """Return an environment of PettingZoo; how it is made changes from release to release."""
    pytest.importorskip("pettingzoo", reason="pettingzoo is not installed")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return import_module(f"pettingzoo.classic.{name}").env()


@pytest.mark.parametrize("game", COMPOSED)
def test_reads_an_observation_cell_by_cell(game: str) -> None:
    planes, moves = COMPOSED[game]
    position = position_of_observation(np.array(planes, np.int8))
    assert position == ps.parse(f"{game} {moves}")


@pytest.mark.parametrize("name", GAMES)
def test_every_observation_is_the_position_of_the_moves_so_far(name: str) -> None:
    env, draw = made(name), random.Random(name)
    for seed in range(20):
        env.reset(seed=seed)
        position = ps.parse_game(GAMES[name]).start()
        while True:
            seen, _, is_over, _, _ = env.last()
            if is_over:
                break
            assert position_of_observation(seen["observation"]) == position
            allowed = {action for action, is_on in enumerate(seen["action_mask"]) if is_on}
            cells = {action_of_move(position, cell): cell for cell in position.moves}
            assert set(cells) == allowed
            action = draw.choice(sorted(allowed))
            env.step(action)
            position = position.play(cells[action])
        assert position.is_over


@pytest.mark.parametrize(
    ("name", "agent", "games"),
    [("tictactoe_v3", "perfect", 200), ("connect_four_v3", "alphabeta depth=3", 10)],
)
def test_plays_whole_games_by_a_policy(name: str, agent: str, games: int) -> None:
    env, policy, draw = made(name), as_pettingzoo_policy(agent), random.Random(5)
    rewards = []
    for number in range(games):
        env.reset(seed=number)
        own = env.possible_agents[number % 2]
        for each in env.agent_iter():
            seen, _, is_over, _, _ = env.last()
            if is_over:
                break
            other = [action for action, is_on in enumerate(seen["action_mask"]) if is_on]
            env.step(policy(seen) if each == own else draw.choice(other))
        rewards.append(env.rewards[own])
    assert min(rewards) >= 0 if agent == "perfect" else sum(rewards) > 0
    assert sum(rewards) > games // 2


def test_accepts_observation_and_mask_apart_or_together() -> None:
    planes = np.zeros((3, 3, 2), np.int8)
    planes[0, 0, 0] = planes[0, 1, 0] = planes[1, 0, 1] = planes[1, 1, 1] = 1
    policy, mask = as_pettingzoo_policy("perfect"), np.ones(9, np.int8)
    assert policy(planes, mask) == policy({"observation": planes, "action_mask": mask}) == 2
    assert policy(planes) == 2  # downwards, the third of the first column
    with pytest.raises(OptionError, match="action 2 is masked"):
        policy(planes, mask - 1)


def test_maps_actions_to_cells_and_back() -> None:
    for spec, count in (("tictactoe", 9), ("connect4", 7)):
        position = some_position(ps.parse_game(spec), random.Random(1))
        assert isinstance(position, Position)
        actions = [
            action_of_move(ps.parse_game(spec).start(), cell)
            for cell in ps.parse_game(spec).start().moves
        ]
        assert sorted(actions) == list(range(count))


@pytest.mark.parametrize("shape", [(8, 8, 2), (3, 3), (7, 6, 2)])
def test_rejects_an_observation_of_another_game(shape: tuple[int, ...]) -> None:
    with refuses(OptionError):
        as_pettingzoo_policy("random")(np.zeros(shape, np.int8))


def test_rejects_an_observation_of_a_finished_game() -> None:
    planes = np.zeros((3, 3, 2), np.int8)
    planes[0, :, 1] = 1
    planes[1, 0:2, 0] = 1
    with refuses(OptionError):
        as_pettingzoo_policy("random")(planes)

"""The Gymnasium environment: by Gymnasium's own checker, and its values by brute force."""

from __future__ import annotations

import random
import sys
from functools import cache
from typing import Any

import numpy as np
import pytest

import oracles
import plyscope as ps
from plyscope.errors import OptionError
from plyscope_worlds import gymnasium as world
from plyscope_worlds.gymnasium import gymnasium_env
from sentences import refuses
from sizes import sized

GAMES = ("tictactoe", "4,3,3", "4,4,3,gravity", "3,3,3,misere")


@pytest.fixture
def gymnasium() -> Any:
    return pytest.importorskip("gymnasium", reason="gymnasium is not installed")


@pytest.mark.parametrize("game", GAMES)
def test_passes_the_checker_of_gymnasium(gymnasium: Any, game: str) -> None:
    from gymnasium.utils.env_checker import check_env

    check_env(gymnasium_env(game, "random"), skip_render_check=True)


def episode(env: Any, draw: random.Random, seed: int) -> tuple[list[dict[str, Any]], float]:
    """Play legal actions at random; return what was told, and the reward."""
    _, told = env.reset(seed=seed)
    every, reward, is_over = [told], 0.0, False
    while not is_over:
        action = draw.choice(np.flatnonzero(every[-1]["action_mask"]))
        seen, reward, is_over, is_cut, told = env.step(action)
        assert not is_cut
        assert seen in env.observation_space
        every.append(told)
    return every, reward


@pytest.mark.usefixtures("gymnasium")
@pytest.mark.parametrize("game", GAMES)
def test_rewards_the_value_less_all_regret_against_an_exact_opponent(game: str) -> None:
    env, draw = gymnasium_env(game, "perfect"), random.Random(game)
    for seed in range(25):
        told, reward = episode(env, draw, seed)
        assert reward == told[0]["value"] - sum(each["regret"] for each in told)
        assert all(each["regret"] in (0, 1, 2) for each in told)
        assert reward == told[-1]["value"]


@cache
def value(cells: str, mark: str) -> int:
    """What a board is worth to the mark to move, by trying everything."""
    other = "XO"["XO".index(mark) - 1]
    if any({cells[cell] for cell in line} == {other} for line in oracles.LINES3):
        return -1
    after = [
        -value(f"{cells[:cell]}{mark}{cells[cell + 1 :]}", other)
        for cell in range(9)
        if cells[cell] == "."
    ]
    return max(after, default=0)


@pytest.mark.usefixtures("gymnasium")
def test_gives_values_and_regrets_of_brute_force() -> None:
    env, draw = gymnasium_env("tictactoe", "random", side="x"), random.Random(2)
    for seed in range(sized(10, 60)):
        _, told = env.reset(seed=seed)
        while told["action_mask"].any():
            before = ps.parse(told["position"])
            cell = draw.choice(np.flatnonzero(told["action_mask"]))
            after = before.play(int(cell))
            _, _, is_over, _, told = env.step(cell)
            wanted = [
                value(str(each).replace("/", ""), "XO"[each.side]) for each in (before, after)
            ]
            assert told["regret"] == wanted[0] + wanted[1]
            if is_over:
                break


@pytest.mark.usefixtures("gymnasium")
def test_repeats_an_episode_by_its_seed() -> None:
    for opponent in ("random", "perfect", "level-3"):
        one, other = (
            [
                episode(gymnasium_env("tictactoe", opponent), random.Random(4), seed)
                for seed in range(8)
            ]
            for _ in range(2)
        )
        as_text = [
            [[each["position"] for each in told] for told, _ in played] for played in (one, other)
        ]
        assert as_text[0] == as_text[1]
    sides = {gymnasium_env().reset(seed=seed)[1]["side"] for seed in range(20)}
    assert sides == {"x", "o"}


@pytest.mark.usefixtures("gymnasium")
def test_ends_the_episode_at_an_illegal_action_and_says_so() -> None:
    env = gymnasium_env("tictactoe", "random", side="x")
    _, told = env.reset(seed=1)
    env.step(4)
    _, reward, is_over, _, told = env.step(4)
    assert (reward, is_over, told["illegal"], told["regret"]) == (-1.0, True, True, None)


@pytest.mark.usefixtures("gymnasium")
def test_lets_the_learner_choose_a_side_and_shows_its_stones_first() -> None:
    env = gymnasium_env(
        "connect4-5x4", "alphabeta depth=1", side="o", render_mode="ansi", seconds=0.2
    )
    seen, told = env.reset(seed=3)
    assert (told["side"], seen[..., 0].sum(), seen[..., 1].sum()) == ("o", 0, 1)
    assert told["action_mask"].tolist() == [1] * 5
    assert sorted(env.render()) == sorted("\n\n\n" + "." * 19 + "X")
    seen, told = env.reset(options={"side": "x"})
    assert (told["side"], seen.sum()) == ("x", 0)


@pytest.mark.usefixtures("gymnasium")
@pytest.mark.parametrize(
    "options", [{"game": "qubic"}, {"side": "z"}, {"opponent": "nobody"}, {"render_mode": "human"}]
)
def test_rejects_what_makes_no_environment(options: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="expected"):
        gymnasium_env(**options)


def test_says_that_the_package_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    world._environment.cache_clear()
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    with refuses(OptionError):
        gymnasium_env()
    world._environment.cache_clear()

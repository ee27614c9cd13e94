"""plyscope's agents as policies for PettingZoo's `tictactoe_v3` and `connect_four_v3`.

PettingZoo is not imported. An observation is an array with two planes, as described at GAMES."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from plyscope.errors import OptionError
from plyscope.lab.agents.agent import Agent
from plyscope.lab.agents.catalogue import parse_agent
from plyscope.rules.games import line_game
from plyscope.rules.position import Position

GAMES = {(3, 3, 2): "tictactoe", (6, 7, 2): "connect4"}
"""The games by the shape of observations, which have two planes: the stones of the agent to move,
and those of the other agent.

    tictactoe_v3      observation[x, y, plane]: the first axis is the column, cells count downwards
    connect_four_v3   observation[y, x, plane]: the first axis is the row, from the top
"""


def position_of_observation(observation: Any) -> Position:
    """Return the position in an observation of the agent to move. Raises OptionError."""
    shape = tuple(getattr(observation, "shape", ()))
    if shape not in GAMES:
        raise OptionError(
            f"observation of shape {shape}; expected (3, 3, 2) of tictactoe_v3 "
            "or (6, 7, 2) of connect_four_v3"
        )
    game = line_game(GAMES[shape])
    stones = [0, 0]
    for one in range(shape[0]):
        for other in range(shape[1]):
            for plane in range(2):
                if observation[one, other, plane]:
                    cell = other * 3 + one if shape == (3, 3, 2) else one * 7 + other
                    stones[plane] |= 1 << cell
    mine, theirs = stones
    side = int(mine.bit_count() < theirs.bit_count())
    return game.position(*((theirs, mine) if side else (mine, theirs)), side)


def action_of_move(position: Position, cell: int) -> int:
    """Return PettingZoo's action: the column under gravity, else the cell counted downwards."""
    row, column = divmod(cell, position.game.width)
    return column if position.game.gravity else 3 * column + row


def as_pettingzoo_policy(
    agent: Agent | str | Callable[..., Any], seed: int = 0
) -> Callable[..., int]:
    """Return a policy: a function that returns the action of `agent` for an observation.

    Its arguments are the dictionary with observation and mask that `env.last()` and `env.observe()`
    return, or an observation and a mask. Random choices depend on `seed`. Raises the errors of
    `parse_agent`; the policy raises AgentError if the agent has no move.

        policy = as_pettingzoo_policy("perfect")
        env.step(policy(env.observe(env.agent_selection)))
    """
    player, random = parse_agent(agent), Random(seed)

    def policy(observation: Any, action_mask: Any = None) -> int:
        """Return the action to take."""
        if isinstance(observation, Mapping):
            observation, action_mask = observation["observation"], observation["action_mask"]
        position = position_of_observation(observation)
        if position.is_over:
            raise OptionError(f"observation of '{position}', a game that is over; expected none")
        action = action_of_move(position, player.choose(position, random).move)
        if action_mask is not None and not action_mask[action]:
            raise OptionError(
                f"action {action} is masked on '{position}'; expected the mask of this observation"
            )
        return action

    return policy

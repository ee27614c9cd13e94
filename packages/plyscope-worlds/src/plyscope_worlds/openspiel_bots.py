"""plyscope's agents as bots of OpenSpiel, in every game that `from_openspiel` accepts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from plyscope.lab.agents.agent import Agent
from plyscope.lab.agents.catalogue import parse_agent
from plyscope.rules.game import GamePosition
from plyscope.rules.games import parse_game
from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position
from plyscope_worlds.openspiel_games import OpenSpielState, from_openspiel, load_pyspiel


def _gomoku(of: Mapping[str, Any]) -> str:
    words = ",torus" * of["wrap"] + ",misere" * of["anti"]
    return f"{'x'.join([str(of['size'])] * max(2, of['dims']))},{of['connect']}{words}"


LINE_GAMES: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "tic_tac_toe": lambda of: "tictactoe",
    "connect_four": lambda of: "{columns},{rows},{x_in_row},gravity".format(**of),
    "mnk": lambda of: "{m},{n},{k}".format(**of),
    "gomoku": _gomoku,
}
"""plyscope's names of OpenSpiel's line games, from their parameters."""


def line_game_of(spiel: Any) -> LineGame | None:
    """Return the line game equal to a game of OpenSpiel, None if there is none."""
    kind = spiel.get_type()
    if kind.short_name not in LINE_GAMES:
        return None
    parameters = {**kind.parameter_specification, **spiel.get_parameters()}
    game = parse_game(LINE_GAMES[kind.short_name](parameters))
    return game if isinstance(game, LineGame) else None


def position_of_state(state: Any) -> Position | GamePosition:
    """Return the position of an OpenSpiel state.

    Line games become plyscope's own, for solvers and compiled searches; others are wrapped by
    `from_openspiel`, and its errors are raised.
    """
    game = line_game_of(state.get_game())
    if game is None:
        return GamePosition(from_openspiel(state.get_game()), OpenSpielState(state.clone()))
    position = game.start()
    for action in state.history():
        position = game.play(position, _cell(position, action))
    return position


def action_of_move(position: Position | GamePosition, move: int) -> int:
    """Return OpenSpiel's action for a move: the column under gravity, else the same number."""
    if isinstance(position, GamePosition) or not position.game.gravity:
        return move
    return move % position.game.width


def _cell(position: Position, action: int) -> int:
    if not position.game.gravity:
        return action
    return next(cell for cell in position.moves if cell % position.game.width == action)


def as_openspiel_bot(agent: Agent | str, seed: int = 0) -> Any:
    """Return a `pyspiel.Bot` that plays as `agent`, an agent or its text, on either side.

    Random choices depend on `seed`. Raises OptionError if OpenSpiel is not installed, and the
    errors of `parse_agent`.

        bot = as_openspiel_bot("perfect")
        action = bot.step(state)
    """
    player = parse_agent(agent) if isinstance(agent, str) else agent
    random = Random(seed)

    class Bot(load_pyspiel().Bot):  # type: ignore[misc]
        """A bot that plays as the agent."""

        def restart_at(self, state: Any) -> None:
            """Do nothing, since the bot has no state."""

        def inform_action(self, state: Any, player_id: int, action: int) -> None:
            """Do nothing, since `step` gets the whole state."""

        def step(self, state: Any) -> int:
            """Return the action that the agent plays."""
            position = position_of_state(state)
            return action_of_move(position, player.choose(position, random).move)

    return Bot()

"""A Gymnasium environment of a line game, with the exact regret of every action.

The opponent may play perfectly. Gymnasium is imported only when an environment is created.
"""

from __future__ import annotations

from functools import cache, lru_cache
from random import Random
from typing import Any

from plyscope.catalogue import checks_keywords
from plyscope.errors import OptionError
from plyscope.extras import load
from plyscope.lab.agents.agent import Agent
from plyscope.lab.agents.catalogue import parse_agent
from plyscope.rules.game import SIDES, parse_side
from plyscope.rules.games import parse_game
from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position
from plyscope.solving.solve import solve


@checks_keywords
def gymnasium_env(
    game: LineGame | str = "tictactoe",
    opponent: Agent | str = "perfect",
    side: str | int | None = None,
    seconds: float = 10.0,
    render_mode: str | None = None,
) -> Any:
    """Return a `gymnasium.Env` in which the learner plays `game` against `opponent`.

    The learner plays `side`, x or o (FIRST or SECOND). By default, a side is drawn for each
    episode. With the `render_mode` `ansi`, `render` returns the board as text.

        observation  an array of shape (rows, columns, 2) with 0 and 1: the learner's stones, then
                     the opponent's
        action       with gravity a column, else a cell, row by row from the top left
        reward       at the end of an episode: 1 won, 0 drawn, −1 lost; −1 for an illegal action,
                     which ends it
        info         action_mask: 1 for legal actions, else 0;
                     value: the exact value of the position for the learner, 1, 0 or −1;
                     regret: the loss of the last action, 0, 1 or 2;
                     illegal: whether the last action was illegal;
                     side: the learner's side; position: the position as text

    `solve` computes exact values within `seconds`; value and regret are None if it does not finish.
    All random numbers depend on the seed of `reset`. Raises OptionError if Gymnasium is not
    installed, or for a game whose board is not two-dimensional.
    """
    rules = parse_game(game) if isinstance(game, str) else game
    if not isinstance(rules, LineGame) or len(rules.shape) != 2:
        raise OptionError(f"environment of {rules.name!r}; expected a game of rows and columns")
    if render_mode not in (None, "ansi"):
        raise OptionError(f"render_mode {render_mode!r}; expected 'ansi' or None")
    learner = None if side is None else parse_side(side)
    return _environment()(rules, parse_agent(opponent), learner, seconds, render_mode)


@cache
def _environment() -> Any:
    """Return the environment's class, a subclass of `gymnasium.Env`."""
    gymnasium = load("gymnasium", "an environment", "gymnasium")
    return type("LineGameEnv", (LineGameEpisodes, gymnasium.Env), {})


class LineGameEpisodes:
    """The methods of the environment; `_environment` combines them with `gymnasium.Env`."""

    np_random: Any
    """Gymnasium's random number generator."""
    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012  # as in Gymnasium

    def __init__(
        self,
        game: LineGame,
        opponent: Agent,
        side: int | None,
        seconds: float,
        render_mode: str | None,
    ) -> None:
        from gymnasium import spaces

        self.game, self.opponent, self.given_side = game, opponent, side
        self.seconds, self.render_mode = seconds, render_mode
        self.action_space = spaces.Discrete(game.width if game.gravity else game.size)
        import numpy

        self.observation_space = spaces.Box(0, 1, (game.height, game.width, 2), numpy.int8)
        self.position: Position = game.start()
        self.side, self.random = side or 0, Random(0)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin an episode; `options={"side": "o"}` sets the learner's side for this episode."""
        super().reset(seed=seed)  # type: ignore[misc]  # a method of gymnasium.Env
        self.random = Random(int(self.np_random.integers(1 << 62)))
        side = (options or {}).get("side")
        drawn = self.random.randrange(2) if self.given_side is None else self.given_side
        self.side = drawn if side is None else parse_side(side)
        self.position = self.game.start()
        self._reply()
        return self._observation(), self._info(0)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play the action and the opponent's reply."""
        cell = next((cell for cell in self.position.moves if self._action(cell) == action), None)
        if cell is None:
            told = {**self._info(None), "illegal": True}
            return self._observation(), -1.0, True, False, told
        before = self._value()
        self.position = self.game.play(self.position, cell)
        after = self._value()
        regret = None if before is None or after is None else before - after
        self._reply()
        is_over = self.position.is_over
        reward = float(self._value() or 0) if is_over else 0.0
        return self._observation(), reward, is_over, False, self._info(regret)

    def render(self) -> str | None:
        """Return the board as text, a line for each row; None without a `render_mode`."""
        if self.render_mode is None:
            return None
        return str(self.position).rpartition(" ")[2].replace("/", "\n")

    def _reply(self) -> None:
        """Let the opponent play until the learner is to move, or the game is over."""
        while not self.position.is_over and self.position.side != self.side:
            move = self.opponent.choose(self.position, self.random).move
            self.position = self.game.play(self.position, move)

    def _action(self, cell: int) -> int:
        return cell % self.game.width if self.game.gravity else cell

    def _value(self) -> int | None:
        """Return the position's exact value for the learner, None if unknown."""
        value = _value(self.position, self.seconds)
        return value if value is None or self.position.side == self.side else -value

    def _observation(self) -> Any:
        import numpy

        planes = numpy.zeros((self.game.height, self.game.width, 2), numpy.int8)
        for cell in range(self.game.size):
            owner = self.position.owner(cell)
            if owner is not None:
                planes[(*divmod(cell, self.game.width), int(owner != self.side))] = 1
        return planes

    def _info(self, regret: int | None) -> dict[str, Any]:
        import numpy

        mask = numpy.zeros(int(self.action_space.n), numpy.int8)
        for cell in self.position.moves:
            mask[self._action(cell)] = 1
        return {
            "action_mask": mask,
            "value": self._value(),
            "regret": regret,
            "illegal": False,
            "side": SIDES[self.side],
            "position": str(self.position),
        }


@lru_cache(maxsize=1 << 16)
def _value(position: Position, seconds: float) -> int | None:
    """Return the exact value for the side to move, 1, 0 or −1; None if not found in time."""
    if position.is_over:
        won = position.winner
        return 0 if won is None else 1 if won == position.side else -1
    return solve(position, seconds=seconds, with_moves=False).value

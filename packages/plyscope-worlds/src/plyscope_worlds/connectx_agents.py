"""Adapter for agents written for Kaggle's ConnectX, `agent(observation, configuration)`, and for
its game without gravity, tictactoe, where they answer the number of a cell.

They are recognised by the name of their first argument. `connectx:submission.py` means the last
function of a file, as at Kaggle. No package of Kaggle is imported.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass, replace
from inspect import Parameter, signature
from typing import Any, ClassVar

from plyscope.errors import AgentError
from plyscope.lab.agents.readings import Adapter
from plyscope.rules.linegame import LineGame

MOVE_SECONDS, OVERAGE_SECONDS = 2.0, 60.0
"""Kaggle's time limits: seconds for each move, and extra seconds for the whole game."""


class Struct(dict[str, Any]):
    """A dictionary whose entries are also attributes, as in Kaggle's environments."""

    __getattr__ = dict.__getitem__


@dataclass(frozen=True)
class ConnectXPlayer(Adapter):
    """A Kaggle agent as a function `f(position)` that returns a move."""

    text: ClassVar[str] = "agent(observation, configuration)"
    first_names: ClassVar[tuple[str, ...]] = ("observation", "obs")

    seconds: float = MOVE_SECONDS

    def __call__(self, position: Any) -> Any:
        """Return the cell that the agent plays, or the one to which a stone falls in its column."""
        game = position.game
        if not isinstance(game, LineGame) or len(game.shape) != 2:
            raise AgentError(
                f"plays ConnectX and not {game.name!r}; expected a game like 'connect4'"
            )
        given = observation_of(position), configuration_of(game, self.seconds)
        taken = sum(_is_given(each) for each in signature(self.function).parameters.values())
        answer = self.function(*given[: min(2, taken)])
        try:
            number = operator.index(answer)
        except TypeError:
            number = -1
        count = game.width if game.gravity else game.size
        for cell in position.moves:
            if not isinstance(answer, bool) and cell % count == number:
                return cell
        what = "column" if game.gravity else "cell"
        state = "full" if game.gravity else "taken"
        raise AgentError(
            f"answered {repr(answer)[:40]} on '{position}'; "
            f"expected a {what} from 0 to {count - 1} that is not {state}"
        )

    def within(self, seconds: float) -> ConnectXPlayer:
        """Return the agent with this time limit in its configuration, at most Kaggle's."""
        return replace(self, seconds=min(MOVE_SECONDS, seconds))


def observation_of(position: Any) -> Struct:
    """Return Kaggle's observation of a position.

    It has the cells row by row from the top, 0 for empty ones, and the mark of the side to move, 1
    or 2.
    """
    cells = range(position.game.size)
    board = [0 if (side := position.owner(cell)) is None else side + 1 for cell in cells]
    return Struct(
        board=board,
        mark=position.side + 1,
        step=sum(map(bool, board)),
        remainingOverageTime=OVERAGE_SECONDS,
    )


def configuration_of(game: LineGame, seconds: float = MOVE_SECONDS) -> Struct:
    """Return Kaggle's configuration of a game."""
    return Struct(
        columns=game.width,
        rows=game.height,
        inarow=game.longest_line,
        timeout=seconds,
        actTimeout=seconds,
        agentTimeout=OVERAGE_SECONDS,
        episodeSteps=1000,
        runTimeout=1200,
    )


def _is_given(parameter: Parameter) -> int:
    """Return how many positional arguments a parameter takes; 2 for `*args`."""
    kinds = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    return 2 if parameter.kind == Parameter.VAR_POSITIONAL else int(parameter.kind in kinds)

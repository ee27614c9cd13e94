"""What an agent is, and how it is asked for a move."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from time import perf_counter
from typing import Any, Protocol

from plyscope.errors import AgentError, PlyscopeError
from plyscope.rules.linegame import LineGame


@dataclass(frozen=True)
class Choice:
    """The move that an agent has chosen, and what its search says of it, None if it has none."""

    move: Any
    value: float | None = None
    """The score, in the agent's view."""
    depth: int | None = None
    nodes: int | None = None
    output: str = ""
    """What a stranger's code has printed meanwhile."""


class Agent(Protocol):
    """What plays: of the `choices` that it has in a position it `choose`s one."""

    @property
    def name(self) -> str:
        """What people type."""

    @property
    def summary(self) -> str:
        """How it plays, in a line."""

    def choices(self, position: Any) -> Sequence[Any]:
        """Return every move that it may play in `position`, ties included: at least one."""

    def choose(self, position: Any, random: Random) -> Choice:
        """Return the move it plays, by chance from `random`; AgentError where it has none."""


def ask(agent: Agent, position: Any, random: Random) -> tuple[Choice, float]:
    """Return the agent's choice and the seconds it took; AgentError for an illegal one too."""
    began = perf_counter()
    choice = agent.choose(position, random)
    seconds = perf_counter() - began
    if choice.move not in position.game.moves(position):
        raise AgentError(
            f"agent {agent.name!r} answered {str(choice.move)[:40]!r} on '{position}'; "
            "expected a legal move"
        )
    return choice, seconds


def legal_move(position: Any, answer: Any) -> Any:
    """Return the legal move that an `answer` means: its number, its text, or the move itself.

    NumPy's whole numbers are numbers. Raises AgentError without saying whose answer it was;
    whatever an odd object raises when it is looked at passes through.
    """
    game = position.game
    if isinstance(answer, str):
        try:
            return game.parse_move(position, answer)
        except PlyscopeError as error:
            raise AgentError(f"answered {answer[:40]!r} on '{position}': {error}") from None
    legal = tuple(game.moves(position))
    if isinstance(game, LineGame):
        try:
            move = None if isinstance(answer, bool) else operator.index(answer)
        except TypeError:  # a float, None, an object: no whole number
            move = None
    else:
        move = answer if type(answer) in map(type, legal) else None
    if move is None or move not in legal:
        raise AgentError(
            f"answered {repr(answer)[:40]} on '{position}'; "
            "expected a legal move, its number or its name"
        )
    return legal[legal.index(move)]

"""What an agent is, and how it is asked for a move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from time import perf_counter
from typing import Any, Protocol

from plyscope.errors import AgentError

__all__ = ["Agent", "Choice", "ask"]


@dataclass(frozen=True)
class Choice:
    """The move that an agent has chosen, and what its search says of it: the `value` in the agent's view, the `depth` it reached and the
    `nodes` it cost, each None where the agent does not search."""

    move: Any
    value: float | None = None
    depth: int | None = None
    nodes: int | None = None


class Agent(Protocol):
    """What plays: `choices` are all moves it may choose here, which `choose` narrows to one."""

    @property
    def name(self) -> str:
        """What people type."""

    @property
    def summary(self) -> str:
        """How it plays, in a line."""

    def choices(self, position: Any) -> Sequence[Any]:
        """Return every move that the agent may play in `position`, all ties included; never empty while the game goes on."""

    def choose(self, position: Any, random: Random) -> Choice:
        """Return the move it plays; `random` decides whatever is random about it. Raises AgentError when there is no answer."""


def ask(agent: Agent, position: Any, random: Random) -> tuple[Choice, float]:
    """Return what the agent chooses, and the seconds it took. Raises AgentError, for a move that is not legal too."""
    began = perf_counter()
    choice = agent.choose(position, random)
    seconds = perf_counter() - began
    if choice.move not in position.game.moves(position):
        raise AgentError(f"agent {agent.name!r} answered {str(choice.move)[:40]!r} on '{position}'; expected a legal move")
    return choice, seconds

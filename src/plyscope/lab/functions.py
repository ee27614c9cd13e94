"""Agents that are Python functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from time import perf_counter
from typing import Any

from plyscope.errors import AgentError, PlyscopeError
from plyscope.evaluation.function import in_one_line
from plyscope.lab.agent import Choice
from plyscope.searching.patience import Overdue, interrupting

__all__ = ["FunctionAgent"]


@dataclass(frozen=True)
class FunctionAgent:
    """A Python function `f(position)` that returns a move, as its number or its name (`b2`), within `seconds`.

    What it raises, and whatever else is no move, is an AgentError. One that waits inside the operating system cannot be interrupted.
    """

    name: str
    function: Callable[..., Any]
    summary: str = "a Python function"
    seconds: float = 5.0
    is_of_file: bool = False

    def choices(self, position: Any) -> Sequence[Any]:
        """Return the move that the function gives when it is asked."""
        return (self._answer(position),)

    def choose(self, position: Any, random: Random) -> Choice:
        """Return the move that the function gives."""
        return Choice(self._answer(position))

    def _answer(self, position: Any) -> Any:
        deadline = perf_counter() + self.seconds
        try:
            with interrupting(lambda: perf_counter() > deadline):
                move = self.function(position)
        except Overdue:
            raise AgentError(f"agent {self.name!r} gave no move within {self.seconds:g} s on '{position}'") from None
        except Exception as error:  # whatever a stranger's function raises is reported by name, with the position
            raise AgentError(f"agent {self.name!r} raised {in_one_line(error)} on '{position}'; expected a move") from error
        if not isinstance(move, str):
            return move
        try:
            return position.game.parse_move(position, move)
        except PlyscopeError as error:
            raise AgentError(f"agent {self.name!r} answered {move[:40]!r} on '{position}': {error}") from None

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel to another process as text where the function came from a file."""
        from plyscope.lab.agents import parse_agent

        if self.is_of_file:
            return parse_agent, (self.name,)
        return FunctionAgent, (self.name, self.function, self.summary, self.seconds)

"""Distinguishes functions that are agents from heuristics, and adapts agents with several
signatures."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from inspect import signature
from typing import Any, ClassVar, Literal

import plyscope.houses as houses
from plyscope.errors import AgentError, OptionError
from plyscope.evaluation.function import Declared
from plyscope.evaluation.signatures import (
    BOARD_NAMES,
    BOARD_SIGNATURES,
    OF_POSITION,
    OTHER_NAMES,
    POSITION_NAMES,
    Signature,
    arrayed,
    signature_of,
    takes_array,
)
from plyscope.rules.position import Position


class Unclear(OptionError):
    """Raised for a function that may be an agent or a heuristic, so that the user has to declare
    it."""


class IsHeuristic(OptionError):
    """Raised for a heuristic where an agent is expected."""


def reading_of(function: Callable[..., Any]) -> Literal["agent", "heuristic"] | None:
    """Return what a function is where an agent is expected, None if it may be a heuristic as well.

    The first of these that is conclusive decides: a declaration, the arguments, the annotated
    return type. A function of the position is an agent, one of the board may be either.
    """
    inner = getattr(function, "function", function)
    if isinstance(function, Declared) or getattr(inner, "scale", None) is not None:
        return "heuristic"
    if adapter_of(function) is not None:
        return "agent"
    try:
        parameters = signature(function)
        called = signature_of("", function)
    except (TypeError, ValueError, OptionError):  # a builtin, or not the arguments of a heuristic
        return "agent"
    if called not in (OF_POSITION, *BOARD_SIGNATURES):
        return "heuristic"
    returned = parameters.return_annotation
    kind = returned if isinstance(returned, str) else getattr(returned, "__name__", str(returned))
    if kind in ("float", "bool"):
        return "heuristic"
    is_move = called is OF_POSITION or re.match(r"(tuple|Tuple|str|Move)\b", kind) is not None
    return "agent" if is_move else None


def as_player(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return an agent function as a function `f(position)` that returns a move.

    The function may take a position, a board like a heuristic, or arguments that an adapter of a
    house knows. Raises OptionError for other arguments.
    """
    if (adapter := adapter_of(function)) is not None:
        return adapter(function)
    try:
        parameters = signature(function)
    except (TypeError, ValueError):  # builtins may have no signature
        return function
    with suppress(OptionError):
        called = signature_of(name, function)
        if called in BOARD_SIGNATURES:
            return BoardPlayer(function, called)
    try:
        parameters.bind(None)
    except TypeError:
        raise OptionError(
            f"agent '{name}({', '.join(parameters.parameters)})'; "
            f"expected {BOTS} that returns a move, or a search with "
            "it as heuristic, such as 'alphabeta heuristic=file.py:f depth=3'"
        ) from None
    return function


BOTS = "f(position), f(board) or f(board, player)"


def inner_of(player: Any) -> Any:
    """Return the user's function inside the result of `as_player`."""
    return player.function if isinstance(player, Adapter) else player


@dataclass(frozen=True)
class Adapter:
    """An agent function with other arguments as a function `f(position)` that returns a move."""

    text: ClassVar[str] = ""
    """The call of the functions, such as `agent(observation, configuration)`."""
    first_names: ClassVar[tuple[str, ...]] = ()
    """Names of the first argument, by which a function without a prefix is recognised."""

    function: Callable[..., Any]

    def __call__(self, position: Any) -> Any:
        """Return the move, as a number or a name. Raises AgentError."""
        raise NotImplementedError

    def within(self, seconds: float) -> Adapter:
        """Return the adapter with a time limit of a move, if its functions receive one."""
        return self


def adapter_of(function: Callable[..., Any]) -> type[Adapter] | None:
    """Return the adapter of a house that knows the first argument of a function; None if plyscope
    knows it, or no house does."""
    try:
        first = next(iter(signature(function).parameters), "")
    except (TypeError, ValueError):  # a builtin
        return None
    if first in (*POSITION_NAMES, *BOARD_NAMES, *OTHER_NAMES, ""):
        return None
    adapters: Iterator[type[Adapter]] = map(houses.load, houses.offered("AGENTS").values())
    return next((each for each in adapters if first in each.first_names), None)


@dataclass(frozen=True)
class BoardPlayer(Adapter):
    """An agent function of the board as a function `f(position)` that returns a move.

    The function gets the arguments of a heuristic for the side to move. It may return a cell's
    number or name, or the cell's (row, column) counted from 0 at the top left. In games with
    gravity it may also return a column's number.
    """

    called: Signature

    def __call__(self, position: Any) -> Any:
        """Return the function's answer; a (row, column) or a column becomes a cell's number."""
        if not isinstance(position, Position):
            raise AgentError(
                f"is called as {self.called.text} and {position.game.name!r} has no such board; "
                "expected f(position)"
            )
        board, *players = self.called.arguments(position, position.side)
        is_array = takes_array(self.function)
        answer = self.function(arrayed(board) if is_array else board, *players)
        if position.game.gravity and not isinstance(answer, bool):
            with suppress(TypeError):  # a name, or no move at all
                column, width = operator.index(answer), position.game.width
                falls = (cell for cell in position.moves if cell % width == column)
                return next(falls, answer)
        return answer

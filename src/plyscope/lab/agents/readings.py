"""Distinguishes functions that are agents from heuristics, and adapts agents with several
signatures."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from inspect import signature
from types import FunctionType
from typing import Any, Literal

from plyscope.errors import AgentError, OptionError
from plyscope.evaluation.function import Declared
from plyscope.evaluation.signatures import (
    OF_BOARD,
    OF_PLAYER,
    OF_PLAYERS,
    OF_POSITION,
    Signature,
    board_array,
    signature_of,
    takes_array,
)
from plyscope.lab.agents.connectx import ConnectXPlayer, is_connectx
from plyscope.machine.python.source import NoSyntax, syntax_of
from plyscope.pythonfile import reading_of_name
from plyscope.rules.position import Position


class Unclear(OptionError):
    """Raised for a function that may be an agent or a heuristic, so that the user has to declare
    it."""


class IsHeuristic(OptionError):
    """Raised for a heuristic where an agent is expected."""


def reading_of(name: str, function: Callable[..., Any]) -> Literal["agent", "heuristic"] | None:
    """Return whether a function is an agent or a heuristic, None if it may be either.

    The first of these that is conclusive decides: a declaration, the arguments, the name
    (`pythonfile.NAMES`), the annotated return type, and whether the function's source returns one
    of `position.moves`.
    """
    inner = getattr(function, "function", function)
    if isinstance(function, Declared) or getattr(inner, "scale", None) is not None:
        return "heuristic"
    if is_connectx(function):
        return "agent"
    try:
        parameters = signature(function)
        called = signature_of(name, function)
    except (TypeError, ValueError, OptionError):  # a builtin, or not the arguments of a heuristic
        return "agent"
    if called not in (OF_POSITION, OF_BOARD, OF_PLAYER, OF_PLAYERS):
        return "heuristic"
    named = reading_of_name(name)
    if named is not None:
        return "agent" if named == "agent" else "heuristic"
    returned = parameters.return_annotation
    kind = returned if isinstance(returned, str) else getattr(returned, "__name__", str(returned))
    if re.match(r"(tuple|Tuple|str|Move)\b", kind) or _returns_move(inner):
        return "agent"
    return "heuristic" if kind in ("float", "bool") else None


def _returns_move(function: Any) -> bool:
    """Return whether a function's source shows that it returns one of `.moves`, a string or a
    tuple."""
    if not isinstance(function, FunctionType):
        return False
    try:
        node = syntax_of(function)
    except NoSyntax:
        return False
    moves: set[str] = set()

    def is_move(value: ast.AST | None) -> bool:
        match value:
            case ast.Tuple() | ast.JoinedStr():
                return True
            case ast.Constant(constant):
                return isinstance(constant, str)
            case ast.Name(name):
                return name in moves
            case ast.IfExp(_, one, other):
                return is_move(one) or is_move(other)
            case ast.Subscript(whole, place):
                return are_moves(whole) and not isinstance(place, ast.Slice)
            case ast.Call(ast.Name(name) | ast.Attribute(_, name), [whole, *_]):
                return name in ("choice", "min", "max") and are_moves(whole)
        return False

    def are_moves(value: ast.AST) -> bool:
        match value:
            case ast.Attribute(_, "moves"):
                return True
            case ast.Call(ast.Name("list" | "tuple" | "sorted" | "reversed"), [whole, *_]):
                return are_moves(whole)
        return False

    for part in ast.walk(node):
        match part:
            case ast.For(ast.Name(name), over) if are_moves(over):
                moves.add(name)
            case ast.Assign([ast.Name(name)], value) if is_move(value):
                moves.add(name)
    if isinstance(node, ast.Lambda):
        return is_move(node.body)
    return any(is_move(part.value) for part in ast.walk(node) if isinstance(part, ast.Return))


def takes_board(function: Callable[..., Any]) -> bool:
    """Return whether a function takes a board instead of a position."""
    with suppress(OptionError):
        return signature_of("", function) in (OF_BOARD, OF_PLAYER, OF_PLAYERS)
    return False


def as_player(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return an agent function as a function `f(position)` that returns a move.

    The function may take a position, a board like a heuristic, or the arguments of a Kaggle agent.
    Raises OptionError for other arguments.
    """
    if is_connectx(function):
        return ConnectXPlayer(function)
    try:
        parameters = signature(function)
    except (TypeError, ValueError):  # builtins may have no signature
        return function
    with suppress(OptionError):
        called = signature_of(name, function)
        if called in (OF_BOARD, OF_PLAYER, OF_PLAYERS):
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
    return player.function if isinstance(player, BoardPlayer | ConnectXPlayer) else player


@dataclass(frozen=True)
class BoardPlayer:
    """An agent function of the board as a function `f(position)` that returns a move.

    The function gets the arguments of a heuristic for the side to move. It may return a cell's
    number or name, or the cell's (row, column) counted from 0 at the top left. In games with
    gravity it may also return a column's number.
    """

    function: Callable[..., Any]
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
        answer = self.function(board_array(position) if is_array else board, *players)
        if position.game.gravity and not isinstance(answer, bool):
            with suppress(TypeError):  # a name, or no move at all
                column, width = operator.index(answer), position.game.width
                falls = (cell for cell in position.moves if cell % width == column)
                return next(falls, answer)
        return answer

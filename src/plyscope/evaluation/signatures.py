"""The signatures of heuristics that are Python functions.

The names, annotations and number of a function's arguments determine its signature. Arguments with
a default value are not passed. A function with an argument for the side returns values in that
side's view; any other returns values in X's view, like the payoff of a game.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from inspect import Parameter
from math import prod
from typing import Any

from plyscope.errors import OptionError
from plyscope.extras import load
from plyscope.rules.game import Game
from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position

EMPTY, NO_CELL = 0, -1
MARKS = (1, 2)
"""The numbers of X and of O on a board of rows."""


@dataclass(frozen=True)
class Signature:
    """The arguments of a function, and the view of its result."""

    text: str
    """The signature in short, such as `f(board)`."""
    chosen: str
    """The rule that selects this signature for a function."""
    given: str
    """A description of the arguments."""
    view: str
    """The side in whose view the result is."""
    arguments: Callable[[Position, int], tuple[Any, ...]]
    """Return the arguments for a position and the side evaluated for."""

    def __reduce__(self) -> Any:
        return _called, (self.text,)

    @property
    def is_of_x(self) -> bool:
        """Whether the result is always in X's view."""
        return self.view == "X"


def board_rows(position: Position) -> list[Any]:
    """Return the rows of the board from the top: 0 is empty, 1 is X, 2 is O, −1 is a hole.

    A board of more dimensions is a list of such lists, level by level.
    """
    return _marked(_cells(position.game.shape), position, position.game.holes)


def board_array(position: Position) -> Any:
    """Return `board_rows` as a NumPy array."""
    return load("numpy", "a board as an array", "fast").array(board_rows(position))


@lru_cache(maxsize=64)
def _cells(shape: tuple[int, ...], first: int = 0) -> tuple[Any, ...]:
    """Return the numbers of the cells as nested tuples: rows, levels, and so on."""
    width, height, *more = shape if len(shape) > 1 else (*shape, 1)
    if more:
        *below, levels = shape
        size = prod(below)
        return tuple(_cells(tuple(below), first + level * size) for level in range(levels))
    return tuple(
        tuple(range(first + row * width, first + (row + 1) * width)) for row in range(height)
    )


def _marked(cells: Sequence[Any], position: Position, holes: int) -> list[Any]:
    if not isinstance(cells[0], int):
        return [_marked(part, position, holes) for part in cells]
    x, o = position.first, position.second
    if holes:
        return [NO_CELL if holes >> c & 1 else (x >> c & 1) + 2 * (o >> c & 1) for c in cells]
    return [(x >> cell & 1) + 2 * (o >> cell & 1) for cell in cells]


def _position(position: Position, side: int) -> tuple[Any, ...]:
    return (position,)


def _bitboards(position: Position, side: int) -> tuple[Any, ...]:
    return position.stones(side), position.stones(1 - side), position.game.masks


BOARD_NAMES = ("board", "grid", "rows", "array")
BOARD_ANNOTATION = re.compile(r"\b([lL]ist|Sequence|ndarray|NDArray|ArrayLike)\b")
ARRAY_ANNOTATION = re.compile(r"\b(ndarray|NDArray|ArrayLike)\b")
"""Annotations of a board, and of a board as a NumPy array; the name `array` means one too."""
POSITION_NAMES = ("position", "pos", "state", "node")
OTHER_NAMES = ("mine", "theirs", "lines", "player", "opponent")
FOREIGN_ARGUMENTS = (
    *("depth", "ply", "plies", "alpha", "beta", "maximizing", "maximizing_player", "is_max"),
    *("is_maximizing", "config", "configuration", "weights", "weight", "w", "move", "moves"),
)
"""Arguments of functions from other programs, which plyscope never passes."""

_BOARD = "the rows of the board from the top; 0 is empty, 1 is X, 2 is O"
_NAMED = (
    f"called {', '.join(BOARD_NAMES[:-1])} or {BOARD_NAMES[-1]}, or annotated as a list or array"
)

OF_POSITION = Signature(
    "f(position)", "one argument", "the position; the state of your own game", "X", _position
)
OF_BOARD = Signature(
    "f(board)",
    f"one argument, {_NAMED}",
    _BOARD,
    "X",
    lambda position, side: (board_rows(position),),
)
OF_PLAYER = Signature(
    "f(board, player)",
    "two arguments; the first is "
    f"{_NAMED.replace(', or annotated', ' or is annotated')}, or the second is called player "
    f"(and the first not {', '.join(POSITION_NAMES[:-1])} or {POSITION_NAMES[-1]})",
    f"{_BOARD}; player is 1 or 2",
    "player",
    lambda position, side: (board_rows(position), MARKS[side]),
)
OF_PLAYERS = Signature(
    "f(board, player, opponent)",
    "the same with three arguments",
    f"{_BOARD}; player and opponent are 1 and 2, or 2 and 1",
    "player",
    lambda position, side: (board_rows(position), MARKS[side], MARKS[1 - side]),
)
OF_COUNTS = Signature(
    "f(mine, theirs)",
    "any other two arguments",
    "the stones on one line, as numbers; the answers are added up over all lines",
    "mine",
    _bitboards,
)
OF_BITBOARDS = Signature(
    "f(mine, theirs, lines)",
    "any other three arguments",
    "bitboards: whole numbers with a bit for each cell, and those of all lines",
    "mine",
    _bitboards,
)
SIGNATURES = (OF_POSITION, OF_BOARD, OF_PLAYER, OF_PLAYERS, OF_COUNTS, OF_BITBOARDS)
"""All signatures; games other than line games use only the first."""


def _called(text: str) -> Signature:
    """Return the member of SIGNATURES with this text; unpickling calls it and so makes no copy."""
    return next(each for each in SIGNATURES if each.text == text)


def signature_of(name: str, function: Callable[..., Any], game: Game | None = None) -> Signature:
    """Return the signature of a function, a heuristic called `name`; raise OptionError for none.

    `game` is the game to evaluate, None for any line game.
    """
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # a builtin without a signature
        return OF_BITBOARDS
    is_lines = game is None or isinstance(game, LineGame)
    if is_lines:
        chosen = _of_line_game(parameters)
    else:
        chosen = OF_POSITION if _least(parameters) <= 1 <= _most(parameters) else None
    unknown = [
        each.name
        for each in parameters
        if each.default is each.empty
        and each.kind in _POSITIONAL
        and each.name in FOREIGN_ARGUMENTS
    ]
    if chosen is None or (unknown and chosen is not OF_POSITION):
        given = ", ".join(str(each.replace(annotation=each.empty)) for each in parameters)
        quoted = f"{name}({given})"[:80]
        where = "" if game is None or is_lines else f" on {game.name!r}, which is not a line game"
        known = [each.text for each in (SIGNATURES if is_lines else SIGNATURES[:1])]
        expected = " or ".join(filter(None, (", ".join(known[:-1]), known[-1])))
        hint = ""
        if unknown:
            hint = f"; {unknown[0]!r} is never passed: give it a default value"
        elif is_lines and len(parameters) > 1 and parameters[0].name in POSITION_NAMES:
            hint = "; call the first argument board for the rows"
        raise OptionError(f"heuristic {quoted!r}{where}; expected {expected}{hint}")
    return chosen


def how_called(signature: Signature, function: Callable[..., Any]) -> str:
    """Return the clause of an error that describes how a function was called on a line game."""
    given = {
        OF_POSITION: "a Position of plyscope; call the argument board for the rows",
        OF_COUNTS: "two numbers of stones; call the first argument board for the rows",
        OF_BITBOARDS: "bitboards, which are whole numbers",
    }.get(signature)
    if given is None:
        first = next(iter(inspect.signature(function).parameters))
        given = f"a list of rows; annotate {first} as np.ndarray for an array"
        if takes_array(function):
            given = "an array of whole numbers"
        if signature is not OF_BOARD:
            given = f"player {MARKS[0]} or {MARKS[1]}, board {given}"
    return f"it was called as {signature.text}: {given}"


def takes_array(function: Callable[..., Any]) -> bool:
    """Return whether a function of a board takes a NumPy array."""
    first = next(iter(inspect.signature(function).parameters.values()))
    return first.name == "array" or ARRAY_ANNOTATION.search(_annotation(first)) is not None


def _of_line_game(parameters: list[Parameter]) -> Signature | None:
    """Return the signature of a function for line games, None if it matches none."""
    least, most = _least(parameters), _most(parameters)
    named = [each for each in parameters if each.kind in _POSITIONAL]
    if len(named) < most:  # *stones
        return OF_BITBOARDS if least <= 3 else None
    count = least or min(most, 3)
    if not 1 <= count <= 3:
        return None
    first, second = named[0], named[1] if count > 1 else None
    if _is_board(first) or (second is not None and second.name == "player"):
        is_position = first.name in POSITION_NAMES
        return None if is_position else (OF_BOARD, OF_PLAYER, OF_PLAYERS)[count - 1]
    if count == 1:
        return None if first.name in OTHER_NAMES else OF_POSITION
    if first.name in POSITION_NAMES:
        return None
    has_lines = len(named) > 2 and named[2].name == "lines"
    return OF_COUNTS if count == 2 and not has_lines else OF_BITBOARDS


_POSITIONAL = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
_UNLIMITED = 1 << 30


def _least(parameters: list[Parameter]) -> int:
    """Return the number of required arguments, _UNLIMITED if some are keyword-only."""
    needed = [each for each in parameters if each.default is Parameter.empty]
    if any(each.kind == Parameter.KEYWORD_ONLY for each in needed):
        return _UNLIMITED
    return sum(each.kind in _POSITIONAL for each in needed)


def _most(parameters: list[Parameter]) -> int:
    """Return the greatest number of positional arguments."""
    if any(each.kind == Parameter.VAR_POSITIONAL for each in parameters):
        return _UNLIMITED
    return sum(each.kind in _POSITIONAL for each in parameters)


def _is_board(parameter: Parameter) -> bool:
    if parameter.name in BOARD_NAMES:
        return True
    return parameter.name not in OTHER_NAMES and bool(
        BOARD_ANNOTATION.search(_annotation(parameter))
    )


def _annotation(parameter: Parameter) -> str:
    return "" if parameter.annotation is Parameter.empty else str(parameter.annotation)

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
from types import SimpleNamespace
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


def arrayed(board: Any, kind: type | None = None) -> Any:
    """Return a board as a NumPy array: of objects if `kind` is object, or if only some cells are
    texts, since NumPy would make all of them texts."""
    numpy = load("numpy", "a board as an array", "fast")
    made = numpy.array(board, dtype=kind)
    if made.dtype.kind == "U":
        objects = numpy.array(board, dtype=object)
        return made if all(isinstance(cell, str) for cell in objects.flat) else objects
    return made


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


def _configured(position: Position, side: int) -> tuple[Any, ...]:
    game = position.game
    config = SimpleNamespace(rows=game.height, columns=game.width, inarow=game.longest_line)
    return board_rows(position), MARKS[side], config


def _bitboards(position: Position, side: int) -> tuple[Any, ...]:
    return position.stones(side), position.stones(1 - side), position.game.masks


BOARD_NAMES = ("board", "grid", "rows", "array")
_OF_BOARD = "brd chessboard grille matrix plateau table tablero tabuleiro"
BOARD_WORDS = frozenset((*BOARD_NAMES, *_OF_BOARD.split()))
"""The word in the name of an argument that is the board, such as `game_board`."""
_SIDE = (
    "active agent ai bot checker chip coin color colour computer cpu disc disk jogador joueur "
    "jugador letter mark marker me mine mover my own p piece pl player plr self side sign stone "
    "symbol tile token turn who"
)
_OTHER_SIDE = (
    "adversary enemy foe human op opp opponent opposing opposite other rival their them theirs "
    "you your"
)
_NEITHER = (
    "at col column columns count depth has idx index is last len length limit list max maximise "
    "maximising maximize maximizer maximizing min minimize minimizing move moves n names pos "
    "position row score size time weight weights win"
)
PLAYER_WORDS = frozenset(_SIDE.split())
"""Words in the names of arguments that are the side, such as `ai_piece`."""
OPPONENT_WORDS = frozenset(_OTHER_SIDE.split())
"""Words in the names of arguments that are its opponent, such as `opp`."""
OTHER_WORDS = frozenset(_NEITHER.split())
"""Words in the names of arguments that are neither, such as `last_move`."""
BOARD_ANNOTATION = re.compile(r"\b([lL]ist|Sequence|ndarray|NDArray|ArrayLike)\b")
ARRAY_ANNOTATION = re.compile(r"\b(ndarray|NDArray|ArrayLike)\b")
"""Annotations of a board, and of a board as a NumPy array; the name `array` means one too."""
POSITION_NAMES = ("position", "pos", "state", "node")
CONFIG_NAMES = ("config", "configuration")
OTHER_NAMES = ("mine", "theirs", "lines", "player", "opponent")
FOREIGN_ARGUMENTS = (
    *("depth", "ply", "plies", "alpha", "beta", "maximizing", "maximizing_player", "is_max"),
    *("is_maximizing", *CONFIG_NAMES, "weights", "weight", "w", "move", "moves"),
)
"""Arguments of functions from other programs, which plyscope never passes."""

GIVE_DEFAULT = "give it a default value"
"""What to do with an argument that is never passed."""
BOARD_ROWS = "write board=rows"
"""What to do if the first argument is a board by another name."""
_BOARD = "the rows of the board from the top; 0 is empty, 1 is X, 2 is O"
_NAMED = (
    f"with {', '.join(BOARD_NAMES[:-1])} or {BOARD_NAMES[-1]} in its name, or annotated as a list "
    "or array"
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
    f"two arguments; the first {_NAMED}; the second has player, piece, mark, side, me, color or "
    "another word for the side in its name, or in its annotation",
    f"{_BOARD}; player is 1 or 2",
    "player",
    lambda position, side: (board_rows(position), MARKS[side]),
)
OF_PLAYERS = Signature(
    "f(board, player, opponent)",
    "the same with three arguments; the third has opponent, opp, other or another word for it",
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
OF_CONFIG = Signature(
    "f(board, player, config)",
    "the same with a third argument called config or configuration, as in Kaggle's ConnectX",
    f"{_BOARD}, as an array; player is 1 or 2; config has rows, columns and inarow",
    "player",
    _configured,
)
BOARD_SIGNATURES = (OF_BOARD, OF_PLAYER, OF_PLAYERS)
SIGNATURES = (
    *(OF_POSITION, OF_BOARD, OF_PLAYER, OF_PLAYERS),
    *(OF_CONFIG, OF_COUNTS, OF_BITBOARDS),
)
"""All signatures; games other than line games use only the first."""


def _called(text: str) -> Signature:
    """Return the member of SIGNATURES with this text; unpickling calls it and so makes no copy."""
    return next(each for each in SIGNATURES if each.text == text)


def signature_of(
    name: str, function: Callable[..., Any], game: Game | None = None, is_board: bool = False
) -> Signature:
    """Return the signature of a function, a heuristic called `name`; raise OptionError for none.

    `game` is the game to evaluate, None for any line game. With `is_board` it is known that the
    first argument is a board.
    """
    check_plain("heuristic", name, function)
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # a builtin without a signature
        return OF_BITBOARDS
    is_lines = game is None or isinstance(game, LineGame)
    if is_lines:
        chosen, hint = _of_line_game(parameters, is_board)
    else:
        chosen = OF_POSITION if _least(parameters) <= 1 <= _most(parameters) else None
        hint = ""
    if chosen is None:
        given = ", ".join(str(each.replace(annotation=each.empty)) for each in parameters)
        quoted = f"{name}({given})"[:80]
        where = "" if game is None or is_lines else f" on {game.name!r}, which is not a line game"
        known = [each.text for each in (SIGNATURES if is_lines else SIGNATURES[:1])]
        known = [text for text in known if text != OF_CONFIG.text]  # one of other programs
        expected = " or ".join(filter(None, (", ".join(known[:-1]), known[-1])))
        raise OptionError(f"heuristic {quoted!r}{where}; expected {expected}{hint}")
    return chosen


def check_plain(kind: str, name: str, function: object) -> None:
    """Raise OptionError for a coroutine or a generator, whose call gives no answer."""
    if inspect.iscoroutinefunction(function):
        raise OptionError(f"{kind} {name!r} is a coroutine; expected def without async")
    if inspect.isgeneratorfunction(function):
        raise OptionError(f"{kind} {name!r} is a generator; expected return instead of yield")


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
        if signature is OF_CONFIG or takes_array(function):
            given = "an array of whole numbers"
        if signature is not OF_BOARD:
            given = f"player {MARKS[0]} or {MARKS[1]}, board {given}"
    return f"it was called as {signature.text}: {given}"


def takes_array(function: Callable[..., Any]) -> bool:
    """Return whether a function of a board takes a NumPy array, as all of Numba's do."""
    if hasattr(function, "py_func"):
        return True
    first = next(iter(inspect.signature(function).parameters.values()))
    return first.name == "array" or ARRAY_ANNOTATION.search(_annotation(first)) is not None


def _of_line_game(parameters: list[Parameter], is_board: bool) -> tuple[Signature | None, str]:
    """Return the signature of a function for line games, None if it matches none, and then what
    to write instead."""
    least, most = _least(parameters), _most(parameters)
    named = [each for each in parameters if each.kind in _POSITIONAL]
    if len(named) < most:  # *stones
        return (OF_BITBOARDS if least <= 3 else None), ""
    if not named:
        return None, "" if parameters else "; give it an argument, called board"
    needed = [each for each in named if each.default is each.empty]
    first, *more = needed or named[:3]
    is_board = is_board or _is_board(first)
    more = more if needed or not is_board else []
    if is_board and len(more) == 2 and is_player(more[0]) and more[1].name in CONFIG_NAMES:
        return OF_CONFIG, ""
    foreign = next((each.name for each in more if each.name in FOREIGN_ARGUMENTS), None)
    if foreign is None and (is_board or (least > 3 and any(map(is_side, more)))):
        foreign = next((each.name for each in more if not is_side(each)), None)
    if foreign is not None:
        side = ", or call it player if it is the side" if is_board and len(more) == 1 else ""
        side = "" if foreign in FOREIGN_ARGUMENTS else side
        return None, f"; {foreign!r} is never passed: {GIVE_DEFAULT}{side}"
    if least > 3:
        return None, ""
    if first.name in POSITION_NAMES and more and not is_board:
        return None, f"; call the first argument board for the rows, or {BOARD_ROWS}"
    if is_board or (more and first.name not in OTHER_NAMES and is_player(more[0], by_name=True)):
        if more and (hint := _order(more)):
            return None, hint
        return BOARD_SIGNATURES[len(more)], ""
    if not more:
        return (None if first.name in OTHER_NAMES else OF_POSITION), ""
    if is_player(first, by_name=True) and any(map(_is_board, more)):
        return None, f"; write the board before {first.name!r}"
    has_lines = len(named) > 2 and named[2].name == "lines"
    return (OF_COUNTS if len(more) == 1 and not has_lines else OF_BITBOARDS), ""


def _order(more: list[Parameter]) -> str:
    """Return the hint for arguments after the board that are not the side and its opponent, in
    this order."""
    if _is_opponent(more[0]):
        return f"; {more[0].name!r} is where the side comes, before its opponent"
    if len(more) == 1:
        return ""
    names = [_words(each.name) for each in more]
    is_program = bool(names[0] & {"ai", "bot", "computer", "cpu", "agent"})
    is_numbered = re.sub(r"\d", "", more[0].name) == re.sub(r"\d", "", more[1].name)
    if _is_opponent(more[1]) or is_program or is_numbered:
        return ""
    return f"; which of {more[0].name!r} and {more[1].name!r} is the opponent? call it opponent"


def _words(name: str) -> set[str]:
    """Return the words of a name that is written in snake case or camel case."""
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)}


def is_side(parameter: Parameter) -> bool:
    """Return whether an argument is the side or its opponent."""
    return is_player(parameter) or _is_opponent(parameter)


def is_player(parameter: Parameter, by_name: bool = False) -> bool:
    """Return whether an argument is the side, by its name or its annotation.

    With `by_name` only by a long word of its name, as is needed where the board is not named.
    """
    if parameter.name in FOREIGN_ARGUMENTS:
        return False
    words = _words(parameter.name)
    if words & OTHER_WORDS or words & OPPONENT_WORDS:
        return False
    if by_name:
        words = {
            word for word in words if len(word) > 3 and word not in ("turn", "side", "self", "mine")
        }
    annotated = set() if by_name else _words(_annotation(parameter))
    return bool(words & PLAYER_WORDS or annotated & PLAYER_WORDS)


def _is_opponent(parameter: Parameter) -> bool:
    words = _words(parameter.name)
    return bool(words & OPPONENT_WORDS) and not words & OTHER_WORDS


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
    words = _words(parameter.name)
    if words & BOARD_WORDS and (parameter.name in BOARD_NAMES or not words & OTHER_WORDS):
        return True
    return parameter.name not in OTHER_NAMES and bool(
        BOARD_ANNOTATION.search(_annotation(parameter))
    )


def _annotation(parameter: Parameter) -> str:
    if parameter.annotation is Parameter.empty:
        return ""
    return getattr(parameter.annotation, "__name__", "") + str(parameter.annotation)

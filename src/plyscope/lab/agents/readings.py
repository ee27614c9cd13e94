"""Distinguishes functions that are agents from heuristics, and adapts agents with several
signatures."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from inspect import signature
from itertools import product
from typing import Any, ClassVar, Literal

import plyscope.evaluation.function as function_heuristics
import plyscope.houses as houses
from plyscope.catalogue import nearest_name
from plyscope.errors import AgentError, OptionError
from plyscope.evaluation.boardform import PLAIN, BoardForm
from plyscope.evaluation.function import Declared, whole_number
from plyscope.evaluation.signatures import (
    BOARD_NAMES,
    BOARD_ROWS,
    BOARD_SIGNATURES,
    GIVE_DEFAULT,
    OF_CONFIG,
    OF_POSITION,
    OTHER_NAMES,
    POSITION_NAMES,
    SIGNATURES,
    Signature,
    check_plain,
    is_side,
    signature_of,
    takes_array,
)
from plyscope.lab.agents.agent import legal_move
from plyscope.pythonfile import INTERRUPTS, in_one_line, written_function
from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position
from plyscope.rules.symmetry import with_colours_swapped


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


def as_player(
    name: str, function: Callable[..., Any], form: BoardForm = PLAIN, of_file: str = ""
) -> Callable[..., Any]:
    """Return an agent function as a function `f(position)` that returns a move.

    `form` is the form of the board that it expects, and `of_file` the text that names it.

    The function may take a position, a board like a heuristic, or arguments that an adapter of a
    house knows. Raises OptionError for other arguments.
    """
    check_plain("agent", name, function)
    if form.run:
        of_file, form = f"{of_file} run={form.run}", replace(form, run="")
    if args := form.args:
        function, form = _with_values(name, function, form.values), replace(form, args="")
    if (adapter := adapter_of(function)) is not None and not form:
        return adapter(function)
    try:
        parameters = signature(function)
    except (TypeError, ValueError):  # builtins may have no signature
        return function
    hint = ""
    try:
        called = signature_of(name, function, None, bool(form.board))
        if called in (*BOARD_SIGNATURES, OF_CONFIG):
            return BoardPlayer(function, called, form, of_file, args)
    except OptionError as error:
        hint = str(error).partition(SIGNATURES[-1].text)[2]
        if of_file and (GIVE_DEFAULT in hint or BOARD_ROWS in hint):
            written = f"write '{of_file} {_with_missing(function, form, args)}'"
            hint = hint.replace(BOARD_ROWS, written)
            hint = hint.replace(GIVE_DEFAULT, f"{GIVE_DEFAULT}, or {written}")
    if form:
        raise OptionError(f"{form} of the agent {name!r}; expected f(board) or f(board, player)")
    try:
        parameters.bind(None)
    except TypeError:
        hint = hint or (
            f"; expected {BOTS} that returns a move, or a search with it as heuristic, such as "
            "'alphabeta heuristic=file.py:f depth=3'"
        )
        called_as = f"{name}({', '.join(parameters.parameters)})"
        raise OptionError(f"agent '{called_as}'{hint}") from None
    return function


def notes_on_player(player: Any, game: Any) -> list[str]:
    """Return the note on an agent of the board that compares cells or players with values that
    they never have, such as −1 for O, although its moves are legal; [] if there is nothing to say.

    The function is called on late positions of random games, within half a second.
    """
    if not (isinstance(player, BoardPlayer) and isinstance(game, LineGame)):
        return []
    if player.called not in BOARD_SIGNATURES or not function_heuristics.offers_forms:
        return []
    from plyscope.evaluation.diagnosis import offered_form  # late: not every agent is watched

    written, is_array = player.watched
    found = offered_form(written, player.form, player.called, game, is_array)
    if found is None or not (found.form.cells or found.form.players or found.form.view):
        return []
    other = f" ({found.other})" if found.other else ""
    told = f"to run it as it stands, write {player.with_form(found.form)}{other}"
    return [f"agent {player.name!r} {found.seen}; {told}"]


MAX_HINTS = 2
_VARIANTS: tuple[tuple[dict[str, str], str], ...] = (
    ({"rows": "bottom"}, "its rows are counted from the bottom"),
    ({"board": "columns"}, "it takes the columns of the board first"),
    ({"moves": "1"}, "its moves are counted from 1"),
    ({"moves": "xy"}, "its moves are (column, row)"),
    ({"moves": "xy1"}, "its moves are (column, row), counted from 1"),
    ({"answer": "1"}, "its move is the first part of the answer"),
    ({"answer": "2"}, "its move is the second part of the answer"),
    ({"answer": "1", "moves": "1"}, "its move is the first part, counted from 1"),
    ({"answer": "2", "moves": "1"}, "its move is the second part, counted from 1"),
)
"""Forms that a function may expect, without a sign of it."""
OWN_BOARD = "write a function choose(board, player) that makes one of the rows, and asks it"
BOTS = "f(position), f(board) or f(board, player)"


def inner_of(player: Any) -> Any:
    """Return the user's function inside the result of `as_player`."""
    return written_function(player.function if isinstance(player, Adapter) else player)


def _with_missing(function: Callable[..., Any], form: BoardForm, args: str) -> BoardForm:
    """Return the form with the arguments that plyscope does not know, for `VALUE` to be filled in,
    after those of `args`."""
    first, *more = signature(function).parameters.values()
    needed = [each for each in more if each.default is each.empty]
    missing = [f"{each.name}:VALUE" for each in needed if not is_side(each)]
    has_sides = first.name in POSITION_NAMES and len(missing) < len(needed)
    board = form.board or ("rows" if has_sides else "")
    return replace(form, board=board, args=",".join(filter(None, [args, *missing])))


def _with_values(
    name: str, function: Callable[..., Any], values: dict[str, Any]
) -> Callable[..., Any]:
    """Return a function with the values of some arguments; one may be a function of its file, by
    name. Raises OptionError for an argument that it does not have."""
    called, known = signature(function), getattr(written_function(function), "__globals__", {})
    for key in values:
        if key not in called.parameters:
            raise nearest_name("argument", key, list(called.parameters))
        if callable(found := known.get(str(values[key]))):
            values[key] = found
    kept = {key: each for key, each in called.parameters.items() if key not in values}

    def with_values(*given: Any) -> Any:
        return function(**values, **dict(zip(kept, given, strict=False)))

    vars(with_values)["__signature__"] = called.replace(parameters=[*kept.values()])
    vars(with_values)["written"] = written_function(function)
    with_values.__name__ = name
    return with_values


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
    form: BoardForm = PLAIN
    of_file: str = ""
    args: str = ""
    """The option `args`, whose values `function` already has."""

    def __call__(self, position: Any) -> Any:
        """Return the function's answer; a (row, column) or a column becomes a cell's number."""
        if not isinstance(position, Position):
            raise AgentError(
                f"is called as {self.called.text} and {position.game.name!r} has no such board; "
                "expected f(position)"
            )
        board, players = self._arguments(position)
        try:
            answer = self.function(board, *players)
        except INTERRUPTS:
            raise
        except Exception as error:
            said = f"raised {in_one_line(error)}"
            if isinstance(error, EOFError):
                raise AgentError(f"{said}; it reads the standard input, which is empty") from error
            hint = self._hint(position, None, said)
            if not hint and isinstance(error, AttributeError) and error.obj is board:
                hint = f"; its board is an object of its own: {OWN_BOARD}"
            if hint:
                raise AgentError(f"{said}{hint}") from error
            raise
        try:
            return legal_move(position, self._move(position, answer))
        except AgentError as error:
            hint = self._misplaced(position, answer, board)
            hint = hint or self._hint(position, answer, repr(answer))
            raise AgentError(f"{error}{hint}") from None

    def _arguments(self, position: Position) -> tuple[Any, list[Any]]:
        """Return the board and the players in the form that the function expects."""
        if self.form.view and position.side != "xo".index(self.form.view):
            position = with_colours_swapped(position)
        is_array = self.form.board == "array" or self.called is OF_CONFIG
        is_array = is_array or takes_array(self.function)
        given = self.called.arguments(position, position.side)
        board, *players = self.form.arguments(given, is_array)
        return board, players

    def _move(self, position: Position, answer: Any) -> Any:
        """Return the cell that an answer means; anything but numbers is returned as it is."""
        width, form = position.game.width, self.form
        answer = form.move_in(answer)
        if isinstance(answer, bool):
            return answer
        with suppress(TypeError, ValueError):  # a name, a pair, or no move at all
            number = whole_number(answer)
            if position.game.gravity:
                column = number - (form.moves in ("1", "xy1"))
                falls = (cell for cell in position.moves if cell % width == column)
                return next(falls, answer)
            return form.cell_of(number, width, position.game.size // width) if form else number
        if form and isinstance(answer, tuple | list) and len(answer) == 2:
            with suppress(TypeError):
                pair = [operator.index(part) for part in answer]
                return form.cell_of(pair, width, position.game.size // width)
        return answer

    def _is_move(self, position: Position, answer: Any) -> bool:
        """Return whether an answer is a legal move."""
        with suppress(AgentError):
            legal_move(position, self._move(position, answer))
            return True
        return False

    def _misplaced(self, position: Position, answer: Any, board: Any) -> str:
        """Return the clause on a move that is a part of an answer, or made on the board."""
        if isinstance(answer, str) and answer.strip().isdigit():
            return "; a number in quotes is a name: return it without quotes"
        parts = [*answer.values()] if isinstance(answer, dict) else answer
        if isinstance(parts, tuple | list):
            pairs = [("12", tuple(parts[:2]))] * (parts is not answer or len(parts) > 2)
            inner = ((str(at), part) for at, part in enumerate(parts, 1))
            for at, part in (*pairs, *inner):
                if not isinstance(part, int | float) and self._is_move(position, part):
                    written = self.with_form(replace(self.form, answer=at))
                    return f"; return {part!r} alone" + f", or write {written}" * (parts is answer)
        if repr(board) != repr(self._arguments(position)[0]) and (
            answer is None or answer is board
        ):
            return "; it makes its move on the board: return the move, such as (row, column)"
        return ""

    def _hint(self, position: Position, answer: Any, outcome: str) -> str:
        """Return the clause on the form that the function expects, after an `outcome` that is no
        legal move: an error, or the text of an answer."""
        if not function_heuristics.offers_forms or self.called not in BOARD_SIGNATURES:
            return ""
        from plyscope.evaluation.diagnosis import sample_of  # late: only for errors
        from plyscope.evaluation.habits import offer

        def called(form: BoardForm) -> tuple[bool, str]:
            """Return whether the function gives a legal move with a form, and the outcome."""
            made = replace(self, form=form)
            board, players = made._arguments(position)
            try:
                given = made.function(board, *players)
            except INTERRUPTS:
                raise
            except BaseException as error:  # user code
                return False, f"raised {in_one_line(error)}"
            return made._is_move(position, given), repr(given)

        count = BOARD_SIGNATURES.index(self.called) + 1
        positions = [each for each in sample_of(position.game).positions if each.moves]
        written, is_array = self.watched
        asked = [position, *positions]
        found = offer(written, self.form, count, asked, is_array, is_agent=True)
        if found is not None and called(found.form)[1] != outcome:
            return f"; it {found.seen}: write {self.with_form(found.form)}"
        if answer is None and called(array := replace(self.form, board="array"))[0]:
            return f"; if it takes an array, write {self.with_form(array)}"
        said = []
        is_pair = isinstance(answer, tuple | list) and len(answer) == 2
        width, gravity = position.game.width, position.game.gravity
        cells = product(range(position.game.size // width), range(width))
        apt = {
            "rows": is_pair and gravity,
            "board": not is_pair and gravity,
            "moves": True,
            "answer": is_pair and (gravity or tuple(answer) not in cells),
        }
        for changes, means in _VARIANTS if answer is not None else ():
            key, form = next(iter(changes)), replace(self.form, **changes)
            if getattr(self.form, key) or not apt[key] or ("xy" in form.moves and not is_pair):
                continue
            moved = replace(self, form=form)._is_move(position, answer)
            if called(form)[0] if key in ("rows", "board") else moved:
                said.append(f"; if {means}, write {self.with_form(form)}")
        return "".join(said[:MAX_HINTS])

    @property
    def watched(self) -> tuple[Callable[..., Any], bool]:
        """The function to watch, and whether it is annotated as one of an array; Numba's compiled
        one is watched as it is written."""
        is_compiled = hasattr(self.function, "py_func")
        function = written_function(self.function) if is_compiled else self.function
        return function, not is_compiled and takes_array(function)

    @property
    def name(self) -> str:
        """The name of the function."""
        return str(getattr(self.function, "__name__", "f"))

    def with_form(self, form: BoardForm) -> str:
        """Return what to write for this agent with another form."""
        form = replace(form, args=self.args)
        if self.of_file:
            return repr(f"{self.of_file} {form}")
        return f"ps.Agent({', '.join([self.name, *form.keywords])})"

"""Which form of the board a user's function expects, seen from how it uses one.

The function is called with a board whose cells, rows and players note what they are compared with,
and how they are indexed. Its source adds what cannot be seen so: tests with `is None`, and loops
that fill a column from row 0. The result is an `Offer`: what was seen, and the options with which
the function runs as it stands (`evaluation/boardform.py`).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from inspect import signature
from pathlib import Path
from types import FunctionType
from typing import Any

from plyscope.evaluation.boardform import BoardForm, written
from plyscope.evaluation.signatures import MARKS, arrayed, board_rows
from plyscope.pythonfile import INTERRUPTS, files_of_python
from plyscope.rules.linegame import LineGame

MAX_POSITIONS = 24
"""Positions on which a function is watched."""
MAX_ROUNDS = 5
"""How often it is watched anew with what was seen so far."""
MAX_LISTED = 4
"""The number of values that a sentence lists."""
BLANKS = (None, " ", "", ".", "_", "-", "*", "#", "·", "□", "e", "E", "empty", "EMPTY", "Empty")
"""Usual values of an empty cell, where it is not 0."""
PAIRS = (
    *(("X", "O"), ("x", "o"), ("R", "Y"), ("r", "y"), ("red", "yellow"), ("RED", "YELLOW")),
    *(("B", "W"), ("b", "w"), ("black", "white"), ("BLACK", "WHITE"), ("●", "○"), ("❌", "⭕")),
    *(("X", "0"), ("x", "0"), ("1", "2"), ("P", "C"), ("p", "c"), ("H", "C"), ("H", "A")),
    *(("player", "computer"), ("human", "computer"), ("Player", "AI"), ("P", "A"), ("🔴", "🟡")),
)
"""Usual values of the two sides, the first to move first."""
SIGNS = tuple(
    dict.fromkeys([*(sign for pair in PAIRS for sign in pair), *filter(None, BLANKS), ""])
)
"""Usual texts of cells."""
_OF_ARRAYS = (
    "T all any astype diagonal dtype flat flatten max min ndim ravel reshape shape size sum "
    "transpose tolist trace nonzero"
)
OF_ARRAYS = frozenset(_OF_ARRAYS.split())
"""Attributes of arrays that lists do not have."""
OF_DICTS = frozenset(("get", "items", "keys", "values"))


@dataclass(frozen=True)
class Offer:
    """A form of the board with which a function runs as it stands."""

    form: BoardForm
    seen: str
    """What the function does, as a clause whose subject is the function."""
    other: str = ""
    """Another reading, as the option instead of that of the form; empty if there is none."""


@dataclass
class Watch:
    """What a function did with a board, and with the players that it was given."""

    cells: dict[tuple[type, Any], Any] = field(default_factory=dict)
    """Values that cells were compared with."""
    players: dict[tuple[type, Any], Any] = field(default_factory=dict)
    """Values that players were compared with."""
    beyond: set[int] = field(default_factory=set)
    """Indices of the board that it does not have."""
    attributes: set[str] = field(default_factory=set)
    """Attributes of the board that a list does not have."""
    compares_rows: bool = False
    """Whether a row was compared with something else than a list."""
    compares_board: bool = False
    """Whether the board was compared so, or indexed by a pair, as arrays are."""
    reads_rows: bool = False
    """Whether a row was read."""
    errors: int = 0

    def cell(self, value: Any) -> Any:
        """Return a value that notes what it is compared with."""
        return _watched(value, self.cells)

    def player(self, value: Any) -> Any:
        """Return a player that notes what it is compared with."""
        return _watched(value, self.players)


class _Hashed:
    """The key that notes that a cell was looked up in a dict or a set."""


def _noting(base: Any) -> Any:
    """Return a subclass of int or str whose objects note what they are compared with."""

    class Noting(base):  # type: ignore[misc]
        noted: dict[tuple[type, Any], Any]

        def _note(self, other: Any) -> None:
            is_plain = other is None or type(other) in (int, float, str)
            if is_plain:
                self.noted.setdefault((type(other), other), other)

        def __eq__(self, other: object) -> Any:
            self._note(other)
            return base.__eq__(self, other)

        def __ne__(self, other: object) -> Any:
            self._note(other)
            return base.__ne__(self, other)

        def __lt__(self, other: Any) -> Any:
            if base is int and other == 0:
                self._note(-1)
            return base.__lt__(self, other)

        def __hash__(self) -> int:
            self.noted[_Hashed, 0] = 0
            return int(base.__hash__(self))

        def __reduce__(self) -> Any:
            return base, (base(self),)

        def __deepcopy__(self, memo: Any) -> Any:
            return self

    return Noting


_NOTING = {int: _noting(int), str: _noting(str)}


def _watched(value: Any, noted: dict[tuple[type, Any], Any]) -> Any:
    kind = _NOTING.get(type(value))
    if kind is None:
        return value
    made = kind(value)
    made.noted = noted
    return made


class _Row(list[Any]):
    """A row of a watched board."""

    watch: Watch

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, list | tuple) or isinstance(other, _Row):
            self.watch.compares_rows = True
        else:
            self.watch.reads_rows = True
        return list.__eq__(self, other) is True

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None

    def __getitem__(self, at: Any) -> Any:
        self.watch.reads_rows = True
        return list.__getitem__(self, at)

    def __iter__(self) -> Iterator[Any]:
        self.watch.reads_rows = True
        return list.__iter__(self)

    def __contains__(self, value: object) -> bool:
        self.watch.reads_rows = True
        return list.__contains__(self, value)

    def count(self, value: Any) -> int:
        self.watch.reads_rows = True
        return list.count(self, value)


class _Board(list[Any]):
    """A watched board, or a flat list of its cells."""

    watch: Watch

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, tuple):
            self.watch.compares_board = True
        elif isinstance(at, int) and at >= len(self):
            self.watch.beyond.add(int(at))
        return list.__getitem__(self, at)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, list | tuple):
            self.watch.compares_board = True
        return list.__eq__(self, other) is True

    __hash__ = None

    def __getattr__(self, name: str) -> Any:
        self.watch.attributes.add(name)
        raise AttributeError(f"'list' object has no attribute {name!r}")


def _board(watch: Watch, form: BoardForm, rows: list[Any]) -> Any:
    """Return a board in a form, watched where it is a list."""
    given = form.given(rows, watch.cell)
    if form.board == "array":
        return arrayed(form.given(rows))
    if not isinstance(given, list):
        return given
    made = _Board()
    made.watch = watch
    for each in given:
        row = each
        if isinstance(each, list):
            row = _Row(each)
            row.watch = watch
        made.append(row)
    return made


def offer(
    function: Callable[..., Any],
    form: BoardForm,
    count: int,
    positions: Sequence[Any],
    is_array: bool = False,
) -> Offer | None:
    """Return the form with which a function of the board, which has `count` arguments, runs as it
    stands; None if it seems to expect `form`, or if none is known.

    `is_array` means that it is annotated as a function of an array.
    """
    game = positions[0].game
    chosen = positions[:: max(1, len(positions) // MAX_POSITIONS)]
    made, reasons, other = form, dict[str, None](), ""
    compared: dict[str, None] = {}
    before = after = None
    tested = _tests_for_none(function) and not form.cells
    for _ in range(MAX_ROUNDS):
        watched = replace(made, board="array") if is_array else made
        watch = _watch(function, watched, count, chosen)
        if is_array and watch.errors == len(chosen):  # no function of arrays of objects
            return None
        before = watch.errors if before is None else before
        after = watch.errors
        is_looked_up = watch.cells.pop((_Hashed, 0), None) is not None
        if (is_looked_up or watch.errors) and not watch.cells:
            watch.cells.update({_kind(text): text for text in _texts(function)})
        if tested:
            watch.cells.setdefault((type(None), None), None)
        step = _board_step(watch, made, game) or _cells_step(watch, made, compared)
        if step is None or step[0] == made:
            break
        made, reason, other = step[0], step[1], step[2] or other
        reasons[reason] = None
    reasons.pop("", None)
    if compared:
        texts = sorted(compared, key="None".__eq__)  # None comes last
        listed = ", ".join(texts[:MAX_LISTED])
        board = next(iter(signature(function).parameters), "board")
        reasons[f"compares with {listed}, and the cells of {board!r} are 0, 1 and 2"] = None
    if after and made.cells and made.signs[2] is None:  # it joins texts, perhaps
        spaced = replace(made, cells=written((*made.signs[:2], " ")))
        if (errors := _watch(function, spaced, count, chosen).errors) < after:
            made, after = spaced, errors
    if bottom := _fills_from_row_0(function, game, made):
        made = replace(made, rows="bottom")
        reasons[bottom] = None
    is_worse = after is not None and before is not None and after > before
    if made == form or is_worse or after == len(chosen):
        return None
    return Offer(made, ", and ".join(reasons), other)


def _watch(
    function: Callable[..., Any], form: BoardForm, count: int, positions: Sequence[Any]
) -> Watch:
    """Call a function on watched boards of positions, and return what it did."""
    watch = Watch()
    for position in positions:
        for side in range(2 if count > 1 else 1):
            board = _board(watch, form, board_rows(position))
            players = [watch.player(form.players_given[at]) for at in (side, 1 - side)]
            try:
                function(board, *players[: count - 1])
            except INTERRUPTS:
                raise
            except BaseException:  # user code: an error is a sign, too
                watch.errors += 1
                break
    return watch


Step = tuple[BoardForm, str, str]
"""A better form, what was seen, and another reading."""


def _board_step(watch: Watch, form: BoardForm, game: LineGame) -> Step | None:
    """Return the form if the function does not use rows of cells; None if it does."""
    width, height = game.shape[0], game.size // game.shape[0]
    if form.board in ("", "rows"):
        if watch.attributes & OF_ARRAYS or watch.compares_board:
            return replace(form, board="array"), "uses the board as an array", ""
        if watch.attributes & OF_DICTS:
            return replace(form, board="dict"), "uses the board as a dict", ""
        if not watch.reads_rows and (watch.compares_rows or watch.beyond):
            return replace(form, board="flat"), "uses the board as one list of cells", ""
        if watch.reads_rows and watch.beyond == {height} and width > height:
            return replace(form, board="columns"), "reads the columns of the board first", ""
    if form.board == "flat" and watch.beyond == {game.size}:
        return replace(form, board="flat1"), "counts its cells from 1", ""
    return None


def _cells_step(watch: Watch, form: BoardForm, compared: dict[str, None]) -> Step | None:
    """Return the form with other cells or players, None if those of `form` are right.

    The values that cells were compared with are added to `compared`."""
    signs, players = set(map(_kind, form.signs)), set(map(_kind, form.players_given))
    foreign = [value for kind, value in watch.cells.items() if kind not in signs]
    named = [value for kind, value in watch.players.items() if kind not in players]
    own = {value for kind, value in watch.cells.items() if kind in signs}
    if not form.cells and (foreign or any(isinstance(each, str) for each in named)):
        is_of_players = not foreign and not own & set(MARKS)
        seen = foreign or (named if is_of_players else [])
        if seen and (guess := _guess(seen, own | set(named))) is not None:
            compared |= dict.fromkeys(map(repr, foreign))
            reason = "" if foreign else f"{_of_players(named)}, which is 1 or 2"
            return replace(form, cells=written(guess[0])), reason, guess[1]
    elif form.signs[:2] == MARKS and set(foreign) == {0, -1}:  # the opponent is 1 - player
        return replace(form, cells=written((0, 1, form.signs[2]))), "", ""
    elif form.cells and foreign:  # the guess was a part of the signs only
        marks = [each for each in form.signs if each is not None]
        again = [*(each for each in marks if _kind(each) in watch.cells), *foreign]
        if (guess := _guess(again, set())) is not None and written(guess[0]) != form.cells:
            compared |= dict.fromkeys(map(repr, foreign))
            return replace(form, cells=written(guess[0])), "", guess[1]
    if named and not form.players and not form.cells:
        pair = _pair(marks) if (marks := [each for each in named if each != 0]) else None
        if pair is not None:
            text = f"{_of_players(named)}, which is 1 or 2"
            return replace(form, players=written(pair)), text, ""
    return None


def _of_players(named: list[Any]) -> str:
    return f"compares the player with {_listed(named)}"


def _kind(value: Any) -> tuple[type, Any]:
    return type(value), value


def _listed(values: Iterable[Any]) -> str:
    return ", ".join(map(repr, [*values][:MAX_LISTED]))


def _guess(seen: Sequence[Any], own: set[Any]) -> tuple[tuple[Any, Any, Any], str] | None:
    """Return the likely values of X, O and an empty cell, with another reading; None if unknown.

    `seen` are values that cells were compared with, and that are not plyscope's; `own` are those of
    plyscope's.
    """
    blanks = [each for each in seen if any(_kind(each) == _kind(blank) for blank in BLANKS)]
    marks = [each for each in seen if each not in blanks]
    texts = [each for each in marks if isinstance(each, str)]
    numbers = [each for each in marks if not isinstance(each, str)]
    pair: tuple[Any, Any] | None
    other = ""
    if texts and not numbers:
        pair = _pair(texts)
        if pair is not None and pair not in PAIRS:
            other = f"cells={written((pair[1], pair[0]))},... if {pair[1]!r} moves first"
    elif numbers and set(numbers) <= {-1, -2} and not texts:
        if 2 in own:
            hole = "nothing if it is a hole"
            return None if 0 in own or blanks else ((1, 2, -1), f"if -1 is empty; {hole}")
        is_from_0 = numbers == [-1] and bool(blanks) and 0 in own  # the opponent is 1 - player
        pair = (0, 1) if is_from_0 else (1, -1)
        if {0, 1} <= own and not blanks:
            other = "cells=0,1,-1 if -1 is an empty cell"
    else:
        pair = (1, 2) if not marks else None
    if pair is None:
        return None
    rest = [each for each in blanks if each not in pair]
    empty = rest[0] if rest else 0 if pair[0] == 1 else None
    if len(rest) > 1:
        other = other or f"{_listed(rest[1:])} for an empty cell"
    return (*pair, empty), other


def _pair(marks: Sequence[Any]) -> tuple[Any, Any] | None:
    """Return the values of the two sides of which `marks` are one or both; None if unknown."""
    if [*marks] == [-1]:
        return 1, -1
    for pair in PAIRS:
        if set(marks) <= set(pair):
            return pair
    return (marks[0], marks[1]) if len(marks) == 2 and len(set(map(type, marks))) == 1 else None


# The source


def _trees(function: Any) -> Iterator[ast.AST]:
    """Yield the syntax trees of the file in which a function is defined, and of those that it
    imports from its folders."""
    inner = getattr(function, "__func__", function)
    if isinstance(inner, FunctionType):
        for file in files_of_python(inner.__code__.co_filename):
            with suppress(OSError, SyntaxError, ValueError, RecursionError, MemoryError):
                yield ast.parse(Path(file).read_bytes())


def _texts(function: Any) -> list[str]:
    """Return the usual texts of cells that the source of a function has."""
    name, found = getattr(function, "__name__", ""), dict[str, None]()
    for tree in _trees(function):
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and node.name == name:
                values = [each.value for each in ast.walk(node) if isinstance(each, ast.Constant)]
                texts = [each for each in values if isinstance(each, str) and each]
                found |= dict.fromkeys(each for each in texts if each in SIGNS)
    return list(found)


def _tests_for_none(function: Any) -> bool:
    """Return whether a function, or one that it calls, tests cells with `is None`."""
    known = {
        node.name: node
        for tree in _trees(function)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
    }
    waiting, done = [str(getattr(function, "__name__", ""))], set[str]()
    while waiting:
        name = waiting.pop()
        if name in done or name not in known:
            continue
        done.add(name)
        node = known[name]
        if _has_test_for_none(node):
            return True
        for each in ast.walk(node):
            if isinstance(each, ast.Call):
                called = each.func
                waiting.append(str(getattr(called, "id", getattr(called, "attr", ""))))
    return False


def _has_test_for_none(function: ast.AST) -> bool:
    """Return whether `is None` tests a part of a list of lists, or what a loop runs through."""
    loops = (ast.For, ast.comprehension)
    names = {
        name.id
        for node in ast.walk(function)
        if isinstance(node, loops)
        for name in ast.walk(node.target)
        if isinstance(name, ast.Name)
    }
    for node in ast.walk(function):
        if not isinstance(node, ast.Compare) or not isinstance(node.ops[0], ast.Is | ast.IsNot):
            continue
        beside = node.comparators[0]
        is_none = isinstance(beside, ast.Constant) and beside.value is None
        is_cell = isinstance(node.left, ast.Subscript) or (
            isinstance(node.left, ast.Name) and node.left.id in names
        )
        if is_none and is_cell:
            return True
    return False


def _fills_from_row_0(function: Any, game: LineGame, form: BoardForm) -> str:
    """Return what in the file of a function shows that row 0 is the lowest one, "" if nothing does.

    It is a loop that looks for the first empty cell of a column upwards from row 0.
    """
    if not game.gravity or form.rows:
        return ""
    for tree in _trees(function):
        for loop in ast.walk(tree):
            is_search = isinstance(loop, ast.For) and _is_search_from_0(loop)
            if is_search or (isinstance(loop, ast.While) and _is_climb(loop)):
                line = loop.lineno  # type: ignore[attr-defined]
                return f"fills columns from row 0 (line {line}), which is the top row here"
    return ""


def _is_search_from_0(loop: ast.For) -> bool:
    """Return whether a loop is `for r in range(n): if board[r][c] == 0: return r`, or sets it."""
    call = loop.iter
    is_range = isinstance(call, ast.Call) and getattr(call.func, "id", "") == "range"
    if not is_range or not isinstance(loop.target, ast.Name) or len(call.args) > 2:  # type: ignore[attr-defined]
        return False
    row = loop.target.id
    for node in loop.body:
        if isinstance(node, ast.If) and isinstance(node.test, ast.Compare):
            if not _reads_row(node.test, row) or not isinstance(node.test.ops[0], ast.Eq | ast.Is):
                continue
            for end in node.body:
                if isinstance(end, ast.Return):
                    return isinstance(end.value, ast.Name) and end.value.id == row
                if isinstance(end, ast.Break):
                    return True
    return False


def _is_climb(loop: ast.While) -> bool:
    """Return whether a loop is `while board[r][c] != 0: r += 1`."""
    for node in loop.body:
        is_step = isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add)
        target = node.target if is_step else None  # type: ignore[attr-defined]
        if isinstance(target, ast.Name) and _reads_row(loop.test, target.id):
            return True
    return False


def _reads_row(test: ast.AST, row: str) -> bool:
    """Return whether an expression reads `board[row][...]`, or `board[row, ...]`."""
    for node in ast.walk(test):
        if isinstance(node, ast.Subscript):
            inner = node.value.slice if isinstance(node.value, ast.Subscript) else node.slice
            first = inner.elts[0] if isinstance(inner, ast.Tuple) and inner.elts else inner
            is_nested = isinstance(node.value, ast.Subscript) or isinstance(inner, ast.Tuple)
            if is_nested and isinstance(first, ast.Name) and first.id == row:
                return True
    return False

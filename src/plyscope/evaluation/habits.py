"""Which form of the board a user's function expects, seen from how it uses one.

The function is called with a board whose cells, rows and players note what they are compared with,
and how they are indexed. Its source adds what cannot be seen so: tests with `is None`, and loops
that fill a column from row 0. The result is an `Offer`: what was seen, and the options with which
the function runs as it stands (`evaluation/boardform.py`).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, field, replace
from inspect import getsource, signature
from pathlib import Path
from textwrap import dedent
from types import FunctionType
from typing import Any

from plyscope.evaluation.boardform import BoardForm, written
from plyscope.evaluation.signatures import MARKS, arrayed, board_rows
from plyscope.owntime import thread_time
from plyscope.pythonfile import INTERRUPTS, files_of_python, written_function
from plyscope.rules.linegame import LineGame

SIGNED = (1, -1, 0)
"""The cells of a program whose players are 1 and −1."""
MIN_POSITIONS, MAX_POSITIONS = 4, 24
"""Positions on which a function is watched: a slow one, and any."""
QUICK_SECONDS = 0.02
"""Processor time after which a function is watched on no more than MIN_POSITIONS."""
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
NUMBERS = ((1, 2), (1, -1), (0, 1))
"""Usual numbers of the two sides."""
SIGNS = (*(sign for pair in PAIRS for sign in pair), *filter(None, BLANKS))
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
    sums: dict[tuple[type, Any], Any] = field(default_factory=dict)
    """Values that sums of cells were compared with."""
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
    placed: Any = None
    """The first stone that was put on the board in this call."""
    first_placed: set[tuple[int, Any]] = field(default_factory=set)
    """The first stones, with the side to move in the position."""
    positions: int = 0
    errors: int = 0

    @property
    def failed(self) -> float:
        """The share of positions on which an error was raised."""
        return self.errors / self.positions

    def cell(self, value: Any) -> Any:
        """Return a value that notes what it, and a sum of such values, is compared with."""
        return _watched(value, self.cells, self.sums)

    def player(self, value: Any) -> Any:
        """Return a player that notes what it is compared with."""
        return _watched(value, self.players)


HASHED, MET = (object, 0), (object, 1)
"""Keys that note that a cell was looked up in a dict or a set, and that it was compared with a
player."""


def _noting(base: Any) -> Any:
    """Return a subclass of int or str whose objects note what they are compared with."""

    class Noting(base):  # type: ignore[misc]
        noted: dict[tuple[type, Any], Any]
        sums: dict[tuple[type, Any], Any] | None = None

        def _note(self, other: Any) -> None:
            if other is None or type(other) in (int, float, str):
                self.noted.setdefault((type(other), other), other)
            elif getattr(other, "noted", self.noted) is not self.noted:
                self.noted[MET] = 0

        def __eq__(self, other: object) -> Any:
            self._note(other)
            return base.__eq__(self, other)

        def __ne__(self, other: object) -> Any:
            self._note(other)
            return base.__ne__(self, other)

        def __lt__(self, other: Any) -> Any:
            if type(other) is int and other <= 0:  # not another cell, as in sorting
                self._note(other or -1)
            return base.__lt__(self, other)

        def __hash__(self) -> int:
            self.noted[HASHED] = 0
            return int(base.__hash__(self))

        def __reduce__(self) -> Any:
            return base, (base(self),)

        def __deepcopy__(self, memo: Any) -> Any:
            return self

    def add(self: Noting, other: Any) -> Any:
        """Return a sum of cells, which notes what it is compared with; `sum` begins with 0."""
        made = base.__add__(self, other)
        is_of_cells = (
            self.sums is not None
            and type(other) in (Noting, int)
            and (other == 0 or type(other) is Noting)
        )
        return _watched(made, self.sums, self.sums) if is_of_cells else made

    if base is int:
        Noting.__add__ = Noting.__radd__ = add
    return Noting


_NOTING = {int: _noting(int), str: _noting(str)}


def _watched(value: Any, noted: Any, sums: Any = None) -> Any:
    kind = _NOTING.get(type(value))
    if kind is None:
        return value
    made = kind(value)
    made.noted, made.sums = noted, sums
    return made


class _Watched(list[Any]):
    """A list that notes its use; its copies note theirs, too."""

    def __init__(self, items: Iterable[Any], watch: Watch, marks: tuple[Any, ...] = ()) -> None:
        """`marks` are the signs of X and O, if the items are cells."""
        super().__init__(items)
        self.watch, self.marks = watch, marks

    def __setitem__(self, at: Any, value: Any) -> None:
        if self.watch.placed is None and type(value) in (int, str) and value in self.marks:
            self.watch.placed = value
        list.__setitem__(self, at, value)

    def copy(self) -> list[Any]:
        return type(self)(self, self.watch, self.marks)

    def __deepcopy__(self, memo: Any) -> list[Any]:
        return type(self)(map(deepcopy, self), self.watch, self.marks)

    def __ne__(self, other: object) -> bool:
        return not self == other


class _Row(_Watched):
    """A row of a watched board."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, list | tuple) or isinstance(other, _Row):
            self.watch.compares_rows = True
        else:
            self.watch.reads_rows = True
        return list.__eq__(self, other) is True


def _reading(name: str) -> Any:
    """Return a method of lists that notes that a row is read."""

    def read(row: _Row, *given: Any) -> Any:
        row.watch.reads_rows = True
        return getattr(list, name)(row, *given)

    return read


for _name in ("__getitem__", "__iter__", "__contains__", "count"):
    setattr(_Row, _name, _reading(_name))


class _Board(_Watched):
    """A watched board, or a flat list of its cells."""

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

    def __getattr__(self, name: str) -> Any:
        self.watch.attributes.add(name)
        raise AttributeError(f"'list' object has no attribute {name!r}")


def _board(watch: Watch, form: BoardForm, rows: list[Any]) -> Any:
    """Return a board in a form, watched where it is a list."""
    given = form.given(rows, watch.cell)
    if form.board == "array":
        return arrayed(given, object)
    if not isinstance(given, list):
        return given
    marks = form.signs[:2]
    made = [_Row(each, watch, marks) if isinstance(each, list) else each for each in given]
    return _Board(made, watch, marks)


def offer(
    function: Callable[..., Any],
    form: BoardForm,
    count: int,
    positions: Sequence[Any],
    is_array: bool = False,
    is_agent: bool = False,
) -> Offer | None:
    """Return the form with which a function of the board, which has `count` arguments, runs as it
    stands; None if it seems to expect `form`, or if none is known.

    `is_array` means that it is annotated as a function of an array, `is_agent` that it returns a
    move; one without players that always begins with stones of the same side plays that side alone.
    """
    game = positions[0].game
    chosen = positions[:: max(1, len(positions) // MAX_POSITIONS)]

    def watched(form: BoardForm) -> Watch:
        return _watch(function, replace(form, board="array") if is_array else form, count, chosen)

    made, reasons, other = form, dict[str, None](), ""
    compared: dict[str, None] = {}
    trees = trees_of(function)
    text = "\n".join(map(unparsed, trees))
    is_none = _has_test_for_none(text) and not form.cells
    watch = watched(made)
    before = after = watch.failed
    for _ in range(MAX_ROUNDS):
        is_looked_up = watch.cells.pop(HASHED, None) is not None
        if (is_looked_up or watch.errors) and {each for _, each in watch.cells} <= {*BLANKS}:
            watch.cells.update({_kind(text): text for text in _texts(function, trees)})
        if is_none:
            watch.cells.setdefault((type(None), None), None)
        step = _board_step(watch, made, game, text) or _cells_step(watch, made, compared, count)
        if step is None or step[0] == made:
            break
        made, reason, other = step[0], step[1], step[2] or other
        reasons[reason] = None
        watch = watched(made)
        after = watch.failed
    reasons.pop("", None)
    if compared:
        texts = sorted(compared, key="None".__eq__)  # None comes last
        listed = ", ".join(texts[:MAX_LISTED])
        board = next(iter(signature(function).parameters), "board")
        reasons[f"compares with {listed}, and the cells of {board!r} are 0, 1 and 2"] = None
    for tried in _repairs(made, count, "None" not in compared) if after else ():
        if (failed := watched(tried).failed) < after:
            made, after = tried, failed
    if bottom := _fills_from_row_0(function, game, made):
        made = replace(made, rows="bottom")
        reasons[bottom] = None
    elif made.board == "columns" and game.gravity and not made.rows:
        other = other or "also rows=bottom if the lowest cell of a column comes first"
    if is_agent and count == 1 and not made.view and len(watch.first_placed) == 2:
        marks = {mark for _, mark in watch.first_placed}
        if len(marks) == 1:
            at = made.signs.index(*marks)
            made = replace(made, view="xo"[at])
            other = other or f"for={'ox'[at]} if it tries its opponent's moves first"
            reasons[f"puts {made.view.upper()}'s stones first, whoever is to move"] = None
    if made == form or after > before or after == 1:
        return None
    return Offer(made, ", and ".join(reasons), other)


def _repairs(form: BoardForm, count: int, is_guess: bool) -> Iterator[BoardForm]:
    """Yield other forms for a function that raises errors with the signs that were seen.

    `is_guess` means that no cell was compared with None."""
    if form.board == "flat":
        yield replace(form, board="flat1")
    if form.cells and form.signs[2] is None and is_guess:  # it joins texts, perhaps
        yield replace(form, cells=written((*form.signs[:2], " ")))
    for players in NUMBERS if form.cells and not form.players and count > 1 else ():
        yield replace(form, players=written(players))  # its players are indices of the signs


def _watch(
    function: Callable[..., Any],
    form: BoardForm,
    count: int,
    positions: Sequence[Any],
    is_plain: bool = False,
) -> Watch:
    """Call a function on watched boards of positions, and return what it did.

    With `is_plain` only the players are watched."""
    watch, end = Watch(), thread_time() + QUICK_SECONDS
    for position in positions:
        if watch.positions >= MIN_POSITIONS and thread_time() > end:
            break
        watch.positions += 1
        for side in range(2 if count > 1 else 1):
            rows, watch.placed = board_rows(position), None
            board = arrayed(form.given(rows)) if is_plain else _board(watch, form, rows)
            players = [watch.player(form.players_given[at]) for at in (side, 1 - side)]
            try:
                function(board, *players[: count - 1])
            except INTERRUPTS:
                raise
            except BaseException:  # user code: an error is a sign, too
                watch.errors += 1
                break
            finally:
                if watch.placed is not None:
                    watch.first_placed.add((position.side, watch.placed))
    if form.board == "array" and watch.failed == 1 and not is_plain:
        return _watch(function, form, count, positions, is_plain=True)  # no array of objects
    return watch


Step = tuple[BoardForm, str, str]
"""A better form, what was seen, and another reading."""


def _board_step(watch: Watch, form: BoardForm, game: LineGame, text: str) -> Step | None:
    """Return the form if the function does not use rows of cells; None if it does."""
    width, height = game.shape[0], game.size // game.shape[0]
    if form.board in ("", "rows"):
        if watch.attributes & OF_ARRAYS or watch.compares_board:
            return replace(form, board="array"), "uses the board as an array", ""
        if watch.attributes & OF_DICTS:
            return replace(form, board="dict"), "uses the board as a dict", ""
        if not watch.reads_rows and (watch.compares_rows or watch.beyond):
            return replace(form, board="flat"), "uses the board as one list of cells", ""
        is_beyond = watch.reads_rows and watch.beyond == {height} and width > height
        if is_beyond or (width != height and _BY_COLUMN.search(text) and not _BY_ROW.search(text)):
            return replace(form, board="columns"), "reads the columns of the board first", ""
    if form.board == "flat" and watch.beyond == {game.size}:
        return replace(form, board="flat1"), "counts its cells from 1", ""
    return None


def _cells_step(
    watch: Watch, form: BoardForm, compared: dict[str, None], count: int
) -> Step | None:
    """Return the form with other cells or players, None if those of `form` are right.

    The values that cells were compared with are added to `compared`. The function has `count`
    arguments."""
    signs, players = set(map(_kind, form.signs)), set(map(_kind, form.players_given))
    is_met = watch.cells.pop(MET, watch.players.pop(MET, None)) is not None
    foreign = [value for kind, value in watch.cells.items() if kind not in signs]
    named = [value for kind, value in watch.players.items() if kind not in players]
    own = {value for kind, value in watch.cells.items() if kind in signs}
    if foreign == [3] and 2 in own and count > 1 and not (form.cells or form.players):
        return replace(form, players="0,1"), "adds 1 to the player, which is 1 or 2", ""
    minus = [each for each in watch.sums.values() if isinstance(each, int) and each < 0]
    if minus and not (form.cells or foreign or 2 in own):
        reason = f"compares a sum of cells with {_listed(minus)}, and a cell is 0, 1 or 2"
        return replace(form, cells=written(SIGNED)), reason, ""
    if not form.cells and (foreign or any(isinstance(each, str) for each in named)):
        is_of_players = {*foreign} <= {*BLANKS} and not own & set(MARKS)
        texts = named if not foreign else [each for each in named if isinstance(each, str)]
        seen = [*foreign, *(texts if is_of_players else [])]
        guess = _guess(seen, own | set(named)) if seen else None
        if guess is None and foreign and not own:
            guess = _of_unknown(foreign, named, count)
        if guess is not None:
            compared |= dict.fromkeys(map(repr, foreign))
            reason = "" if foreign else _of_players(named)
            return replace(form, cells=written(guess[0])), reason, guess[1]
    elif form.signs[:2] == MARKS and set(foreign) == {0, -1}:  # the opponent is 1 - player
        return replace(form, cells=written((0, 1, form.signs[2]))), "", ""
    elif form.signs == SIGNED and foreign == [2]:  # the opponent is 1 - player, too
        return replace(form, cells=written((0, 1, -1 if -1 in own else None))), "", ""
    elif form.cells and foreign:  # the guess was a part of the signs only
        marks = [each for each in form.signs if each is not None]
        again = [*(each for each in marks if _kind(each) in watch.cells), *foreign]
        if (guess := _guess(again, set())) is not None and written(guess[0]) != form.cells:
            compared |= dict.fromkeys(map(repr, foreign))
            return replace(form, cells=written(guess[0])), "", guess[1]
    if named and not form.players:
        is_cell = is_met or any(_kind(each) in watch.players for each in (2, -1))  # 0 is no player
        pair = _pair([each for each in named if not (is_cell and each == 0)])
        if pair == SIGNED[:2] and is_met and not (form.cells or 2 in own):
            return replace(form, cells=written(SIGNED)), _of_players(named), ""
        if pair is not None:
            return replace(form, players=written(pair)), _of_players(named), ""
    return None


def _of_players(named: list[Any]) -> str:
    return f"compares the player with {_listed(named)}, which is 1 or 2"


def _kind(value: Any) -> tuple[type, Any]:
    return type(value), value


def _listed(values: Iterable[Any]) -> str:
    return ", ".join(map(repr, [*values][:MAX_LISTED]))


Guess = tuple[tuple[Any, Any, Any], str]
"""Values of X, O and an empty cell, and another reading."""


def _guess(seen: Sequence[Any], own: set[Any]) -> Guess | None:
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
    if texts == ["0"] and "0" not in own:
        pair, blanks = ("1", "2"), texts
        other = "cells=X,'0',None if '0' is a stone"
    elif texts and not numbers:
        pair = _pair(texts)
        if pair is not None and pair not in PAIRS:
            other = _exchanged(pair)
    elif numbers and set(numbers) <= {-1, -2} and not texts:
        if 2 in own and -2 not in numbers:  # -2 is minus the player
            hole = "nothing if it is a hole"
            return None if 0 in own or blanks else ((1, 2, -1), f"if -1 is empty; {hole}")
        is_from_0 = numbers == [-1] and bool(blanks) and 0 in own  # the opponent is 1 - player
        pair = (0, 1) if is_from_0 else (1, -1)
        if {0, 1} <= own and not blanks:
            other = "cells=0,1,-1 if -1 is an empty cell"
    elif len(numbers) == 1 and not texts and 1 in own and 2 not in own:
        pair = (1, numbers[0])
        other = _exchanged(pair)
    elif marks:
        pair = None
    elif {0, 1} <= own and 2 not in own:
        pair = (0, 1)
        other = f"cells={written((1, 2, blanks[0]))} if 0 is empty, too"
    else:
        pair = (1, 2)
    if pair is None:
        return None
    rest = [each for each in blanks if each not in pair]
    empty = rest[0] if rest else 0 if pair[0] == 1 else None
    if len(rest) > 1:
        other = other or f"{_listed(rest[1:])} for an empty cell"
    return (*pair, empty), other


def _of_unknown(foreign: Sequence[Any], named: Sequence[Any], count: int) -> Guess | None:
    """Return the values of cells that are not usual ones: those of both sides, or the empty one.

    `foreign` and `named` are values that cells and players were compared with; the function has
    `count` arguments."""
    marks = [each for each in dict.fromkeys([*foreign, *named]) if each not in BLANKS]
    blanks = [each for each in foreign if each in BLANKS]
    if len(marks) == 2 and len(set(map(type, marks))) == 1:
        empty = blanks[0] if blanks else 0 if isinstance(marks[0], int) else None
        return (*marks, empty), _exchanged(marks)
    if len(marks) == 1 and not blanks and not named and count > 1:
        return (1, 2, marks[0]), f"if {marks[0]!r} is an empty cell; else name all three values"
    return None


def _exchanged(pair: Sequence[Any]) -> str:
    """Return the other reading of a pair of signs, that the second one moves first."""
    return f"cells={written((pair[1], pair[0]))},... if {pair[1]!r} moves first"


def _pair(marks: Sequence[Any]) -> tuple[Any, Any] | None:
    """Return the values of the two sides of which `marks` are one or both; None if unknown."""
    for pair in (*NUMBERS, *PAIRS):
        if marks and set(marks) <= set(pair):
            return pair
    return (marks[0], marks[1]) if len(marks) == 2 and len(set(map(type, marks))) == 1 else None


# The source


def trees_of(function: Any) -> tuple[ast.AST, ...]:
    """Return the syntax trees of a function and of all functions of its own files that it calls,
    itself first; () if its source is not available."""
    function = written_function(function)
    if not isinstance(function, FunctionType):
        return ()
    known, files = function.__globals__, files_of_python(function.__code__.co_filename)
    classes = (each for each in list(known.values()) if isinstance(each, type))
    home = known.get("__name__")
    spaces = [known, *(vars(each) for each in classes if each.__module__ == home)]

    def find(called: str) -> ast.AST | None:
        found = next((space[called] for space in spaces if called in space), None)
        found = function if called == "" else getattr(found, "__func__", found)
        if not isinstance(found, FunctionType):
            return None
        if found.__globals__ is not known:
            if found.__code__.co_filename not in files:
                return None
            spaces.append(found.__globals__)  # of a file that the first one imports
        with suppress(OSError, TypeError, SyntaxError, ValueError, RecursionError, MemoryError):
            return ast.parse(dedent(getsource(found)))
        return None

    return reached("", find)


def reached(name: str, find: Callable[[str], ast.AST | None]) -> tuple[ast.AST, ...]:
    """Return the syntax trees of a function and of all functions that it calls, itself first."""
    trees: dict[str, ast.AST] = {}
    stack = [name]
    while stack:
        called = stack.pop()
        if called in trees or (tree := find(called)) is None:
            continue
        trees[called] = tree
        names = (getattr(node, "id", getattr(node, "attr", "")) for node in ast.walk(tree))
        stack += filter(None, names)
    return tuple(trees.values())


def unparsed(tree: ast.AST) -> str:
    """Return the text of a syntax tree, in one way of writing it."""
    with suppress(RecursionError):
        return ast.unparse(tree)
    return ""


def _texts(function: Any, trees: Sequence[ast.AST]) -> list[str]:
    """Return the usual texts of cells in a function and in those that it calls, as constants, in
    patterns such as `_xxx_`, or by the name of a constant of its file."""
    known = getattr(written_function(function), "__globals__", {})
    found: list[str] = []
    for node in (each for tree in trees for each in ast.walk(tree)):
        is_own = isinstance(node, ast.Name)
        value = known.get(node.id) if is_own else getattr(node, "value", None)  # type: ignore[attr-defined]
        if isinstance(value, str):
            found += value if len(value) > 2 and len(set(value)) < 3 else [value]
    return [each for each in found if each in SIGNS]


def _has_test_for_none(text: str) -> bool:
    """Return whether `is None` tests a part of a list of lists, or what a loop runs through."""
    names = re.findall(r"\w+", " ".join(re.findall(r"\bfor (.+?) in ", text)))
    tested = re.findall(r"(\w+|\]) is (?:not )?None\b", text)
    return not {"]", *names}.isdisjoint(tested)


_BY_COLUMN = re.compile(r"\[(?:c|col|column)\b[^][]*\]\[(?:r|row)\b")
_BY_ROW = re.compile(r"\[(?:r|row)\b[^][]*\]\[(?:c|col|column)\b")
_FROM_ROW_0 = re.compile(
    # for r in range(n): if board[r][c] == 0: return r, or r is kept and the loop left
    r"for (\w+) in range\([^,\n]*(?:, [^,\n]*)?\):\n(?:.*\n)*?"
    r"    if (?!.* (?:and|or) ).*\[\1(?:\]\[|, ).* (?:==|is)(?! not) .*:\n"
    r"(?: {8}.*\n)*? {8}(?:return \1|break)$"
    # while board[r][c] != 0: r += 1
    r"|while .*\[(\w+)(?:\]\[|, ).* (?:!=|is not) .*:\n(?:.*\n)*?    \2 \+= 1$",
    re.MULTILINE,
)


def _fills_from_row_0(function: Any, game: LineGame, form: BoardForm) -> str:
    """Return what in the file of a function, or in those that it imports from its folders, shows
    that row 0 is the lowest one, "" if nothing does.

    It is a loop that looks for the first empty cell of a column upwards from row 0.
    """
    inner = written_function(function)
    if not game.gravity or form.rows or not isinstance(inner, FunctionType):
        return ""
    for file in files_of_python(inner.__code__.co_filename):
        with suppress(OSError, SyntaxError, ValueError, RecursionError, MemoryError):
            for loop in ast.walk(ast.parse(Path(file).read_bytes())):
                is_loop = isinstance(loop, ast.For | ast.While)
                if is_loop and _FROM_ROW_0.match(unparsed(loop)):
                    line = loop.lineno  # type: ignore[attr-defined]
                    return f"fills columns from row 0 (line {line}), which is the top row here"
    return ""

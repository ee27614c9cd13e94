"""The forms in which users' functions expect a board, so that they run as they stand.

plyscope gives a function the rows of the board from the top, with 0 for an empty cell, 1 for X and
2 for O. Options after the name of a function, or of `ps.heuristic`, say that it expects another
form:

    cells=X,O,None    X, O and an empty cell; also `cells=XO_` and `cells=1,-1,0`
    players=1,-1      the players' arguments, by default the cells of X and O
    rows=bottom       the bottom row comes first
    board=flat        one list of all cells; `flat1`: from index 1; `dict`: by number from 1;
                      `columns`: the columns from the left; `array`: a NumPy array of rows;
                      `rows`: the first argument is a board
    for=o             the value is in O's view, or an agent plays O's moves only; `for=x`: X's
    moves=1           an agent's moves are counted from 1; `xy`: they are (column, row); `xy1`: both
    answer=2          an agent's move is the second part of its answer; `12`: a row and a column
    run=definitions   only imports, definitions and assignments of the file are run, not its game
    args=depth:4      the value of an argument of an agent; `args=depth:4,pruning:True` of two
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache
from math import inf, nan
from typing import Any

from plyscope.errors import OptionError
from plyscope.evaluation.signatures import arrayed

WORDS = {"space": " ", "empty": "", "nan": nan, "inf": inf, "-inf": -inf}
"""Words for texts that cannot be seen, or that a command line loses, and for special numbers."""
FORMS = {
    "rows": ("top", "bottom"),
    "board": ("rows", "columns", "flat", "flat1", "dict", "array"),
    "for": ("x", "o"),
    "moves": ("0", "1", "xy", "xy1"),
    "answer": ("1", "2", "3", "12", "23"),
    "run": ("definitions",),
}
"""The values of the options that are words."""
KEYS = ("cells", "players", *FORMS, "args")
"""The options of a form."""
KEYWORDS = {"for_" if key == "for" else key: key for key in KEYS}
"""The options by their names as arguments in Python."""
EXAMPLE = "cells=X,O,None"
_ARGS = re.compile(r"[^\W\d]\w*:[^,:]+(,[^\W\d]\w*:[^,:]+)*")


@dataclass(frozen=True)
class BoardForm:
    """The form of the board that a function expects, as written in options."""

    cells: str = ""
    players: str = ""
    rows: str = ""
    board: str = ""
    view: str = ""
    """The option `for`."""
    moves: str = ""
    answer: str = ""
    run: str = ""
    args: str = ""

    def __bool__(self) -> bool:
        return any(getattr(self, each.name) for each in fields(self))

    def __str__(self) -> str:
        return " ".join(f"{key}={value}" for key, value in self.options.items())

    @property
    def options(self) -> dict[str, str]:
        """The options that are given, by name."""
        given = {key: getattr(self, "view" if key == "for" else key) for key in KEYS}
        return {key: value for key, value in given.items() if value}

    @property
    def keywords(self) -> list[str]:
        """The options that are given, as arguments of `ps.heuristic` or `ps.Agent`."""
        given = self.options
        return [f"{word}={given[key]!r}" for word, key in KEYWORDS.items() if key in given]

    def arguments(self, given: Sequence[Any], is_array: bool) -> tuple[Any, ...]:
        """Return the arguments of a function, `given` in plyscope's form, in this form."""
        board, *players = given
        if self.changes_arguments:
            board = self.given(board)
            players[:2] = [self.players_given[player - 1] for player in players[:2]]
        return (arrayed(board) if is_array else board, *players)

    @property
    def changes_arguments(self) -> bool:
        """Whether a function is called with other arguments, or answers moves in another form."""
        return bool(self.cells or self.players or self.rows or self.board or self.moves)

    @cached_property
    def signs(self) -> tuple[Any, Any, Any]:
        """The values of X, O and an empty cell."""
        x, o, empty = _read("cells", self.cells, 3) if self.cells else (1, 2, 0)
        return x, o, empty

    @property
    def values(self) -> dict[str, Any]:
        """The values of arguments, by name."""
        pairs = (pair.split(":", 1) for pair in self.args.split(",") if pair)
        return {name: _value(value) for name, value in pairs}

    @cached_property
    def players_given(self) -> tuple[Any, Any]:
        """The arguments that stand for X and O."""
        x, o = _read("players", self.players, 2) if self.players else self.signs[:2]
        return x, o

    def given(self, rows: list[Any], made: Callable[[Any], Any] = lambda cell: cell) -> Any:
        """Return the board of plyscope's rows in this form, with each cell passed through `made`.

        A board of more dimensions is changed level by level.
        """
        if rows and isinstance(rows[0][0], list):
            return [self.given(level, made) for level in rows]
        x, o, empty = self.signs
        sign_of = {0: empty, 1: x, 2: o}
        found = [[made(sign_of.get(cell, cell)) for cell in row] for row in rows]
        if self.rows == "bottom":
            found.reverse()
        if self.board == "columns":
            return [list(column) for column in zip(*found, strict=True)]
        if self.board in ("flat", "flat1", "dict"):
            flat = [cell for row in found for cell in row]
            if self.board == "dict":
                return dict(enumerate(flat, 1))
            return flat if self.board == "flat" else [made(empty), *flat]
        return found

    def move_in(self, answer: Any) -> Any:
        """Return the move in an agent's answer; another answer is returned as it is."""
        if self.answer and isinstance(answer, tuple | list):
            parts = tuple(answer[int(at) - 1 : int(at)] for at in self.answer)
            if all(parts):
                return parts[0][0] if len(parts) == 1 else tuple(part[0] for part in parts)
        return answer

    def cell_of(self, answer: Any, width: int, height: int) -> Any:
        """Return the cell, by its number from the top left, that an agent's answer means.

        The answer is a whole number, or a pair of them. Pairs and numbers beyond the board are
        returned as they are.
        """
        first = 1 if self.moves in ("1", "xy1") or self.board in ("flat1", "dict") else 0
        if isinstance(answer, int):
            row, column = divmod(answer - first, width)
        else:
            row, column = (int(part) - (self.moves in ("1", "xy1")) for part in answer)
            if self.moves in ("xy", "xy1") or self.board == "columns":
                row, column = column, row
        if not (0 <= row < height and 0 <= column < width):
            return answer
        if self.rows == "bottom":
            row = height - 1 - row
        return row * width + column


PLAIN = BoardForm()
"""The form in which plyscope gives a board."""


def form_of(given: Mapping[str, Any], where: str = "") -> BoardForm:
    """Return the form of options: texts, or for cells and players also tuples of values.

    Raises OptionError, which contains `where`, the place that they were written in.
    """
    found: dict[str, str] = {}
    for key, value in given.items():
        if value is None:
            continue
        if key in FORMS:
            if (text := str(value)) not in FORMS[key]:
                known = ", ".join(FORMS[key])
                raise OptionError(f"{key} {text[:40]!r}{where}; expected one of {known}")
        elif key == "args":
            text = str(value)
            if not _ARGS.fullmatch(text):
                raise OptionError(f"args {text[:40]!r}{where}; expected such as args=depth:4")
        else:
            text = value if isinstance(value, str) else written(value)
            _read(key, text, 3 if key == "cells" else 2, where)
        found["view" if key == "for" else key] = text
    return BoardForm(**found)


def written(values: Iterable[Any]) -> str:
    """Return values of cells or players as an option's text; raise OptionError for others."""
    return ",".join(map(_written, values))


def _written(value: Any) -> str:
    if value is None or type(value) in (bool, int, float):
        return str(value)
    if not isinstance(value, str):
        raise OptionError(
            f"cell {repr(value)[:40]} is neither a text nor a number; expected such as {EXAMPLE}"
        )
    named = next((word for word, text in WORDS.items() if value == text), value)
    is_plain = named.isprintable() and not set(named) & set(" ,='\"\\")
    return named if is_plain and _value(named) == value else repr(value)


@lru_cache(maxsize=256)
def _read(key: str, text: str, count: int, where: str = "") -> tuple[Any, ...]:
    """Return the values that an option's text names; raise OptionError unless `count` differ."""
    example = EXAMPLE if key == "cells" else "players=1,-1"
    if "," in text:
        values: Sequence[Any] = [_value(part) for part in text.split(",")]
    elif text.isdigit():
        listed = ",".join(text)
        raise OptionError(
            f"{key} {text[:40]!r}{where} may be numbers or texts; expected {key}={listed} or "
            f"{key}={','.join(map(repr, text))}"
        )
    else:
        values = list(text)
    kinds = {(type(value), value) for value in values}
    if len(values) != count or len(kinds) != count:
        names = "X, O and an empty cell" if count == 3 else "X and O"
        raise OptionError(
            f"{key} {text[:40]!r}{where}; expected {count} different values, of {names}, "
            f"such as {example}"
        )
    return tuple(values)


def _value(text: str) -> Any:
    """Return the value that a text names: a constant, a number, a text in quotes or without."""
    if text in WORDS:
        return WORDS[text]
    try:
        value = ast.literal_eval(text)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return text
    return value if value is None or isinstance(value, str | int | float) else text

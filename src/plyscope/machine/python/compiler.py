"""Compiles people's functions, with those that they call, and says why where Numba cannot. Imported
only when something of theirs is compiled."""

from __future__ import annotations

import inspect
import operator
import os
import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from types import FunctionType
from typing import Any

import numba
import numpy as np
from numba.core import types
from numba.core.dispatcher import Dispatcher
from numba.core.errors import NumbaWarning
from numba.core.imputils import lower_constant
from numba.extending import models, overload, overload_method, register_model, typeof_impl

from plyscope.machine.kernel import NO_ANSWER, BoardRows, CannotCompile
from plyscope.machine.numba_types import PRIMITIVES, _forget_literals
from plyscope.machine.own import Number, Shape, flattened, frozen, numbers_in, shape_of
from plyscope.machine.python.source import array_of, read_names, rewritten

OPTIONS: dict[str, Any] = {
    "nogil": True,
    "boundscheck": True,
    "no_cfunc_wrapper": True,
    "no_cpython_wrapper": True,
}
INT: Any = types.int64
TUPLE: Any = types.BaseTuple
NAMED: Any = types.BaseNamedTuple


class Scope:
    """Functions of people that are compiled together, each once."""

    def __init__(self, names: dict[str, Any], has_arrays: bool = False) -> None:
        self.names, self.has_arrays = {**HELPERS, **names}, has_arrays
        """What functions find besides the names of their modules, and whether lists become arrays
        where they can, as the rows of a board do, or tuples, as positions are."""
        self.forms: dict[Any, Any] = {}

    def form(self, function: Any, is_moves: bool = False) -> Any:
        """Return Numba's form of a function, which is compiled for the types it is called with."""
        if isinstance(function, Dispatcher):
            return function
        if function in self.forms:
            return self.forms[function]
        text = rewritten(function, self.names, is_moves)
        found, codes = text.function.__globals__, [text.function.__code__]
        form = self.forms[function] = self._form(text.function)
        for name in text.loops:
            codes.append(found[name].__code__)
            found[name] = self._form(found[name])
        names = set(text.tables).union(*map(read_names, codes))
        for name in sorted(names & found.keys() - self.names.keys()):
            value = found[name]
            is_theirs = isinstance(value, FunctionType)
            found[name] = self.form(value) if is_theirs else self._constant(value)
        return form

    @staticmethod
    def _form(function: Any) -> Any:
        form = numba.njit(**OPTIONS)(function)
        _forget_literals(form)
        return form

    def _constant(self, value: Any) -> Any:
        """Return what stands for a value of a module."""
        if self.has_arrays and isinstance(value, tuple):
            return value
        if self.has_arrays and isinstance(value, list):
            if len(value) <= MAX_TUPLE and not any(isinstance(part, list) for part in value):
                return tuple(value)
            if (array := array_of(value)) is not None:
                return array
        return constant_of(frozen(value))


# Heuristics


def native(
    function: Callable[..., Any],
    masks: tuple[int, ...],
    scale: float | None = None,
    rows: BoardRows | None = None,
) -> Any:
    """Compile `function(mine, theirs, lines)` for the lines `masks`, or with `rows` a function of
    the board; return what has its `address`, to be kept as long as that is used.

    The address takes two words of 64 bits and answers one, NO_ANSWER where the function raised.
    With a `scale` it answers the nearest whole number to the product. Raises CannotCompile.
    """
    word: Any = types.int64 if max(masks, default=0) < 1 << 63 else types.uint64
    lines = np.array(masks, dtype=np.int64 if word is types.int64 else np.uint64)
    given: tuple[Any, ...] = (word, word, types.Array(word, 1, "C", readonly=True))
    if rows is not None:
        board = types.Array(types.int64, len(rows.shape), "C")
        given = (board, *(types.int64 for _ in rows.given))
    with explained():
        compiled = Scope({}, has_arrays=True).form(function)
        compiled.compile(given + _defaults(compiled, len(given)))
        answer = compiled.nopython_signatures[-1].return_type
        is_number = isinstance(answer, types.Integer | types.Boolean)
        if not is_number and (scale is None or not isinstance(answer, types.Float)):
            raise CannotCompile(f"it answers {answer}, expected a whole number")
        whole = _whole(scale)
        called = _on_words(compiled, word, lines) if rows is None else _on_rows(compiled, rows)

        def guarded(mine: int, theirs: int) -> int:
            try:
                return int(whole(called(mine, theirs)))
            except Exception:
                return NO_ANSWER

        return numba.cfunc(types.int64(types.int64, types.int64))(guarded)


def _defaults(compiled: Dispatcher, given: int) -> tuple[Any, ...]:
    """Return the types of the arguments that are left to their defaults."""
    left = list(inspect.signature(compiled.py_func).parameters.values())[given:]
    omitted: Any = types.Omitted
    return tuple(omitted(each.default) for each in left if each.default is not each.empty)


def _whole(scale: float | None) -> Any:
    """Return what makes an answer whole: the nearest number, halves to the even one."""
    if scale is None:
        return numba.njit(lambda answer: int(answer))
    factor = float(scale)

    @numba.njit
    def scaled(answer: float) -> int:
        product = float(answer) * factor
        return round(product) if abs(product) < NO_ANSWER else NO_ANSWER

    return scaled


def _on_words(compiled: Any, word: Any, lines: Any) -> Any:
    """Return what calls a function with bitboards and lines."""
    return numba.njit(lambda mine, theirs: compiled(word(mine), word(theirs), lines))


def _on_rows(compiled: Any, rows: BoardRows) -> Any:
    """Return what calls a function with the rows of the board."""
    shape, own, other, given, sign = rows.shape, rows.own, rows.other, rows.given, rows.sign
    empty, count = np.array(rows.empty, np.int64), len(rows.empty)

    @numba.njit
    def called(mine: int, theirs: int) -> Any:
        cells = empty.copy()
        for cell in range(count):
            if mine >> cell & 1:
                cells[cell] = own
            elif theirs >> cell & 1:
                cells[cell] = other
        return sign * compiled(cells.reshape(shape), *given)

    return called


# Errors

HEADS = ("Failed in nopython", "- Resolution failure", "During:", "<source", "Traceback", "File ")
SAID = (
    (r"Unknown attribute '(\w+)' of type \w+#.*", r"self.\1 is no number, text or list of them"),
    (r"Unknown attribute '(\w+)' of type .*", r"there is no .\1 for what stands before it"),
    (r".*list\(undefined\).*",
     "nothing says what an empty list is a list of, expected such as [0 for _ in range(0)]"),
    (r"non-precise type DictType.*",
     "a dict that is filled here, expected a list, or a dict of the module"),
    (r"The use of yield in a closure.*",
     "a generator expression (... for ...), expected a for loop"),
    (r"Can't unify return type.*", "what it returns is not always of one kind, such as None and 0"),
    (r"Cannot unify (.*) and (.*) for '([\w.]+?)(\.\d+)?', .*", r"'\3' is now \1, now \2"),
    (r"No implementation of function Function\(<[\w-]+ (?:function |class ')?(\w+).*",
     r"\1 of what it is given here is not known to Numba"),
    (r"(Untyped global name|NameError: global name) '(\w+)'.*",
     r"\2 is nothing that Numba knows, expected numbers, tuples, lists and NumPy arrays"),
    (r"name '(\w+)' is not defined.*", r"there is no \1"),
    (r"got an unexpected keyword argument '(\w+)'",
     r"an argument \1= that Numba does not know, expected a call without it"),
    (r"Use of unsupported opcode \(IMPORT_\w+\).*",
     "an import in the function, expected it at the top of the file"),
    (r"Use of unsupported opcode \((\w+)\).*", r"a statement that Numba does not know (\1)"),
)  # fmt: skip
"""Numba's errors, and what people read."""


@contextmanager
def explained(name: str = "") -> Iterator[None]:
    """Raise CannotCompile, with the reason in one line, where Numba cannot compile what is called
    `name`; keep its warnings from people."""
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", category=NumbaWarning)  # types it cannot tell
            warnings.filterwarnings("ignore", category=DeprecationWarning, module="numba")
            yield
    except CannotCompile:
        raise
    except Exception as error:  # Numba fails on what it does not know with exceptions of all kinds
        said = reason(error)
        raise CannotCompile(said if not name or ", line " in said else f"{name}: {said}") from error


def reason(error: Exception) -> str:
    """Return what Numba says, in one line: its innermost message, and the line of people's text."""
    text = re.sub(r"\x1b\[\d*m", "", str(error))
    inner = text.rpartition("raised a specific error:")[2]
    lines = [line.strip().removeprefix("TypingError: ") for line in inner.splitlines()]
    said = next((line for line in lines if line and not line.startswith(HEADS)), "")
    said = said.partition(" Raised from ")[0] or type(error).__name__
    for pattern, words in SAID:
        if re.fullmatch(pattern, said):
            said = re.sub(pattern, words, said)
            break
    return f"{re.sub('#[0-9a-f]+', '', said)[:160]}{_place(inner)}"


def _place(text: str) -> str:
    """Return the first place that Numba names in people's own files, with the function there."""
    for file, line, name in re.findall(r'File "([^"]*)", line (\d+):(?:\s*def (\w+))?', text):
        if not re.search(r"<|(^|/)(numba|plyscope)/", file):
            return f" ({f'{name}, ' if name else ''}line {line} of {os.path.basename(file)})"
    return ""


# Constants

MAX_CONSTANT = 64
"""Items of a constant that stays a tuple; longer ones are arrays."""
MAX_TUPLE = 16
"""Items of a list that becomes a tuple where there are arrays, which compile more quickly."""


def constant_of(value: Any) -> Any:
    """Return what stands for a constant: lists of lists of any lengths are a Table."""
    if not isinstance(value, tuple) or not value or hasattr(value, "_fields"):
        return value
    if all(isinstance(item, int) for item in value):
        return value if len(value) <= MAX_CONSTANT else np.array(value, np.int64)
    items = [item for row in value if isinstance(row, tuple) for item in row]
    is_even = len({len(row) if isinstance(row, tuple) else -1 for row in value}) == 1
    if not all(isinstance(row, tuple) for row in value) or (is_even and len(items) <= MAX_CONSTANT):
        return value
    try:
        shapes = set(map(shape_of, items))
    except CannotCompile:
        return value
    return Table(value, shapes.pop()) if len(shapes) == 1 else value


class Table:
    """A constant whose rows have any length."""

    def __init__(self, rows: tuple[tuple[Any, ...], ...], shape: Shape) -> None:
        self.shape, self.rows = shape, rows
        self.starts = np.cumsum([0, *map(len, rows)])
        self.numbers = np.array(flattened(rows), np.int64)


class TableType(types.Type):
    """A table: nothing at run time."""

    def __init__(self, table: Table) -> None:
        self.table = table
        super().__init__(f"Table#{id(table):x}")


register_model(TableType)(models.OpaqueModel)


@typeof_impl.register(Table)
def _typeof_table(table: Table, _: Any) -> Any:
    return TableType(table)


@lower_constant(TableType)
def _nothing(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    return context.get_dummy_value()


@overload(operator.getitem)
def _row_of(table, index):
    if not isinstance(table, TableType) or not isinstance(index, types.Integer):
        return None
    starts, numbers, shape = table.table.starts, table.table.numbers, table.table.shape
    count = len(table.table.rows)
    width = numbers_in(shape)
    item = _item_text(shape, iter(range(width)), width)
    made: dict[str, Any] = {"starts": starts, "numbers": numbers, **classes_in(type_of(shape))}
    exec(
        f"""def row(table, index):
    if index < -{count} or index >= {count}:
        raise IndexError("list index out of range")
    if index < 0:
        index += {count}
    return [{item} for at in range(starts[index], starts[index + 1])]
""",
        made,
    )
    return made["row"]


def _item_text(shape: Shape, numbers: Iterator[int], width: int) -> str:
    """Return the text of the item `at`, whose numbers lie one after the other."""
    if isinstance(shape, Number):
        return f"numbers[{width} * at + {next(numbers)}]"
    parts = ", ".join(_item_text(item, numbers, width) for item in shape.items)
    return f"({parts},)" if shape.kind is None else f"{shape.kind.__name__}({parts})"


@overload(len)
def _rows_in(table):
    if not isinstance(table, TableType):
        return None
    count = len(table.table.rows)
    return lambda table: count


@cache
def type_of(shape: Shape) -> Any:
    """Return Numba's type of the values of a shape."""
    if isinstance(shape, Number):
        return INT
    items = tuple(map(type_of, shape.items))
    if shape.kind is None:
        return types.Tuple(items)
    if len(set(items)) == 1:
        return types.NamedUniTuple(items[0], len(items), shape.kind)
    return types.NamedTuple(items, shape.kind)


def classes_in(kind: Any) -> dict[str, Any]:
    """Return the classes of the NamedTuples in a type by name."""
    if not isinstance(kind, TUPLE):
        return {}
    found = {name: made for item in kind for name, made in classes_in(item).items()}
    if isinstance(kind, NAMED):
        found[kind.instance_class.__name__] = kind.instance_class
    return found


# What people's text calls in place of Python's own (`source`)

HELPERS: dict[str, Any] = {}


def _helper(typed: Any) -> Any:
    """Give people's text a function, by the name of the one that types it."""
    scope: dict[str, Any] = {}
    names = ", ".join(inspect.signature(typed).parameters)
    exec(f"def {typed.__name__}({names}): raise NotImplementedError", scope)
    stub = HELPERS[typed.__name__] = scope[typed.__name__]
    overload(stub)(typed)
    return typed


@_helper
def _tuple_(values):
    if isinstance(values, TUPLE):
        return lambda values: values
    return lambda values: list(values)


@_helper
def _each_(values):
    if isinstance(values, TableType):
        return lambda values: [values[index] for index in range(len(values))]
    return lambda values: values


@_helper
def _slice_(values, lower, upper):
    if isinstance(values, types.UniTuple):
        count = len(values)

        def cut(values, lower, upper):
            low = max(0, lower + count if lower < 0 else lower)
            high = min(count, upper + count if upper < 0 else upper)
            return [values[index] for index in range(low, high)]

        return cut
    return lambda values, lower, upper: values[lower:upper]


@_helper
def _joined_(left, right):
    both = left, right
    if all(isinstance(each, TUPLE) for each in both):
        return lambda left, right: left + right
    if any(isinstance(each, types.List) for each in both):

        def joined(left, right):
            found = list(left)
            for value in right:
                found.append(value)
            return found

        return joined
    return lambda left, right: left + right


@overload(any)
def _any(values):
    def found(values):
        count = 0
        for value in values:
            if value:
                count += 1
        return count > 0

    return found


@overload(all)
def _all(values):
    def found(values):
        count = 0
        for value in values:
            if not value:
                count += 1
        return count == 0

    return found


# Methods of numbers


@overload_method(types.Integer, "bit_count")
def _bit_count(number):
    if number.signed:
        return lambda number: count_ones(abs(number))
    return lambda number: count_ones(number)


@overload_method(types.Integer, "bit_length")
def _bit_length(number):
    if number.signed:
        return lambda number: 0 if number == 0 else 1 + highest(abs(number))
    return lambda number: 0 if number == 0 else 1 + highest(number)


count_ones, highest = PRIMITIVES["ones"], PRIMITIVES["highest"]

"""Compiles users' functions with the functions that they call, or explains why Numba cannot.
Imported only when a user's function is compiled."""

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

from plyscope.identity import read_names
from plyscope.searching.accelerator import CannotCompile
from plyscope_fast.machine.kernel import NO_ANSWER, BoardRows
from plyscope_fast.machine.numba_types import PRIMITIVES, _forget_literals
from plyscope_fast.machine.own import NumberShape, Shape, flattened, frozen, numbers_in, shape_of
from plyscope_fast.machine.python.source import array_of, rewritten

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
    """Users' functions that are compiled together, each once."""

    def __init__(self, names: dict[str, Any], has_arrays: bool = False) -> None:
        self.names, self.has_arrays = {**HELPERS, **names}, has_arrays
        """Names that functions can read besides those of their modules, and whether global lists
        become arrays where possible, as they do for heuristics."""
        self.forms: dict[Any, Any] = {}

    def form(self, function: Any, is_moves: bool = False) -> Any:
        """Return the Numba function for a function; Numba compiles it for each combination of
        argument types."""
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
        """Return the constant that replaces a global value."""
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
    """Compile `function(mine, theirs, lines)` for the lines `masks`, or if `rows` is given a
    function of the board. Return a Numba function with an `address`, which is valid as long as the
    Numba function exists.

    The machine code at the address takes two 64-bit words and returns one: the function's value, or
    NO_ANSWER if the function raises. With a `scale`, the value is multiplied by it and rounded.
    Raises CannotCompile.
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
            raise CannotCompile(f"it returns {answer}, expected a whole number")
        whole = _whole(scale)
        called = _on_words(compiled, word, lines) if rows is None else _on_rows(compiled, rows)

        def guarded(mine: int, theirs: int) -> int:
            try:
                return int(whole(called(mine, theirs)))
            except Exception:
                return NO_ANSWER

        return numba.cfunc(types.int64(types.int64, types.int64))(guarded)


def _defaults(compiled: Dispatcher, given: int) -> tuple[Any, ...]:
    """Return the types of the arguments after the first `given` that have defaults."""
    left = list(inspect.signature(compiled.py_func).parameters.values())[given:]
    omitted: Any = types.Omitted
    return tuple(omitted(each.default) for each in left if each.default is not each.empty)


def _whole(scale: float | None) -> Any:
    """Return a compiled function that converts a value to a whole number: with a `scale` it
    multiplies, then rounds to the nearest, halves to even."""
    if scale is None:
        return numba.njit(lambda answer: int(answer))
    factor = float(scale)

    @numba.njit
    def scaled(answer: float) -> int:
        product = float(answer) * factor
        return round(product) if abs(product) < NO_ANSWER else NO_ANSWER

    return scaled


def _on_words(compiled: Any, word: Any, lines: Any) -> Any:
    """Return a compiled function of two bitboards, which calls `compiled` with them and `lines`."""
    return numba.njit(lambda mine, theirs: compiled(word(mine), word(theirs), lines))


def _on_rows(compiled: Any, rows: BoardRows) -> Any:
    """Return a compiled function of two bitboards, which calls `compiled` with the board as an
    array."""
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

SKIPPED_PREFIXES = (
    "Failed in nopython",
    "- Resolution failure",
    "During:",
    "<source",
    "Traceback",
    "File ",
)
MESSAGES = (
    (r"Unknown attribute '(\w+)' of type \w+#.*", r"self.\1 is no number, text or list of them"),
    (r"Unknown attribute '(\w+)' of type .*", r"the object before .\1 has no such attribute"),
    (r".*list\(undefined\).*",
     "the items of an empty list have no type, expected a list such as [0 for _ in range(0)]"),
    (r"non-precise type DictType.*",
     "a dict that is filled here, expected a list, or a dict of the module"),
    (r"The use of yield in a closure.*",
     "a generator expression (... for ...), expected a for loop"),
    (r"Can't unify return type.*", "it returns values of different types, such as None and 0"),
    (r"Cannot unify (.*) and (.*) for '([\w.]+?)(\.\d+)?', .*", r"'\3' is now \1, now \2"),
    (r"No implementation of function Function\(<[\w-]+ (?:function |class ')?(\w+).*",
     r"Numba does not support \1 with these arguments"),
    (r"(Untyped global name|NameError: global name) '(\w+)'.*",
     r"Numba does not support the global \2, expected numbers, tuples, lists and NumPy arrays"),
    (r"name '(\w+)' is not defined.*", r"there is no \1"),
    (r"got an unexpected keyword argument '(\w+)'",
     r"Numba does not support the argument \1=, expected a call without it"),
    (r"Use of unsupported opcode \(IMPORT_\w+\).*",
     "an import in the function, expected it at the top of the file"),
    (r"Use of unsupported opcode \((\w+)\).*", r"Numba does not support this statement (\1)"),
)  # fmt: skip
"""Patterns of Numba's errors, and the messages that replace them."""


@contextmanager
def explained(name: str = "") -> Iterator[None]:
    """Raise CannotCompile, with the reason in one line, if Numba cannot compile the function called
    `name`; suppress Numba's warnings."""
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", category=NumbaWarning)  # such as unknown types
            warnings.filterwarnings("ignore", category=DeprecationWarning, module="numba")
            yield
    except CannotCompile:
        raise
    except Exception as error:  # Numba raises many kinds for unsupported code
        said = reason(error)
        raise CannotCompile(said if not name or ", line " in said else f"{name}: {said}") from error


def reason(error: Exception) -> str:
    """Return Numba's error in one line: its innermost message, and the line in the user's file."""
    text = re.sub(r"\x1b\[\d*m", "", str(error))
    inner = text.rpartition("raised a specific error:")[2]
    lines = [line.strip().removeprefix("TypingError: ") for line in inner.splitlines()]
    said = next((line for line in lines if line and not line.startswith(SKIPPED_PREFIXES)), "")
    said = said.partition(" Raised from ")[0] or type(error).__name__
    for pattern, words in MESSAGES:
        if re.fullmatch(pattern, said):
            said = re.sub(pattern, words, said)
            break
    return f"{re.sub('#[0-9a-f]+', '', said)[:160]}{_place(inner)}"


def _place(text: str) -> str:
    """Return the first line in a user's file that Numba's error names, with its function; "" if
    there is none."""
    for file, line, name in re.findall(r'File "([^"]*)", line (\d+):(?:\s*def (\w+))?', text):
        if not re.search(r"<|(^|/)(numba|plyscope)/", file):
            return f" ({f'{name}, ' if name else ''}line {line} of {os.path.basename(file)})"
    return ""


# Constants

MAX_CONSTANT = 64
"""The greatest number of items of a constant that remains a tuple; longer ones become arrays or
Tables."""
MAX_TUPLE = 16
"""The most items of a list that becomes a tuple if arrays are allowed; longer lists become arrays,
which compile faster."""


def constant_of(value: Any) -> Any:
    """Return a constant in the form that Numba compiles: a long tuple of numbers as an array, rows
    of different lengths or with many items as a Table."""
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
    """A constant made of rows, which may have different lengths."""

    def __init__(self, rows: tuple[tuple[Any, ...], ...], shape: Shape) -> None:
        self.shape, self.rows = shape, rows
        self.starts = np.cumsum([0, *map(len, rows)])
        self.numbers = np.array(flattened(rows), np.int64)


class TableType(types.Type):
    """The Numba type of one Table, which has no data at run time."""

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
    """Define `table[index]` for Tables: a list of the items of one row."""
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
    """Return an expression for item `at` of the array `numbers`, in which each item has `width`
    consecutive numbers."""
    if isinstance(shape, NumberShape):
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
    if isinstance(shape, NumberShape):
        return INT
    items = tuple(map(type_of, shape.items))
    if shape.kind is None:
        return types.Tuple(items)
    if len(set(items)) == 1:
        return types.NamedUniTuple(items[0], len(items), shape.kind)
    return types.NamedTuple(items, shape.kind)


def classes_in(kind: Any) -> dict[str, Any]:
    """Return by name the classes of the NamedTuples in a type."""
    if not isinstance(kind, TUPLE):
        return {}
    found = {name: made for item in kind for name, made in classes_in(item).items()}
    if isinstance(kind, NAMED):
        found[kind.instance_class.__name__] = kind.instance_class
    return found


# Functions that rewritten source calls (`source`)

HELPERS: dict[str, Any] = {}


def _helper(typed: Any) -> Any:
    """Define a function for rewritten source, with the name of `typed`, which returns its
    implementation for the types of the arguments."""
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

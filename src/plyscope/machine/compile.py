"""Behind the door: how Numba compiles kernels, and people's heuristics. Imported only when
something has to be compiled."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from inspect import signature
from types import CodeType, FunctionType
from typing import Any

import numba
import numpy as np
from numba.core import types
from numba.core.dispatcher import Dispatcher
from numba.core.errors import NumbaWarning
from numba.extending import overload_method

from plyscope.machine.kernel import NO_ANSWER, BoardRows, CannotCompile, Kernel
from plyscope.machine.numba_types import PRIMITIVES, type_of
from plyscope.machine.own_text import reason


def compile_kernel(kernel: Kernel) -> bytes:
    """Return a line of JSON, the `name` of the function and the symbols that it `needs`, and the
    object code."""
    kinds, answer = kernel.types
    scope: dict[str, Any] = {"kernel": kernel, "constants": kernel.constants}
    given = kinds[1:] if kernel.constants else kinds
    names = [f"argument{number}" for number in range(len(given))]  # Numba wants them spelt out
    passed = ["constants", *names] if kernel.constants else names
    exec(f"def entry({', '.join(names)}): return kernel({', '.join(passed)})", scope)
    typed = type_of(answer)(*map(type_of, given))
    entry: Any = numba.cfunc(typed, error_model="numpy")(scope["entry"])
    library = entry._library
    declared = [each.name for each in library._final_module.functions if each.is_declaration]
    head = {
        "name": entry._wrapper_name,
        "needs": [name for name in declared if not name.startswith("llvm.")],
    }
    return json.dumps(head).encode() + b"\n" + bytes(library._get_compiled_object())


@contextmanager
def quiet() -> Iterator[None]:
    """Keep Numba's warnings from people: of types it cannot tell, which end in an exception, and
    Python 3.13's of what Numba does to closures."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", category=NumbaWarning)
        warnings.filterwarnings("ignore", category=DeprecationWarning, module="numba")
        yield


count_ones = PRIMITIVES["ones"]


@overload_method(types.Integer, "bit_count")
def _bit_count(number):  # type: ignore[no-untyped-def] # Numba compares this signature with the lambdas'
    """Let people's functions count bits as Python does: those of the absolute value."""
    if number.signed:
        return lambda number: count_ones(abs(number))
    return lambda number: count_ones(number)


def native(
    function: Callable[..., Any],
    masks: tuple[int, ...],
    scale: float | None = None,
    rows: BoardRows | None = None,
) -> Any:
    """Do what `plyscope.machine.kernel.native` says."""
    word: Any = types.int64 if max(masks, default=0) < 1 << 63 else types.uint64
    lines = np.array(masks, dtype=np.int64 if word is types.int64 else np.uint64)
    given: tuple[Any, ...] = (word, word, types.Array(word, 1, "C", readonly=True))
    if rows is not None:
        board = types.Array(types.int64, len(rows.shape), "C")
        given = (board, *(types.int64 for _ in rows.given))
    try:
        compiled = function if isinstance(function, Dispatcher) else _with_helpers(function, {})
        with quiet():
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
    except CannotCompile:
        raise
    except Exception as error:  # Numba fails on what it does not know with exceptions of all kinds
        raise CannotCompile(reason(error)) from None


def _defaults(compiled: Dispatcher, given: int) -> tuple[Any, ...]:
    """Return the types of the arguments that are left to their defaults."""
    left = list(signature(compiled.py_func).parameters.values())[given:]
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


def _with_helpers(function: Any, done: dict[Any, Any]) -> Any:
    """Compile `function` together with the plain functions of its module that it calls; indexes are
    checked, as Python does."""
    if function in done:
        return done[function]
    done[function] = function
    helpers = {
        name: value
        for name in _names(function.__code__)
        if isinstance(value := function.__globals__.get(name), FunctionType)
    }
    scope = {
        **function.__globals__,
        **{
            name: _with_helpers(value, done)
            for name, value in helpers.items()
            if value is not function
        },
    }
    copied = FunctionType(
        function.__code__, scope, function.__name__, function.__defaults__, function.__closure__
    )
    done[function] = scope[function.__name__] = numba.njit(boundscheck=True)(copied)
    return done[function]


def _names(code: CodeType) -> set[str]:
    """Return the names that a function reads from outside, those within its comprehensions too."""
    within = (_names(part) for part in code.co_consts if isinstance(part, CodeType))
    return set(code.co_names).union(*within)

"""The one door to Numba.

Kernels are compiled when they are first called and kept in the user's cache folder, under a name made of the sources of this file and of
the searches: Numba looks only at the file of the kernel itself, so a change in what the kernel calls would otherwise go unseen. Bounds
checking makes other code, and is part of the name.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar, cast

__all__ = ["NO_ANSWER", "CannotCompile", "allocate", "ask", "cache_folder", "get", "inlined", "kernel", "native", "put", "release"]

F = TypeVar("F", bound=Callable[..., Any])


def cache_folder() -> Path:
    """Return the folder of compiled kernels for these sources: below $PLYSCOPE_CACHE, $XDG_CACHE_HOME or ~/.cache."""
    package = Path(__file__).resolve().parent
    digest = hashlib.sha256()
    for path in [Path(__file__).resolve(), *sorted((package / "searching").rglob("*.py"))]:
        digest.update(path.relative_to(package).as_posix().encode())
        digest.update(path.read_bytes())
    digest.update(os.environ.get("NUMBA_BOUNDSCHECK", "").encode())
    home = os.environ.get("PLYSCOPE_CACHE") or Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "plyscope"
    return Path(home) / f"kernels-{digest.hexdigest()[:16]}"


os.environ.setdefault("NUMBA_CACHE_DIR", str(cache_folder()))

import numba  # noqa: E402 - the cache folder is read when Numba is imported
import numpy as np  # noqa: E402
from numba.core import types  # noqa: E402
from numba.core.dispatcher import Dispatcher  # noqa: E402
from numba.extending import intrinsic, overload_method  # noqa: E402

NO_ANSWER = 1 << 62
"""What a native function answers where the Python function raised."""


def kernel(function: F) -> F:
    """Compile `function` on its first call, without the interpreter's lock, and keep the machine code on disk."""
    return cast(F, numba.njit(cache=True, nogil=True)(function))


def inlined(function: F) -> F:
    """Compile `function` as part of the kernels that call it."""
    return cast(F, numba.njit(inline="always")(function))


@intrinsic
def _load(typing_context: Any, base: Any, index: Any) -> Any:
    """Load the 64-bit integer at `index` of the memory that begins at the address `base`."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.load(_pointer(context, builder, *arguments))

    return types.int64(types.int64, types.int64), generate


@intrinsic
def _store(typing_context: Any, base: Any, index: Any, value: Any) -> Any:
    """Store a 64-bit integer there."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        builder.store(arguments[2], _pointer(context, builder, *arguments[:2]))
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, types.int64), generate


def _pointer(context: Any, builder: Any, base: Any, index: Any) -> Any:
    from llvmlite import ir

    memory = builder.inttoptr(base, ir.IntType(64).as_pointer())
    return builder.gep(memory, [index])


@intrinsic
def _ask(typing_context: Any, function: Any, mine: Any, theirs: Any) -> Any:
    """Call the native function at an address with two 64-bit words."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        from llvmlite import ir

        word = ir.IntType(64)
        called = builder.inttoptr(arguments[0], ir.FunctionType(word, [word, word]).as_pointer())
        return builder.call(called, arguments[1:])

    return types.int64(types.int64, types.int64, types.int64), generate


@intrinsic
def _ones(typing_context: Any, number: Any) -> Any:
    """Count the bits that are set."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return context.cast(builder, builder.ctpop(arguments[0]), number, types.int64)

    return types.int64(number), generate


count_ones = cast(Callable[[int], int], _ones)


@overload_method(types.Integer, "bit_count")
def _bit_count(number):  # type: ignore[no-untyped-def] # Numba compares this signature with the lambdas'
    """Let people's functions count bits as Python does: those of the absolute value."""
    if number.signed:
        return lambda number: count_ones(abs(number))
    return lambda number: count_ones(number)


get = cast(Callable[[int, int], int], _load)
put = cast(Callable[[int, int, int], None], _store)
ask = cast(Callable[[int, int, int], int], _ask)
allocate = cast(Callable[[int, int], int], types.ExternalFunction("calloc", types.int64(types.int64, types.int64)))
release = cast(Callable[[int], None], types.ExternalFunction("free", types.void(types.int64)))


class CannotCompile(Exception):
    """Numba cannot compile a function; the text is its reason in one line."""


def native(function: Callable[..., int], masks: tuple[int, ...]) -> Any:
    """Compile `function(mine, theirs, lines)` for the lines `masks`; return what has its `address`, to be kept as long as that is used.

    The address takes two words of 64 bits and answers one, NO_ANSWER where the function raised. Raises CannotCompile.
    """
    word: Any = types.int64 if max(masks, default=0) < 1 << 63 else types.uint64
    lines = np.array(masks, dtype=np.int64 if word is types.int64 else np.uint64)
    try:
        compiled = function if isinstance(function, Dispatcher) else _with_helpers(function, {})
        compiled.compile((word, word, types.Array(word, 1, "C", readonly=True)))
        answer = compiled.nopython_signatures[-1].return_type
        if not isinstance(answer, types.Integer | types.Boolean):
            raise CannotCompile(f"it answers {answer}, expected a whole number")

        def guarded(mine: int, theirs: int) -> int:
            try:
                return int(compiled(word(mine), word(theirs), lines))
            except Exception:
                return NO_ANSWER

        return numba.cfunc(types.int64(types.int64, types.int64))(guarded)
    except CannotCompile:
        raise
    except Exception as error:  # Numba fails on what it does not know with exceptions of all kinds
        raise CannotCompile(_reason(error)) from None


def _with_helpers(function: Any, done: dict[Any, Any]) -> Any:
    """Compile `function` together with the plain functions of its module that it calls; indexes are checked, as Python does."""
    if function in done:
        return done[function]
    done[function] = function
    helpers = {name: value for name in function.__code__.co_names if isinstance(value := function.__globals__.get(name), FunctionType)}
    scope = {**function.__globals__, **{name: _with_helpers(value, done) for name, value in helpers.items() if value is not function}}
    copied = FunctionType(function.__code__, scope, function.__name__, function.__defaults__, function.__closure__)
    done[function] = scope[function.__name__] = numba.njit(boundscheck=True)(copied)
    return done[function]


def _reason(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    telling = [line for line in lines if not line.startswith(("Failed in nopython", "- Resolution failure", "During:", "File ", "<source"))]
    return (telling or lines or [type(error).__name__])[0].partition(" Raised from ")[0].replace("\x1b[1m", "").replace("\x1b[0m", "")[:200]

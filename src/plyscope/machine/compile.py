"""Behind the door: how Numba compiles kernels, and people's heuristics. Imported only when
something has to be compiled."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FunctionType
from typing import Any, cast

import numba
import numpy as np
from numba.core import types
from numba.core.dispatcher import Dispatcher
from numba.extending import intrinsic, overload_method

from plyscope.machine.kernel import NO_ANSWER, CannotCompile, Kernel, Primitive

__all__ = ["compile_kernel", "native"]

TYPES = {"int": types.int64, "bool": types.boolean, "None": types.void}


@intrinsic
def _get(typing_context: Any, base: Any, index: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.load(_pointer(context, builder, *arguments))

    return types.int64(types.int64, types.int64), generate


@intrinsic
def _put(typing_context: Any, base: Any, index: Any, value: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        builder.store(arguments[2], _pointer(context, builder, *arguments[:2]))
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, types.int64), generate


def _pointer(context: Any, builder: Any, base: Any, index: Any) -> Any:
    from llvmlite import ir

    memory = builder.inttoptr(base, ir.IntType(64).as_pointer())
    return builder.gep(memory, [index])


@intrinsic
def _shifted(typing_context: Any, number: Any, count: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.lshr(*arguments)

    return types.int64(types.int64, types.int64), generate


@intrinsic
def _lowest(typing_context: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], context.get_constant(types.boolean, True))

    return types.int64(types.int64), generate


@intrinsic
def _ones(typing_context: Any, number: Any) -> Any:
    """Count the bits that are set."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return context.cast(builder, builder.ctpop(arguments[0]), number, types.int64)

    return types.int64(number), generate


@intrinsic
def _highest(typing_context: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        zeros = builder.ctlz(arguments[0], context.get_constant(types.boolean, True))
        return builder.sub(context.get_constant(types.int64, 63), zeros)

    return types.int64(types.int64), generate


@intrinsic
def _prefetch(typing_context: Any, base: Any, index: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        from llvmlite import ir

        flag, byte = ir.IntType(32), ir.IntType(8).as_pointer()
        declared = ir.FunctionType(ir.VoidType(), [byte, flag, flag, flag])
        call = builder.module.globals.get("llvm.prefetch.p0i8") or ir.Function(
            builder.module, declared, "llvm.prefetch.p0i8"
        )
        place = builder.bitcast(_pointer(context, builder, *arguments), byte)
        builder.call(call, [place, flag(0), flag(3), flag(1)])  # to read, to be kept near, data
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), generate


@intrinsic
def _ask(typing_context: Any, function: Any, mine: Any, theirs: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        from llvmlite import ir

        word = ir.IntType(64)
        called = builder.inttoptr(arguments[0], ir.FunctionType(word, [word, word]).as_pointer())
        return builder.call(called, arguments[1:])

    return types.int64(types.int64, types.int64, types.int64), generate


PRIMITIVES = {
    "get": _get,
    "put": _put,
    "shifted": _shifted,
    "lowest": _lowest,
    "highest": _highest,
    "ones": _ones,
    "prefetch": _prefetch,
    "ask": _ask,
    "allocate": types.ExternalFunction("calloc", types.int64(types.int64, types.int64)),
    "release": types.ExternalFunction("free", types.void(types.int64)),
}


def compile_kernel(kernel: Kernel) -> bytes:
    """Return a line of JSON, the `name` of the function and the symbols that it `needs`, and the
    object code."""
    arguments, answer = kernel.types
    letters = ", ".join(f"argument{number}" for number in range(len(arguments)))
    scope: dict[str, Any] = {"kernel": _form(kernel)}
    exec(
        f"def entry({letters}): return kernel({letters})", scope
    )  # the arguments have to be spelt out for Numba
    with _numbas_forms():
        entry: Any = numba.cfunc(
            TYPES[answer](*(TYPES[name] for name in arguments)), error_model="numpy"
        )(scope["entry"])
    library = entry._library
    needs = [
        function.name for function in library._final_module.functions if function.is_declaration
    ]
    head = {
        "name": entry._wrapper_name,
        "needs": [name for name in needs if not name.startswith("llvm.")],
    }
    return json.dumps(head).encode() + b"\n" + bytes(library._get_compiled_object())


def _form(kernel: Kernel) -> Any:
    """Return Numba's form of the kernel, made once."""
    if kernel.compiled is None:
        options: dict[str, Any] = {"forceinline": True} if kernel.is_inlined else {}
        options |= {
            "nogil": True,
            "error_model": "numpy",
            "no_cpython_wrapper": True,
            "no_cfunc_wrapper": True,
            "_nrt": False,
        }
        kernel.compiled = numba.njit(**options)(kernel.function)
        _forget_literals(kernel.compiled)
    return kernel.compiled


def _forget_literals(form: Any) -> None:
    """Keep Numba from compiling a form anew for each constant that it is called with, which
    self-recursion does not survive."""
    fold, unliteral = form._compiler.fold_argument_types, cast(Any, types.unliteral)

    def folded(positional: Any, named: Any) -> Any:
        signature, found = fold(positional, named)
        return signature, tuple(unliteral(each) for each in found)

    form._compiler.fold_argument_types = folded


@contextmanager
def _numbas_forms() -> Iterator[None]:
    """Let the modules of the kernels hold Numba's forms in place of kernels and primitives, as it
    looks names up there."""
    swapped: list[tuple[dict[str, Any], str, Any]] = []
    for name, module in list(sys.modules.items()):
        if name.startswith("plyscope.") and "Primitive" not in vars(module):
            for key, value in list(vars(module).items()):
                if isinstance(value, Kernel | Primitive):
                    swapped.append((vars(module), key, value))
                    vars(module)[key] = (
                        _form(value) if isinstance(value, Kernel) else PRIMITIVES[value.name]
                    )
    try:
        yield
    finally:
        for scope, key, value in swapped:
            scope[key] = value


count_ones: Any = _ones


@overload_method(types.Integer, "bit_count")
def _bit_count(number):  # type: ignore[no-untyped-def] # Numba compares this signature with the lambdas'
    """Let people's functions count bits as Python does: those of the absolute value."""
    if number.signed:
        return lambda number: count_ones(abs(number))
    return lambda number: count_ones(number)


def native(function: Callable[..., int], masks: tuple[int, ...]) -> Any:
    """Do what `plyscope.machine.kernel.native` says."""
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
    """Compile `function` together with the plain functions of its module that it calls; indexes are
    checked, as Python does."""
    if function in done:
        return done[function]
    done[function] = function
    helpers = {
        name: value
        for name in function.__code__.co_names
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


def _reason(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    telling = [
        line
        for line in lines
        if not line.startswith(
            ("Failed in nopython", "- Resolution failure", "During:", "File ", "<source")
        )
    ]
    said = (telling or lines or [type(error).__name__])[0].partition(" Raised from ")[0]
    return said.replace("\x1b[1m", "").replace("\x1b[0m", "")[:200]

"""Compilation of kernels by Numba, imported only when a kernel has to be compiled."""

from __future__ import annotations

import json
from typing import Any

import numba

from plyscope_fast.machine.kernel import Kernel
from plyscope_fast.machine.numba_types import type_of


def compile_kernel(kernel: Kernel) -> bytes:
    """Return a line of JSON, with the `name` of the function and the symbols that it `needs`,
    followed by the object code."""
    name, library = entry_of(kernel)
    declared = [each.name for each in library._final_module.functions if each.is_declaration]
    head = {"name": name, "needs": [each for each in declared if not each.startswith("llvm.")]}
    return json.dumps(head).encode() + b"\n" + bytes(library._get_compiled_object())


def entry_of(kernel: Kernel) -> tuple[str, Any]:
    """Return the name of the function of a kernel that C can call, and Numba's library with it."""
    kinds, answer = kernel.types
    scope: dict[str, Any] = {"kernel": kernel, "constants": kernel.constants}
    given = kinds[1:] if kernel.constants else kinds
    arguments = [type_of(kind) for kind in given]
    names = [f"argument{number}" for number in range(len(given))]  # Numba needs named arguments
    passed = ["constants", *names] if kernel.constants else names
    call = f"return kernel({', '.join(passed)})"
    if kernel.walk is not None:
        from plyscope_fast.machine.texts import KERNEL_FUNCTIONS, walk_type

        arguments[0] = walk_type(kernel.walk, kernel.walk_constants)
        scope["kernel"] = KERNEL_FUNCTIONS.form(kernel.function)
        call = f"\n    try: {call}\n    except Exception: return 0"
    exec(f"def entry({', '.join(names)}): {call}", scope)
    typed = type_of(answer)(*arguments)
    entry: Any = numba.cfunc(typed, error_model="numpy")(scope["entry"])
    return entry._wrapper_name, entry._library

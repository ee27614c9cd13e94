"""Compiles kernels by Numba. Imported only when one has to be compiled."""

from __future__ import annotations

import json
from typing import Any

import numba

from plyscope.machine.kernel import Kernel
from plyscope.machine.numba_types import type_of


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

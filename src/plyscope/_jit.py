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
from typing import Any, TypeVar, cast

__all__ = ["cache_folder", "get", "inlined", "kernel", "put"]

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
from numba.core import types  # noqa: E402
from numba.extending import intrinsic  # noqa: E402


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


get = cast(Callable[[int, int], int], _load)
put = cast(Callable[[int, int, int], None], _store)

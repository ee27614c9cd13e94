"""The machine code that comes with plyscope: one library with all kernels, loaded by `ctypes`.

A wheel for a platform contains the library, which `wheels/library.py` has made. It needs neither
Numba nor llvmlite, and no version of Python in particular. It is used if it was made from the
sources that are installed; a note beside it has their digest. A clone has none, and compiles.
"""

from __future__ import annotations

import ctypes
import json
import platform
import sys
from functools import cache
from pathlib import Path
from typing import Any

from plyscope.fast.machine.sources import digest_of_sources

FOLDER = Path(__file__).with_name("libraries")
NOTE = "kernels.json"
ENDINGS = {"darwin": "dylib", "win32": "dll"}


def platform_name() -> str:
    """Return the system and the processor of this machine, such as `linux-x86_64`."""
    return f"{sys.platform}-{platform.machine().lower()}"


def symbol_of(file_name: str) -> str:
    """Return the name of a kernel's function in the library, from the name of its file."""
    return "plyscope_" + file_name.removesuffix(".o").translate(str.maketrans(".-", "__"))


def sources_digest() -> str:
    """Return the digest of the sources that the note has."""
    return digest_of_sources("")


@cache
def functions() -> frozenset[str]:
    """Return the names of the functions in the library of this machine; none if there is no library
    made from these sources."""
    try:
        note = json.loads((FOLDER / NOTE).read_bytes())
        is_there = _library_file().is_file() and note["sources"] == sources_digest()
        return frozenset(map(str, note["functions"])) if is_there else frozenset()
    except (OSError, ValueError, TypeError, KeyError):
        return frozenset()


def address_of(file_name: str) -> int | None:
    """Return the address of a kernel's function, None if the library does not have it."""
    if (symbol := symbol_of(file_name)) not in functions():
        return None
    try:
        return ctypes.cast(_library()[symbol], ctypes.c_void_p).value
    except (OSError, AttributeError):  # damaged, or of another processor
        return None


def _library_file() -> Path:
    return FOLDER / f"{platform_name()}.{ENDINGS.get(sys.platform, 'so')}"


@cache
def _library() -> Any:
    return ctypes.CDLL(str(_library_file()))

"""The machine code that comes with plyscope: one library with all kernels, loaded by `ctypes`.

A wheel for a platform contains the library, which `wheels/library.py` has made, and a note with
digests of the sources and of the library. It needs neither Numba nor llvmlite, and no version of
Python in particular. Where the sources have another digest, kernels are compiled as in a clone,
which has no library.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import platform
import sys
from functools import cache
from pathlib import Path
from typing import Any

from plyscope.pythonfile import in_one_line
from plyscope_fast.machine import threads
from plyscope_fast.machine.sources import digest_of_sources

FOLDER = Path(__file__).with_name("libraries")
NOTE = "kernels.json"
ENDINGS = {"darwin": "dylib", "win32": "dll"}
CAN_RUN = "plyscope_can_run"
"""The function of the library that returns whether the processor has the instructions it uses."""
CLOCK = "plyscope_clock"
"""The function of the library for a browser that takes the function which kernels call every some
thousand nodes, and returns the address of the word in which they count the nodes until then."""


def platform_name() -> str:
    """Return the system and the processor of this machine, such as `linux-x86_64`."""
    return f"{sys.platform}-{platform.machine().lower()}"


def symbol_of(file_name: str) -> str:
    """Return the name of a kernel's function in the library, from the name of its file."""
    return "plyscope_" + file_name.removesuffix(".o").translate(str.maketrans(".-", "__"))


def sources_digest() -> str:
    """Return the digest of the sources that the note contains."""
    return digest_of_sources("")


@cache
def addresses() -> dict[str, int]:
    """Return the addresses of the functions in the library of this machine, by name; none if there
    is no library made from these sources. Log in one line why a library is not used."""
    file = FOLDER / f"{platform_name()}.{ENDINGS.get(sys.platform, 'so')}"
    try:
        note = json.loads((FOLDER / NOTE).read_bytes())
        if note["sources"] != sources_digest() or not file.is_file():
            return {}
        if hashlib.sha256(file.read_bytes()).hexdigest() != note["libraries"][file.name]:
            raise ValueError("the file is damaged")
        library = ctypes.CDLL(str(file))
        if not library[CAN_RUN]():
            raise ValueError("the processor lacks instructions that it uses")
        if not threads.HAS_THREADS:
            _connect_clock(library)
        return {name: _address(library[name]) for name in note["functions"]}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        import logging  # late, since few processes need it

        logging.getLogger("plyscope").warning(
            "plyscope: the machine code in %r is not used: %s", str(file), in_one_line(error)
        )
        return {}


def address_of(file_name: str) -> int | None:
    """Return the address of a kernel's function, None if the library does not have it."""
    return addresses().get(symbol_of(file_name))


def _connect_clock(library: Any) -> None:
    """Let the kernels of a library for a browser call `threads.tick`."""
    _kept.append(ctypes.CFUNCTYPE(None)(threads.tick))
    library[CLOCK].restype = ctypes.c_void_p
    words: Any = (ctypes.c_int32 * 1).from_address(library[CLOCK](_kept[0]))
    threads.node_count = words


_kept: list[Any] = []
"""The function that kernels call, which ctypes must not free."""


def _address(function: Any) -> int:
    return ctypes.cast(function, ctypes.c_void_p).value or 0

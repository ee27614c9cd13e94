"""Machine code on disk: one file per kernel, loaded by llvmlite within milliseconds.

A file holds the object code of a kernel and of everything it calls. The name of its folder is a
digest of the sources of all kernels, the processor, the versions of Python, Numba and llvmlite, and
Numba's settings. A file is ignored if it is damaged, belongs to another kernel, or can have been
written by another user.
"""

from __future__ import annotations

import hashlib
import os
import platform
import sys
from collections.abc import Iterable
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any

from plyscope.cache import (
    NotOurs,
    distrust,
    home,
    open_own,
    own_folder,
)
from plyscope.wholefile import write_whole
from plyscope_fast.machine.memory import c_library
from plyscope_fast.machine.sources import digest_of_sources

MAX_FUNCTIONS = 300
"""The limit of files of users' functions on disk, of about 100 kB each."""
_folder: list[Path] = []
_engines: list[Any] = []
"""All engines, so that none is garbage-collected, which would free its object files a second
time."""


def cache_folder() -> Path:
    """Return the folder of compiled kernels for these sources and this machine."""
    import llvmlite
    from llvmlite.binding import get_host_cpu_name

    made_by = (
        f"{version('numba')} {llvmlite.__version__} {sys.version_info[:2]} {sys.platform} "
        f"{platform.machine()} {get_host_cpu_name()} {_options()}"
    )
    return home() / f"kernels-{digest_of_sources(made_by)}"


def _options() -> list[tuple[str, str]]:
    """Return Numba's settings in the environment, such as NUMBA_CPU_NAME, which change code."""
    return sorted(each for each in os.environ.items() if each[0].startswith("NUMBA_"))


def file_of(name: str) -> Path:
    """Return the path of a file in `cache_folder`."""
    if not _folder:
        _folder.append(cache_folder())
    return _folder[0] / name


def read(name: str) -> bytes:
    """Return the data of a file, b"" if it is missing, damaged, or not safe to use."""
    file = file_of(name)
    try:
        own_folder(file.parent)
        with open_own(file) as opened:
            found = opened.read()
    except NotOurs as error:
        distrust(error)
        return b""
    except OSError:
        return b""
    return found[32:] if _digest(file, found[32:]) == found[:32] else b""


def write(name: str, data: bytes) -> None:
    """Write a file if possible; otherwise the next process compiles the code again, and the log
    says so."""
    file = file_of(name)
    try:
        own_folder(file.parent)
        write_whole(file, (_digest(file, data), data), is_private=True)
    except OSError as error:
        distrust(NotOurs(why_not_kept(error)))


def why_not_kept(error: OSError) -> str:
    """Return why nothing can be written to the cache, in one line."""
    if isinstance(error, NotOurs):
        return str(error)
    return (
        f"cannot write to {str(home())!r} ({error.strerror or error}); "
        "expected a folder that you may write, or another $PLYSCOPE_CACHE"
    )


def has_function(beginning: str) -> bool:
    """Return whether the machine code of a function whose name starts with `beginning` is stored,
    undamaged and safe to use."""
    with suppress(OSError):  # a folder that may not be entered
        files = file_of("").glob(f"function-{beginning}*")
        return bool(beginning) and any(read(file.name) for file in files)
    return False


def write_function(name: str, data: bytes) -> None:
    """Write the machine code of a function, and delete the files read least recently if there are
    more than MAX_FUNCTIONS."""
    write(f"function-{name}.o", data)
    with suppress(OSError):
        files = sorted(file_of("").glob("function-*"), key=lambda each: each.stat().st_atime)
        for old in files[:-MAX_FUNCTIONS]:
            old.unlink()


def _digest(file: Path, data: bytes) -> bytes:
    """Return a digest of the data and of the file's name, to detect a file that was renamed."""
    return hashlib.sha256(f"{file.parent.name}/{file.name}\n".encode() + data).digest()


def unknown(needs: list[str]) -> list[str]:
    """Return the functions in `needs` that neither this process nor LLVM's symbols contain."""
    import llvmlite.binding as llvm

    process = c_library()
    return [
        name
        for name in needs
        if not hasattr(process, name) and llvm.address_of_symbol(name) is None
    ]


def linked(files: Iterable[bytes]) -> Any:
    """Return an LLVM engine with these object files linked."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    engine = llvm.create_mcjit_compiler(
        llvm.parse_assembly(""), llvm.Target.from_default_triple().create_target_machine()
    )
    for code in files:
        engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    _engines.append(engine)
    return engine

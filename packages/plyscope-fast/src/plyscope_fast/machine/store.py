"""Machine code on disk: one file per kernel, loaded by llvmlite within milliseconds.

A file holds the object code of a kernel and of everything it calls. The name of its folder is a
digest of the sources of all kernels, the processor, and the versions of Python and llvmlite. A file
is ignored if it is damaged, belongs to another kernel, or can have been written by another user.
"""

from __future__ import annotations

import hashlib
import os
import platform
import sys
from collections.abc import Iterable
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from plyscope import randomness
from plyscope.cache import (
    NotOurs,
    distrust,
    home,
    is_own,
    open_own,
    own_folder,
)
from plyscope.wholefile import write_whole
from plyscope_fast.machine.memory import c_library

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
        f"{llvmlite.__version__} {sys.version_info[:2]} {sys.platform} "
        f"{platform.machine()} {get_host_cpu_name()}"
    )
    return home() / f"kernels-{_digest_of_sources(made_by)}"


def sources_digest() -> str:
    """Return a digest of the sources of all kernels, the installed Numba and llvmlite, the version
    of Python and the name of the host. It does not import llvmlite, which takes long."""
    compilers = []
    for name in ("numba", "llvmlite"):
        found = find_spec(name)
        place = "" if found is None or found.origin is None else found.origin
        compilers.append(f"{place} {os.stat(place).st_mtime_ns if place else 0}")
    return _digest_of_sources(f"{compilers} {sys.version} {platform.node()}")


def _digest_of_sources(more: str) -> str:
    """Return a digest of the sources of all kernels and of `more`."""
    fast, plain = Path(__file__).resolve().parents[1], Path(randomness.__file__).resolve().parent
    folders = (
        fast / "machine",
        fast / "searching",
        fast / "solving" / "kernels",
        plain / "searching",
    )
    digest = hashlib.sha256()
    for folder in (*folders, plain / "searching"):
        for path in sorted(folder.rglob("*.py")):
            digest.update(f"{folder.name}/{path.relative_to(folder).as_posix()}".encode())
            digest.update(path.read_bytes())
    digest.update(Path(randomness.__file__).read_bytes())
    digest.update(more.encode())
    return digest.hexdigest()[:16]


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
    """Write a file if possible; otherwise the next process compiles the code again."""
    file = file_of(name)
    try:
        own_folder(file.parent)
        write_whole(file, (_digest(file, data), data), is_private=True)
    except NotOurs as error:
        distrust(error)
    except OSError:
        pass


def has_function(beginning: str) -> bool:
    """Return whether the machine code of a function whose name starts with `beginning` is stored
    and safe to use."""
    with suppress(OSError):  # a folder that may not be entered
        files = file_of("").glob(f"function-{beginning}*")
        return bool(beginning) and any(map(is_own, files))
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

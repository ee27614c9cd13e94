"""The door to machine code: kernels, which are Python functions that are compiled when they are
first called and kept on disk.

A kernel's machine code lies in the user's cache folder, in a file of its own that holds everything
it calls, under a name made of the sources of all kernels, the processor and the versions of what
compiles them. Where the file is there it is loaded by llvmlite within milliseconds, and Numba is
not even imported; where it is not, `compile` makes it. A file that is damaged, is another kernel's,
or can have been written by somebody else is not used.

Kernels take and return 64-bit integers and truth values, as their annotations say, and call one
another and the primitives below. Called from Python a kernel runs without the interpreter's lock.
It must not call a kernel that it was not compiled with, and never raises.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import mmap
import platform
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

from plyscope.machine.cache import (
    NotOurs,
    distrust,
    home,
    is_own,
    open_own,
    own_folder,
    write_whole,
)

__all__ = [
    "NO_ANSWER",
    "CannotCompile",
    "Kernel",
    "Primitive",
    "allocate",
    "ask",
    "c_library",
    "cache_folder",
    "compiling",
    "get",
    "highest",
    "inlined",
    "kernel",
    "lowest",
    "native",
    "ones",
    "pages",
    "prefetch",
    "put",
    "release",
    "shifted",
]

F = TypeVar("F", bound=Callable[..., Any])
NO_ANSWER = 1 << 62
"""What a native function answers where the Python function raised."""
C_TYPES: dict[str, Any] = {"int": ctypes.c_int64, "bool": ctypes.c_bool, "None": None}
_lock = threading.RLock()


class CannotCompile(Exception):
    """A function cannot be compiled; the text is the reason in one line."""


class Kernel:
    """A Python function that is run as machine code."""

    def __init__(self, function: Callable[..., Any], is_inlined: bool = False) -> None:
        self.function, self.is_inlined = function, is_inlined
        self.__name__, self.__doc__, self.__module__ = (
            function.__name__,
            function.__doc__,
            function.__module__,
        )
        self.compiled: Any = None
        """Numba's form of it, once `compile` has had to do with it."""
        self._native: Any = None
        self._kept: Any = None

    @property
    def types(self) -> tuple[list[str], str]:
        """The names of the types of its arguments and of its answer."""
        names = dict(self.function.__annotations__)
        answer = names.pop("return")
        return list(names.values()), answer

    @property
    def is_ready(self) -> bool:
        """Whether its machine code is there, so that calling it does not compile."""
        return self._native is not None or is_own(_file_of(self))

    def prepare(self) -> None:
        """Load its machine code, or compile it."""
        with _lock:
            if self._native is None:
                self._kept, self._native = _load(self)

    def __call__(self, *arguments: Any) -> Any:
        """Run it, compiled first where it is not yet."""
        if self._native is None:
            self.prepare()
        return self._native(*arguments)


class Primitive:
    """What kernels can do and Python cannot; `name` is that of its making in `compile`."""

    def __init__(self, name: str) -> None:
        self.name = name


def kernel(function: F) -> F:
    """Run `function` as machine code."""
    return cast(F, Kernel(function))


def inlined(function: F) -> F:
    """Make `function` part of the kernels that call it."""
    return cast(F, Kernel(function, is_inlined=True))


get = cast(Callable[[int, int], int], Primitive("get"))
"""get(base, index): the 64-bit integer at `index` of the memory that begins at the address
`base`."""
put = cast(Callable[[int, int, int], None], Primitive("put"))
"""put(base, index, value): store a 64-bit integer there."""
shifted = cast(Callable[[int, int], int], Primitive("shifted"))
"""shifted(number, count): the 64 bits of `number` moved down by `count`, zeros moving in."""
lowest = cast(Callable[[int], int], Primitive("lowest"))
"""lowest(word): the number of the lowest bit that is set; `word` is not 0."""
highest = cast(Callable[[int], int], Primitive("highest"))
"""highest(word): the number of the highest bit that is set; `word` is not 0."""
ones = cast(Callable[[int], int], Primitive("ones"))
"""ones(word): how many of its 64 bits are set."""
prefetch = cast(Callable[[int, int], None], Primitive("prefetch"))
"""prefetch(base, index): begin to fetch the memory that `get(base, index)` will want."""
ask = cast(Callable[[int, int, int], int], Primitive("ask"))
"""ask(address, mine, theirs): call the native function at an address with two words."""
allocate = cast(Callable[[int, int], int], Primitive("allocate"))
"""allocate(count, size): the address of so many new zeros of `size` bytes, 0 when there is no
memory."""
release = cast(Callable[[int], None], Primitive("release"))
"""release(address): give memory back."""


def native(function: Callable[..., int], masks: tuple[int, ...]) -> Any:
    """Compile `function(mine, theirs, lines)` for the lines `masks`; return what has its `address`,
    to be kept as long as that is used.

    The address takes two words of 64 bits and answers one, NO_ANSWER where the function raised.
    Raises CannotCompile.
    """
    from plyscope.machine import compile

    with _lock:
        return compile.native(function, masks)


def pages(size: int) -> mmap.mmap:
    """Return `size` bytes of 0 that cost nothing until they are written to, in large pages where
    the system has them."""
    if not hasattr(
        mmap, "MAP_PRIVATE"
    ):  # a system that takes no flags, as it has nothing but what they ask for
        return mmap.mmap(-1, size)
    found = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    if hasattr(mmap, "MADV_HUGEPAGE"):
        found.madvise(mmap.MADV_HUGEPAGE)
    return found


def c_library() -> ctypes.CDLL:
    """Return the C library of this process, which `allocate` and `release` have their memory
    from."""
    return ctypes.CDLL("ucrtbase" if sys.platform == "win32" else None)


def cache_folder() -> Path:
    """Return the folder of compiled kernels for these sources and this machine."""
    import llvmlite
    from llvmlite.binding import get_host_cpu_name

    package = Path(__file__).resolve().parents[1]
    digest = hashlib.sha256()
    for path in sorted(
        [
            *(package / "machine").glob("*.py"),
            package / "randomness.py",
            *(package / "searching").rglob("*.py"),
            *(package / "solving" / "compiled").rglob("*.py"),
        ]
    ):
        digest.update(path.relative_to(package).as_posix().encode())
        digest.update(path.read_bytes())
    digest.update(
        f"{llvmlite.__version__} {sys.version_info[:2]} {sys.platform} {platform.machine()} {get_host_cpu_name()}".encode()
    )
    return home() / f"kernels-{digest.hexdigest()[:16]}"


compiling: list[str] = []
"""The names of the kernels that are being compiled, for those who wait to be told."""
_folder: list[Path] = []


def _file_of(kernel: Kernel) -> Path:
    if not _folder:
        _folder.append(cache_folder())
    return _folder[0] / f"{kernel.__module__.rpartition('.')[2]}.{kernel.__name__}.o"


def _load(kernel: Kernel) -> tuple[Any, Any]:
    """Return what has to be kept, and the callable, of the kernel on disk; compile it first where
    it is not there."""
    file = _file_of(kernel)
    if data := _read(file):
        try:
            return _linked(kernel, data)
        except (ValueError, TypeError, KeyError, RuntimeError):
            pass  # it is none of ours, whatever its digest: made anew
    from plyscope.machine import compile

    compiling.append(kernel.__name__)
    try:
        data = compile.compile_kernel(kernel)
    finally:
        compiling.remove(kernel.__name__)
    try:
        own_folder(file.parent)
        write_whole(file, (_digest(file, data), data))
    except NotOurs as error:
        distrust(error)
    except OSError:
        pass  # a folder that cannot be written costs compiling again, no more
    return _linked(kernel, data)


def _read(file: Path) -> bytes:
    """Return what a file holds, nothing where it is not there, not whole, or not ours."""
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


def _digest(file: Path, data: bytes) -> bytes:
    """Return the digest of a kernel in this place, so that one under another's name is seen."""
    return hashlib.sha256(f"{file.parent.name}/{file.name}\n".encode() + data).digest()


def _linked(kernel: Kernel, data: bytes) -> tuple[Any, Any]:
    """Return what has to be kept, and the callable. Raises ValueError, TypeError, KeyError or
    RuntimeError for what is no kernel."""
    head, _, code = data.partition(b"\n")
    said = json.loads(head)
    engine = _engine(code, said["needs"])
    address = engine.get_function_address(said["name"])
    if not address:
        raise ValueError(f"no function {said['name']!r} in the machine code of {kernel.__name__!r}")
    arguments, answer = kernel.types
    prototype = ctypes.CFUNCTYPE(C_TYPES[answer], *(C_TYPES[name] for name in arguments))
    return engine, prototype(address)


def _engine(code: bytes, needs: list[str]) -> Any:
    """Return an engine that has linked the object code. What it `needs` comes from this process;
    what is neither there nor made known by Numba belongs to its reports of errors, which kernels do
    not make."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    process = c_library()
    for name in needs:
        if not hasattr(process, name) and llvm.address_of_symbol(name) is None:
            llvm.add_symbol(name, ctypes.cast(process.abort, ctypes.c_void_p).value)
    engine = llvm.create_mcjit_compiler(
        llvm.parse_assembly(""), llvm.Target.from_default_triple().create_target_machine()
    )
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return engine

"""Memory from the system, shared by kernels and Python."""

from __future__ import annotations

import ctypes
import mmap
import sys
from functools import cache

BROWSER_TABLE_BYTES = 1 << 26
"""The greatest size of a table in a browser, also of one that grows with a search. A browser's
memory has at most 4 GB for everything; it grows by a whole table at once and never shrinks."""
MAX_TABLE_BYTES = BROWSER_TABLE_BYTES if sys.platform == "emscripten" else 1 << 36
"""The greatest size of a table."""


def table_bytes(megabytes: float) -> int:
    """Return the bytes of a table for which `megabytes` are asked: no more than the platform has
    room for."""
    return min(int(megabytes * (1 << 20)), MAX_TABLE_BYTES)


def pages(size: int) -> mmap.mmap:
    """Return `size` zero bytes, in huge pages if the system has them. Pages that are never used
    take no memory. Raises MemoryError."""
    try:
        if not hasattr(mmap, "MAP_PRIVATE"):  # Windows, where mmap has no flags
            return mmap.mmap(-1, size)
        found = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    except (OSError, OverflowError) as error:
        raise MemoryError(*error.args) from None
    if hasattr(mmap, "MADV_HUGEPAGE"):
        found.madvise(mmap.MADV_HUGEPAGE)
    return found


@cache
def c_library() -> ctypes.CDLL:
    """Return the C library of this process, whose allocator `allocate` and `release` use."""
    library = ctypes.CDLL("ucrtbase" if sys.platform == "win32" else None)
    library.calloc.argtypes, library.free.argtypes = [ctypes.c_size_t] * 2, [ctypes.c_void_p]
    library.calloc.restype, library.free.restype = ctypes.c_void_p, None
    return library


class Zeros:
    """64-bit words of 0, freed with the object. Pages that are never used take no memory."""

    def __init__(self, count: int) -> None:
        self.address: int = c_library().calloc(count, 8) or 0
        if not self.address:
            raise MemoryError

    def __del__(self) -> None:
        c_library().free(self.address)

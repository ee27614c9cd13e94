"""Memory from the system, for what kernels and Python share."""

from __future__ import annotations

import ctypes
import mmap
import sys
from functools import cache


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


@cache
def c_library() -> ctypes.CDLL:
    """Return the C library of this process, which `allocate` and `release` have their memory
    from."""
    library = ctypes.CDLL("ucrtbase" if sys.platform == "win32" else None)
    library.calloc.argtypes, library.free.argtypes = [ctypes.c_size_t] * 2, [ctypes.c_void_p]
    library.calloc.restype, library.free.restype = ctypes.c_void_p, None
    return library


class Zeros:
    """Words of 0 that cost nothing until they are written to, given back with the object."""

    def __init__(self, count: int) -> None:
        self.address: int = c_library().calloc(count, 8) or 0
        if not self.address:
            raise MemoryError

    def __del__(self) -> None:
        c_library().free(self.address)

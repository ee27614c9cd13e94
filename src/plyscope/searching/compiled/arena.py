"""Memory that kernels extend: the trees and lists of searches that keep what they have seen.

HEAD is a small block of numbers: the address of the memory, how many numbers it holds, and how many
are used. Offsets stay what they are when the memory moves, addresses do not.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Sequence

from plyscope.machine.kernel import allocate, get, inlined, kernel, put, release
from plyscope.machine.memory import c_library
from plyscope.searching.compiled import layout

__all__ = ["ARENA_ENTRIES", "Arena", "extend", "memory", "shrink", "used"]

MEMORY, ROOM, USED, HEAD = range(4)
FIRST_ROOM = 1 << 12
MOST_ROOM = 1 << 29
"""4 GiB of numbers; beyond that the search has to stop."""


@inlined
def memory(arena: int) -> int:
    """Return the address of the numbers."""
    return get(arena, MEMORY)


@inlined
def used(arena: int) -> int:
    """Return how many numbers are used."""
    return get(arena, USED)


@kernel
def extend(base: int, arena: int, count: int) -> int:
    """Return the offset of `count` more numbers, all 0; stop the search when there is no memory for
    them, and return 0."""
    begin = get(arena, USED)
    if get(base, layout.STOP) != 0:
        return 0
    while begin + count > get(arena, ROOM):
        room = 2 * get(arena, ROOM)
        moved = allocate(room, 8) if room <= MOST_ROOM else 0
        if moved == 0:
            put(base, layout.STOP, layout.MEMORY_SPENT)
            return 0
        for index in range(begin):
            put(moved, index, get(get(arena, MEMORY), index))
        release(get(arena, MEMORY))
        put(arena, MEMORY, moved)
        put(arena, ROOM, room)
    put(arena, USED, begin + count)
    for index in range(count):
        put(get(arena, MEMORY), begin + index, 0)
    return begin


@kernel
def shrink(arena: int, count: int) -> None:
    """Give back the last `count` numbers."""
    put(arena, USED, get(arena, USED) - count)


@kernel
def _prepare(arena: int) -> None:
    put(arena, MEMORY, allocate(FIRST_ROOM, 8))
    put(arena, ROOM, FIRST_ROOM)


ARENA_ENTRIES = (_prepare,)


class Arena:
    """An arena for kernels, which get its `address`."""

    def __init__(self) -> None:
        self._head = array("q", bytes(8 * HEAD))
        self.address = self._head.buffer_info()[0]
        _prepare(self.address)

    def __del__(self) -> None:
        c_library().free(ctypes.c_void_p(self._head[MEMORY]))

    def numbers(self) -> Sequence[int]:
        """Return a view of the numbers used, to be read while the arena lives and no kernel extends
        it."""
        return (ctypes.c_int64 * self._head[USED]).from_address(self._head[MEMORY])  # type: ignore[return-value]

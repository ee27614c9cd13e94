"""Memory that kernels extend: blocks that own it, and arenas.

Trees and lists lie in arenas. Offsets stay what they are when the memory moves, addresses do
not.
"""

from __future__ import annotations

from collections.abc import Sequence

from plyscope.machine.block import Block, Words
from plyscope.machine.kernel import allocate, inlined, kernel, release
from plyscope.machine.memory import c_library
from plyscope.searching.compiled.layout import MEMORY_SPENT, Board

FIRST_ROOM = 1 << 12
MOST_ROOM = 1 << 29
"""4 GiB of words; beyond that the search has to stop."""


class Owner(Block):
    """A block that owns memory, which kernels extend and which is given back with it."""

    memory: Words
    room: int  # how many items there is memory for
    used: int

    def __init__(self, room: int, item_size: int, **fields: int | Sequence[int]) -> None:
        memory = c_library().calloc(room, item_size) or 0
        super().__init__((), memory=memory, room=room, **fields)
        if not self.memory.address:
            raise MemoryError

    def __del__(self) -> None:
        c_library().free(self.memory.address)


@inlined
def move_to(owner: Owner, memory: Words, room: int) -> None:
    """Let the block own greater memory, into which all that it holds is copied."""
    release(owner.memory.address)
    owner.memory, owner.room = memory, room


class Arena(Owner):
    """Words that are used one after the other."""

    def __init__(self) -> None:
        super().__init__(FIRST_ROOM, 8)


@kernel
def extend(board: Board, arena: Arena, count: int) -> int:
    """Return the offset of `count` more words, all 0; 0 when the search has to stop."""
    begin = arena.used
    if board.stopped:
        return 0
    while begin + count > arena.room:
        room = 2 * arena.room
        memory = Words.of(allocate(room, 8) if room <= MOST_ROOM else 0)
        if memory.address == 0:
            board.stopped = MEMORY_SPENT
            return 0
        old = arena.memory
        for index in range(begin):
            memory[index] = old[index]
        move_to(arena, memory, room)
    arena.used = begin + count
    for index in range(begin, begin + count):
        arena.memory[index] = 0
    return begin

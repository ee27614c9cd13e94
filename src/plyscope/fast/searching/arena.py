"""Memory that kernels extend: owning blocks, and arenas for trees and lists.

Offsets stay valid when the memory moves, addresses do not.
"""

from __future__ import annotations

from collections.abc import Sequence

from plyscope.fast.machine.block import Block, Words
from plyscope.fast.machine.kernel import allocate, inlined, kernel, release
from plyscope.fast.machine.memory import c_library
from plyscope.fast.searching.layout import MEMORY_SPENT, Board

INITIAL_WORDS = 1 << 12
MAX_WORDS = 1 << 29
"""The limit of an arena, 4 GiB; the search has to stop there."""


class Owner(Block):
    """A block that owns memory, which kernels extend and which is freed with the block."""

    memory: Words
    room: int  # the number of items that fit in the memory
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
    """Replace the memory of the block by a larger one, to which its items have been copied."""
    release(owner.memory.address)
    owner.memory, owner.room = memory, room


class Arena(Owner):
    """Words that are allocated one after the other."""

    def __init__(self) -> None:
        super().__init__(INITIAL_WORDS, 8)


@kernel
def extend(board: Board, arena: Arena, count: int) -> int:
    """Allocate `count` words of 0 and return their offset; 0 if the search has to stop."""
    begin = arena.used
    if board.stopped:
        return 0
    while begin + count > arena.room:
        room = 2 * arena.room
        memory = Words.of(allocate(room, 8) if room <= MAX_WORDS else 0)
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

"""Memory that kernels extend. Offsets stay valid when the memory moves, addresses do not."""

from __future__ import annotations

from collections.abc import Sequence

from plyscope_fast.machine.block import Block, Words
from plyscope_fast.machine.kernel import inlined, release
from plyscope_fast.machine.memory import c_library


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

"""The transposition table of kernels; `searching/table` is the one of the reference form.

A table maps a key of 63 bits to a word of data, by linear probing, and doubles when half of its
slots are taken. Keys are random, so two positions can share a key: with n positions the probability
is about n² / 2⁶⁴, one in two thousand for a hundred million positions.
"""

from __future__ import annotations

from typing import Annotated, Any

from plyscope.randomness import GOLDEN, MIX_FIRST, position_key
from plyscope.searching.score import Bound
from plyscope.searching.table import Interval, TableEntry
from plyscope_fast.machine.block import Bits, Block, Packed, Words, signed
from plyscope_fast.machine.kernel import allocate, inlined, kernel
from plyscope_fast.searching.arena import Owner, move_to
from plyscope_fast.searching.layout import MEMORY_SPENT, Board

FIRST_SLOTS = 1 << 12
MAX_SLOTS = 1 << 28
"""The most slots, 4 GiB; a search that needs more has to stop."""
NO_DATA = -(1 << 63)
"""The data returned for a missing key; no pair has this data."""
PLY_FACTOR, DEPTH_FACTOR, KEY_BITS = signed(GOLDEN), signed(MIX_FIRST), (1 << 63) - 1
BOUNDS = (Bound.EXACT, Bound.LOWER, Bound.UPPER)


class PackedEntry(Packed):
    """The result of a search of a node, in the view of its side to move."""

    bound: Annotated[int, Bits(2)]
    depth: Annotated[int, Bits(14)]
    move: Annotated[int, Bits(16)]  # the cell + 1, 0 for no move
    score: Annotated[int, Bits(32, is_signed=True)]


class PackedInterval(Packed):
    """The interval in which the value of a node is proved to be, in the root's view."""

    lower: Annotated[int, Bits(32, is_signed=True)]
    upper: Annotated[int, Bits(32, is_signed=True)]


class Pair(Block):
    """A slot of the table: a key and its data."""

    key: int  # 0 where the slot is free
    data: int


class CompiledTable(Owner):
    """A table for kernels. Python reads it with `get`, like the dictionary of the reference."""

    def __init__(self) -> None:
        super().__init__(FIRST_SLOTS, 16)

    def __len__(self) -> int:
        return self.used

    def data(self, position: Any, ply: int, depth: int = 0) -> int:
        """Return the data stored for a position, NO_DATA if there is none."""
        mixed = position_key(position.first, position.second) ^ ply * GOLDEN ^ depth * MIX_FIRST
        return int(find(self, max(1, mixed & KEY_BITS)))

    def get(self, key: tuple[Any, ...], missing: Any = None) -> Any:
        """Return the TableEntry of (position, ply), or the Interval of (position, ply, depth)."""
        position, ply, *depth = key
        data = self.data(position, ply, *depth)
        if data == NO_DATA:
            return missing
        if depth:
            interval = PackedInterval.of(data)
            return Interval(interval.lower, interval.upper)
        entry = PackedEntry.of(data)
        move = entry.move - 1 if entry.move else None
        return TableEntry(entry.depth, entry.score, BOUNDS[entry.bound], move)


@kernel
def key_of(board: Board, ply: int, depth: int) -> int:
    """Return the key of the board at `ply`, searched to `depth`; never 0, which marks a free
    slot."""
    return max(1, (board.key ^ ply * PLY_FACTOR ^ depth * DEPTH_FACTOR) & KEY_BITS)


@inlined
def _pair_at(memory: Words, slot: int) -> Pair:
    return Pair.of(memory.offset(2 * slot).address)


@kernel
def _pair_of(memory: Words, slots: int, key: int) -> Pair:
    """Return the pair of `key`, or the free pair in which to store the key."""
    slot = key & (slots - 1)
    pair = _pair_at(memory, slot)
    while pair.key != key and pair.key != 0:
        slot = (slot + 1) & (slots - 1)
        pair = _pair_at(memory, slot)
    return pair


@kernel
def find(table: CompiledTable, key: int) -> int:
    """Return the data of `key`, NO_DATA if there is none."""
    pair = _pair_of(table.memory, table.room, key)
    return pair.data if pair.key != 0 else NO_DATA


@kernel
def store(board: Board, table: CompiledTable, key: int, data: int) -> None:
    """Store `data` under `key`; stop the search if there is no memory for it."""
    pair = _pair_of(table.memory, table.room, key)
    if pair.key == 0:
        if 2 * table.used >= table.room:
            if not _grow(table):
                board.stopped = MEMORY_SPENT
                return
            pair = _pair_of(table.memory, table.room, key)
        table.used += 1
        pair.key = key
    pair.data = data


@kernel
def _grow(table: CompiledTable) -> bool:
    """Double the number of slots; return False if there is no memory for it."""
    old, slots = table.memory, table.room
    new = Words.of(allocate(2 * slots, 16) if 2 * slots <= MAX_SLOTS else 0)
    if new.address == 0:
        return False
    for slot in range(slots):
        pair = _pair_at(old, slot)
        if pair.key != 0:
            moved = _pair_of(new, 2 * slots, pair.key)
            moved.key, moved.data = pair.key, pair.data
    move_to(table, new, 2 * slots)
    return True

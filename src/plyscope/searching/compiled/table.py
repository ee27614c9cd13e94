"""The transposition table of kernels: what `reference/table` is to the reference.

A table maps a key of 63 bits to data of 64, in memory of its own: pairs of them, found by linear
probing, and doubled when half of them are taken. HEAD is a small block of numbers that says where
they are. Keys are drawn, so that two positions might share one: with n positions that happens with
a probability of about n² / 2⁶⁴, one in two thousand with a hundred million of them.

    data of an interval   upper << 32 | lower (its 32 bits)
    data of an entry      score << 32 | move + 1 << 16 | depth << 2 | bound (0 exact, 1 lower, 2 upper)
"""

from __future__ import annotations

import ctypes
from array import array
from typing import Any

from plyscope.machine.block import signed
from plyscope.machine.kernel import allocate, get, kernel, put, release
from plyscope.machine.memory import c_library
from plyscope.randomness import GOLDEN, MIX_FIRST, position_key
from plyscope.searching.compiled import layout
from plyscope.searching.reference.table import Interval, TableEntry
from plyscope.searching.score import Bound

__all__ = [
    "NOTHING",
    "TABLE_ENTRIES",
    "CompiledTable",
    "find",
    "key_after",
    "key_of",
    "store",
]

PAIRS, SLOTS, TAKEN, HEAD = range(4)
FIRST_SLOTS = 1 << 12
MOST_SLOTS = 1 << 28
"""4 GiB of pairs; beyond that the search has to stop."""
NOTHING = -(1 << 63)
"""Data that no pair has."""
PLY_FACTOR, DEPTH_FACTOR, KEY_BITS = signed(GOLDEN), signed(MIX_FIRST), (1 << 63) - 1
BOUNDS = (Bound.EXACT, Bound.LOWER, Bound.UPPER)


@kernel
def key_of(base: int, ply: int, depth: int) -> int:
    """Return the key of the board at `ply`, searched to `depth`; never 0, which marks a free
    slot."""
    return max(1, (get(base, layout.KEY) ^ ply * PLY_FACTOR ^ depth * DEPTH_FACTOR) & KEY_BITS)


@kernel
def key_after(base: int, ply: int, cell: int) -> int:
    """Return the key, for a depth of 0, of the board at `ply` after the move `cell`."""
    after = get(base, layout.KEY) ^ get(base, get(base, layout.KEYS) + 2 * cell + (ply & 1))
    return max(1, (after ^ (ply + 1) * PLY_FACTOR) & KEY_BITS)


@kernel
def _slot(pairs: int, slots: int, key: int) -> int:
    """Return where the pair of `key` is, or the free one where it would be."""
    at = key & (slots - 1)
    while get(pairs, 2 * at) != key and get(pairs, 2 * at) != 0:
        at = (at + 1) & (slots - 1)
    return 2 * at


@kernel
def find(table: int, key: int) -> int:
    """Return the data of `key`, NOTHING where there is none."""
    pairs = get(table, PAIRS)
    at = _slot(pairs, get(table, SLOTS), key)
    return get(pairs, at + 1) if get(pairs, at) != 0 else NOTHING


@kernel
def store(base: int, table: int, key: int, data: int) -> None:
    """Keep `data` under `key`; stop the search when there is no memory for it."""
    pairs, slots = get(table, PAIRS), get(table, SLOTS)
    at = _slot(pairs, slots, key)
    if get(pairs, at) == 0:
        if 2 * get(table, TAKEN) >= slots:
            if not _grow(table):
                put(base, layout.STOP, layout.MEMORY_SPENT)
                return
            pairs, slots = get(table, PAIRS), get(table, SLOTS)
            at = _slot(pairs, slots, key)
        put(table, TAKEN, get(table, TAKEN) + 1)
        put(pairs, at, key)
    put(pairs, at + 1, data)


@kernel
def _grow(table: int) -> bool:
    """Double the slots."""
    old, slots = get(table, PAIRS), get(table, SLOTS)
    new = allocate(4 * slots, 8) if 2 * slots <= MOST_SLOTS else 0
    if new == 0:
        return False
    for index in range(slots):
        key = get(old, 2 * index)
        if key != 0:
            at = _slot(new, 2 * slots, key)
            put(new, at, key)
            put(new, at + 1, get(old, 2 * index + 1))
    release(old)
    put(table, PAIRS, new)
    put(table, SLOTS, 2 * slots)
    return True


@kernel
def _prepare(table: int) -> None:
    put(table, PAIRS, allocate(2 * FIRST_SLOTS, 8))
    put(table, SLOTS, FIRST_SLOTS)


TABLE_ENTRIES = (_prepare, find)


class CompiledTable:
    """A table for kernels, which get its `address`. Python reads it like the reference's
    dictionary, with `get`."""

    def __init__(self) -> None:
        self._head = array("q", bytes(8 * HEAD))
        self.address = self._head.buffer_info()[0]
        _prepare(self.address)

    def __del__(self) -> None:
        c_library().free(ctypes.c_void_p(self._head[PAIRS]))

    def __len__(self) -> int:
        return self._head[TAKEN]

    def data(self, position: Any, ply: int, depth: int = 0) -> int:
        """Return the data of a position at a ply, searched to a depth; NOTHING where there is
        none."""
        mixed = position_key(position.first, position.second) ^ ply * GOLDEN ^ depth * MIX_FIRST
        return int(find(self.address, max(1, mixed & KEY_BITS)))

    def get(self, key: tuple[Any, ...], missing: Any = None) -> Any:
        """Return the TableEntry of (position, ply), or the Interval of (position, ply, depth);
        `missing` where there is none."""
        position, ply, *depth = key
        data = self.data(position, ply, *depth)
        if data == NOTHING:
            return missing
        if depth:
            return Interval(signed(data << 32) >> 32, data >> 32)
        move = (data >> 16 & 0xFFFF) - 1
        return TableEntry(
            data >> 2 & 0x3FFF, data >> 32, BOUNDS[data & 3], None if move < 0 else move
        )

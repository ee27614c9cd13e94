"""The transposition table of the playing engine, which its threads share and later searches reuse.

A bucket has four entries. A new entry replaces an older one of the same position, a free one, or
the least valuable: entries of earlier searches before others, then the shallowest. The key is
stored as an exclusive or with the entry, so that an entry written by two threads at once does not
match any key (Hyatt & Mann 2002). Scores of won and lost games count plies from the position, not
from the root.
"""

from __future__ import annotations

import ctypes
from typing import Annotated

from plyscope.searching.score import MAX_EVALUATION
from plyscope_fast.machine.block import Bits, Block, Packed, Rows
from plyscope_fast.machine.kernel import inlined, kernel
from plyscope_fast.machine.memory import pages, table_bytes

BUCKET_ENTRIES = 4
MIN_BUCKETS = 1 << 10
AGES, DEEPEST_ENTRY = 32, 255


class EngineEntry(Packed):
    """The result of a search of a position, in the view of its side to move. The word 0 marks a
    free slot."""

    bound: Annotated[int, Bits(2)]  # EXACT, LOWER or UPPER
    is_open: Annotated[int, Bits(1)]  # some leaf below was at the horizon
    depth: Annotated[int, Bits(8)]
    age: Annotated[int, Bits(5)]  # the number of the search that wrote it
    move: Annotated[int, Bits(16)]  # the cell in the canonical position + 1
    score: Annotated[int, Bits(32, is_signed=True)]


class Slot(Block):
    """The place of an entry."""

    key_with_entry: int  # key ^ entry
    entry: EngineEntry


class BucketTable(Block):
    """A table for kernels, of at most `megabytes` but at least MIN_BUCKETS buckets."""

    slots: Rows[Slot]  # [buckets, BUCKET_ENTRIES]
    mask: int  # buckets − 1
    age: int

    def __init__(self, megabytes: float = 64) -> None:
        size, buckets = 8 * Slot.size() * BUCKET_ENTRIES, MIN_BUCKETS
        while 2 * buckets * size <= table_bytes(megabytes):
            buckets *= 2
        self.owner: object = None
        memory = pages(buckets * size)
        self._memory = memoryview(memory)
        address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
        super().__init__(slots=address, mask=buckets - 1)

    def prepare(self, owner: object) -> None:
        """Begin a new search; clear the table if its `owner` (game, heuristic) changes."""
        self.age = (self.age + 1) % AGES
        if owner != self.owner:
            if self.owner is not None:
                ctypes.memset(self.slots.address, 0, len(self._memory))
            self.owner = owner

    def fill(self) -> float:
        """Return the fraction of slots with an entry of this search, estimated from a sample."""
        sample = self._memory.cast("q")[1:2000:2].tolist()
        fresh = [word for word in sample if word and EngineEntry.of(word).age == self.age]
        return len(fresh) / len(sample)


@inlined
def value_from_tt(score: int, ply: int) -> int:
    """Return the score of an entry with the plies to a win or loss counted from the root."""
    if score > MAX_EVALUATION:
        return score - ply
    return score + ply if score < -MAX_EVALUATION else score


@inlined
def value_to_tt(score: int, ply: int) -> int:
    """Return `score` for an entry, with the plies to a win or loss counted from its position."""
    if score > MAX_EVALUATION:
        return score + ply
    return score - ply if score < -MAX_EVALUATION else score


@kernel
def probe(table: BucketTable, key: int) -> EngineEntry:
    """Return the entry of `key`, one with the word 0 if there is none."""
    bucket = (key & table.mask) * BUCKET_ENTRIES
    for number in range(bucket, bucket + BUCKET_ENTRIES):
        slot = table.slots[number]
        entry = slot.entry
        if entry.word != 0 and slot.key_with_entry ^ entry.word == key:
            return entry
    return EngineEntry.of(0)


@kernel
def record(table: BucketTable, key: int, entry: EngineEntry) -> None:
    """Store `entry` under `key`."""
    bucket = (key & table.mask) * BUCKET_ENTRIES
    chosen, least = bucket, 1 << 30
    for number in range(bucket, bucket + BUCKET_ENTRIES):
        slot = table.slots[number]
        old = slot.entry
        if old.word == 0 or slot.key_with_entry ^ old.word == key:
            chosen = number
            break
        value = old.depth + (DEEPEST_ENTRY if old.age == entry.age else 0)
        if value < least:
            chosen, least = number, value
    slot = table.slots[chosen]
    slot.key_with_entry = key ^ entry.word
    slot.entry = entry

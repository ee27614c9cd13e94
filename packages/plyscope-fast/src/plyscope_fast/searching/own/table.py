"""The transposition table of compiled searches of user-defined games.

The key is the whole position with its ply, so two positions never share an entry. A slot holds the
key's words, one word of data and, for entries, the words of the best move; slots are probed
linearly and doubled when half of them are taken.
"""

from __future__ import annotations

from typing import Any

from plyscope.searching.table import Interval, TableEntry
from plyscope_fast.machine.block import Words
from plyscope_fast.machine.kernel import allocate, inlined, kernel, shifted
from plyscope_fast.machine.own import OwnGame, flattened, numbers_in, of_numbers
from plyscope_fast.searching.arena import Owner, move_to
from plyscope_fast.searching.board import PLY_FACTOR
from plyscope_fast.searching.layout import zeros
from plyscope_fast.searching.table import BOUNDS, PackedEntry, PackedInterval

FIRST_SLOTS = 1 << 12
MAX_WORDS = 1 << 29
"""The most words of the table, 4 GiB; a search that needs more has to stop."""
DEPTH_SHIFT = 32


class OwnTable(Owner):
    """A table of the positions of one game. Python reads it with `get`, like the dictionary of the
    reference."""

    key: Words  # [key_width]  the key to look up: its tag, and the numbers of a position
    key_width: int  # words of a key
    width: int  # words of a slot

    def __init__(self, own: OwnGame) -> None:
        self.own = own
        key_width = 1 + numbers_in(own.position)
        width = key_width + 1 + numbers_in(own.move)
        super().__init__(
            FIRST_SLOTS, 8 * width, key=zeros(key_width), key_width=key_width, width=width
        )

    def __len__(self) -> int:
        return self.used

    def get(self, key: tuple[Any, ...], missing: Any = None) -> Any:
        """Return the TableEntry of (position, ply), or the Interval of (position, ply, depth)."""
        position, ply, *depth = key
        for index, number in enumerate([tag_of(ply, *depth), *flattened(position)]):
            self.key[index] = number
        slot = Words(find_slot(self))
        if slot[0] == 0:
            return missing
        if depth:
            interval = PackedInterval.of(slot[self.key_width])
            return Interval(interval.lower, interval.upper)
        entry = PackedEntry.of(slot[self.key_width])
        words = [slot[index] for index in range(self.key_width + 1, self.width)]
        move = of_numbers(self.own.move, words) if entry.move else None
        return TableEntry(entry.depth, entry.score, BOUNDS[entry.bound], move)


def tag_of(ply: int, depth: int = 0) -> int:
    """Return the first word of a key, made of ply and depth; never 0, which marks a free slot."""
    return 1 + ply + (depth << DEPTH_SHIFT)


@kernel
def find_slot(table: OwnTable) -> int:
    """Return the address of the slot that holds `table.key`, or of the free slot in which to store
    it."""
    return _slot_of(table, table.memory, table.room, table.key)


@kernel
def _slot_of(table: OwnTable, memory: Words, slots: int, key: Words) -> int:
    number = _hash(key, table.key_width) & (slots - 1)
    slot = memory.offset(number * table.width)
    while slot[0] != 0 and _differs(slot, key, table.key_width):
        number = (number + 1) & (slots - 1)
        slot = memory.offset(number * table.width)
    return slot.address


@inlined
def _differs(words: Words, others: Words, count: int) -> bool:
    index = 0
    while index < count and words[index] == others[index]:
        index += 1
    return index < count


@inlined
def _hash(key: Words, count: int) -> int:
    mixed = 0
    for index in range(count):
        mixed = (mixed ^ key[index]) * PLY_FACTOR
        mixed ^= shifted(mixed, 32)
    return mixed


@kernel
def take_slot(table: OwnTable) -> int:
    """Return the address of the slot that holds `table.key`; take a free slot if there is none.
    Return 0 if there is no memory for it."""
    slot = Words.of(_slot_of(table, table.memory, table.room, table.key))
    if slot[0] != 0:
        return slot.address
    if 2 * table.used >= table.room:
        if not _grow(table):
            return 0
        slot = Words.of(_slot_of(table, table.memory, table.room, table.key))
    table.used += 1
    for index in range(table.key_width):
        slot[index] = table.key[index]
    return slot.address


@kernel
def _grow(table: OwnTable) -> bool:
    """Double the number of slots; return False if there is no memory for it."""
    old, width, slots = table.memory, table.width, 2 * table.room
    new = Words.of(allocate(slots * width, 8) if slots * width <= MAX_WORDS else 0)
    if new.address == 0:
        return False
    for number in range(table.room):
        slot = old.offset(number * width)
        if slot[0] != 0:
            moved = Words.of(_slot_of(table, new, slots, slot))
            for index in range(width):
                moved[index] = slot[index]
    move_to(table, new, slots)
    return True

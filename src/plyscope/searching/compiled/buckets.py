"""The transposition table of the playing engine: of a fixed size, shared by its threads and kept
between its searches.

Positions have a bucket of four entries. A new entry takes the place of its own older one, of a free
one, or of what is worth least: the shallowest, those of earlier searches first. Each entry is two
words: its data, and its key combined with the data by exclusive or, so that an entry that two
threads wrote at once is seen to be none (Hyatt & Mann 2002). Scores of won and lost games count
from the position, not from the root.

    data   score << 32 | move + 1 << 16 | age << 11 | depth << 3 | is open << 2 | bound (0 exact, 1 lower, 2 upper)

An entry is open when some of what was searched below it ended at the horizon.
"""

from __future__ import annotations

from ctypes import addressof, c_char

from plyscope.machine.kernel import get, inlined, kernel, put
from plyscope.machine.memory import pages
from plyscope.searching.compiled.table import NOTHING
from plyscope.searching.score import MAX_EVALUATION

__all__ = [
    "AGES",
    "DEEPEST_ENTRY",
    "BucketTable",
    "age_of",
    "clear",
    "from_here",
    "from_root",
    "probe",
    "record",
]

ENTRIES_IN_BUCKET, WORDS_IN_BUCKET = 4, 8
AGES, DEEPEST_ENTRY = 32, 255


class BucketTable:
    """A table for kernels of about so many `megabytes`, which get its `address` and its `mask`."""

    def __init__(self, megabytes: int = 64) -> None:
        buckets = 1
        while 2 * buckets * WORDS_IN_BUCKET * 8 <= megabytes << 20:
            buckets *= 2
        self.mask = buckets - 1
        self.age = 0
        self.owner: object = None
        memory = pages(8 * WORDS_IN_BUCKET * buckets)
        self._words = memoryview(memory).cast("q")
        self.address = addressof(c_char.from_buffer(memory))

    def prepare(self, owner: object) -> None:
        """Begin a new search; what another `owner` (game, heuristic) left is forgotten."""
        self.age = (self.age + 1) % AGES
        if owner != self.owner:
            if self.owner is not None:
                clear(self.address, len(self._words))
            self.owner = owner

    def fill(self) -> float:
        """Return which part of the entries was written in this search, from a sample."""
        sample = [self._words[at + 1] for at in range(0, min(len(self._words), 2000), 2)]
        return sum(1 for data in sample if data and data >> 11 & 31 == self.age) / len(sample)


@kernel
def clear(address: int, words: int) -> None:
    """Set so many words to 0."""
    for index in range(words):
        put(address, index, 0)


@inlined
def age_of(data: int) -> int:
    """Return in which search the entry was written."""
    return data >> 11 & 31


@inlined
def from_root(score: int, ply: int) -> int:
    """Return the score of an entry as counted from the root."""
    if score > MAX_EVALUATION:
        return score - ply
    return score + ply if score < -MAX_EVALUATION else score


@inlined
def from_here(score: int, ply: int) -> int:
    """Return a score of the search as counted from its position."""
    if score > MAX_EVALUATION:
        return score + ply
    return score - ply if score < -MAX_EVALUATION else score


@kernel
def probe(address: int, mask: int, key: int) -> int:
    """Return the data of `key`, NOTHING where there is none."""
    bucket = (key & mask) * WORDS_IN_BUCKET
    for entry in range(bucket, bucket + WORDS_IN_BUCKET, 2):
        data = get(address, entry + 1)
        if data != 0 and get(address, entry) ^ data == key:
            return data
    return NOTHING


@kernel
def record(address: int, mask: int, key: int, data: int) -> None:
    """Keep `data` under `key`."""
    bucket = (key & mask) * WORDS_IN_BUCKET
    chosen, least = bucket, 1 << 30
    for entry in range(bucket, bucket + WORDS_IN_BUCKET, 2):
        old = get(address, entry + 1)
        if old == 0 or get(address, entry) ^ old == key:
            chosen = entry
            break
        worth = (old >> 3 & DEEPEST_ENTRY) + (DEEPEST_ENTRY if age_of(old) == age_of(data) else 0)
        if worth < least:
            chosen, least = entry, worth
    put(address, chosen, key ^ data)
    put(address, chosen + 1, data)

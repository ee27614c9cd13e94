"""The twin of `reference/dfpn`.

data of a node that is not answered   proof number << 31 | disproof number
data of one that is                   −1 less twice its score, lifted by INFINITY, less 1 for a yes
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from plyscope.machine.kernel import get, inlined, kernel
from plyscope.searching.compiled import board, layout
from plyscope.searching.compiled.table import (
    NOTHING,
    TABLE_ENTRIES,
    CompiledTable,
    find,
    key_after,
    key_of,
    store,
)
from plyscope.searching.reference.dfpn import Numbers, TableAnswer
from plyscope.searching.reference.pn import MANY, find_value
from plyscope.searching.score import INFINITY

if TYPE_CHECKING:
    from plyscope.searching.compiled.run import Runner
    from plyscope.searching.walk import Walk

__all__ = ["ENTRIES", "search"]

NUMBER_BITS = 31


@inlined
def answered(score: int, is_yes: bool) -> int:
    """Return the data of a node that is answered."""
    return -1 - 2 * (score + INFINITY) - (1 if is_yes else 0)


@inlined
def score_of(data: int) -> int:
    """Return the score of a node that is answered."""
    return (-1 - data >> 1) - INFINITY


@inlined
def number_of(data: int, is_proof: bool) -> int:
    """Return the proof number that the data tells, or the disproof number."""
    if data == NOTHING:
        return 1
    if data < 0:
        return 0 if (-1 - data & 1 == 1) == is_proof else MANY
    return data >> NUMBER_BITS if is_proof else data & (1 << NUMBER_BITS) - 1


@kernel
def call(
    base: int,
    table: int,
    ply: int,
    depth: int,
    is_whole: bool,
    test: int,
    most_first: int,
    most_second: int,
) -> bool:
    """Search the node until one of its numbers reaches its limit; return whether the search may go
    on.

    The first number is the one that the side to move wants small: the proof number of the root's
    side, the disproof number of the other.
    """
    if not board.enter(base, ply):
        return False
    total, key = get(base, layout.TOTAL), key_of(base, ply, 0)
    if board.is_leaf(base, depth, is_whole):
        score = board.leaf(base, ply, is_whole, total, get(base, layout.EMPTY))
        store(base, table, key, answered(score, score >= test))
        return get(base, layout.STOP) == 0
    mover = ply & 1
    is_max = mover == 0
    count = board.generate(base, ply)
    while True:
        first, next_, second, at, at_second = MANY + 1, MANY, 0, 0, 0
        for index in range(count):
            data = find(table, key_after(base, ply, board.move_at(base, ply, index)))
            number, other = number_of(data, is_max), number_of(data, not is_max)
            second = min(MANY, second + other)
            if number < first:
                next_ = min(next_, first)
                first, at, at_second = number, index, other
            else:
                next_ = min(next_, number)
        if first == 0 or second == 0:
            best, is_new = 0, True
            for index in range(count):
                data = find(table, key_after(base, ply, board.move_at(base, ply, index)))
                if number_of(data, is_max) == first and number_of(data, not is_max) == second:
                    score = score_of(data)
                    if is_new or (score > best if is_max else score < best):
                        best, is_new = score, False
            store(base, table, key, answered(best, (first == 0) == is_max))
            return get(base, layout.STOP) == 0
        if first >= most_first or second >= most_second:
            store(
                base,
                table,
                key,
                first << NUMBER_BITS | second if is_max else second << NUMBER_BITS | first,
            )
            return get(base, layout.STOP) == 0
        cell = board.move_at(base, ply, at)
        if ply == 0:
            board.count_root(base, cell, -1)
        whole = board.place(base, cell, mover)
        goes_on = call(
            base,
            table,
            ply + 1,
            depth - 1,
            whole,
            test,
            most_second - second + at_second,
            min(most_first, next_ + 1),
        )
        board.lift(base, cell, mover, total)
        if ply == 0:
            board.count_root(base, cell, 1)
        if not goes_on:
            return False


ENTRIES = (
    call,
    *TABLE_ENTRIES,
)


class _Known:
    """A table as the reference reads it."""

    def __init__(self, table: CompiledTable) -> None:
        self.table = table

    def get(self, key: tuple[Any, int], missing: Numbers) -> Numbers:
        """Return what is known of (position, ply)."""
        data = self.table.data(*key)
        if data == NOTHING:
            return missing
        if data >= 0:
            return Numbers(data >> NUMBER_BITS, data & (1 << NUMBER_BITS) - 1)
        score = (-1 - data >> 1) - INFINITY
        return Numbers(0, MANY, score) if -1 - data & 1 else Numbers(MANY, 0, score)


def search(walk: Walk, runner: Runner) -> int:
    """Search the root as the reference does, with questions of its own."""

    def question(test: int) -> TableAnswer:
        table = CompiledTable()
        runner.call(call, table, 0, walk.depth, False, test, MANY, MANY)
        return TableAnswer(walk, _Known(table), walk.root)

    return find_value(walk, question)

"""The twin of `reference/dfpn`: depth first, with a table in place of the tree (Nagai 2002)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from plyscope.machine.block import Bits, Packed
from plyscope.machine.kernel import inlined, kernel
from plyscope.searching.compiled.board import (
    enter,
    generate,
    is_leaf,
    is_max_at,
    leaf,
    lift_move,
    move_at,
    place_move,
    sign_below,
)
from plyscope.searching.compiled.layout import Board
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

if TYPE_CHECKING:
    from plyscope.searching.compiled.run import Runner
    from plyscope.searching.walk import Walk


class Open(Packed):
    """The numbers of a node that is not answered."""

    disproof: Annotated[int, Bits(31)]
    proof: Annotated[int, Bits(31)]
    is_answered: Annotated[int, Bits(1)]  # 0


class Closed(Packed):
    """A node that is answered, and its score in the root's view."""

    is_yes: Annotated[int, Bits(1)]
    score: Annotated[int, Bits(61, is_signed=True)]
    is_answered: Annotated[int, Bits(1)]  # 1


@inlined
def number_of(data: int, is_proof: bool) -> int:
    """Return the proof number that the data tell, or the disproof number."""
    if data == NOTHING:
        return 1
    node = Open.of(data)
    if node.is_answered:
        return 0 if (Closed.of(data).is_yes == 1) == is_proof else MANY
    return node.proof if is_proof else node.disproof


@inlined
def data_of_child(board: Board, table: CompiledTable, ply: int, index: int) -> int:
    """Return what the table knows of the node after a move of `ply`."""
    return find(table, key_after(board, ply, move_at(board, ply, index)))


@kernel
def best_answer(
    board: Board, table: CompiledTable, ply: int, count: int, first: int, second: int
) -> int:
    """Return the best score, for the mover, of the children that are answered as the node is."""
    is_max, best, is_new = is_max_at(board, ply), 0, True
    for index in range(count):
        data = data_of_child(board, table, ply, index)
        if number_of(data, is_max) == first and number_of(data, not is_max) == second:
            score = Closed.of(data).score
            if is_new or (score > best if is_max else score < best):
                best, is_new = score, False
    return best


@kernel
def call(
    board: Board,
    table: CompiledTable,
    ply: int,
    depth: int,
    has_line: bool,
    test: int,
    most_first: int,
    most_second: int,
) -> bool:
    """Search the node until one of its numbers reaches its limit; return whether the search may go
    on.

    The first number is the one that the side to move wants small: the proof number of the root's
    side, the disproof number of the other.
    """
    if not enter(board, ply):
        return False
    key = key_of(board, ply, 0)
    if is_leaf(board, depth, has_line):
        score = leaf(board, ply, has_line)
        answer = Closed(is_yes=int(score >= test), score=score, is_answered=1)
        store(board, table, key, answer.word)
        return not board.stopped
    is_max, total = is_max_at(board, ply), board.total
    count = generate(board, ply)
    while True:
        # The least of the children's first numbers, and the next; the sum of the second ones.
        first, next_, second, at, at_second = MANY + 1, MANY, 0, 0, 0
        for index in range(count):
            data = data_of_child(board, table, ply, index)
            number, other = number_of(data, is_max), number_of(data, not is_max)
            second = min(MANY, second + other)
            if number < first:
                next_ = min(next_, first)
                first, at, at_second = number, index, other
            else:
                next_ = min(next_, number)
        if first == 0 or second == 0:
            score = best_answer(board, table, ply, count, first, second)
            answer = Closed(is_yes=int((first == 0) == is_max), score=score, is_answered=1)
            store(board, table, key, answer.word)
            return not board.stopped
        if first >= most_first or second >= most_second:
            proof, disproof = (first, second) if is_max else (second, first)
            numbers = Open(disproof=disproof, proof=proof, is_answered=0)
            store(board, table, key, numbers.word)
            return not board.stopped
        cell = move_at(board, ply, at)
        least, most = min(most_first, next_ + 1), most_second - second + at_second
        if sign_below(board, ply) < 0:  # what is first here is second there
            least, most = most, least
        completes = place_move(board, ply, cell)
        goes_on = call(
            board,
            table,
            ply + 1,
            depth - 1,
            completes,
            test,
            least,
            most,
        )
        lift_move(board, ply, cell, total)
        if not goes_on:
            return False


ENTRIES = (call, *TABLE_ENTRIES)


class _Known:
    """A table as the reference reads it."""

    def __init__(self, table: CompiledTable) -> None:
        self.table = table

    def get(self, key: tuple[Any, int], missing: Numbers) -> Numbers:
        """Return what is known of (position, ply)."""
        data = self.table.data(*key)
        if data == NOTHING:
            return missing
        answer = Closed.of(data)
        if answer.is_answered:
            proof, disproof = (0, MANY) if answer.is_yes else (MANY, 0)
            return Numbers(proof, disproof, answer.score)
        node = Open.of(data)
        return Numbers(node.proof, node.disproof)


def search(walk: Walk, runner: Runner) -> int:
    """Search the root as the reference does, with questions of its own."""

    def question(test: int) -> TableAnswer:
        table = CompiledTable()
        runner.call(call, table, 0, walk.depth, False, test, MANY, MANY)
        return TableAnswer(walk, _Known(table), walk.root)

    return find_value(walk, question)

"""The twin of `reference/pn`.

An arena holds the tree, NODE_FIELDS numbers a node, its children one after the other. The board is
led to a node by its moves from the root when it is expanded, and back.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from plyscope.machine.kernel import get, kernel, put
from plyscope.searching.compiled import board, layout
from plyscope.searching.compiled.arena import ARENA_ENTRIES, Arena, extend, memory, used
from plyscope.searching.reference.pn import MANY, find_value

if TYPE_CHECKING:
    from plyscope.searching.compiled.run import Runner
    from plyscope.searching.walk import Walk

__all__ = ["ENTRIES", "search"]

PARENT, CELL, PROOF, DISPROOF, SCORE, FIRST, WIDTH, BEST, NODE_FIELDS = range(9)
NONE = -1


@kernel
def begin(
    base: int, tree: int, parent: int, cell: int, ply: int, depth: int, is_whole: bool, test: int
) -> None:
    """Add a node for the board as it stands; a leaf is answered at once."""
    if not board.enter(base, ply):
        return
    node = extend(base, tree, NODE_FIELDS)
    if get(base, layout.STOP) != 0:
        return
    proof, disproof, score = 1, 1, 0
    if board.is_leaf(base, depth - ply, is_whole):
        score = board.leaf(base, ply, is_whole, get(base, layout.TOTAL), get(base, layout.EMPTY))
        proof, disproof = (0, MANY) if score >= test else (MANY, 0)
    numbers = memory(tree)
    put(numbers, node + PARENT, parent)
    put(numbers, node + CELL, cell)
    put(numbers, node + PROOF, proof)
    put(numbers, node + DISPROOF, disproof)
    put(numbers, node + SCORE, score)
    put(numbers, node + BEST, NONE)


@kernel
def update(numbers: int, node: int, is_max: bool) -> None:
    """Take the numbers of `node` from its children; where they answer it, the score and which child
    has it."""
    first, second = (PROOF, DISPROOF) if is_max else (DISPROOF, PROOF)
    least, sum_ = MANY, 0
    begin_, width = get(numbers, node + FIRST), get(numbers, node + WIDTH)
    for index in range(width):
        child = begin_ + NODE_FIELDS * index
        least = min(least, get(numbers, child + first))
        sum_ = min(MANY, sum_ + get(numbers, child + second))
    put(numbers, node + first, least)
    put(numbers, node + second, sum_)
    if least != 0 and sum_ != 0:
        return
    best = NONE
    for index in range(width):
        child = begin_ + NODE_FIELDS * index
        if get(numbers, child + first) == least and get(numbers, child + second) == sum_:
            gain = get(numbers, child + SCORE) - get(numbers, best + SCORE) if best != NONE else 0
            if best == NONE or (gain > 0 if is_max else gain < 0):
                best = child
    put(numbers, node + SCORE, get(numbers, best + SCORE))
    put(numbers, node + BEST, best)


@kernel
def ask(base: int, tree: int, path: int, depth: int, test: int) -> int:
    """Return the score of an answer, 0 when the search has to stop."""
    begin(base, tree, NONE, NONE, 0, depth, False, test)
    while (
        get(base, layout.STOP) == 0
        and get(memory(tree), PROOF) != 0
        and get(memory(tree), DISPROOF) != 0
    ):
        node, ply = 0, 0
        root_total = get(base, layout.TOTAL)
        while get(memory(tree), node + WIDTH) != 0:
            numbers = memory(tree)
            number = PROOF if ply & 1 == 0 else DISPROOF
            child = get(numbers, node + FIRST)
            while get(numbers, child + number) != get(numbers, node + number):
                child += NODE_FIELDS
            node = child
            put(path, ply, get(numbers, node + CELL))
            board.place(base, get(path, ply), ply & 1)
            ply += 1
        expand(base, tree, node, ply, depth, get(path, 0), test)
        while ply > 0:
            ply -= 1
            board.lift(base, get(path, ply), ply & 1, root_total)
            if get(base, layout.STOP) == 0:
                update(memory(tree), node, ply & 1 == 1)
                node = get(memory(tree), node + PARENT)
        if get(base, layout.STOP) == 0:
            update(memory(tree), node, True)
    if get(base, layout.STOP) != 0:
        return 0
    return get(memory(tree), SCORE)


@kernel
def expand(base: int, tree: int, node: int, ply: int, depth: int, top: int, test: int) -> None:
    """Add the children of `node`, until one of them answers it; `top` is the root's move that leads
    here."""
    mover, total = ply & 1, get(base, layout.TOTAL)
    count = board.generate(base, ply)
    put(memory(tree), node + FIRST, used(tree))
    if ply > 0:
        board.count_root(base, top, -1)
    for index in range(count):
        cell = board.move_at(base, ply, index)
        if ply == 0:
            board.count_root(base, cell, -1)
        whole = board.place(base, cell, mover)
        begin(base, tree, node, cell, ply + 1, depth, whole, test)
        board.lift(base, cell, mover, total)
        if ply == 0:
            board.count_root(base, cell, 1)
        if get(base, layout.STOP) != 0:
            break
        numbers = memory(tree)
        put(numbers, node + WIDTH, index + 1)
        child = get(numbers, node + FIRST) + NODE_FIELDS * index
        if get(numbers, child + (PROOF if mover == 0 else DISPROOF)) == 0:
            put(base, layout.CUTOFFS, get(base, layout.CUTOFFS) + 1)
            break
    if ply > 0:
        board.count_root(base, top, 1)


ENTRIES = (
    ask,
    *ARENA_ENTRIES,
)


class _TreeAnswer:
    """A node of a tree as the reference reads it."""

    def __init__(self, tree: Arena, node: int = 0, is_max: bool = True) -> None:
        self._tree, self._numbers, self._node, self._is_max = tree, tree.numbers(), node, is_max
        self.score = self._numbers[node + SCORE]

    @property
    def solution(self) -> dict[int, _TreeAnswer]:
        """By move, the children in the solution tree."""
        numbers, node = self._numbers, self._node
        if self._is_max == (numbers[node + PROOF] == 0):
            children = [numbers[node + BEST]] if numbers[node + WIDTH] else []
        else:
            children = [
                numbers[node + FIRST] + NODE_FIELDS * index
                for index in range(numbers[node + WIDTH])
            ]
        return {
            numbers[child + CELL]: _TreeAnswer(self._tree, child, not self._is_max)
            for child in children
        }


def search(walk: Walk, runner: Runner) -> int:
    """Search the root as the reference does, with questions of its own."""
    path = array("q", bytes(8 * runner.board.plies))

    def question(test: int) -> _TreeAnswer:
        tree = Arena()
        runner.call(ask, tree, path, walk.depth, test)
        return _TreeAnswer(tree)

    return find_value(walk, question)

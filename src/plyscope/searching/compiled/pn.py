"""The twin of `reference/pn`.

An arena holds the tree, the children of a node one after the other. The board is led to a node by
its moves from the root when it is expanded, and back (Allis, van der Meulen & van den Herik 1994).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from plyscope.machine.block import Block, Words
from plyscope.machine.kernel import inlined, kernel
from plyscope.searching.compiled.arena import Arena, extend
from plyscope.searching.compiled.board import (
    count_root,
    enter,
    generate,
    is_leaf,
    leaf,
    lift,
    lift_move,
    move_at,
    mover_at,
    place,
    place_move,
)
from plyscope.searching.compiled.layout import Board, zeros
from plyscope.searching.reference.pn import MANY, find_value

if TYPE_CHECKING:
    from plyscope.searching.compiled.run import Runner
    from plyscope.searching.walk import Walk

NONE = -1


class Node(Block):
    """A node of the tree; nodes are known by their offsets in the arena."""

    parent: int  # NONE at the root
    cell: int  # the move that leads here
    numbers: Annotated[Words, 2]  # [side]  the proof and the disproof number
    score: int  # once it is answered, in the root's view
    first: int  # its first child
    width: int  # children
    best: int  # the child that has the score


@inlined
def node_at(tree: Arena, offset: int) -> Node:
    """Return the node at an offset, to be read until the arena is extended."""
    return Node.of(tree.memory.offset(offset).address)


@inlined
def is_answered(node: Node) -> bool:
    """Return whether the answer for the node is known."""
    return node.numbers[0] == 0 or node.numbers[1] == 0


@kernel
def begin(
    board: Board,
    tree: Arena,
    parent: int,
    cell: int,
    ply: int,
    depth: int,
    has_line: bool,
    test: int,
) -> None:
    """Add a node for the board as it stands; a leaf is answered at once."""
    if not enter(board, ply):
        return
    offset = extend(board, tree, Node.size())
    if board.stopped:
        return
    node = node_at(tree, offset)
    node.parent, node.cell, node.best = parent, cell, NONE
    node.numbers[0] = node.numbers[1] = 1
    if is_leaf(board, depth - ply, has_line):
        node.score = leaf(board, ply, has_line)
        node.numbers[0], node.numbers[1] = (0, MANY) if node.score >= test else (MANY, 0)


@kernel
def update(tree: Arena, node: Node, mover: int) -> None:
    """Take the numbers of `node` from its children; where they answer it, the score and which child
    has it.

    Of both numbers the mover's own is the least of its children's, the other their sum.
    """
    least, total, size = MANY, 0, Node.size()
    for index in range(node.width):
        child = node_at(tree, node.first + size * index)
        least = min(least, child.numbers[mover])
        total = min(MANY, total + child.numbers[1 - mover])
    node.numbers[mover], node.numbers[1 - mover] = least, total
    if least != 0 and total != 0:
        return
    node.best = NONE
    for index in range(node.width):
        offset = node.first + size * index
        child = node_at(tree, offset)
        if child.numbers[mover] == least and child.numbers[1 - mover] == total:
            gain = child.score - node.score if mover == 0 else node.score - child.score
            if node.best == NONE or gain > 0:
                node.best, node.score = offset, child.score


@kernel
def most_proving(board: Board, tree: Arena, path: Words) -> int:
    """Place the moves that lead to the leaf that is to be expanded, and return its offset; `path`
    becomes their number and the moves."""
    offset, ply = 0, 0
    while node_at(tree, offset).width != 0:
        node, mover = node_at(tree, offset), mover_at(board, ply)
        offset = node.first
        while node_at(tree, offset).numbers[mover] != node.numbers[mover]:
            offset += Node.size()
        cell = node_at(tree, offset).cell
        place(board, cell, mover)
        ply += 1
        path[ply] = cell
    path[0] = ply
    return offset


@kernel
def expand(board: Board, tree: Arena, offset: int, ply: int, depth: int, test: int) -> None:
    """Add the children of a node, until one of them answers it."""
    mover, total = mover_at(board, ply), board.total
    count = generate(board, ply)
    node_at(tree, offset).first = tree.used
    for index in range(count):
        cell, child = move_at(board, ply, index), tree.used
        completes = place_move(board, ply, cell)
        begin(board, tree, offset, cell, ply + 1, depth, completes, test)
        lift_move(board, ply, cell, total)
        if board.stopped:
            return
        node_at(tree, offset).width = index + 1
        if node_at(tree, child).numbers[mover] == 0:
            board.cutoffs += 1
            return


@kernel
def ask(board: Board, tree: Arena, path: Words, depth: int, test: int) -> int:
    """Return the score of an answer, 0 when the search has to stop."""
    total = board.total
    begin(board, tree, NONE, NONE, 0, depth, False, test)
    while not board.stopped and not is_answered(node_at(tree, 0)):
        offset = most_proving(board, tree, path)
        ply = path[0]
        if ply > 0:
            count_root(board, path[1], -1)
        expand(board, tree, offset, ply, depth, test)
        if ply > 0:
            count_root(board, path[1], 1)
        for back in range(ply, 0, -1):
            lift(board, path[back], mover_at(board, back - 1), total)
        while not board.stopped and offset != NONE:
            update(tree, node_at(tree, offset), mover_at(board, ply))
            offset = node_at(tree, offset).parent
            ply -= 1
    return 0 if board.stopped else node_at(tree, 0).score


ENTRIES = (ask,)


class _Answer:
    """An answered node as the reference reads it."""

    def __init__(self, board: Board, tree: Arena, offset: int = 0, ply: int = 0) -> None:
        self._board, self._tree, self._ply = board, tree, ply
        self._node = Node.of(tree.memory.offset(offset).address)
        self.score = self._node.score

    @property
    def solution(self) -> dict[int, _Answer]:
        """The children that the answer rests on."""
        node = self._node
        if (self._board.movers[self._ply] == 0) == (node.numbers[0] == 0):
            children = [node.best] if node.width else []
        else:
            children = [node.first + Node.size() * index for index in range(node.width)]
        answers = [_Answer(self._board, self._tree, child, self._ply + 1) for child in children]
        return {answer._node.cell: answer for answer in answers}


def search(walk: Walk, runner: Runner) -> int:
    """Search the root as the reference does, with questions of its own."""
    path = Block(zeros(runner.board.ply_count))

    def question(test: int) -> _Answer:
        tree = Arena()
        runner.call(ask, tree, path, walk.depth, test)
        return _Answer(runner.board, tree)

    return find_value(walk, question)

"""The twin of `reference/sss`: the first state solved at the root has the minimax value (Stockman
1979).

Two arenas: the nodes begun, with their moves; and the OPEN list, a heap of states. The board is led
to a node by its moves from the root whenever it is expanded or evaluated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from plyscope.machine.block import Block, Words
from plyscope.machine.kernel import inlined, kernel
from plyscope.searching.compiled.arena import Arena, extend, shrink
from plyscope.searching.compiled.board import (
    count_root,
    enter,
    generate,
    is_leaf,
    is_max_at,
    leaf,
    lift,
    move_at,
    mover_at,
    place,
    pv_of,
)
from plyscope.searching.compiled.layout import Board, zeros
from plyscope.searching.reference.sss import note_pv
from plyscope.searching.score import INFINITY

if TYPE_CHECKING:
    from plyscope.searching.compiled.run import Runner
    from plyscope.searching.walk import Walk

NONE = -1


class Node(Block):
    """A node that was begun, known by its offset in the arena."""

    parent: int  # NONE at the root
    index: int  # of its move among those of its parent
    ply: int
    cell: int  # the move
    width: int  # its own moves, once it is expanded
    moves: int  # their offset
    is_purged: bool  # a MAX node that is solved: all below it is forgotten


class State(Block):
    """A set of strategies on the OPEN list."""

    merit: int  # an upper bound of what they are worth
    node: int
    is_solved: bool  # else live
    leaf: int  # the leaf that the merit comes from, NONE before there is one


@inlined
def node_at(tree: Arena, offset: int) -> Node:
    """Return the node at an offset, to be read until the arena is extended."""
    return Node.of(tree.memory.offset(offset).address)


@inlined
def state_at(heap: Arena, number: int) -> State:
    """Return the state of that number in the heap."""
    return State.of(heap.memory.offset(State.size() * number).address)


@kernel
def begin(board: Board, tree: Arena, parent: int, index: int) -> int:
    """Return the offset of a new node: the child of `parent` by its move number `index`, the root
    where `parent` is NONE."""
    ply, cell, root_cell = 0, NONE, NONE
    if parent != NONE:
        ply = node_at(tree, parent).ply + 1
        cell = tree.memory[node_at(tree, parent).moves + index]
        root_cell = cell if ply == 1 else root_move(tree, parent)
        count_root(board, root_cell, -1)
    entered = enter(board, ply)
    if parent != NONE:
        count_root(board, root_cell, 1)
    if not entered:
        return 0
    offset = extend(board, tree, Node.size())
    if board.stopped:
        return 0
    node = node_at(tree, offset)
    node.parent, node.index, node.ply, node.cell = parent, index, ply, cell
    return offset


@kernel
def root_move(tree: Arena, offset: int) -> int:
    """Return the root's move that leads to a node."""
    node = node_at(tree, offset)
    while node.ply > 1:
        node = node_at(tree, node.parent)
    return node.cell


@kernel
def is_left_of(tree: Arena, one: int, other: int) -> bool:
    """Return whether a node is further left in the tree than another, or above it."""
    one_ply, other_ply = node_at(tree, one).ply, node_at(tree, other).ply
    for _ in range(one_ply - other_ply):
        one = node_at(tree, one).parent
    for _ in range(other_ply - one_ply):
        other = node_at(tree, other).parent
    if one == other:
        return one_ply < other_ply
    left, right = node_at(tree, one), node_at(tree, other)
    while left.parent != right.parent:
        left, right = node_at(tree, left.parent), node_at(tree, right.parent)
    return left.index < right.index


@kernel
def comes_first(tree: Arena, heap: Arena, one: int, other: int) -> bool:
    """Return whether a state is taken before another: of greater merit, then further left, then
    live."""
    state, than = state_at(heap, one), state_at(heap, other)
    if state.merit != than.merit:
        return state.merit > than.merit
    if state.node == than.node:
        return not state.is_solved and than.is_solved
    return is_left_of(tree, state.node, than.node)


@inlined
def swap(heap: Arena, one: int, other: int) -> None:
    """Exchange two states."""
    first, second = Words.of(state_at(heap, one).address), Words.of(state_at(heap, other).address)
    for field in range(State.size()):
        first[field], second[field] = second[field], first[field]


@kernel
def push(
    board: Board, tree: Arena, heap: Arena, node: int, is_solved: bool, merit: int, leaf: int
) -> None:
    """Add a state to OPEN."""
    number = extend(board, heap, State.size()) // State.size()
    if board.stopped:
        return
    state = state_at(heap, number)
    state.merit, state.node, state.is_solved, state.leaf = merit, node, is_solved, leaf
    while number > 0 and comes_first(tree, heap, number, (number - 1) // 2):
        swap(heap, number, (number - 1) // 2)
        number = (number - 1) // 2


@kernel
def drop_first(tree: Arena, heap: Arena) -> None:
    """Take the first state away."""
    count = heap.used // State.size() - 1
    swap(heap, 0, count)
    shrink(heap, State.size())
    number = 0
    while True:
        first = number
        for child in range(2 * number + 1, min(2 * number + 3, count)):
            if comes_first(tree, heap, child, first):
                first = child
        if first == number:
            return
        swap(heap, number, first)
        number = first


@kernel
def is_forgotten(tree: Arena, offset: int) -> bool:
    """Return whether a MAX node above a node is solved."""
    node = node_at(tree, offset)
    while node.parent != NONE:
        node = node_at(tree, node.parent)
        if node.is_purged:
            return True
    return False


@kernel
def lead_to(board: Board, tree: Arena, path: Words, offset: int) -> bool:
    """Place the moves that lead to a node, write them into `path`, and return whether the last one
    completes a line."""
    node = node_at(tree, offset)
    ply = node.ply
    for at in range(ply - 1, -1, -1):
        path[at] = node.cell
        node = node_at(tree, node.parent)
    has_line = False
    for at in range(ply):
        has_line = place(board, path[at], mover_at(board, at))
    return has_line


@kernel
def expand(board: Board, tree: Arena, path: Words, offset: int, depth: int) -> int:
    """Write the moves of the node and return NONE; return the score of a leaf, in the root's view,
    lifted by INFINITY."""
    total, ply = board.total, node_at(tree, offset).ply
    has_line = lead_to(board, tree, path, offset)
    score = NONE
    if is_leaf(board, depth - ply, has_line):
        if ply > 0:
            count_root(board, path[0], -1)
        score = INFINITY + leaf(board, ply, has_line)
        if ply > 0:
            count_root(board, path[0], 1)
    else:
        width = generate(board, ply)
        moves = extend(board, tree, width)
        if not board.stopped:
            node = node_at(tree, offset)
            node.width, node.moves = width, moves
            for index in range(width):
                tree.memory[moves + index] = move_at(board, ply, index)
    for at in range(ply - 1, -1, -1):
        lift(board, path[at], mover_at(board, at), total)
    return score


@kernel
def sss(board: Board, tree: Arena, heap: Arena, path: Words, depth: int) -> int:
    """Return the minimax value of the root, 0 when the search has to stop; the moves to its leaf
    become the principal variation."""
    push(board, tree, heap, begin(board, tree, NONE, 0), False, INFINITY, NONE)
    while not board.stopped:
        state = state_at(heap, 0)
        offset, is_solved, merit, leaf = state.node, state.is_solved, state.merit, state.leaf
        drop_first(tree, heap)
        if is_forgotten(tree, offset):
            continue
        node = node_at(tree, offset)
        parent, ply = node.parent, node.ply
        if is_solved and parent == NONE:
            write_pv(board, tree, leaf)
            return merit
        if is_solved and is_max_at(board, ply - 1):
            # Case 1: a move of MAX is solved, so its node is: no other strategy there is better.
            node_at(tree, parent).is_purged = True
            push(board, tree, heap, parent, True, merit, leaf)
        elif is_solved and node.index + 1 < node_at(tree, parent).width:
            # Case 2: an answer of MIN is solved, its node asks for the next.
            after = begin(board, tree, parent, node.index + 1)
            push(board, tree, heap, after, False, merit, leaf)
        elif is_solved:
            # Case 3: it was the last answer, and its node is solved with it.
            push(board, tree, heap, parent, True, merit, leaf)
        else:
            develop(board, tree, heap, path, depth, offset, merit, leaf)
    return 0


@kernel
def develop(
    board: Board,
    tree: Arena,
    heap: Arena,
    path: Words,
    depth: int,
    offset: int,
    merit: int,
    leaf: int,
) -> None:
    """Put what follows a live state on OPEN."""
    score = expand(board, tree, path, offset, depth)
    if score != NONE:
        # Case 4: a leaf lowers the merit of the strategies through it.
        score -= INFINITY
        best = offset if score < merit else leaf
        push(board, tree, heap, offset, True, min(merit, score), best)
        return
    # Case 6: a MAX node is live, all its moves are begun; case 5: of a MIN node the first answer.
    is_max = is_max_at(board, node_at(tree, offset).ply)
    for index in range(node_at(tree, offset).width if is_max else 1):
        push(board, tree, heap, begin(board, tree, offset, index), False, merit, leaf)


@kernel
def write_pv(board: Board, tree: Arena, leaf: int) -> None:
    """Make the moves to `leaf` the principal variation of the root."""
    if leaf == NONE:
        return
    node, pv = node_at(tree, leaf), pv_of(board, 0)
    pv[0] = node.ply
    while node.ply > 0:
        pv[node.ply] = node.cell
        node = node_at(tree, node.parent)


ENTRIES = (sss,)


def search(walk: Walk, runner: Runner) -> int:
    """Search the root."""
    tree, heap, path = Arena(), Arena(), Block(zeros(runner.board.ply_count))
    value = int(runner.call(sss, tree, heap, path, walk.depth))
    note_pv(walk, value, walk.pv)
    return value

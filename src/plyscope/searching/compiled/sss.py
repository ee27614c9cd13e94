"""The twin of `reference/sss`.

Two arenas: the nodes begun, NODE_FIELDS numbers each, with their moves; and the OPEN list, a heap
of STATE_FIELDS numbers each. The board is led to a node by its moves from the root whenever it is
expanded or evaluated.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from plyscope.machine.kernel import get, inlined, kernel, put
from plyscope.searching.compiled import board, layout
from plyscope.searching.compiled.arena import ARENA_ENTRIES, Arena, extend, memory, shrink, used
from plyscope.searching.reference.sss import note_pv
from plyscope.searching.score import INFINITY

if TYPE_CHECKING:
    from plyscope.searching.compiled.run import Runner
    from plyscope.searching.walk import Walk

__all__ = ["ENTRIES", "search"]

PARENT, INDEX, PLY, CELL, WIDTH, IS_PURGED, MOVES_AT, NODE_FIELDS = range(8)
MERIT, PLACE, IS_SOLVED, LEAF, STATE_FIELDS = range(5)
NO_LEAF = -1


@kernel
def begin(base: int, nodes: int, parent: int, index: int) -> int:
    """Return the offset of a new node: the child of `parent` by its move number `index`, the root
    when `parent` is −1."""
    ply, cell, top = 0, -1, -1
    if parent >= 0:
        ply = get(memory(nodes), parent + PLY) + 1
        cell = get(memory(nodes), parent + get(memory(nodes), parent + MOVES_AT) + index)
        top = cell if ply == 1 else root_move(nodes, parent)
        board.count_root(base, top, -1)
    entered = board.enter(base, ply)
    if parent >= 0:
        board.count_root(base, top, 1)
    if not entered:
        return 0
    node = extend(base, nodes, NODE_FIELDS)
    put(memory(nodes), node + PARENT, parent)
    put(memory(nodes), node + INDEX, index)
    put(memory(nodes), node + PLY, ply)
    put(memory(nodes), node + CELL, cell)
    return node


@kernel
def root_move(nodes: int, node: int) -> int:
    """Return the root's move that leads to `node`."""
    while get(memory(nodes), node + PLY) > 1:
        node = get(memory(nodes), node + PARENT)
    return get(memory(nodes), node + CELL)


@kernel
def comes_first(nodes: int, heap: int, one: int, other: int) -> bool:
    """Return whether the state at `one` is taken before that at `other`: of greater merit, then
    further left, then live."""
    states, tree = memory(heap), memory(nodes)
    one_merit, other_merit = get(states, one + MERIT), get(states, other + MERIT)
    if one_merit != other_merit:
        return one_merit > other_merit
    left, right = get(states, one + PLACE), get(states, other + PLACE)
    if left == right:
        return get(states, one + IS_SOLVED) < get(states, other + IS_SOLVED)
    left_ply, right_ply = get(tree, left + PLY), get(tree, right + PLY)
    for _ in range(left_ply - right_ply):
        left = get(tree, left + PARENT)
    for _ in range(right_ply - left_ply):
        right = get(tree, right + PARENT)
    if left == right:
        return left_ply < right_ply
    while get(tree, left + PARENT) != get(tree, right + PARENT):
        left, right = get(tree, left + PARENT), get(tree, right + PARENT)
    return get(tree, left + INDEX) < get(tree, right + INDEX)


@inlined
def swap(heap: int, one: int, other: int) -> None:
    """Exchange two states."""
    states = memory(heap)
    for field in range(STATE_FIELDS):
        kept = get(states, one + field)
        put(states, one + field, get(states, other + field))
        put(states, other + field, kept)


@kernel
def push(
    base: int, nodes: int, heap: int, place: int, is_solved: int, merit: int, leaf: int
) -> None:
    """Add a state to OPEN."""
    at = extend(base, heap, STATE_FIELDS)
    if get(base, layout.STOP) != 0:
        return
    states = memory(heap)
    put(states, at + MERIT, merit)
    put(states, at + PLACE, place)
    put(states, at + IS_SOLVED, is_solved)
    put(states, at + LEAF, leaf)
    number = at // STATE_FIELDS
    while number > 0 and comes_first(
        nodes, heap, number * STATE_FIELDS, (number - 1) // 2 * STATE_FIELDS
    ):
        swap(heap, number * STATE_FIELDS, (number - 1) // 2 * STATE_FIELDS)
        number = (number - 1) // 2


@kernel
def drop_first(nodes: int, heap: int) -> None:
    """Take the first state away."""
    count = used(heap) // STATE_FIELDS - 1
    swap(heap, 0, count * STATE_FIELDS)
    shrink(heap, STATE_FIELDS)
    number = 0
    while True:
        first = number
        for child in range(2 * number + 1, min(2 * number + 3, count)):
            if comes_first(nodes, heap, child * STATE_FIELDS, first * STATE_FIELDS):
                first = child
        if first == number:
            return
        swap(heap, number * STATE_FIELDS, first * STATE_FIELDS)
        number = first


@kernel
def is_forgotten(nodes: int, node: int) -> bool:
    """Return whether a MAX node above `node` is solved."""
    tree = memory(nodes)
    while get(tree, node + PARENT) >= 0:
        node = get(tree, node + PARENT)
        if get(tree, node + IS_PURGED) != 0:
            return True
    return False


@kernel
def expand(base: int, nodes: int, path: int, node: int, depth: int) -> int:
    """Write the moves of the node and return NO_LEAF; return the score of a leaf, in the root's
    view, lifted by INFINITY."""
    ply = get(memory(nodes), node + PLY)
    above = node
    for at in range(ply):
        put(path, ply - 1 - at, get(memory(nodes), above + CELL))
        above = get(memory(nodes), above + PARENT)
    total, whole = get(base, layout.TOTAL), False
    for at in range(ply):
        whole = board.place(base, get(path, at), at & 1)
    score = NO_LEAF
    if board.is_leaf(base, depth - ply, whole):
        if ply > 0:
            board.count_root(base, get(path, 0), -1)
        score = INFINITY + board.leaf(
            base, ply, whole, get(base, layout.TOTAL), get(base, layout.EMPTY)
        )
        if ply > 0:
            board.count_root(base, get(path, 0), 1)
    else:
        width = board.generate(base, ply)
        moves = extend(base, nodes, width)
        put(memory(nodes), node + WIDTH, width)
        put(memory(nodes), node + MOVES_AT, moves - node)
        for index in range(width):
            put(memory(nodes), moves + index, board.move_at(base, ply, index))
    for at in range(ply):
        board.lift(base, get(path, ply - 1 - at), (ply - 1 - at) & 1, total)
    return score


@kernel
def sss(base: int, nodes: int, heap: int, path: int, depth: int) -> int:
    """Return the minimax value of the root, 0 when the search has to stop; the line to its leaf
    becomes the principal variation."""
    push(base, nodes, heap, begin(base, nodes, -1, 0), 0, INFINITY, NO_LEAF)
    while get(base, layout.STOP) == 0:
        states = memory(heap)
        node, solved = get(states, PLACE), get(states, IS_SOLVED)
        merit, leaf = get(states, MERIT), get(states, LEAF)
        drop_first(nodes, heap)
        if is_forgotten(nodes, node):
            continue
        parent, ply = get(memory(nodes), node + PARENT), get(memory(nodes), node + PLY)
        if solved and parent < 0:
            write_line(base, nodes, leaf)
            return merit
        if solved and ply & 1 == 0:
            index = get(memory(nodes), node + INDEX) + 1
            if index < get(memory(nodes), parent + WIDTH):
                push(base, nodes, heap, begin(base, nodes, parent, index), 0, merit, leaf)
            else:
                push(base, nodes, heap, parent, 1, merit, leaf)
        elif solved:
            put(memory(nodes), parent + IS_PURGED, 1)
            push(base, nodes, heap, parent, 1, merit, leaf)
        else:
            found = expand(base, nodes, path, node, depth)
            if found != NO_LEAF:
                score = found - INFINITY
                push(base, nodes, heap, node, 1, min(merit, score), node if score < merit else leaf)
            else:
                for index in range(get(memory(nodes), node + WIDTH) if ply & 1 == 0 else 1):
                    push(base, nodes, heap, begin(base, nodes, node, index), 0, merit, leaf)
    return 0


@kernel
def write_line(base: int, nodes: int, leaf: int) -> None:
    """Make the moves to `leaf` the principal variation of the root."""
    line = get(base, layout.PV)
    if leaf == NO_LEAF:
        return
    ply = get(memory(nodes), leaf + PLY)
    put(base, line, ply)
    while ply > 0:
        put(base, line + ply, get(memory(nodes), leaf + CELL))
        leaf = get(memory(nodes), leaf + PARENT)
        ply -= 1


ENTRIES = (
    sss,
    *ARENA_ENTRIES,
)


def search(walk: Walk, runner: Runner) -> int:
    """Search the root."""
    nodes, heap = Arena(), Arena()
    path = array("q", bytes(8 * runner.board.plies))
    value = int(runner.call(sss, nodes, heap, path, walk.depth))
    note_pv(walk, value, walk.pv)
    return value

"""The compiled form of `reference/uct`: it draws the same random numbers, and so plays the same
games (Kocsis & Szepesvári 2006).
"""

from __future__ import annotations

from math import log, sqrt
from typing import TYPE_CHECKING

from plyscope.fast.machine.block import Block, Words
from plyscope.fast.machine.kernel import inlined, kernel
from plyscope.fast.searching.arena import Arena, extend
from plyscope.fast.searching.board import (
    advanced,
    below,
    count_root,
    enter,
    generate,
    is_leaf,
    is_max_at,
    leaf,
    lift,
    list_moves,
    move_at,
    mover_at,
    place,
    seeded,
)
from plyscope.fast.searching.layout import Board, zeros
from plyscope.searching.limit import SearchStopped
from plyscope.searching.reference.uct import EXPLORATION, mean_of, note_means, playouts_within

if TYPE_CHECKING:
    from plyscope.fast.searching.run import Runner
    from plyscope.searching.walk import Walk


class Node(Block):
    """A node of the tree, identified by its offset in the arena.

    After it come its moves [width] in the order of the conventions, then the offsets of their nodes
    [width].
    """

    playouts: int
    total: int  # the sum of their results, in the root's view
    width: int  # the number of moves, 0 at a leaf
    tried: int  # the number of moves that have a node, the first ones


class Playout(Block):
    """The current playout, and the range of results so far."""

    draws: int  # state of the random number generator
    low: int  # least and greatest result so far
    high: int
    done: int  # finished playouts
    ply: int
    in_tree: int  # the ply of its last node in the tree
    nodes: Words  # [plies]  offsets of its nodes in the tree
    cells: Words  # [plies]  its moves


@inlined
def node_at(tree: Arena, offset: int) -> Node:
    """Return the node at an offset, valid until the arena is extended."""
    return Node.of(tree.memory.offset(offset).address)


@inlined
def moves_of(node: Node) -> Words:
    """Return the moves of a node; the offsets of their nodes begin `width` words later."""
    return Words.of(node.address).offset(Node.size())


@kernel
def grow(board: Board, tree: Arena, ply: int, depth: int, has_line: bool) -> int:
    """Return the offset of a new node for the board at `ply`."""
    if not enter(board, ply):
        return 0
    width = 0 if is_leaf(board, depth - ply, has_line) else generate(board, ply)
    offset = extend(board, tree, Node.size() + 2 * width)
    if board.stopped:
        return 0
    node = node_at(tree, offset)
    node.width = width
    for index in range(width):
        moves_of(node)[index] = move_at(board, ply, index)
    return offset


@kernel
def best_child(tree: Arena, node: Node, is_max: bool, low: int, high: int) -> int:
    """Return the index of the child with the greatest upper confidence bound, the first of equal
    ones."""
    spread = max(high - low, 1)
    best, best_bound = 0, -1.0e300
    for index in range(node.width):
        child = node_at(tree, moves_of(node)[node.width + index])
        mean = (child.total / child.playouts - low) / spread
        mean = mean if is_max else 1 - mean
        bound = mean + EXPLORATION * sqrt(log(node.playouts) / child.playouts)
        if bound > best_bound:
            best, best_bound = index, bound
    return best


@inlined
def take(board: Board, playout: Playout, cell: int) -> bool:
    """Make a move of the playout; return whether it completes a line."""
    completes = place(board, cell, mover_at(board, playout.ply))
    playout.cells[playout.ply] = cell
    playout.ply += 1
    return completes


@kernel
def select_and_expand(board: Board, tree: Arena, playout: Playout, depth: int) -> bool:
    """Descend the tree by the greatest bounds, and add the first node that is not in it yet.

    Return whether the last move completes a line.
    """
    offset, has_line, is_new = 0, False, False
    playout.ply = 0
    while not is_new:
        playout.nodes[playout.ply] = offset
        playout.in_tree = playout.ply
        node = node_at(tree, offset)
        if node.width == 0:
            enter(board, playout.ply)
            return has_line
        is_new = node.tried < node.width
        is_max = is_max_at(board, playout.ply)
        index = node.tried if is_new else best_child(tree, node, is_max, playout.low, playout.high)
        cell = moves_of(node)[index]
        if playout.ply == 0:
            count_root(board, cell, -1)
        has_line = take(board, playout, cell)
        if is_new:
            added = grow(board, tree, playout.ply, depth, has_line)
            playout.nodes[playout.ply] = added
            playout.in_tree = playout.ply
            if board.stopped:
                return has_line
            node = node_at(tree, offset)
            moves_of(node)[node.width + index] = added
            node.tried += 1
        else:
            offset = moves_of(node)[node.width + index]
    return has_line


@kernel
def simulate(board: Board, playout: Playout, depth: int, has_line: bool) -> int:
    """Continue at random to a leaf, and return the result."""
    while not is_leaf(board, depth - playout.ply, has_line):
        playout.draws = advanced(playout.draws)
        count = list_moves(board, playout.ply)
        cell = move_at(board, playout.ply, below(playout.draws, count))
        has_line = take(board, playout, cell)
    return leaf(board, playout.ply, has_line)


@kernel
def back_up(tree: Arena, playout: Playout, score: int) -> None:
    """Add the result to all nodes of the tree on the path."""
    playout.low = score if playout.done == 0 else min(playout.low, score)
    playout.high = score if playout.done == 0 else max(playout.high, score)
    for ply in range(playout.in_tree + 1):
        node = node_at(tree, playout.nodes[ply])
        node.playouts += 1
        node.total += score


@kernel
def play_out(
    board: Board, tree: Arena, playout: Playout, depth: int, playouts: int, seed: int
) -> None:
    """Run `playouts` playouts in four steps each: select, expand, simulate, back up."""
    playout.draws, total = seeded(seed), board.total
    grow(board, tree, 0, depth, False)
    while playout.done < playouts and not board.stopped:
        has_line = select_and_expand(board, tree, playout, depth)
        if not board.stopped:
            score = simulate(board, playout, depth, has_line)
            back_up(tree, playout, score)
        while playout.ply > 0:
            playout.ply -= 1
            lift(board, playout.cells[playout.ply], mover_at(board, playout.ply), total)
        if playout.in_tree > 0:
            count_root(board, playout.cells[0], 1)
        playout.done += 1


ENTRIES = (play_out,)


class _Branch:
    """A node of the tree in the form that `note_means` reads."""

    def __init__(self, tree: Arena, offset: int) -> None:
        self._tree, self._node = tree, Node.of(tree.memory.offset(offset).address)
        self.playouts, self.total = self._node.playouts, float(self._node.total)

    @property
    def children(self) -> dict[int, _Branch]:
        """The children by move, in the order they were tried."""
        node = self._node
        moves = Words.of(node.address).offset(Node.size())
        return {
            moves[index]: _Branch(self._tree, moves[node.width + index])
            for index in range(node.tried)
        }


def _has_begun(tree: Arena, runner: Runner) -> bool:
    """Return whether the tree can be read: not before the first playout, nor while an abandoned
    kernel may extend it."""
    return not runner.is_abandoned and tree.used > 0


def search(walk: Walk, runner: Runner) -> float:
    """Run as many playouts as the limit allows, and return the mean of the most visited move."""
    plies = runner.board.ply_count
    tree, playout = Arena(), Playout(nodes=zeros(plies), cells=zeros(plies))
    playouts, seed = playouts_within(walk.limit), walk.conventions.seed
    try:
        runner.call(play_out, tree, playout, plies - 2, playouts, seed)
    except SearchStopped as stop:
        children = _Branch(tree, 0).children.values() if _has_begun(tree, runner) else ()
        if not any(child.playouts for child in children):
            raise
        walk.stopped = stop.reason
    finally:
        if _has_begun(tree, runner):
            note_means(walk, _Branch(tree, 0))
    return mean_of(walk)

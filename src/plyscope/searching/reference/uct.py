"""UCT: Monte Carlo tree search with upper confidence bounds.

Each playout descends the tree by the move with the greatest mean result plus exploration, adds one
node, continues at random to a leaf, and adds the result to every node on its path. The value is the
mean result of the most visited move: an estimate, which converges to the minimax value. Results are
scaled to [0, 1] by the least and greatest result so far. Source: Kocsis & Szepesvári 2006; UCB1 is
by Auer, Cesa-Bianchi & Fischer 2002.
"""

from __future__ import annotations

from math import log, sqrt
from typing import Any

from plyscope.randomness import Stream
from plyscope.searching.limit import NO_LIMIT, Limit, SearchStopped
from plyscope.searching.score import Bound
from plyscope.searching.walk import Node, Walk

EXPLORATION = sqrt(2)
DEFAULT_PLAYOUTS = 2000
"""The number of playouts without a limit."""


class _Branch:
    """A node of the tree: its playouts, the sum of their results in the root's view, its untried
    moves, and its children."""

    __slots__ = ("children", "node", "playouts", "total", "untried")

    def __init__(self, node: Node, untried: list[Any]) -> None:
        self.node, self.untried = node, untried
        self.children: dict[Any, _Branch] = {}
        self.playouts, self.total = 0, 0.0


def search(walk: Walk) -> float:
    """Run as many playouts as the limit allows, and return the mean of the most visited move."""
    draws = Stream(walk.conventions.seed)
    root = _grow(walk, walk.root)
    seen: list[int] = []
    try:
        for _ in range(_playouts_within(walk.limit)):
            _playout(walk, root, draws, seen)
    except SearchStopped as stop:
        if not root.children:
            raise
        walk.stopped = stop.reason
    finally:
        _note_means(walk, root)
    return float(walk.values[walk.pv[0]][0]) if walk.pv else float(walk.static(walk.root))


def _playouts_within(limit: Limit) -> int:
    """Return the number of playouts within a limit; the root counts as a node."""
    if not limit.is_timed:
        return DEFAULT_PLAYOUTS
    return NO_LIMIT if limit.nodes is None else limit.nodes - 1


def _note_means(walk: Walk, root: _Branch) -> None:
    """Store the means of the root moves and the most visited variation, also when interrupted."""
    tried = {move: branch for move, branch in root.children.items() if branch.playouts}
    for move, branch in tried.items():
        walk.values[move] = (branch.total / branch.playouts, Bound.ESTIMATE)
    pv: list[Any] = []
    while tried:
        move = max(tried, key=lambda m: tried[m].playouts)
        pv.append(move)
        tried = {after: branch for after, branch in tried[move].children.items() if branch.playouts}
    walk.pv = tuple(pv)


def _grow(walk: Walk, node: Node) -> _Branch:
    walk.enter(node, walk.depth - node.ply)
    is_leaf = walk.is_leaf(node, walk.depth - node.ply)
    return _Branch(node, [] if is_leaf else list(reversed(walk.moves(node))))


def _playout(walk: Walk, root: _Branch, draws: Stream, seen: list[int]) -> None:
    """Run one playout in four steps: select, expand, simulate, back up."""
    branch, visited = root, [root]
    while not branch.untried and branch.children:
        branch = _select(branch, seen)
        visited.append(branch)
    if branch.untried:
        move = branch.untried.pop()
        branch.children[move] = branch = _grow(walk, walk.child(branch.node, move))
        visited.append(branch)
    else:
        walk.enter(branch.node, walk.depth - branch.node.ply)
    node = branch.node
    while not walk.is_leaf(node, walk.depth - node.ply):
        moves = walk.game.moves(node.position)
        node = walk.child(node, moves[draws.below(len(moves))])
    score = walk.leaf(node)
    seen[:] = [min([*seen[:1], score]), max([*seen[1:], score])]
    for branch in visited:
        branch.playouts += 1
        branch.total += score


def _select(branch: _Branch, seen: list[int]) -> _Branch:
    """Return the child with the greatest upper confidence bound for the side to move."""
    low, high = seen
    spread = max(high - low, 1)
    sign = 1 if branch.node.is_max else -1

    def upper_bound(child: _Branch) -> float:
        mean = (child.total / child.playouts - low) / spread
        return (mean if sign > 0 else 1 - mean) + EXPLORATION * sqrt(
            log(branch.playouts) / child.playouts
        )

    return max(branch.children.values(), key=upper_bound)

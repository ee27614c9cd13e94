"""Minimax: the value of a node is the best of its children's values for the side to move.

The score is the minimax value itself, in the root's view. Source: Shannon 1950; the theorem is von
Neumann's (1928).
"""

from __future__ import annotations

from plyscope.searching.score import INFINITY
from plyscope.searching.walk import Node, Walk


def minimax(walk: Walk, node: Node, depth: int) -> int:
    """Return the minimax value of `node` at `depth`. Cost: all b**depth leaves."""
    walk.enter(node, depth)
    if walk.is_leaf(node, depth):
        return walk.leaf(node)
    best = -INFINITY if node.is_max else INFINITY
    for move in walk.moves(node):
        score = minimax(walk, walk.child(node, move), depth - 1)
        walk.searched(node, move, score, -INFINITY, INFINITY)
        if score > best if node.is_max else score < best:
            walk.improve(node, move)
            best = score
    return walk.leave(node, best, -INFINITY, INFINITY)


def search(walk: Walk) -> int:
    """Search the root."""
    return minimax(walk, walk.root, walk.depth)

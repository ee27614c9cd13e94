"""Negamax: minimax in one branch, since max(a, b) = −min(−a, −b).

The score is the minimax value in the view of the side to move; the nodes are exactly those of
minimax. The score of a child is multiplied by its `sign`: −1, or 1 if the same side moves again.
Source: Knuth & Moore 1975, where sides alternate.
"""

from __future__ import annotations

from plyscope.searching.score import INFINITY
from plyscope.searching.walk import Node, Walk


def negamax(walk: Walk, node: Node, depth: int) -> int:
    """Return the minimax value of `node` at `depth` for its side to move. Cost: all b**depth
    leaves."""
    walk.enter(node, depth)
    if walk.is_leaf(node, depth):
        return walk.leaf(node)
    best = -INFINITY
    for move in walk.moves(node):
        child = walk.child(node, move)
        score = child.sign * negamax(walk, child, depth - 1)
        walk.searched(node, move, score, -INFINITY, INFINITY)
        if score > best:
            walk.improve(node, move)
            best = score
    return walk.leave(node, best, -INFINITY, INFINITY)


def search(walk: Walk) -> int:
    """Search the root."""
    return negamax(walk, walk.root, walk.depth)

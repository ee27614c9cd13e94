"""Principal variation search, also known as NegaScout: later moves are only tested for being better
than the first.

The test is a cheap search with the null window (alpha, alpha + 1). If it fails high inside the
window, the move is searched again for its value. It is in negamax form, with scores in the view of
the side to move, as in `reference/negamax`; a score proves the same as in alpha-beta. Source:
Marsland & Campbell 1982; Reinefeld 1983.
"""

from __future__ import annotations

from plyscope.searching.score import INFINITY
from plyscope.searching.walk import Node, Walk


def pvs(walk: Walk, node: Node, depth: int, alpha: int, beta: int) -> int:
    """Return the score of `node` within the window for its side to move."""
    walk.enter(node, depth, alpha, beta)
    if walk.is_leaf(node, depth):
        return walk.leaf(node)
    called = alpha, beta
    best = -INFINITY
    moves = walk.moves(node)
    for move in moves:
        child = walk.child(node, move)
        window = (alpha, beta) if best == -INFINITY else (alpha, alpha + 1)
        score = child.sign * pvs(walk, child, depth - 1, *child.window(*window))
        if window[1] < beta and alpha < score < beta:
            window = (alpha, beta)
            walk.research(child, *child.window(*window))
            score = child.sign * pvs(walk, child, depth - 1, *child.window(*window))
        walk.searched(node, move, score, *window)
        best = max(best, score)
        if score > alpha:
            walk.raised(node, move, alpha, score)
            alpha = score
        if walk.is_closed(alpha, beta):
            walk.cutoff(node, moves, move, alpha, beta)
            break
    return walk.leave(node, best, *called)


def search(walk: Walk) -> int:
    """Search the root within the window of the conventions."""
    return pvs(walk, walk.root, walk.depth, *walk.conventions.window)

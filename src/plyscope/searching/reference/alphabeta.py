"""Alpha-beta: minimax that skips moves which cannot change the value.

Let v be the minimax value of the node, s the score returned for the window (alpha, beta):

    s ≤ alpha  means  v ≤ s        s ≥ beta  means  v ≥ s        alpha < s < beta  means  v = s

With shallow cutoffs only, a child of the other side gets only the bound that the node's own moves
have set: the procedure F1 of the source, in which a turn is one move. Within a turn of several
moves a child gets the window unchanged. With cuts at > only, and fail-soft, s = alpha and s = beta
also mean v = s. Fail-hard returns s limited to [alpha, beta]. Source: Knuth & Moore 1975; the
fail-soft form is Fishburn's (1983).
"""

from __future__ import annotations

from plyscope.searching.score import INFINITY
from plyscope.searching.walk import Node, Walk


def alphabeta(walk: Walk, node: Node, depth: int, alpha: int, beta: int) -> int:
    """Return the score of `node` within the window, in the root's view.

    Cost: at most b**depth leaves; b**⌈depth/2⌉ + b**⌊depth/2⌋ − 1 in perfect order.
    """
    walk.enter(node, depth, alpha, beta)
    if walk.is_leaf(node, depth):
        return walk.leaf(node)
    called = alpha, beta
    shares_window = bool(node.path) or walk.conventions.root == "shared"
    is_shallow = walk.conventions.cutoffs == "shallow"
    best = -INFINITY if node.is_max else INFINITY
    moves = walk.moves(node)
    for move in moves:
        child = walk.child(node, move)
        window = (alpha, beta) if shares_window else called
        if is_shallow and child.is_max != node.is_max:
            window = (window[0], INFINITY) if node.is_max else (-INFINITY, window[1])
        score = alphabeta(walk, child, depth - 1, *window)
        walk.searched(node, move, score, *window)
        best = max(best, score) if node.is_max else min(best, score)
        if node.is_max and score > alpha:
            walk.raised(node, move, alpha, score)
            alpha = score
        elif not node.is_max and score < beta:
            walk.raised(node, move, beta, score)
            beta = score
        if walk.is_closed(alpha, beta):
            walk.cutoff(node, moves, move, alpha, beta)
            break
    return walk.leave(node, best, *called)


def search(walk: Walk) -> int:
    """Search the root within the window of the conventions."""
    return alphabeta(walk, walk.root, walk.depth, *walk.conventions.window)

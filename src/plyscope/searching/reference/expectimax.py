"""Expectimax: minimax over a tree with chance nodes, whose value is the average of their children.

With MIN nodes it is also called expectiminimax. Averages are exact: an explicit tree counts in
units in which every average is a whole number. Alpha-beta does not apply at a chance node, since
one unseen child may change the average by any amount. Source: Michie 1966.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from plyscope.rules.treetext import Value
from plyscope.searching.score import INFINITY, WIN
from plyscope.searching.walk import Node, Walk


def average(scores: dict[Any, int], shares: Sequence[Value]) -> int:
    """Return the sum of scores by move, each times its share; ±WIN, an unknown leaf assumed to be
    beyond all others, remains what it is."""
    beyond = [score for move, score in scores.items() if abs(score) >= WIN and shares[move]]
    return beyond[0] if beyond else int(sum(shares[move] * scores[move] for move in scores))


def expectimax(walk: Walk, node: Node, depth: int) -> int:
    """Return the value of `node` at `depth`, in the root's view. Cost: all leaves."""
    walk.enter(node, depth)
    if walk.is_leaf(node, depth):
        return walk.leaf(node)
    scores: dict[Any, int] = {}
    best = -INFINITY if node.is_max else INFINITY
    shares = walk.shares(node)
    for move in walk.moves(node):
        score = scores[move] = expectimax(walk, walk.child(node, move), depth - 1)
        walk.searched(node, move, score, -INFINITY, INFINITY)
        if not shares and (score > best if node.is_max else score < best):
            walk.improve(node, move)
            best = score
    if shares:
        best = average(scores, shares)
    return walk.leave(node, best, -INFINITY, INFINITY)


def search(walk: Walk) -> int:
    """Search the root."""
    return expectimax(walk, walk.root, walk.depth)

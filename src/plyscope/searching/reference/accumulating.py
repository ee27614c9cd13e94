"""The accumulating search: an alpha-beta that adds its heuristic on the way up, with its own rule
for choosing a move.

It is not sound: a published agent searched like this, and loses games because of it. The score of a
node starts at its heuristic h. The score of a child counts with h added at MAX and subtracted at
MIN, but alpha and beta are moved by the child's score without h. A won game scores 10 minus the
plies since the root's move, a lost one the negative, a full board 0. If the opponent could complete
a line, the move is the first such cell; otherwise it is the first with the greatest (score,
heuristic after the move). Scores are in the root's view, and prove nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from plyscope.rules.position import Position
from plyscope.searching.score import INFINITY, Bound
from plyscope.searching.walk import Node, Walk

WIN = 10


def accumulate(walk: Walk, node: Node, alpha: int, beta: int) -> int:
    """Return the accumulated score of `node`, in the root's view."""
    walk.enter(node, walk.depth - node.ply, alpha, beta)
    if walk.is_leaf(node, 1):
        walk.leaf(node)
        return walk.outcome(node) * (WIN - (node.ply - 1))
    static = walk.evaluation(node)
    if node.ply >= walk.depth:
        walk.leaf(node)
        return static
    best = static
    moves = walk.moves(node)
    for move in moves:
        score = accumulate(walk, walk.child(node, move), alpha, beta)
        walk.lift(node, move)
        if node.is_max:
            best = max(best, score + static)
            alpha = max(alpha, score)
        else:
            best = min(best, score - static)
            beta = min(beta, score)
        if beta <= alpha:
            walk.cutoff(node, moves, move, alpha, beta)
            break
    return best


def score_moves(walk: Walk) -> int:
    """Score every move of the root with an open window; return the last score."""
    walk.enter(walk.root, walk.depth)
    score = 0
    for move in walk.playable(walk.root):
        score = accumulate(walk, walk.child(walk.root, move), -INFINITY, INFINITY)
        walk.searched(walk.root, move, score, -INFINITY, INFINITY)
    return score


def search(walk: Walk, run: Callable[[Walk], int] = score_moves) -> float:
    """Score every move of the root by `run`, and choose one. Moves are empty cells, even if the
    game is over."""
    position: Position = walk.root.position
    cells = walk.playable(walk.root)
    if not cells:
        walk.enter(walk.root, walk.depth)
        return walk.leaf(walk.root)
    try:
        run(walk)
    finally:  # scores prove nothing, also when the search is stopped
        walk.values = {cell: (score, Bound.ESTIMATE) for cell, (score, _) in walk.values.items()}
    evaluations = {
        cell: walk.heuristic.evaluate(walk.game.play(position, cell), walk.root_side)
        for cell in cells
    }
    mine, other = position.stones(position.side), 1 - position.side
    theirs = position.stones(other)
    threatened = [
        cell for cell in cells if position.game.completes(theirs | 1 << cell, cell, mine, other)
    ]
    chosen: Any = (
        threatened[0]
        if threatened
        else max(cells, key=lambda cell: (walk.values[cell][0], evaluations[cell]))
    )
    walk.pv = (chosen,)
    return walk.values[chosen][0]

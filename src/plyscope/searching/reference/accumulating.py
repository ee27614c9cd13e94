"""The accumulating search: an alpha-beta that adds its heuristic on the way up, together with its
rule for choosing a move.

Not sound, and kept exactly so: a published agent searched in this manner, and loses games for it. A
node's score starts at its heuristic h; a child's score counts with h added at MAX, subtracted at
MIN, while alpha and beta move by the child's bare score. A won game is worth 10 less the plies
since the root's move, a lost one −10 plus them, a full board 0. The choice: if the opponent could
complete a line, take the first such cell; otherwise the move of the greatest (score, heuristic
after the move), of equal ones the first. Scores are in the root's view, and prove nothing.
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
    plies = node.ply - 1
    walk.enter(node, walk.depth - node.ply, alpha, beta)
    if node.position.winner is not None:
        walk.leaf(node)
        return WIN - plies if node.position.winner == walk.root_side else -WIN + plies
    if walk.game.payoff(node.position) == 0:
        walk.leaf(node)
        return 0
    static = walk.heuristic.evaluate(node.position, walk.root_side)
    if node.ply >= walk.depth:
        walk.leaf(node)
        return static
    best = static
    moves = walk.moves(node)
    for move in moves:
        score = accumulate(walk, walk.child(node, move), alpha, beta)
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


def search(walk: Walk) -> float:
    """Score every move of the root with an open window and choose; answers on a finished board too,
    as long as a cell is empty."""
    walk.enter(walk.root, walk.depth)
    if not _playable(walk.root.position):
        return walk.leaf(walk.root)
    return choose(
        walk, lambda cell: accumulate(walk, walk.child(walk.root, cell), -INFINITY, INFINITY)
    )


def choose(walk: Walk, accumulated: Callable[[int], int]) -> float:
    """Score the root's moves by what is `accumulated` below each, and choose."""
    position: Position = walk.root.position
    cells = _playable(position)
    for cell in cells:
        walk.values[cell] = (accumulated(cell), Bound.ESTIMATE)
    evaluations = {
        cell: walk.heuristic.evaluate(walk.game.play(position, cell), walk.root_side)
        for cell in cells
    }
    theirs = position.stones(1 - position.side)
    threatened = [cell for cell in cells if position.game.completes(theirs | 1 << cell, cell)]
    chosen: Any = (
        threatened[0]
        if threatened
        else max(cells, key=lambda cell: (walk.values[cell][0], evaluations[cell]))
    )
    walk.pv = (chosen,)
    return walk.values[chosen][0]


def _playable(position: Position) -> list[int]:
    """Return the cells that could be taken if the game went on: on a running game its legal
    moves."""
    return list(position.game.moves(position._replace(winner=None)))

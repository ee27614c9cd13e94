"""Iterative deepening: alpha-beta to depth 1, 2, 3, ..., with one transposition table for all
passes.

An entry of the same depth whose bound decides the window is returned; otherwise the entry's move is
tried first. The score of the last pass is the minimax value at its depth. Within a pass scores are
in the view of the side to move, and prove the same as in alpha-beta, fail-soft. Source: Slate &
Atkin 1977 (CHESS 4.5).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from plyscope.searching.score import INFINITY
from plyscope.searching.walk import Node, Walk


def alphabeta_with_table(walk: Walk, node: Node, depth: int, alpha: int, beta: int) -> int:
    """Return the score of `node` within the window for its side to move, fail-soft."""
    walk.enter(node, depth, alpha, beta)
    entry = walk.recall(node)
    if node.path and entry.depth == depth and entry.decides(alpha, beta):
        walk.table_hit(node, entry.score, entry.bound)
        return entry.score
    if walk.is_leaf(node, depth):
        score = walk.leaf(node)
        walk.remember(node, depth, score)
        return score
    called = alpha, beta
    best, best_move = -INFINITY, entry.move
    moves = walk.moves(node, entry.move)
    for move in moves:
        child = walk.child(node, move)
        window = child.window(alpha, beta)
        score = child.sign * alphabeta_with_table(walk, child, depth - 1, *window)
        walk.searched(node, move, score, alpha, beta)
        if score > best:
            best, best_move = score, move
        if score > alpha:
            walk.raised(node, move, alpha, score)
            alpha = score
        if walk.is_closed(alpha, beta):
            walk.cutoff(node, moves, move, alpha, beta)
            break
    walk.remember(node, depth, best, walk.proves(best, *called), best_move)
    return walk.leave(node, best, *called)


def search_root(walk: Walk) -> int:
    """Search the root with an open window."""
    return alphabeta_with_table(walk, walk.root, walk.depth, -INFINITY, INFINITY)


def search(walk: Walk, run: Callable[[Walk], int] = search_root) -> int:
    """Search the root to the walk's depth by `run`, with the table of earlier passes.

    The principal variation follows the exact entries of the table: an exact entry of this depth is
    never overwritten within a pass.
    """
    score = run(walk)
    pv: list[Any] = []
    node, depth = walk.root, walk.depth
    while (entry := walk.recall(node)).depth == depth and entry.move is not None:
        pv.append(entry.move)
        node, depth = walk.child(node, entry.move), depth - 1
    walk.pv = tuple(pv)
    return score

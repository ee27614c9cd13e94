"""Iterative deepening: alpha-beta to depth 1, 2, 3, ..., each pass with the help of the table that
the last one left.

The table answers where its entry is of the same depth and decides the window; elsewhere its move is
tried first. The score of the last pass is the minimax value at its depth; within a pass scores are
in the view of the side to move, and prove what alpha-beta's prove, fail-soft. Source: Slate & Atkin
1977 (CHESS 4.5), which deepened iteratively and kept such a table.
"""

from __future__ import annotations

from typing import Any

from plyscope.searching.reference.table import Entries, Lookup, TableEntry, table_key
from plyscope.searching.score import INFINITY, Bound
from plyscope.searching.walk import Node, Walk


def alphabeta_with_table(
    walk: Walk, table: Entries, node: Node, depth: int, alpha: int, beta: int
) -> int:
    """Return the score of `node` within the window for its side to move, fail-soft."""
    walk.enter(node, depth, alpha, beta)
    key = table_key(node)
    entry = table.get(key)
    if entry is not None and entry.depth == depth and node.path and _decides(entry, alpha, beta):
        walk.table_hit(node, entry.score, entry.bound)
        return entry.score
    if walk.is_leaf(node, depth):
        score = walk.leaf(node)
        table[key] = TableEntry(depth, score, Bound.EXACT, None)
        return score
    called = alpha, beta
    best, best_move = -INFINITY, None
    moves = list(walk.moves(node))
    if entry is not None and entry.move is not None:
        moves.remove(entry.move)
        moves.insert(0, entry.move)
    for move in moves:
        child = walk.child(node, move)
        window = child.window(alpha, beta)
        score = child.sign * alphabeta_with_table(walk, table, child, depth - 1, *window)
        walk.searched(node, move, score, alpha, beta)
        if score > best:
            best, best_move = score, move
        if score > alpha:
            walk.raised(node, move, alpha, score)
            alpha = score
        if walk.is_closed(alpha, beta):
            walk.cutoff(node, moves, move, alpha, beta)
            break
    bound = walk.proves(best, *called)
    table[key] = TableEntry(depth, best, bound, best_move)
    return walk.leave(node, best, *called)


def _decides(entry: TableEntry, alpha: int, beta: int) -> bool:
    """Whether the entry's score answers the question that the window asks."""
    return (
        entry.bound is Bound.EXACT
        or (entry.bound is Bound.LOWER and entry.score >= beta)
        or (entry.bound is Bound.UPPER and entry.score <= alpha)
    )


def search(walk: Walk) -> int:
    """Search the root to the walk's depth with the table that earlier passes left."""
    table = walk.memory.of(Entries)
    score = alphabeta_with_table(walk, table, walk.root, walk.depth, -INFINITY, INFINITY)
    walk.pv = principal_variation(walk, table)
    return score


def principal_variation(walk: Walk, table: Lookup[TableEntry | None]) -> tuple[Any, ...]:
    """Return the moves of the table's exact entries: an exact entry of this depth is never
    overwritten within a pass."""
    pv: list[Any] = []
    node, depth = walk.root, walk.depth
    while True:
        entry = table.get(table_key(node), None)
        if entry is None or entry.depth != depth or entry.move is None:
            return tuple(pv)
        pv.append(entry.move)
        node, depth = walk.child(node, entry.move), depth - 1

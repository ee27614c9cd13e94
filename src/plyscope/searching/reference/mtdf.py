"""MTD(f): find the minimax value by null windows alone, each pass moving one of the two proven
bounds.

Let g be the score of a pass with the window (test − 1, test): g < test means v ≤ g, g ≥ test means
v ≥ g. The passes start at a first guess and stop when the bounds meet. A table of proven intervals
keeps passes from repeating each other. All scores in the root's view. Source: Plaat, Schaeffer,
Pijls & de Bruin 1996. With a first guess of +∞ it visits the leaves of SSS*, as they show.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from plyscope.searching.reference.table import Interval, Intervals, Lookup, table_key
from plyscope.searching.score import INFINITY, Bound
from plyscope.searching.walk import Node, Walk


def alphabeta_with_memory(
    walk: Walk, table: Intervals, node: Node, depth: int, alpha: int, beta: int
) -> int:
    """Return the score of `node` within the window, fail-soft; what it proves is kept."""
    walk.enter(node, depth, alpha, beta)
    key = (*table_key(node), depth)
    known = table.get(key, Interval())
    if known.lower == known.upper:
        walk.table_hit(node, known.lower, Bound.EXACT)
        return known.lower
    if known.lower >= beta:
        walk.table_hit(node, known.lower, Bound.LOWER)
        return known.lower
    if known.upper <= alpha:
        walk.table_hit(node, known.upper, Bound.UPPER)
        return known.upper
    if walk.is_leaf(node, depth):
        score = walk.leaf(node)
        table[key] = Interval(score, score)
        return score
    alpha, beta = max(alpha, known.lower), min(beta, known.upper)
    called = alpha, beta
    best = -INFINITY if node.is_max else INFINITY
    moves = walk.moves(node)
    for move in moves:
        score = alphabeta_with_memory(walk, table, walk.child(node, move), depth - 1, alpha, beta)
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
    bound = walk.proves(best, *called)
    lower = best if bound is not Bound.UPPER else known.lower
    upper = best if bound is not Bound.LOWER else known.upper
    table[key] = Interval(lower, upper)
    return walk.leave(node, best, *called)


def mtdf(walk: Walk, guess: int, null_window: Callable[[int], int] | None = None) -> int:
    """Return the minimax value of the root, by null windows from the first `guess`;
    `null_window(test)` searches with (test − 1, test)."""
    table = walk.memory.of(Intervals)
    search_within = null_window or (
        lambda test: alphabeta_with_memory(walk, table, walk.root, walk.depth, test - 1, test)
    )
    lower, upper = -INFINITY, INFINITY
    number = 0
    while lower < upper:
        number += 1
        test = guess + 1 if guess == lower else guess
        walk.iteration(number, guess=test)
        guess = search_within(test)
        if guess < test:
            upper = guess
        else:
            lower = guess
    return guess


def search(walk: Walk) -> int:
    """Search the root from its static evaluation as first guess."""
    value = mtdf(walk, walk.static(walk.root))
    read_root(walk, walk.memory.of(Intervals), value)
    return value


def read_root(walk: Walk, table: Lookup[Interval], value: int) -> None:
    """Take the root moves' scores and the variation that proves `value` from the table."""
    node, depth = walk.root, walk.depth
    for move in walk.moves(node):
        known = table.get((*table_key(walk.child(node, move)), depth - 1), Interval())
        if known.lower == known.upper:
            walk.values[move] = (known.upper, Bound.EXACT)
        elif known.upper < INFINITY:
            walk.values[move] = (known.upper, Bound.UPPER)
    pv: list[Any] = []
    while not walk.is_leaf(node, depth):
        for move in walk.moves(node):
            child = walk.child(node, move)
            known = table.get((*table_key(child), depth - 1), Interval())
            if known.lower >= value if node.is_max else known.upper <= value:
                break
        pv.append(move)
        node, depth = child, depth - 1
    walk.pv = tuple(pv)
    if pv:
        walk.values[pv[0]] = (value, Bound.EXACT)

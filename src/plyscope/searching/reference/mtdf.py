"""MTD(f): finding the minimax value with null windows only; each pass moves one of two proven
bounds.

Let g be the score of a pass with the window (test − 1, test): g < test means v ≤ g, g ≥ test means
v ≥ g. The passes start from a first guess and stop when the bounds meet. A table of proven
intervals avoids repeated work between passes. All scores are in the root's view. Source: Plaat,
Schaeffer, Pijls & de Bruin 1996. They show that with a first guess of +∞ it visits the leaves of
SSS*.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from plyscope.searching.score import INFINITY, Bound
from plyscope.searching.walk import Node, Walk


def alphabeta_with_memory(walk: Walk, node: Node, depth: int, alpha: int, beta: int) -> int:
    """Return the score of `node` within the window, fail-soft, and store the proven interval."""
    walk.enter(node, depth, alpha, beta)
    known = walk.recall_interval(node, depth)
    if known.lower >= beta or known.lower == known.upper:
        walk.table_hit(node, known.lower, known.proves(known.lower))
        return known.lower
    if known.upper <= alpha:
        walk.table_hit(node, known.upper, known.proves(known.upper))
        return known.upper
    if walk.is_leaf(node, depth):
        score = walk.leaf(node)
        walk.remember_interval(node, depth, score, score)
        return score
    alpha, beta = max(alpha, known.lower), min(beta, known.upper)
    called = alpha, beta
    best = -INFINITY if node.is_max else INFINITY
    moves = walk.moves(node)
    for move in moves:
        score = alphabeta_with_memory(walk, walk.child(node, move), depth - 1, alpha, beta)
        walk.lift(node, move)
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
    lower = best if best > called[0] else known.lower
    upper = best if best < called[1] else known.upper
    walk.remember_interval(node, depth, lower, upper)
    return walk.leave(node, best, *called)


def null_window(walk: Walk, test: int) -> int:
    """Search the root with the window (test − 1, test)."""
    return alphabeta_with_memory(walk, walk.root, walk.depth, test - 1, test)


def mtdf(walk: Walk, guess: int, search_within: Callable[[int], int]) -> int:
    """Return the minimax value of the root, by null windows from the first `guess`.

    `search_within(test)` searches with the window (test − 1, test).
    """
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


def search(walk: Walk, run: Callable[[Walk, int], int] = null_window) -> int:
    """Search the root from its static evaluation as first guess; `run` searches a null window."""
    value = mtdf(walk, walk.static(walk.root), partial(run, walk))
    _read_root(walk, value)
    return value


def _read_root(walk: Walk, value: int) -> None:
    """Read the scores of the root moves, and the variation that proves `value`, from the table."""
    node, depth = walk.root, walk.depth
    for move in walk.moves(node):
        known = walk.recall_interval(walk.child(node, move), depth - 1)
        no_better = known.upper if node.is_max else known.lower
        if abs(no_better) < INFINITY:
            walk.values[move] = (no_better, known.proves(no_better))
    pv: list[Any] = []
    while not walk.is_leaf(node, depth):
        for move in walk.moves(node):
            child = walk.child(node, move)
            known = walk.recall_interval(child, depth - 1)
            if known.lower >= value if node.is_max else known.upper <= value:
                break
        pv.append(move)
        node, depth = child, depth - 1
    walk.pv = tuple(pv)
    if pv:
        walk.values[pv[0]] = (value, Bound.EXACT)

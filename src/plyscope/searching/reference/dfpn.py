"""df-pn: depth-first proof-number search, with a table in place of the tree.

A call searches a node until its proof number or its disproof number reaches a limit. Until then,
the leaf that `reference/pn` would expand next is below this node. The table stores the numbers of
nodes, so a node that is called again continues from them. A child without an entry counts 1 for
both numbers. Numbers and questions are those of `reference/pn`. Source: Nagai 2002.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from plyscope.searching.reference.pn import INFINITE, find_value
from plyscope.searching.walk import Node, Walk


class Numbers(NamedTuple):
    """The two numbers of a node, and if one of them is 0, the score of the answer in the root's
    view."""

    proof: int = 1
    disproof: int = 1
    score: int = 0

    @property
    def is_answered(self) -> bool:
        """Whether the answer is known."""
        return not (self.proof and self.disproof)


UNKNOWN = Numbers()


def _combine(is_max: bool, children: Sequence[Numbers]) -> Numbers:
    """Return the numbers of a node from its children, with its score if they answer it."""
    proofs, disproofs, _ = zip(*children, strict=True)
    proof, disproof = (min(proofs), sum(disproofs)) if is_max else (sum(proofs), min(disproofs))
    numbers = Numbers(min(INFINITE, proof), min(INFINITE, disproof))
    if not numbers.is_answered:
        return numbers
    agreeing = (child.score for child in children if child[:2] == numbers[:2])
    return numbers._replace(score=max(agreeing) if is_max else min(agreeing))


def _call(
    walk: Walk, table: dict[Any, Numbers], node: Node, test: int, limits: tuple[int, int]
) -> None:
    """Search `node` until its proof or disproof number reaches its limit; store both."""
    depth = walk.depth - node.ply
    walk.enter(node, depth, test - 1, test)
    if walk.is_leaf(node, depth):
        score = walk.leaf(node)
        is_yes = score >= test
        table[node.key] = Numbers(0, INFINITE, score) if is_yes else Numbers(INFINITE, 0, score)
        return
    children = [walk.child(node, move) for move in walk.moves(node)]
    while True:
        known = [table.get(child.key, UNKNOWN) for child in children]
        numbers = _combine(node.is_max, known)
        if numbers.is_answered:
            walk.leave(node, numbers.score, test - 1, test)
        if numbers.proof >= limits[0] or numbers.disproof >= limits[1]:
            table[node.key] = numbers
            return
        index, of_child = _next_call(node.is_max, numbers, known, limits)
        _call(walk, table, children[index], test, of_child)


def _next_call(
    is_max: bool, numbers: Numbers, children: Sequence[Numbers], limits: tuple[int, int]
) -> tuple[int, tuple[int, int]]:
    """Return the index of the most proving child, and its limits.

    The child returns when a sibling becomes more proving, or at the limits of the node itself.
    """
    wanted = [child.proof if is_max else child.disproof for child in children]
    index = wanted.index(min(wanted))
    sibling = min([INFINITE, *wanted[:index], *wanted[index + 1 :]]) + 1
    child, (proof, disproof) = children[index], limits
    if is_max:
        return index, (min(proof, sibling), disproof - numbers.disproof + child.disproof)
    return index, (proof - numbers.proof + child.proof, min(disproof, sibling))


class TableAnswer:
    """An answered node of the table, with its solution tree."""

    def __init__(self, walk: Walk, table: dict[Any, Numbers], node: Node) -> None:
        self._walk, self._table, self._node = walk, table, node
        self._numbers = table.get(node.key, UNKNOWN)
        self.score = self._numbers.score

    @property
    def solution(self) -> dict[Any, TableAnswer]:
        """The children in the solution tree, by move."""
        walk, node = self._walk, self._node
        if walk.is_leaf(node, walk.depth - node.ply):
            return {}
        children = {
            move: TableAnswer(walk, self._table, walk.child(node, move))
            for move in walk.moves(node)
        }
        if node.is_max != (self._numbers.proof == 0):
            return children
        agreeing = [
            move for move, child in children.items() if child._numbers[:2] == self._numbers[:2]
        ]
        best = (max if node.is_max else min)(agreeing, key=lambda move: children[move].score)
        return {best: children[best]}


def ask(walk: Walk, test: int) -> TableAnswer:
    """Return the root after proving whether the value is at least `test`; its score is on the same
    side of `test`."""
    table: dict[Any, Numbers] = {}
    _call(walk, table, walk.root, test, (INFINITE, INFINITE))
    return TableAnswer(walk, table, walk.root)


def search(walk: Walk) -> int:
    """Search the root."""
    return find_value(walk, lambda test: ask(walk, test))

"""Proof-number search: best-first search for the answer to a yes-no question.

The question is whether the value is at least `test`. The proof number of a node is the least number
of leaves that must be shown to be at least `test` for the answer yes; the disproof number is that
for the answer no. An unsearched leaf counts 1 for both, an answered node 0 for its answer. The
search descends to the leftmost most proving leaf, on which both numbers of the root depend. It adds
the leaf's children one by one, until one of them answers the leaf. Source: Allis, van der Meulen &
van den Herik 1994. Questions follow each other as in MTD(f) (`reference/mtdf`), each with a new
tree, so that the value is exact; the score of an answer is that of the leaves on which it rests.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from plyscope.searching.reference.mtdf import mtdf
from plyscope.searching.reference.sss import note_pv
from plyscope.searching.walk import Node, Walk

INFINITE = 1 << 30
"""Infinity: the proof number of a disproved node, and the disproof number of a proved one."""


class Answer(Protocol):
    """An answered node of the tree, or of a table."""

    @property
    def score(self) -> int:
        """The score of the answer, in the root's view."""

    @property
    def solution(self) -> Mapping[Any, Answer]:
        """The children in the solution tree, by move: one move of the side that the answer is good
        for, all moves of the other."""


class TreeNode:
    """A node of the tree with its two numbers, and a score if it is answered."""

    __slots__ = ("children", "disproof", "node", "parent", "proof", "score")

    def __init__(self, node: Node, parent: TreeNode | None) -> None:
        self.node, self.parent = node, parent
        self.children: list[TreeNode] = []
        self.proof = self.disproof = 1
        self.score = 0

    @property
    def is_answered(self) -> bool:
        """Whether the answer for this node is known."""
        return not (self.proof and self.disproof)

    def update(self) -> None:
        """Combine the children's numbers; if they answer the node, keep only its solution."""
        children = self.children
        if self.node.is_max:
            self.proof = min(child.proof for child in children)
            self.disproof = min(INFINITE, sum(child.disproof for child in children))
        else:
            self.proof = min(INFINITE, sum(child.proof for child in children))
            self.disproof = min(child.disproof for child in children)
        if not self.is_answered:
            return
        numbers = self.proof, self.disproof
        agreeing = [child for child in children if (child.proof, child.disproof) == numbers]
        best = (max if self.node.is_max else min)(agreeing, key=lambda child: child.score)
        self.score = best.score
        if self.node.is_max == (self.proof == 0):
            self.children = [best]

    @property
    def solution(self) -> dict[Any, TreeNode]:
        """The children in the solution tree, by move."""
        return {child.node.path[-1]: child for child in self.children}

    def most_proving(self) -> TreeNode:
        """Return the most proving leaf, which is expanded next."""
        found = self
        while found.children:
            parent, is_max = found, found.node.is_max
            found = next(
                child
                for child in parent.children
                if (child.proof == parent.proof if is_max else child.disproof == parent.disproof)
            )
        return found


def ask(walk: Walk, test: int) -> TreeNode:
    """Return the root after proving whether the value is at least `test`; its score is on the same
    side of `test`."""
    root = _create(walk, walk.root, None, test)
    while not root.is_answered:
        leaf = root.most_proving()
        _expand(walk, leaf, test)
        updated: TreeNode | None = leaf
        while updated is not None:
            updated.update()
            if updated.is_answered:
                walk.leave(updated.node, updated.score, test - 1, test)
            updated = updated.parent
    return root


def _create(walk: Walk, node: Node, parent: TreeNode | None, test: int) -> TreeNode:
    """Return a new node of the tree, answered if the game is over or the horizon is reached."""
    created, depth = TreeNode(node, parent), walk.depth - node.ply
    walk.enter(node, depth, test - 1, test)
    if walk.is_leaf(node, depth):
        created.score = walk.leaf(node)
        created.proof, created.disproof = (0, INFINITE) if created.score >= test else (INFINITE, 0)
    return created


def _expand(walk: Walk, leaf: TreeNode, test: int) -> None:
    """Add the children of a leaf, until one of them answers it."""
    node = leaf.node
    moves = walk.moves(node)
    for move in moves:
        child = _create(walk, walk.child(node, move), leaf, test)
        leaf.children.append(child)
        if (child.proof if node.is_max else child.disproof) == 0:
            walk.cutoff(node, moves, move, test - 1, test)
            return


def find_value(walk: Walk, question: Callable[[int], Answer]) -> int:
    """Return the value, found by a sequence of questions, and store the variation of the last
    answers."""
    answers: dict[bool, Answer] = {}

    def null_window(test: int) -> int:
        answer = question(test)
        answers[answer.score >= test] = answer
        return answer.score

    value = mtdf(walk, walk.static(walk.root), null_window)
    node, yes, no = walk.root, answers[True], answers[False]
    while yes.solution and no.solution:
        move = next(iter((yes if node.is_max else no).solution))
        node, yes, no = walk.child(node, move), yes.solution[move], no.solution[move]
    note_pv(walk, value, node.path)
    return value


def search(walk: Walk) -> int:
    """Search the root."""
    return find_value(walk, lambda test: ask(walk, test))

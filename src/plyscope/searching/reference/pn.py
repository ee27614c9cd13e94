"""Proof-number search: best-first, always where least is missing to an answer yes or no.

The question is whether the value is at least `test`. A node's proof number is the least number of
leaves that must turn out well to answer it with yes, its disproof number that for no; a leaf not
searched yet counts 1 for both, an answered node 0 for its answer. The search goes down to the leaf
where both the root's numbers begin, the leftmost of equal ones, and expands it: all its moves,
until one of them answers it. Source: Allis, van der Meulen & van den Herik 1994. Questions are
asked as MTD(f) asks them (`reference/mtdf`), each with a tree of its own, so that the value comes
out exactly; the score of an answer is that of the leaves it rests on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from plyscope.searching.reference.mtdf import mtdf
from plyscope.searching.reference.sss import note
from plyscope.searching.walk import Node, Walk

__all__ = ["MANY", "Answer", "ask", "close_in", "search"]

MANY = 1 << 30
"""The number of a node that has the other answer."""


class Answer(Protocol):
    """A node that is answered: the score, in the root's view, and by move the children that the
    answer rests on."""

    @property
    def score(self) -> int: ...  # noqa: D102

    @property
    def rests_on(self) -> Mapping[Any, Answer]: ...  # noqa: D102


class _Item:
    """A node of the tree with its two numbers, and once it is answered, its score."""

    __slots__ = ("children", "disproof", "node", "parent", "proof", "score")

    def __init__(self, node: Node, parent: _Item | None) -> None:
        self.node, self.parent = node, parent
        self.children: list[_Item] = []
        self.proof = self.disproof = 1
        self.score = 0

    @property
    def is_answered(self) -> bool:
        """Whether the answer for this node is known."""
        return not (self.proof and self.disproof)

    def update(self) -> None:
        """Take the numbers from the children; where they answer the node, forget those that the
        answer does not rest on."""
        first, sum_ = ("proof", "disproof") if self.node.is_max else ("disproof", "proof")
        setattr(self, first, min(getattr(child, first) for child in self.children))
        setattr(self, sum_, min(MANY, sum(getattr(child, sum_) for child in self.children)))
        if self.is_answered:
            told = [
                child
                for child in self.children
                if (child.proof, child.disproof) == (self.proof, self.disproof)
            ]
            best = (max if self.node.is_max else min)(told, key=lambda child: child.score)
            self.score, self.children = (
                best.score,
                [best] if self.node.is_max == (self.proof == 0) else self.children,
            )

    @property
    def rests_on(self) -> dict[Any, _Item]:
        """The children that the answer rests on: one move of the side that it pleases, all of the
        other's."""
        return {child.node.path[-1]: child for child in self.children}

    def most_proving(self) -> _Item:
        """Return the leaf below that is to be expanded."""
        item = self
        while item.children:
            number = "proof" if item.node.is_max else "disproof"
            item = next(
                child for child in item.children if getattr(child, number) == getattr(item, number)
            )
        return item


def ask(walk: Walk, test: int) -> _Item:
    """Return the root, answered: its score is at least `test` where the value is, and below it
    where it is not."""
    root = _begin(walk, walk.root, None, test)
    while not root.is_answered:
        item: _Item | None = root.most_proving()
        assert item is not None
        _expand(walk, item, test)
        while item is not None:
            item.update()
            if item.is_answered:
                walk.leave(item.node, item.score, test - 1, test)
            item = item.parent
    return root


def _begin(walk: Walk, node: Node, parent: _Item | None, test: int) -> _Item:
    item = _Item(node, parent)
    walk.enter(node, walk.depth - node.ply, test - 1, test)
    if walk.is_leaf(node, walk.depth - node.ply):
        item.score = walk.leaf(node)
        item.proof, item.disproof = (0, MANY) if item.score >= test else (MANY, 0)
    return item


def _expand(walk: Walk, item: _Item, test: int) -> None:
    node = item.node
    moves = walk.moves(node)
    for move in moves:
        child = _begin(walk, walk.child(node, move), item, test)
        item.children.append(child)
        if (child.proof if node.is_max else child.disproof) == 0:
            walk.cutoff(node, moves, move, test - 1, test)
            return


def close_in(walk: Walk, question: Callable[[int], Answer]) -> int:
    """Return the value, found by questions, and note the line on which both sides play as the last
    answers say."""
    answers: dict[bool, Answer] = {}

    def pass_(test: int) -> int:
        answer = question(test)
        answers[answer.score >= test] = answer
        return answer.score

    value = mtdf(walk, walk.static(walk.root), pass_)
    node, yes, no = walk.root, answers[True], answers[False]
    while yes.rests_on and no.rests_on:
        move = next(iter((yes if node.is_max else no).rests_on))
        node, yes, no = walk.child(node, move), yes.rests_on[move], no.rests_on[move]
    note(walk, value, node.path)
    return value


def search(walk: Walk) -> int:
    """Search the root."""
    return close_in(walk, lambda test: ask(walk, test))

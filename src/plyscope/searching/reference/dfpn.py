"""df-pn: proof-number search depth first, with a table in place of the tree.

A call of a node carries two limits, and comes back as soon as its proof or its disproof number
reaches its own: until then the leaf that `reference/pn` would expand next lies below it. What is
known of a node is kept in the table, so a node that is called again goes on where it was left.
Source: Nagai 2002. A child that the table does not know counts 1 for both; numbers and questions
are those of `reference/pn`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple, Protocol

from plyscope.searching.reference.pn import MANY, close_in
from plyscope.searching.reference.table import table_key
from plyscope.searching.walk import Node, Walk

__all__ = ["Answered", "Numbers", "ask", "search"]


class Numbers(NamedTuple):
    """The proof and the disproof number of a node, and once one of them is 0, the score of the
    answer in the root's view."""

    proof: int = 1
    disproof: int = 1
    score: int = 0

    @property
    def is_answered(self) -> bool:
        """Whether the answer is known."""
        return not (self.proof and self.disproof)


UNKNOWN = Numbers()


class Table(Protocol):
    """What is known of nodes, by position and ply."""

    def get(self, key: tuple[Any, int], missing: Numbers) -> Numbers: ...


def _joined(is_max: bool, children: Iterable[Numbers]) -> Numbers:
    """Return the numbers of a node with these children."""
    proofs, disproofs, _ = zip(*children, strict=True)
    proof, disproof = (min(proofs), sum(disproofs)) if is_max else (sum(proofs), min(disproofs))
    return Numbers(min(MANY, proof), min(MANY, disproof))


def _call(
    walk: Walk,
    known: dict[Any, Numbers],
    node: Node,
    test: int,
    most_proof: int,
    most_disproof: int,
) -> None:
    walk.enter(node, walk.depth - node.ply, test - 1, test)
    if walk.is_leaf(node, walk.depth - node.ply):
        score = walk.leaf(node)
        known[table_key(node)] = (
            Numbers(0, MANY, score) if score >= test else Numbers(MANY, 0, score)
        )
        return
    children = [walk.child(node, move) for move in walk.moves(node)]
    while True:
        numbers = [known.get(table_key(child), UNKNOWN) for child in children]
        joined = _joined(node.is_max, numbers)
        if joined.is_answered:
            told = (each.score for each in numbers if each[:2] == joined[:2])
            joined = joined._replace(score=max(told) if node.is_max else min(told))
            walk.leave(node, joined.score, test - 1, test)
        if joined.proof >= most_proof or joined.disproof >= most_disproof:
            known[table_key(node)] = joined
            return
        field = 0 if node.is_max else 1
        firsts = [each[field] for each in numbers]
        at = firsts.index(min(firsts))
        second = min([MANY, *firsts[:at], *firsts[at + 1 :]]) + 1
        if node.is_max:
            limits = min(most_proof, second), most_disproof - joined.disproof + numbers[at].disproof
        else:
            limits = most_proof - joined.proof + numbers[at].proof, min(most_disproof, second)
        _call(walk, known, children[at], test, *limits)


class Answered:
    """A node that a table answers, as `close_in` reads it."""

    def __init__(self, walk: Walk, table: Table, node: Node) -> None:
        self._walk, self._table, self._node = walk, table, node
        self._numbers = table.get(table_key(node), UNKNOWN)
        self.score = self._numbers.score

    @property
    def rests_on(self) -> dict[Any, Answered]:
        """The children that the answer rests on: one move of the side that it pleases, all of the
        other's."""
        node = self._node
        if self._walk.is_leaf(node, self._walk.depth - node.ply):
            return {}
        found = {
            move: Answered(self._walk, self._table, self._walk.child(node, move))
            for move in self._walk.moves(node)
        }
        if node.is_max != (self._numbers.proof == 0):
            return found
        told = {
            move: child for move, child in found.items() if child._numbers[:2] == self._numbers[:2]
        }
        best = (max if node.is_max else min)(told, key=lambda move: told[move].score)
        return {best: told[best]}


def ask(walk: Walk, test: int) -> Answered:
    """Return the root, answered: its score is at least `test` where the value is, and below it
    where it is not."""
    known: dict[Any, Numbers] = {}
    _call(walk, known, walk.root, test, MANY, MANY)
    return Answered(walk, known, walk.root)


def search(walk: Walk) -> int:
    """Search the root."""
    return close_in(walk, lambda test: ask(walk, test))

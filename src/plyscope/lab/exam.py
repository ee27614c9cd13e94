"""Exam questions: random trees to search by hand, drawn from a seed until they are as wanted."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from random import Random
from typing import get_args

from plyscope.errors import OptionError
from plyscope.lab.quiz import ASKED, Question
from plyscope.rules.tree import ExplicitTree, TreeNode
from plyscope.searching.causes import causes
from plyscope.searching.conventions import BoundStyle, Conventions, Cut

__all__ = ["DEEP_FROM", "Wanted", "make_questions"]

TRIES = 20_000
MOST_LEAVES = 400
DEEP_FROM = 4
"""The least depth with deep cutoffs: the root's bound skips the root's children's children's
children's moves."""


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What a question's tree is to be like.

    depth: plies from the root to the leaves. branching: the least and the most children of a node.
    values: the least and the greatest of a leaf. cutoffs, deep: cutoffs that skip something, and
    deep ones among them, at least. ties: whether leaves may have equal values. agree: the same
    windows and cuts, whether cut at ≥ or >, fail-soft or fail-hard. (The values of nodes that were
    cut cannot agree: fail-soft and fail-hard differ there unless the score met the bound, and then
    ≥ and > do.)
    """

    depth: int = 3
    branching: tuple[int, int] = (2, 3)
    values: tuple[int, int] = (-9, 9)
    cutoffs: int = 1
    deep: int = 0
    ties: bool = True
    agree: bool = False

    def __post_init__(self) -> None:
        low, high = self.branching
        if not 1 <= self.depth <= 8:
            raise OptionError(f"depth {self.depth}; expected 1 to 8")
        if not 1 <= low <= high <= 9:
            raise OptionError(
                f"branching {low} to {high}; expected numbers from 1 to 9, the smaller one first"
            )
        if not -999 <= self.values[0] <= self.values[1] <= 999:
            raise OptionError(
                f"values {self.values[0]} to {self.values[1]}; expected numbers within ±999, the smaller one first"
            )
        if self.deep and self.depth < DEEP_FROM:
            raise OptionError(
                f"depth {self.depth} with {self.deep} deep cutoffs; expected at least {DEEP_FROM}, where there can be one"
            )
        if self.cutoffs and self.depth < 2:
            raise OptionError(
                f"depth {self.depth} with {self.cutoffs} cutoffs; expected at least 2, where there can be one"
            )
        if low**self.depth > MOST_LEAVES:
            raise OptionError(
                f"depth {self.depth} with {low} children at least has {low**self.depth:,} leaves; expected at most {MOST_LEAVES}"
            )
        if not self.ties and self.values[1] - self.values[0] + 1 < low**self.depth:
            raise OptionError(
                f"values {self.values[0]} to {self.values[1]} without ties for {low**self.depth:,} leaves or more; expected a wider range"
            )
        if self.cutoffs < 0 or self.deep < 0:
            raise OptionError(f"{min(self.cutoffs, self.deep)} cutoffs; expected 0 or more")


def make_questions(
    seed: int,
    number: int = 1,
    wanted: Wanted | None = None,
    conventions: Conventions | None = None,
    asked: tuple[str, ...] = ASKED,
) -> tuple[Question, ...]:
    """Return `number` different questions, the same for the same seed; raise OptionError where no
    tree as wanted is found in 20,000."""
    if not 1 <= number <= 100:
        raise OptionError(f"{number} questions; expected 1 to 100")
    wanted, conventions = wanted or Wanted(), conventions or Conventions()
    questions: dict[str, Question] = {}
    for place in range(number):
        draw = Random(f"exam {seed} {place}")
        for _ in range(TRIES):
            root = _draw_node(draw, wanted, wanted.depth)
            question = Question(ExplicitTree(root), conventions, asked)
            if _is_wanted(question, wanted) and str(question.tree.start()) not in questions:
                break
        else:
            raise OptionError(
                f"no tree among {TRIES:,} is as wanted; expected fewer cutoffs, more depth, or more values"
            )
        questions[str(question.tree.start())] = question
    return tuple(questions.values())


def _draw_node(draw: Random, wanted: Wanted, depth: int) -> TreeNode:
    if depth == 0:
        return TreeNode(value=draw.randint(*wanted.values))
    return TreeNode(
        tuple(_draw_node(draw, wanted, depth - 1) for _ in range(draw.randint(*wanted.branching)))
    )


def _is_wanted(question: Question, wanted: Wanted) -> bool:
    leaves = _leaf_values(question.tree.root)
    if len(leaves) > MOST_LEAVES or (not wanted.ties and len(set(leaves)) < len(leaves)):
        return False
    found = [cause for cause in causes(question.trace.events) if cause.cutoff.skipped]
    if len(found) < wanted.cutoffs or sum(cause.is_deep for cause in found) < wanted.deep:
        return False
    return not wanted.agree or all(
        _paths_taken(Question(question.tree, replace(question.conventions, cut=cut, bound=bound)))
        == _paths_taken(question)
        for cut, bound in product(get_args(Cut), get_args(BoundStyle))
    )


def _paths_taken(question: Question) -> list[tuple[object, ...]]:
    """Return the windows and cuts of a question's key."""
    return [(node.window, node.is_cut) for node in question.key.values()]


def _leaf_values(node: TreeNode) -> list[int]:
    if not node.children:
        return [node.value or 0]
    return [value for child in node.children for value in _leaf_values(child)]

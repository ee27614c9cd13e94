"""Exam questions on trees: random trees are drawn until one satisfies the constraints."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice, product, takewhile
from math import inf
from random import Random
from statistics import median_low
from typing import Any, get_args

from plyscope.errors import OptionError
from plyscope.lab.questions.quiz import Question, mark
from plyscope.progress import Count
from plyscope.rules.tree import ExplicitTree
from plyscope.rules.treetext import TreeNode, Value
from plyscope.searching.causes import causes
from plyscope.searching.conventions import OPEN_WINDOW, BoundStyle, Conventions, Cut
from plyscope.searching.events import Cutoff

MAX_DRAWS = 20_000
"""The number of trees drawn for a question before an error is raised."""
TOLERANCE = 0.05
"""How far the length of a question may be from the usual one if all are equally long."""
SAMPLE_QUESTIONS, MAX_COMPARED = 60, 1_500
"""The questions of which the usual length is the median, and the trees drawn for one."""
MAX_LEAVES = 400
MAX_DEPTH = 8
MIN_DEEP_DEPTH = 4
"""The least depth with deep cutoffs: a bound of the root that skips moves three plies below it."""


@dataclass(frozen=True, kw_only=True)
class Constraints:
    """The constraints on the tree of a question."""

    depth: int = 3
    """Plies from the root to the leaves."""
    branching: tuple[int, int] = (2, 3)
    """The fewest and the most children of a node."""
    values: tuple[int, int] = (-9, 9)
    """The least and the greatest value of a leaf."""
    cutoffs: int = 1
    """The least number of cutoffs that skip something."""
    deep: int = 0
    """The least number of deep cutoffs among them."""
    again: int = 0
    """The least number of re-searches, for PVS."""
    ties: bool = True
    """Whether leaves may have equal values."""
    agree: bool = False
    """Whether windows and cuts must be the same under all conventions: cuts at ≥ or >, fail-soft or
    fail-hard. (Values of cut nodes always differ between some of them.)"""

    def __post_init__(self) -> None:
        depth, (few, many), (low, high) = self.depth, self.branching, self.values
        leaves = few**depth if 1 <= depth <= MAX_DEPTH else 0
        ordered = "the smaller one first"
        for holds, what, expected in (
            (1 <= depth <= MAX_DEPTH, f"depth {depth}", f"1 to {MAX_DEPTH}"),
            (
                1 <= few <= many <= 9,
                f"branching {few} to {many}",
                f"numbers from 1 to 9, {ordered}",
            ),
            (
                -999 <= low <= high <= 999,
                f"values {low} to {high}",
                f"numbers within ±999, {ordered}",
            ),
            (
                not self.deep or depth >= MIN_DEEP_DEPTH,
                f"depth {depth} with {self.deep} deep cutoffs",
                f"at least {MIN_DEEP_DEPTH}, so that there can be one",
            ),
            (
                not self.cutoffs or depth >= 2,
                f"depth {depth} with {self.cutoffs} cutoffs",
                "at least 2, so that there can be one",
            ),
            (
                not (self.cutoffs or self.deep) or many > 1,
                f"branching {few} to {many} with cutoffs",
                "2 children or more, so that there can be one",
            ),
            (
                leaves <= MAX_LEAVES,
                f"depth {depth} with {few} children at least has {leaves:,} leaves",
                f"at most {MAX_LEAVES}",
            ),
            (
                self.ties or high - low + 1 >= leaves,
                f"values {low} to {high} without ties for {leaves:,} leaves or more",
                "a wider range",
            ),
            (
                self.cutoffs >= 0 and self.deep >= 0,
                f"{min(self.cutoffs, self.deep)} cutoffs",
                "0 or more",
            ),
        ):
            if not holds:
                raise OptionError(f"{what}; expected {expected}")


def make_questions(
    seed: int | str,
    number: int = 1,
    wanted: Constraints | None = None,
    conventions: Conventions | None = None,
    asked: tuple[str, ...] = (),
    algorithm: str = "alphabeta",
    progress: Count | None = None,
    is_equal: bool = False,
) -> tuple[Question, ...]:
    """Return `number` different questions, the same for the same seed.

    By default each tree has a cutoff if the algorithm makes cutoffs, and a re-search if it makes
    re-searches. With `is_equal` questions of different seeds are equally long: all are drawn close
    to the same numbers of searched nodes, cutoffs and points. `progress` is called with the number
    of trees drawn for a question. Raises OptionError if none of 20,000 trees satisfies the
    constraints.
    """
    if not 1 <= number <= 100:
        raise OptionError(f"{number} questions; expected 1 to 100")
    wanted, conventions = wanted or default_constraints(algorithm), conventions or Conventions()
    _check_possible(wanted, conventions, algorithm)
    questions: dict[str, Question] = {}
    usual = _usual_length(wanted, conventions, asked, algorithm) if is_equal else None
    for place in range(number):
        drawn = _drawn(f"exam {seed} {place}", wanted, conventions, asked, algorithm, progress)
        new = ((tried, each) for tried, each in drawn if str(each.tree.start()) not in questions)
        found = next(new, None) if usual is None else _closest(new, usual)
        if found is None:
            raise OptionError(
                f"no tree among {MAX_DRAWS:,} satisfies the constraints; "
                "expected fewer cutoffs, more depth, or more values"
            )
        questions[str(found[1].tree.start())] = found[1]
    return tuple(questions.values())


Drawn = Iterator[tuple[int, Question]]
"""Questions, each with the number of trees drawn before it."""


def _drawn(
    seed: str,
    wanted: Constraints,
    conventions: Conventions,
    asked: tuple[str, ...],
    algorithm: str,
    progress: Count | None = None,
) -> Drawn:
    """Yield questions that satisfy the constraints, from MAX_DRAWS trees."""
    draw = Random(seed)
    for tried in range(MAX_DRAWS):
        if progress is not None:
            progress(tried)
        tree = ExplicitTree(_draw_node(draw, wanted, wanted.depth))
        question = Question(tree, conventions, asked, algorithm)
        if _is_wanted(question, wanted):
            yield tried, question


Length = tuple[float, ...]
"""The numbers of searched nodes, cutoffs and points of a question."""


def length_of(question: Question) -> Length:
    """Return the numbers of searched nodes, cutoffs and points of a question."""
    cuts = sum(isinstance(each, Cutoff) and bool(each.skipped) for each in question.trace.events)
    return question.trace.result.nodes, cuts, mark(question, {}).possible


@lru_cache(maxsize=32)
def _usual_length(
    wanted: Constraints, conventions: Conventions, asked: tuple[str, ...], algorithm: str
) -> Length | None:
    """Return the median length of questions that satisfy the constraints, None if none of the first
    trees does."""
    drawn = _drawn("usual length", wanted, conventions, asked, algorithm)
    kept = takewhile(lambda each: each[0] < MAX_COMPARED, islice(drawn, SAMPLE_QUESTIONS))
    lengths = [length_of(question) for _, question in kept]
    return tuple(map(median_low, zip(*lengths, strict=True))) if lengths else None


def _closest(drawn: Drawn, usual: Length) -> tuple[int, Question] | None:
    """Return the first question within TOLERANCE of the usual length; the closest one if there is
    none among the first MAX_COMPARED trees. Return None without a question."""
    best, least = None, inf
    for tried, question in drawn:
        ratios = zip(length_of(question), usual, strict=True)
        away = max(abs(own - other) / max(1, other) for own, other in ratios)
        if away < least:
            best, least = (tried, question), away
        if least <= TOLERANCE or tried >= MAX_COMPARED:
            break
    return best


def _check_possible(wanted: Constraints, conventions: Conventions, algorithm: str) -> None:
    """Raise OptionError for constraints that no tree can satisfy."""
    if algorithm != "pvs" and wanted.again:
        raise OptionError(f"{wanted.again} re-searches of {algorithm}; expected pvs")
    if algorithm == "minimax" and (wanted.cutoffs or wanted.deep):
        raise OptionError(f"{wanted.cutoffs or wanted.deep} cutoffs of minimax; expected none")
    if algorithm != "alphabeta":  # PVS visits nodes again, and may cut in each visit
        return
    depth, many = wanted.depth, wanted.branching[1]
    nodes = sum(many**ply for ply in range(depth))
    is_open = conventions.window == OPEN_WINDOW  # so are the windows down the left side
    most = nodes - depth if is_open else nodes
    deep = max(0, nodes - sum(many**ply for ply in range(min(3, depth))))
    for name, number, limit in (
        ("cutoffs", wanted.cutoffs, most),
        ("deep cutoffs", wanted.deep, min(most, deep)),
    ):
        if number > limit:
            raise OptionError(
                f"{number} {name} with depth {depth} and {many} children at most; "
                f"expected at most {limit}"
            )


def default_constraints(algorithm: str, **constraints: Any) -> Constraints:
    """Return the default constraints for the algorithm."""
    constraints.setdefault("cutoffs", 0 if algorithm == "minimax" else 1)
    constraints.setdefault("again", 1 if algorithm == "pvs" else 0)
    if constraints.get("deep"):
        constraints.setdefault("depth", MIN_DEEP_DEPTH)
    return Constraints(**constraints)


def _draw_node(draw: Random, wanted: Constraints, depth: int) -> TreeNode:
    if depth == 0:
        return TreeNode(value=draw.randint(*wanted.values))
    return TreeNode(
        tuple(_draw_node(draw, wanted, depth - 1) for _ in range(draw.randint(*wanted.branching)))
    )


def _is_wanted(question: Question, wanted: Constraints) -> bool:
    leaves = _leaf_values(question.tree.root)
    if len(leaves) > MAX_LEAVES or (not wanted.ties and len(set(leaves)) < len(leaves)):
        return False
    cuts = [cause for cause in causes(question.trace.events) if cause.cutoff.skipped]
    if len(cuts) < wanted.cutoffs or sum(cause.is_deep for cause in cuts) < wanted.deep:
        return False
    if sum(node.is_again for node in question.key.values()) < wanted.again:
        return False
    return not wanted.agree or all(
        _paths_taken(
            replace(question, conventions=replace(question.conventions, cut=cut, bound=bound))
        )
        == _paths_taken(question)
        for cut, bound in product(get_args(Cut), get_args(BoundStyle))
    )


def _paths_taken(question: Question) -> list[tuple[object, ...]]:
    """Return the windows and cutoffs in the answers to a question."""
    return [(node.window, node.is_cut) for node in question.key.values()]


def _leaf_values(node: TreeNode) -> list[Value]:
    if not node.children:
        return [node.value or 0]
    return [value for child in node.children for value in _leaf_values(child)]

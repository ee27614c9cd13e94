"""Quiz: a person's alpha-beta on paper, marked node by node and edge by edge, with a guess at what
went wrong.

A question is a tree with the conventions it is to be searched by. An answer gives, by path
(`0.2.1`: the children's numbers from the root, 0-based; the root is the empty text), the `value`
that a node returns, the window (`alpha`, `beta`) it is called with, and whether the edge above it
is `cut`. What is asked for is any of ASKED.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from plyscope.errors import NotationError, OptionError
from plyscope.rules.tree import ExplicitTree, TreeNode, TreePosition
from plyscope.searching.algorithms import ALGORITHMS
from plyscope.searching.conventions import Conventions
from plyscope.searching.driver import Trace, trace
from plyscope.searching.events import Cutoff, Enter, Leaf, Return
from plyscope.searching.score import INFINITY, format_score

__all__ = ["ASKED", "Answer", "Mark", "Marking", "NodeKey", "Question", "mark", "read_answer"]

ASKED = ("values", "windows", "cuts")
ALGORITHM = "alphabeta"
HALF = 0.5
"""The points of a value that is wrong, and follows from the person's own values below it."""
ALIKE = 0.9
"""How much of an answer another procedure has to explain before it is named."""

Path = tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class NodeKey:
    """What is right at a node: the `window` it is called with and the `score` it returns, None
    where it is not searched; `is_cut` where the edge above it is struck out."""

    path: Path
    name: str
    is_max: bool
    is_leaf: bool
    window: tuple[int, int] | None
    score: int | None
    is_cut: bool


@dataclass(frozen=True)
class Question:
    """A tree, the `conventions` by which alpha-beta is to search it, and what is `asked` for."""

    tree: ExplicitTree
    conventions: Conventions = field(default_factory=Conventions)
    asked: tuple[str, ...] = ASKED

    def __post_init__(self) -> None:
        if not self.asked or set(self.asked) - set(ASKED):
            raise OptionError(
                f"asked for {', '.join(self.asked)!r}; expected some of {', '.join(ASKED)}"
            )

    @cached_property
    def trace(self) -> Trace:
        """The search that is asked for."""
        return _traced(self.tree, self.conventions)

    @cached_property
    def key(self) -> dict[Path, NodeKey]:
        """What is right, node by node, parents before their children."""
        return _key_of(self.trace)

    @property
    def convention(self) -> str:
        """The conventions in a line, for the sheet."""
        return self.conventions.describe(ALGORITHMS[ALGORITHM].takes - {"scoring"})


def _traced(tree: ExplicitTree, conventions: Conventions, algorithm: str = ALGORITHM) -> Trace:
    taken = {name: getattr(conventions, name) for name in ALGORITHMS[algorithm].takes}
    return trace(tree, algorithm, **taken)


def _key_of(searched: Trace) -> dict[Path, NodeKey]:
    tree: ExplicitTree = searched.result.position.game
    root_side = tree.side(tree.start())
    windows: dict[Path, tuple[int, int]] = {}
    scores: dict[Path, int] = {}
    cut: set[Path] = set()
    for event in searched.events:
        if isinstance(event, Enter):
            windows[event.path] = (event.alpha, event.beta)
        elif isinstance(event, Leaf | Return):
            scores[event.path] = int(event.score)
        elif isinstance(event, Cutoff):
            cut |= {(*event.path, move) for move in event.skipped}
    key = {}
    for path, node in _nodes(tree):
        key[path] = NodeKey(
            path=path,
            name=tree.name_of(path),
            is_max=tree.side(TreePosition(tree, path)) == root_side,
            is_leaf=not node.children,
            window=windows.get(path),
            score=scores.get(path),
            is_cut=path in cut,
        )
    return key


def _nodes(tree: ExplicitTree) -> Iterable[tuple[Path, TreeNode]]:
    waiting: list[Path] = [()]
    while waiting:
        path = waiting.pop()
        node = TreePosition(tree, path).node
        yield path, node
        waiting += [(*path, index) for index in reversed(range(len(node.children)))]


# What a person answers


@dataclass(frozen=True)
class NodeAnswer:
    """What a person wrote at a node, None where nothing."""

    value: int | None = None
    alpha: int | None = None
    beta: int | None = None
    is_cut: bool = False


Answer = dict[Path, NodeAnswer]


def read_answer(question: Question, data: Mapping[str, Any]) -> Answer:
    """Return the answer written as JSON-ready data, by path; raise NotationError for a node that is
    not there and for what is no number."""
    answer = {}
    for text, written in data.items():
        path = (
            tuple(int(part) for part in text.split("."))
            if re.fullmatch(r"\d{1,6}(\.\d{1,6})*", text)
            else ()
            if text == ""
            else None
        )
        if path is None or path not in question.key:
            raise NotationError(
                f"node {text[:40]!r} in the answer; expected a path such as '0.1' that the tree has"
            )
        if not isinstance(written, Mapping) or set(written) - {"value", "alpha", "beta", "cut"}:
            raise NotationError(
                f"answer {str(written)[:60]!r} at node {text!r}; expected value, alpha, beta, cut"
            )
        if not isinstance(written.get("cut", False), bool):
            raise NotationError(
                f"cut {str(written['cut'])[:40]!r} at node {text!r}; expected true or false"
            )
        numbers = {
            name: _number(written.get(name), f"{name} at node {text!r}")
            for name in ("value", "alpha", "beta")
        }
        answer[path] = NodeAnswer(**numbers, is_cut=written.get("cut", False))
    return answer


def _number(written: Any, where: str) -> int | None:
    """Return a number as people write it: `−5`, `∞`, `-inf`; None for nothing."""
    if written is None or (isinstance(written, str) and not written.strip()):
        return None
    if isinstance(written, int) and not isinstance(written, bool) and abs(written) <= INFINITY:
        return written
    text = str(written).strip().lower().replace("−", "-").lstrip("+")
    infinite = re.fullmatch(r"(-?)(∞|inf|infinity|oo)", text)
    if infinite is not None:
        return -INFINITY if infinite[1] else INFINITY
    number = re.fullmatch(r"[=≥≤]?\s*(-?\d{1,9})", text)
    if number is None:
        raise NotationError(f"{str(written)[:40]!r} for {where}; expected a whole number, ∞ or −∞")
    return int(number[1])


# Marking


@dataclass(frozen=True, kw_only=True)
class Mark:
    """The mark of one item at a node: its `value`, the `window` it is called with, or the `cut` of
    the edge above it.

    `verdict` is `right`, `wrong`, `missing`, or `follows` for a value that is wrong itself and
    follows from the person's own values below. `given` and `expected` are texts. `points` of
    `possible` ones; a cut that is none costs a point.
    """

    path: Path
    item: str
    verdict: str
    given: str
    expected: str
    points: float
    possible: int


@dataclass(frozen=True, kw_only=True)
class Marking:
    """All marks of an answer, its `points` of `possible` ones, never below 0, and in `diagnosis`
    the procedure that would give just this answer, None where none is known or all is right."""

    marks: tuple[Mark, ...]
    points: float
    possible: int
    diagnosis: str | None

    def as_dict(self) -> dict[str, Any]:
        """Return the marking as JSON-ready data."""
        marks = [{**vars(item), "path": ".".join(map(str, item.path))} for item in self.marks]
        return {**vars(self), "marks": marks}


def mark(question: Question, answer: Answer) -> Marking:
    """Return the marks of `answer`, node by node and edge by edge.

    Below a cut nothing is asked and nothing marked: what is not searched has no right answer.
    """
    marks: list[Mark] = []
    for node in question.key.values():
        written = answer.get(node.path, NodeAnswer())
        if node.path and "cuts" in question.asked and (node.is_cut or node.score is not None):
            marks.append(_cut_mark(node, written))
        if node.score is None:
            continue
        if "windows" in question.asked:
            marks.append(_window_mark(node, written))
        if "values" in question.asked and not node.is_leaf:
            marks.append(_value_mark(question, node, answer))
    possible = sum(item.possible for item in marks)
    points = max(0.0, sum(item.points for item in marks))
    return Marking(
        marks=tuple(marks),
        points=points,
        possible=possible,
        diagnosis=None if points == possible else _diagnosis(question, answer),
    )


def _cut_mark(node: NodeKey, written: NodeAnswer) -> Mark:
    texts = ("searched", "cut")
    is_right = written.is_cut == node.is_cut
    if node.is_cut:
        verdict, points = ("right", 1) if is_right else ("missing", 0)
    else:
        verdict, points = ("right", 0) if is_right else ("wrong", -1)
    return Mark(
        path=node.path,
        item="cut",
        verdict=verdict,
        given=texts[written.is_cut],
        expected=texts[node.is_cut],
        points=points,
        possible=int(node.is_cut),
    )


def _window_mark(node: NodeKey, written: NodeAnswer) -> Mark:
    given = (written.alpha, written.beta)
    verdict = "right" if given == node.window else "missing" if given == (None, None) else "wrong"
    return Mark(
        path=node.path,
        item="window",
        verdict=verdict,
        given="" if verdict == "missing" else _window_text(given),
        expected=_window_text(node.window or (None, None)),
        points=float(verdict == "right"),
        possible=1,
    )


def _window_text(window: tuple[int | None, int | None]) -> str:
    return f"({', '.join(format_score(end) for end in window)})"


def _value_mark(question: Question, node: NodeKey, answer: Answer) -> Mark:
    given = answer.get(node.path, NodeAnswer()).value
    if given == node.score:
        verdict, points = "right", 1.0
    elif given is None:
        verdict, points = "missing", 0.0
    elif given == _from_below(question, node, answer):
        verdict, points = "follows", HALF
    else:
        verdict, points = "wrong", 0.0
    return Mark(
        path=node.path,
        item="value",
        verdict=verdict,
        given="" if given is None else format_score(given),
        expected=format_score(node.score),
        points=points,
        possible=1,
    )


def _from_below(question: Question, node: NodeKey, answer: Answer) -> int | None:
    """Return the best of the values that the person has at the children that were not cut, None
    where one is missing."""
    values = []
    for child in range(len(TreePosition(question.tree, node.path).node.children)):
        below = question.key[*node.path, child]
        written = answer.get(below.path, NodeAnswer())
        if written.is_cut:
            continue
        value = (
            TreePosition(question.tree, below.path).node.value if below.is_leaf else written.value
        )
        if value is None:
            return None
        values.append(value)
    return (max if node.is_max else min)(values, default=None)


# What may have gone wrong


Fact = tuple[Path, str, int]


def _facts(answer: Answer) -> set[Fact]:
    """Return what an answer says, number by number and cut by cut."""
    facts: set[Fact] = set()
    for path, written in answer.items():
        if written.is_cut:
            facts.add((path, "cut", 1))
        numbers = (("alpha", written.alpha), ("beta", written.beta), ("value", written.value))
        facts |= {(path, kind, number) for kind, number in numbers if number is not None}
    return facts


def _answer_of(key: Iterable[NodeKey]) -> Answer:
    """Return the answer of somebody who works as in `key`."""
    answer = {}
    for node in key:
        if node.is_cut or node.score is not None:
            low, high = node.window or (None, None)
            answer[node.path] = NodeAnswer(node.score, low, high, node.is_cut)
    return answer


def _diagnosis(question: Question, answer: Answer) -> str | None:
    """Return the slip whose answer this one is most like, if it is so more than the right one, and
    nearly the same."""
    leaves = {path for path, node in question.key.items() if node.is_leaf}
    said = {fact for fact in _facts(answer) if not (fact[1] == "value" and fact[0] in leaves)}
    if not said:
        return None
    kinds = {kind for _, kind, _ in said}  # who writes no windows is not told that they are wrong
    if "cuts" in question.asked:
        kinds.add("cut")  # but no cut at all says something

    def alike(other: Answer) -> float:
        facts = {
            fact
            for fact in _facts(other)
            if fact[1] in kinds and not (fact[1] == "value" and fact[0] in leaves)
        }
        return len(said & facts) / len(said | facts)

    right = alike(_answer_of(question.key.values()))
    found = [(alike(_answer_of(work(question))), sentence) for sentence, work in SLIPS]
    likeness, sentence = max(found, key=lambda pair: pair[0])
    return sentence.format(**_words(question)) if likeness > right and likeness >= ALIKE else None


def _words(question: Question) -> dict[str, str]:
    is_ge, is_soft = question.conventions.cut == "ge", question.conventions.bound == "soft"
    return {
        "cut": "alpha > beta" if is_ge else "alpha ≥ beta",
        "rule": "alpha ≥ beta" if is_ge else "alpha > beta",
        "bound": "fail-hard" if is_soft else "fail-soft",
        "style": "fail-soft" if is_soft else "fail-hard",
    }


def _otherwise(**changes: Callable[[str], str]) -> Callable[[Question], Iterable[NodeKey]]:
    """Return who searches with other conventions."""

    def work(question: Question) -> Iterable[NodeKey]:
        changed = {
            name: change(getattr(question.conventions, name)) for name, change in changes.items()
        }
        return _key_of(_traced(question.tree, replace(question.conventions, **changed))).values()  # type: ignore[arg-type]

    return work


def _by_minimax(question: Question) -> Iterable[NodeKey]:
    return _key_of(_traced(question.tree, question.conventions, "minimax")).values()


def _swapped(question: Question) -> Iterable[NodeKey]:
    """Search for the other side: the tree with all values negated, turned back."""

    def turned(node: TreeNode) -> TreeNode:
        return replace(
            node,
            children=tuple(map(turned, node.children)),
            value=None if node.value is None else -node.value,
        )

    low, high = question.conventions.window
    conventions = replace(question.conventions, window=(-high, -low))
    for node in _key_of(
        _traced(replace(question.tree, root=turned(question.tree.root)), conventions)
    ).values():
        window = None if node.window is None else (-node.window[1], -node.window[0])
        yield replace(node, window=window, score=None if node.score is None else -node.score)


def _from_the_right(question: Question) -> Iterable[NodeKey]:
    """Search the mirrored tree, turned back."""

    def turned(node: TreeNode) -> TreeNode:
        return replace(node, children=tuple(turned(child) for child in reversed(node.children)))

    for node in _key_of(
        _traced(replace(question.tree, root=turned(question.tree.root)), question.conventions)
    ).values():
        path: Path = ()
        for index in node.path:
            path = (*path, len(TreePosition(question.tree, path).node.children) - 1 - index)
        yield replace(node, path=path)


SLIPS: tuple[tuple[str, Callable[[Question], Iterable[NodeKey]]], ...] = (
    ("this is minimax: every node was searched, nothing cut", _by_minimax),
    (
        "alpha and beta were not handed further down: each node knows its parent's bound alone, and deep cutoffs are missed",
        _otherwise(cutoffs=lambda before: "shallow"),
    ),
    ("MAX and MIN were swapped", _swapped),
    (
        "the cuts were made at {cut}, where the convention here is {rule}",
        _otherwise(cut=lambda before: "gt" if before == "ge" else "ge"),
    ),
    (
        "the values are those of {bound}, where the convention here is {style}",
        _otherwise(bound=lambda b: "hard" if b == "soft" else "soft"),
    ),
    (
        "the root's children were each begun with an open window, as if the ones before had not been searched",
        _otherwise(root=lambda b: "open"),
    ),
    ("the children were taken from right to left", _from_the_right),
)
"""Usual slips, and how somebody works who makes them."""

"""Common mistakes, the answers that result from them, and the diagnosis of an answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from plyscope.lab.questions.quiz.answer import Answer, NodeAnswer
from plyscope.lab.questions.quiz.question import NodeKey, Path, Question, key_of, trace_of
from plyscope.rules.tree import TreePosition
from plyscope.rules.treetext import TreeNode
from plyscope.searching.conventions import Conventions

MIN_SIMILARITY = 0.9
"""The least similarity (Jaccard index) of an answer and a mistake for a diagnosis."""

Procedure = Callable[[Question], Iterable[NodeKey]]
"""A way of searching by hand: a function that returns the resulting answer to a question."""


def diagnosis(question: Question, answer: Answer) -> str | None:
    """Return the common mistake that explains an answer best; None if none is similar enough, or if
    the right answer is as similar."""
    facts = _facts(question, answer)
    if not facts:
        return None
    kinds = {kind for _, kind, _ in facts}  # missing windows are no evidence
    if "cuts" in question.asked:
        kinds.add("cut")  # but missing cuts are

    def similarity(key: Iterable[NodeKey]) -> float:
        others = {fact for fact in _facts(question, answer_of(key)) if fact[1] in kinds}
        return len(facts & others) / len(facts | others)

    most, sentence = max(
        ((similarity(work(question)), sentence) for sentence, work in COMMON_MISTAKES.values()),
        key=lambda scored: scored[0],
    )
    if most < MIN_SIMILARITY or most <= similarity(question.key.values()):
        return None
    is_ge, is_soft = question.conventions.cut == "ge", question.conventions.bound == "soft"
    rules, styles = ("alpha > beta", "alpha ≥ beta"), ("fail-hard", "fail-soft")
    return sentence.format(
        rule=rules[is_ge], cut=rules[not is_ge], style=styles[is_soft], bound=styles[not is_soft]
    )


def _facts(question: Question, answer: Answer) -> set[tuple[Path, str, float]]:
    """Return the numbers and cuts in an answer, without the values of leaves, which are on the
    sheet."""
    facts = set()
    for path, written in answer.items():
        numbers = {"alpha": written.alpha, "beta": written.beta}
        numbers["cut"] = 1 if written.is_cut else None
        numbers["value"] = None if question.key[path].is_leaf else written.value
        facts |= {(path, kind, number) for kind, number in numbers.items() if number is not None}
    return facts


def answer_of(key: Iterable[NodeKey]) -> Answer:
    """Return the answer that a student would write whose search by hand gives `key`."""
    answer = {}
    for node in key:
        if node.is_cut or node.score is not None:
            alpha, beta = node.window or (None, None)
            answer[node.path] = NodeAnswer(node.score, alpha, beta, node.is_cut)
    return answer


def _with_conventions(change: Callable[[Conventions], dict[str, str]]) -> Procedure:
    """Return the procedure that searches by other conventions."""

    def work(question: Question) -> Iterable[NodeKey]:
        conventions = question.conventions
        changed = replace(conventions, **change(conventions))  # type: ignore[arg-type]
        return key_of(trace_of(question.tree, changed)).values()

    return work


def _minimax(question: Question) -> Iterable[NodeKey]:
    return key_of(trace_of(question.tree, question.conventions, "minimax")).values()


def _swapped_sides(question: Question) -> Iterable[NodeKey]:
    """Search the tree with all values negated, and negate the result."""

    def negated(node: TreeNode) -> TreeNode:
        value = None if node.value is None else -node.value
        return replace(node, children=tuple(map(negated, node.children)), value=value)

    low, high = question.conventions.window
    conventions = replace(question.conventions, window=(-high, -low))
    tree = replace(question.tree, root=negated(question.tree.root))
    for node in key_of(trace_of(tree, conventions)).values():
        window = None if node.window is None else (-node.window[1], -node.window[0])
        yield replace(node, window=window, score=None if node.score is None else -node.score)


def _from_the_right(question: Question) -> Iterable[NodeKey]:
    """Search the mirrored tree, and mirror the result."""

    def mirrored(node: TreeNode) -> TreeNode:
        return replace(node, children=tuple(map(mirrored, reversed(node.children))))

    tree = replace(question.tree, root=mirrored(question.tree.root))
    for node in key_of(trace_of(tree, question.conventions)).values():
        path: Path = ()
        for index in node.path:
            path = (*path, len(TreePosition(question.tree, path).node.children) - 1 - index)
        yield replace(node, path=path)


COMMON_MISTAKES: dict[str, tuple[str, Procedure]] = {
    "minimax": ("this is minimax: every node was searched, nothing cut", _minimax),
    "shallow": (
        "alpha and beta were not handed further down: each node used only its parent's bound, "
        "and deep cutoffs were missed",
        _with_conventions(lambda its: {"cutoffs": "shallow"}),
    ),
    "swapped": ("MAX and MIN were swapped", _swapped_sides),
    "other-cut": (
        "the cuts were made at {cut}, where the convention here is {rule}",
        _with_conventions(lambda its: {"cut": "gt" if its.cut == "ge" else "ge"}),
    ),
    "other-bound": (
        "the values are those of {bound}, where the convention here is {style}",
        _with_conventions(lambda its: {"bound": "hard" if its.bound == "soft" else "soft"}),
    ),
    "open-root": (
        "each child of the root was searched with an open window, "
        "as if the ones before had not been searched",
        _with_conventions(lambda its: {"root": "open"}),
    ),
    "from-right": ("the children were searched from right to left", _from_the_right),
}
"""The common mistakes by name: a message, and the procedure that makes the mistake."""

"""The marks of an answer, item by item."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from plyscope.jsonable import by_name
from plyscope.lab.questions.quiz.answer import Answer, NodeAnswer
from plyscope.lab.questions.quiz.mistakes import diagnosis
from plyscope.lab.questions.quiz.question import NodeKey, Path, Question
from plyscope.rules.tree import TreePosition
from plyscope.rules.treetext import exact_value
from plyscope.searching.score import format_score

FOLLOWS_POINTS = 0.5
"""Points for a wrong value that follows correctly from wrong values below it."""


@dataclass(frozen=True, kw_only=True)
class Mark:
    """The mark of one item at a node."""

    path: Path
    item: str
    """The item: the node's `value`, its `window` on entry, the `cut` of the edge above it, or
    whether it is searched `again`."""
    verdict: str
    """`right`, `wrong`, `missing`, or `follows`, which is wrong but follows from wrong values
    below."""
    given: str
    expected: str
    points: float
    """Negative for a wrong cut or a wrong re-search."""
    possible: int


@dataclass(frozen=True, kw_only=True)
class Refuted:
    """A game on the board that shows why a strategy is wrong."""

    moves: tuple[str, ...]
    """The moves of both sides, from the position on."""
    end: str
    """What happens after them, in a sentence."""


@dataclass(frozen=True, kw_only=True)
class Marking:
    """All marks of an answer."""

    marks: tuple[Mark, ...]
    points: float
    """The points, from 0 to `possible`."""
    possible: int
    diagnosis: str | None
    """The common mistake that explains this answer; None if none does or all is right."""
    refuted: Refuted | None = None
    """The game that refutes a strategy; None for any other question and for a right answer."""

    def as_dict(self) -> dict[str, Any]:
        """Return the marking as JSON-ready data."""
        marks = [by_name(item, path=".".join(map(str, item.path))) for item in self.marks]
        told = by_name(self, marks=marks)
        if self.refuted is None:
            del told["refuted"]
        return told


def mark(question: Question, answer: Answer) -> Marking:
    """Return the marks of `answer`, node by node and edge by edge.

    Items below a cut are not marked, since they are not searched.
    """
    marks: list[Mark] = []
    for node in question.key.values():
        written = answer.get(node.path, NodeAnswer())
        if node.path and "cuts" in question.asked and (node.is_cut or node.score is not None):
            marks.append(_stroke_mark(node, "cut", written.is_cut, node.is_cut))
        if "again" in question.asked and node.score is not None:
            marks.append(_stroke_mark(node, "again", written.is_again, node.is_again))
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
        diagnosis=None
        if points == possible or question.algorithm != "alphabeta"
        else diagnosis(question, answer),
    )


STROKES = {"cut": ("searched", "cut"), "again": ("once", "again")}
"""For each kind of stroke, the meaning of an edge without it and with it."""


def _stroke_mark(node: NodeKey, item: str, is_drawn: bool, is_due: bool) -> Mark:
    is_right = is_drawn == is_due
    return Mark(
        path=node.path,
        item=item,
        verdict="right" if is_right else "missing" if is_due else "wrong",
        given=STROKES[item][is_drawn],
        expected=STROKES[item][is_due],
        points=int(is_right) if is_due else is_right - 1,
        possible=int(is_due),
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


def _window_text(window: tuple[float | None, float | None]) -> str:
    return f"({', '.join(format_score(end) for end in window)})"


def _value_mark(question: Question, node: NodeKey, answer: Answer) -> Mark:
    given = answer.get(node.path, NodeAnswer()).value
    if given == node.score:
        verdict, points = "right", 1.0
    elif given is None:
        verdict, points = "missing", 0.0
    elif given == _backed_up(question, node, answer):
        verdict, points = "follows", FOLLOWS_POINTS
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


def _backed_up(question: Question, node: NodeKey, answer: Answer) -> float | None:
    """Return the best value that the answer has at the uncut children; None if one is missing."""
    values = []
    for move, child in enumerate(TreePosition(question.tree, node.path).node.children):
        written = answer.get((*node.path, move), NodeAnswer())
        if written.is_cut:
            continue
        value = written.value
        if not child.children and child.value is not None:
            value = exact_value(child.value)
        if value is None:
            return None
        values.append(value)
    return (max if node.is_max else min)(values, default=None)

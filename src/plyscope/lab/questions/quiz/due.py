"""The next step of a search by hand: the first missing or wrong item of an answer, in search order.

A window is found when the search enters its node, a cut when the window of the parent closes, and a
value when the search leaves its node.
"""

from __future__ import annotations

from plyscope.lab.questions.quiz.answer import Answer
from plyscope.lab.questions.quiz.marking import Mark, mark
from plyscope.lab.questions.quiz.question import Path, Question
from plyscope.searching.events import Cutoff, Enter, Research, Return


def next_due(question: Question, answer: Answer) -> Mark | None:
    """Return the mark of the next wrong item, None if all are right."""
    order = _search_order(question)
    open_marks = (item for item in mark(question, answer).marks if item.verdict != "right")
    return min(open_marks, key=lambda item: order[item.path, item.item], default=None)


def _search_order(question: Question) -> dict[tuple[Path, str], int]:
    """Return the order in which the search finds each item, by node and item.

    A wrong cut is found when the node below it is called.
    """
    known: dict[tuple[Path, str], int] = {}
    for event in question.trace.events:
        items: list[tuple[Path, str]] = []
        if isinstance(event, Enter):
            items = [(event.path, "cut"), (event.path, "window"), (event.path, "again")]
        elif isinstance(event, Research):
            items = [(event.path, "again")]
        elif isinstance(event, Cutoff):
            items = [((*event.path, move), "cut") for move in event.skipped]
        elif isinstance(event, Return):
            items = [(event.path, "value")]
        for item in items:
            known.pop(item, None)
            known[item] = len(known)
    return {item: place for place, item in enumerate(known)}

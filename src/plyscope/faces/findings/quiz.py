"""Marked answers about a tree or a board: `exam`."""

from __future__ import annotations

from plyscope.faces.findings.section import Section
from plyscope.faces.wording import path_text, pruned_words
from plyscope.lab.questions.quiz import Marking, Question
from plyscope.lab.questions.quiz.boards import BoardQuestion


def marking_section(question: Question | BoardQuestion, marking: Marking) -> Section:
    """Return the faults of an answer, its points, and the likely mistake."""
    tree = question.tree if isinstance(question, Question) else None
    columns = ("node", "item", "given", "expected", "mark")[tree is None :]
    rows = tuple(
        (
            *([] if tree is None else [path_text(tree.distinct_name, item.path)]),
            *(item.item, item.given or "–", item.expected, item.verdict),
        )
        for item in marking.marks
        if item.verdict != "right"
    )
    notes = [f"{marking.points:g} of {marking.possible} points"]
    if marking.diagnosis is not None:
        notes.append(f"It looks as if {marking.diagnosis}.")
    if marking.refuted is not None:
        moves = " ".join(marking.refuted.moves) or "No move"
        notes.append(f"Refuted by this game: {moves}. {marking.refuted.end}")
    if isinstance(question, Question):
        notes += [pruned_words(question.trace.result), f"convention: {question.convention}"]
    head = columns if rows else ()
    return Section(1, "", (), head, rows, names=len(columns), notes=tuple(notes))

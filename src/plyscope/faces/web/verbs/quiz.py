"""Quiz questions and their marks."""

from __future__ import annotations

from typing import Any

import msgspec

from plyscope.errors import NotationError, OptionError
from plyscope.faces.sheets import trees as sheets
from plyscope.faces.web.requests import MarkRequest, QuestionRequest
from plyscope.faces.web.verbs import Tell
from plyscope.faces.web.verbs.present import tree_data
from plyscope.faces.wording import dotted
from plyscope.lab import quiz
from plyscope.lab.exam.trees import DEEP_FROM, Wanted, make_questions
from plyscope.rules.tree import parse_tree
from plyscope.searching.conventions import Conventions

MOST_NODES = 1_000
VALUES = (-20, 20)
"""Between which the values of leaves are drawn."""


def question(request: QuestionRequest, tell: Tell) -> dict[str, Any]:
    """Return the question without its answers."""
    shown = _question(request)
    nodes = [
        {**node, "path": dotted(path), "parent": dotted(path[:-1]) if path else None}
        for path, node in tree_data(sheets.question_picture(shown)).items()
    ]
    return {
        "task": sheets.task(shown),
        "convention": shown.convention,
        "asked": list(shown.asked),
        "tree": str(shown.tree.start()),
        "nodes": nodes,
    }


def mark(request: MarkRequest, tell: Tell) -> dict[str, Any]:
    """Return the marks, and the key if it is wanted."""
    shown = _question(request.question)
    marking = quiz.mark(shown, quiz.read_answer(shown, msgspec.to_builtins(request.answer)))
    key = sheets.question_data(shown)["key"] if request.with_key else None
    return {**marking.as_dict(), "key": key}


def _question(request: QuestionRequest) -> quiz.Question:
    """Return the question about the request's tree, or one drawn from its seed."""
    conventions = Conventions(cut=request.cut, bound=request.bound)
    asked = tuple(request.asked)
    if request.tree is not None:
        shown = quiz.Question(parse_tree(request.tree), conventions, asked)
        if len(shown.key) > MOST_NODES:
            raise NotationError(
                f"tree of {len(shown.key):,} nodes; expected at most {MOST_NODES:,}"
            )
        return shown
    most = request.branching[1]
    if most**request.depth > MOST_NODES:
        raise OptionError(f"depth {request.depth} with {most} children; expected a smaller tree")
    wishes = Wanted(
        depth=max(request.depth, DEEP_FROM) if request.deep else request.depth,
        branching=request.branching,
        deep=request.deep,
        ties=request.ties,
        agree=request.agree,
        values=VALUES,
    )
    return make_questions(request.seed, 1, wishes, conventions, asked)[0]

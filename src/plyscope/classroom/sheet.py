"""Trees by hand: the questions of a sheet, and the judgement of a submitted table of answers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from plyscope.classroom.assignment import Assignment
from plyscope.datafile import table_rows
from plyscope.errors import NotationError
from plyscope.lab.exam.trees import default_constraints, make_questions
from plyscope.lab.quiz import NodeKey, Question, mark, read_answer
from plyscope.lab.quiz.mistakes import COMMON_MISTAKES
from plyscope.lab.quiz.table import answers_of, columns_of, filled_table
from plyscope.processes import Failed
from plyscope.rules.tree import parse_tree
from plyscope.searching.conventions import Conventions

LISTED_FAULTS = 60
"""The greatest number of wrong items of a question in a judgement."""


@lru_cache(maxsize=8)
def sheet_of(assignment: Assignment) -> tuple[Question, ...]:
    """Return the trees of an assignment's sheet, the same for the same seed.

    The first is searched by minimax, the others by the assignment's algorithm. The trees of `given`
    come after those that are drawn.
    """
    options = assignment.algorithm
    conventions: Any = Conventions(cut=options.cut, bound=options.bound)  # type: ignore[arg-type]
    kinds = ["minimax", *[options.kind] * (options.trees - 1)]
    seeds = {
        kind: make_questions(
            f"{assignment.seed} sheet {kind}",
            kinds.count(kind),
            default_constraints(kind, depth=options.tree_depth),
            conventions,
            algorithm=kind,
        )
        for kind in dict.fromkeys(kinds[: options.trees])
    }
    drawn = [question for kind in seeds for question in seeds[kind]]
    own = (Question(parse_tree(text), conventions, (), options.kind) for text in options.given)
    return (*drawn, *own)


def read_sheet(content: bytes, name: str, questions: tuple[Question, ...]) -> list[dict[str, Any]]:
    """Return the answer to each question in a table. Raises Failed with the reason."""
    try:
        rows = table_rows(content.decode("utf-8-sig"), name, columns_of(questions))
        answers = answers_of(questions, rows)
        for question, answer in zip(questions, answers, strict=True):
            read_answer(question, answer)
    except UnicodeDecodeError:
        raise Failed(f"{name!r} is not a text in UTF-8; expected a table with commas") from None
    except NotationError as error:
        raise Failed(str(error)) from None
    return answers


def judge_sheet(files: Mapping[str, bytes], main: str, assignment: Assignment) -> dict[str, Any]:
    """Return the marks of a submitted table, question by question. Raises Failed."""
    questions = sheet_of(assignment)
    answers = read_sheet(files[main], main, questions)
    return {
        "questions": [
            _marked(number, question, answer)
            for number, (question, answer) in enumerate(zip(questions, answers, strict=True), 1)
        ]
    }


def _marked(number: int, question: Question, answer: Mapping[str, Any]) -> dict[str, Any]:
    marking = mark(question, read_answer(question, answer))
    wrong = [each for each in marking.marks if each.verdict != "right"]
    return {
        "number": number,
        "tree": str(question.tree.start()),
        "algorithm": question.algorithm,
        "points": marking.points,
        "possible": marking.possible,
        "diagnosis": marking.diagnosis or "",
        "wrong": [
            {
                "node": question.labels[each.path],
                "item": each.item,
                "given": each.given,
                "expected": each.expected,
                "verdict": each.verdict,
            }
            for each in wrong[:LISTED_FAULTS]
        ],
    }


# Answers with a mistake, to try a sheet


def answers_with(
    work: str, questions: tuple[Question, ...], numbers: Collection[int]
) -> list[list[str]]:
    """Return the table of somebody who makes a mistake, one of WORK, in the questions `numbers`.

    All other questions have the right answer.
    """
    right = WORK["right"]
    keys = [
        (WORK[work] if number in numbers else right)(question)
        for number, question in enumerate(questions, 1)
    ]
    return filled_table(questions, keys)


def _right(question: Question) -> Iterable[NodeKey]:
    return question.key.values()


WORK: dict[str, Callable[[Question], Iterable[NodeKey]]] = {
    "right": _right,
    "empty": lambda question: (),
    "no-windows": lambda question: [replace(each, window=None) for each in _right(question)],
    "no-cuts": lambda question: [replace(each, is_cut=False) for each in _right(question)],
    **{name: work for name, (_, work) in COMMON_MISTAKES.items()},
}
"""Ways to fill in a sheet: the right one, and mistakes by name."""

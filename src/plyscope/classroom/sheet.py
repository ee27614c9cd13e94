"""Trees by hand: the questions of a sheet, and the judgement of a submitted table of answers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any
from unicodedata import normalize

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


@lru_cache(maxsize=512)
def sheet_of(assignment: Assignment, student: str = "") -> tuple[Question, ...]:
    """Return the trees of an assignment's sheet, the same for the same seed and student.

    `student` is empty if all students have the same sheet. The first tree is searched by minimax,
    the others by the assignment's algorithm. The trees of `given` come after those that are drawn.
    """
    options = assignment.algorithm
    conventions: Any = Conventions(cut=options.cut, bound=options.bound)  # type: ignore[arg-type]
    kinds = ["minimax", *[options.kind] * (options.trees - 1)]
    seeds = {
        kind: make_questions(
            f"{assignment.seed} sheet {kind} {student}".rstrip(),
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


def read_sheet(
    content: bytes, name: str, assignment: Assignment
) -> tuple[str, list[dict[str, Any]]]:
    """Return the student of a table, empty if all have the same sheet, and the answer to each
    question. Raises Failed with the reason."""
    try:
        text = content.decode("utf-8-sig")
        student = _student(text, name, assignment)
        questions = sheet_of(assignment, student)
        rows = table_rows(text, name, columns_of(questions))
        answers = answers_of(questions, rows)
        for question, answer in zip(questions, answers, strict=True):
            read_answer(question, answer)
    except UnicodeDecodeError:
        raise Failed(f"{name!r} is not a text in UTF-8; expected a table with commas") from None
    except NotationError as error:
        raise Failed(str(error)) from None
    return student, answers


def _student(text: str, name: str, assignment: Assignment) -> str:
    """Return the student whom the rows of a table name, one of the assignment's. Raises
    NotationError."""
    students = assignment.algorithm.students
    if not students:
        return ""
    written = {row["student"] for _, row in table_rows(text, name, ("student",))} - {""}
    if len(written) != 1:
        names = ", ".join(sorted(written)) or "nobody"
        raise NotationError(f"student {names[:60]!r} in {name!r}; expected your name in each row")
    (own,) = map(_folded, written)
    for student in students:
        if _folded(student) == own:
            return student
    raise NotationError(
        f"student {min(written)[:60]!r} in {name!r}; expected the name on your sheet"
    )


def _folded(name: str) -> str:
    """Return a name for comparing, whatever its capitals and its form in Unicode."""
    return normalize("NFC", name).casefold()


def judge_sheet(files: Mapping[str, bytes], main: str, assignment: Assignment) -> dict[str, Any]:
    """Return the marks of a submitted table, question by question. Raises Failed."""
    student, answers = read_sheet(files[main], main, assignment)
    questions = sheet_of(assignment, student)
    return {
        "student": student,
        "questions": [
            _marked(number, question, answer)
            for number, (question, answer) in enumerate(zip(questions, answers, strict=True), 1)
        ],
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

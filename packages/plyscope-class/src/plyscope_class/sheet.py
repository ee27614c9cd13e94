"""Trees by hand: the questions of a sheet, and the judgement of a submitted table of answers."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any
from unicodedata import normalize

from plyscope.datafile import table_rows
from plyscope.errors import NotationError
from plyscope.lab.questions.exam.trees import default_constraints, make_questions
from plyscope.lab.questions.quiz import NodeKey, Question
from plyscope.lab.questions.quiz.boards import mark_written
from plyscope.lab.questions.quiz.mistakes import COMMON_MISTAKES
from plyscope.lab.questions.quiz.table import answers_of, columns_of, filled_table, folded
from plyscope.processes import Failed
from plyscope.rules.tree import parse_tree
from plyscope.searching.conventions import Conventions
from plyscope_class.assignment import Assignment

LISTED_FAULTS = 60
"""The greatest number of wrong items of a question, and of notes, in a judgement."""


@lru_cache(maxsize=512)
def sheet_of(assignment: Assignment, student: str = "") -> tuple[Question, ...]:
    """Return the trees of an assignment's sheet, the same for the same seed and student.

    `student` is empty if all students have the same sheet; sheets of students are equally long. The
    first tree is searched by minimax,
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
            is_equal=bool(student),
        )
        for kind in dict.fromkeys(kinds[: options.trees])
    }
    drawn = [question for kind in seeds for question in seeds[kind]]
    own = (Question(parse_tree(text), conventions, (), options.kind) for text in options.given)
    return (*drawn, *own)


def read_sheet(
    content: bytes, name: str, assignment: Assignment
) -> tuple[str, list[dict[str, Any]], list[str]]:
    """Return the student of a table, empty if all have the same sheet, the answer to each question,
    and a sentence for each cell or row that cannot be read. Raises Failed with the reason."""
    notes: list[str] = []
    try:
        student = _student(content, name, assignment, notes)
        questions = sheet_of(assignment, student)
        rows = table_rows(content, name, columns_of(questions))
        answers = answers_of(questions, rows, notes)
    except NotationError as error:
        raise Failed(str(error)) from None
    return student, answers, notes


def _student(content: bytes, name: str, assignment: Assignment, notes: list[str]) -> str:
    """Return the one student of the assignment whom the rows of a table name; other names are a
    note. Raises NotationError."""
    if not assignment.algorithm.students:
        return ""
    known = {folded(student): student for student in assignment.algorithm.students}
    rows = table_rows(content, name, ("student",))
    written = {row["student"]: place for place, row in rows if not row["student"].startswith("#")}
    written.pop("", None)
    found = {known[folded(each)] for each in written if folded(each) in known}
    strangers = [each for each in written if folded(each) not in known]
    if len(found) > 1 or not written:
        names = ", ".join(sorted(written)) or "nobody"
        raise NotationError(f"student {names[:60]!r} in {name!r}; expected your name in each row")
    if not found:
        raise NotationError(
            f"student {min(written)[:60]!r} in {name!r}; expected the name on your sheet"
        )
    (student,) = found
    notes += [
        f"student {each[:60]!r} in {written[each]}; expected {student!r}" for each in strangers
    ]
    return student


# The names of students


def names_in(file: str) -> list[str]:
    """Return the names in a list or in the first column of a CSV file.

    A first line `name` or `student` is a heading.
    """
    try:
        text = Path(file).read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise NotationError(f"cannot read the students {file!r}: {reason}") from None
    names = [row[0].strip() for row in csv.reader(text.splitlines()) if row and row[0].strip()]
    if names and names[0].lower() in ("name", "student"):
        del names[0]
    files = [file_name(name) for name in names]
    alike: dict[str, str] = {}
    for name, path in zip(names, files, strict=True):
        other = alike.setdefault(path.casefold(), name)
        if other == name and names.count(name) > 1:
            raise NotationError(f"student {name!r} in {file!r} occurs twice; expected once")
        if other != name:
            raise NotationError(
                f"students {other!r} and {name!r} in {file!r} would have one file; "
                "expected names that differ in letters or digits"
            )
    if not names:
        raise NotationError(f"no names in {file!r}; expected one in each line")
    return names


def file_name(name: str) -> str:
    """Return a student's name as a file name, in Unicode's composed form.

    Characters that are not letters, digits, dots or underscores become hyphens.
    """
    return re.sub(r"[^\w.]+", "-", normalize("NFC", name)).strip("-.") or "-"


# Judgement


def judge_sheet(files: Mapping[str, bytes], main: str, assignment: Assignment) -> dict[str, Any]:
    """Return the marks of a submitted table, question by question. Raises Failed."""
    student, answers, notes = read_sheet(files[main], main, assignment)
    questions = sheet_of(assignment, student)
    return {
        "student": student,
        "notes": notes[:LISTED_FAULTS],
        "questions": [
            _marked(number, question, answer)
            for number, (question, answer) in enumerate(zip(questions, answers, strict=True), 1)
        ],
    }


def _marked(number: int, question: Question, answer: Mapping[str, Any]) -> dict[str, Any]:
    marking = mark_written(question, answer)
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

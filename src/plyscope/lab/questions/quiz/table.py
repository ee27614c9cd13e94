"""Answers as a table: a row for each node of a tree, or one for a question on a board.

question  the number of the question, from 1
node      the node's letter on the sheet, or its path; empty for a board
items     `value`, `alpha`, `beta`, `cut` and `again` of a tree; `value`, `move` and `order` of
          a board, or `signs`; an empty cell is no answer

A cell that cannot be read costs its item, and a row that cannot be read its node.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from unicodedata import normalize

from plyscope.errors import NotationError
from plyscope.lab.questions.quiz.answer import noted, path_of, plain, read_items
from plyscope.lab.questions.quiz.boards import BOARD_ANSWERS, AnyQuestion, BoardQuestion
from plyscope.lab.questions.quiz.question import NodeKey, Question
from plyscope.searching.score import format_score

PLACE = ("question", "node")
ITEMS = {
    "values": ("value",),
    "windows": ("alpha", "beta"),
    "cuts": ("cut",),
    "again": ("again",),
}
"""The columns of each item that can be asked of a tree."""
ORDER = ("value", "alpha", "beta", "cut", "again", "move", "order", "signs")


def columns_of(questions: Sequence[AnyQuestion]) -> tuple[str, ...]:
    """Return the columns of a table for these questions."""
    used = {name for each in questions for name in _columns(each)}
    return (*PLACE, *(name for name in ORDER if name in used))


def _columns(question: AnyQuestion) -> tuple[str, ...]:
    if isinstance(question, BoardQuestion):
        return BOARD_ANSWERS[question.item]
    return tuple(name for item in question.asked for name in ITEMS[item])


def blank_table(questions: Sequence[AnyQuestion]) -> list[list[str]]:
    """Return the table to be filled in, head first.

    It has a row for each node that can have an answer, so it does not tell which are searched.
    """
    columns = columns_of(questions)
    rows = [list(columns)]
    for number, question in enumerate(questions, 1):
        for node in _nodes(question):
            rows.append([str(number), node, *("" for _ in columns[len(PLACE) :])])
    return rows


def filled_table(
    questions: Sequence[AnyQuestion], keys: Sequence[Iterable[NodeKey]]
) -> list[list[str]]:
    """Return the table that somebody writes who computes `keys`, one for each tree."""
    columns, rows = columns_of(questions), blank_table(questions)
    written = {
        (str(number), question.labels[node.path]): node
        for number, (question, key) in enumerate(zip(questions, keys, strict=True), 1)
        if isinstance(question, Question)
        for node in key
    }
    for row in rows[1:]:
        node = written.get((row[0], row[1]))
        asked = set(_columns(questions[int(row[0]) - 1]))
        if node is not None:
            found = _cells(node)
            cells = (found[name] if name in asked else "" for name in columns[len(PLACE) :])
            row[len(PLACE) :] = cells
    return rows


def _cells(node: NodeKey) -> dict[str, str]:
    """Return the right answers at a node, by column."""
    low, high = map(format_score, node.window) if node.window is not None else ("", "")
    value = "" if node.score is None or node.is_leaf else format_score(node.score)
    strokes = {"cut": node.is_cut, "again": node.is_again}
    return {
        "value": value,
        "alpha": low,
        "beta": high,
        **{name: "x" if is_drawn else "" for name, is_drawn in strokes.items()},
    }


def _nodes(question: AnyQuestion) -> Iterator[str]:
    if isinstance(question, BoardQuestion):
        yield ""
        return
    has_leaves = set(question.asked) != {"values"}
    for path, node in question.key.items():
        if has_leaves or not node.is_leaf:
            yield question.labels[path]


def answers_of(
    questions: Sequence[AnyQuestion],
    rows: Iterable[tuple[str, Mapping[str, str]]],
    notes: list[str],
) -> list[dict[str, Any]]:
    """Return the answer to each question, as `mark_written` takes it.

    A row has its place for messages, and its cells by column. A row or a cell that cannot be read
    is left out, with a sentence in `notes`; a comment, which begins with `#`, without one.
    """
    answers: list[dict[str, Any]] = [{} for _ in questions]
    for place, row in rows:
        if any(row.get(name) for name in ORDER) and not row["question"].startswith("#"):
            with noted(notes):
                _read_row(questions, row, place, answers, notes)
    return answers


def _read_row(
    questions: Sequence[AnyQuestion],
    row: Mapping[str, str],
    place: str,
    answers: list[dict[str, Any]],
    notes: list[str],
) -> None:
    """Add a row to the answers, in place. Raises NotationError."""
    match = re.fullmatch(r"\D{0,20}(\d{1,4})(?:[.,]0*)?\D{0,3}", plain(row["question"]))
    number = int(match[1]) if match else 0
    if not 1 <= number <= len(questions):
        raise NotationError(
            f"question {row['question'][:40]!r} in {place}; expected a number of 1 to "
            f"{len(questions)}"
        )
    question, answer = questions[number - 1], answers[number - 1]
    cells = {name: row.get(name, "") for name in _columns(question)}
    if isinstance(question, BoardQuestion):
        if answer:
            raise NotationError(f"question {number} in {place} is there twice; expected once")
        number_cell = {name: cell for name, cell in cells.items() if name == "value"}
        answer |= {name: cell for name, cell in cells.items() if cell}
        answer |= read_items(number_cell, place, notes)
        return
    where = f"question {number} in {place}"
    path = path_of(question, row["node"] or "?", where)
    node = question.labels[path]
    if node in answer:
        raise NotationError(f"node {node!r} of {where} is there twice; expected once")
    if question.key[path].is_leaf:
        cells.pop("value", None)
    answer[node] = read_items(cells, f"node {node!r} of {where}", notes)


def folded(name: str) -> str:
    """Return a student's name for comparing, whatever its capitals, spaces and form in Unicode."""
    return " ".join(normalize("NFC", name).casefold().split())

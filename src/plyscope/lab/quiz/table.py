"""Answers as a table: a row for each node of a tree, or one for a question on a board.

question  the number of the question, from 1
node      the node's letter on the sheet, or its path; empty for a board
items     `value`, `alpha`, `beta`, `cut` and `again` of a tree; `value`, `move` and `order` of
          a board; an empty cell is no answer, and any word but `no` is a stroke
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from plyscope.errors import NotationError
from plyscope.lab.quiz.boards import BOARD_ANSWERS, AnyQuestion, BoardQuestion
from plyscope.lab.quiz.question import NodeKey, Question
from plyscope.searching.score import format_score

PLACE = ("question", "node")
ITEMS = {
    "values": ("value",),
    "windows": ("alpha", "beta"),
    "cuts": ("cut",),
    "again": ("again",),
}
"""The columns of each item that can be asked of a tree."""
ORDER = ("value", "alpha", "beta", "cut", "again", "move", "order")
NO = ("", "no", "0", "false", "-", "–")
"""Cells that are no stroke, in lower case."""


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
    questions: Sequence[AnyQuestion], rows: Iterable[tuple[str, Mapping[str, str]]]
) -> list[dict[str, Any]]:
    """Return the answer to each question, as `mark_written` takes it.

    A row has its place for messages, and its cells by column. Raises NotationError for a question
    or a node that is not on the sheet, or is there twice.
    """
    answers: list[dict[str, Any]] = [{} for _ in questions]
    leaves = [
        {each.labels[path]: node.is_leaf for path, node in each.key.items()}
        if isinstance(each, Question)
        else {}
        for each in questions
    ]
    for place, row in rows:
        number = row["question"]
        if not (number.isdecimal() and 1 <= int(number) <= len(questions)):
            raise NotationError(
                f"question {number[:40]!r} in {place}; expected a number of 1 to {len(questions)}"
            )
        question, answer = questions[int(number) - 1], answers[int(number) - 1]
        cells = {name: row.get(name, "") for name in _columns(question)}
        if isinstance(question, BoardQuestion):
            if answer:
                raise NotationError(f"question {number} in {place} is there twice; expected once")
            answer |= {name: cell for name, cell in cells.items() if cell}
            continue
        node, known = row["node"], leaves[int(number) - 1]
        if node not in known:
            raise NotationError(
                f"node {node[:40]!r} of question {number} in {place}; expected a letter of the "
                f"sheet, such as {min(known)}"
            )
        if node in answer:
            raise NotationError(
                f"node {node!r} of question {number} in {place} is there twice; expected once"
            )
        answer[node] = {
            name: cell.lower() not in NO if name in ("cut", "again") else cell
            for name, cell in cells.items()
            if not (known[node] and name == "value")
        }
    return answers

"""Questions asked one by one on the terminal, by the letters of the sheet."""

from __future__ import annotations

import sys
from typing import Any

from plyscope.errors import NotationError
from plyscope.faces.diagrams.text import tree_text
from plyscope.faces.sheets import plain
from plyscope.faces.sheets.paper import heading, sheet_of, sheets_of
from plyscope.faces.sheets.trees import lettered_picture
from plyscope.faces.terminal import Terminal
from plyscope.lab.questions.quiz import Mark, Marking, Question, search_order
from plyscope.lab.questions.quiz.boards import (
    BOARD_ANSWERS,
    AnyQuestion,
    BoardQuestion,
    mark_written,
)

HELP = "Enter an empty line for no answer, ? for a hint, q to end."
YES, NO = ("y", "yes", "x"), ("n", "no")
PROMPTS = {
    "value": "value of {name}",
    "window": "window of {name}: alpha beta",
    "cut": "is the edge to {name} cut? y or n",
    "again": "is {name} searched again? y or n",
}


class Ended(Exception):
    """Raised when the player ends the quiz."""


def ask_all(questions: tuple[AnyQuestion, ...], out: Terminal) -> list[Marking]:
    """Ask all questions and return the markings of those that were begun."""
    common, _ = sheets_of(questions, with_key=False)
    for sentence in common:
        out.print(sentence)
    out.print(HELP, style="bold")
    markings: list[Marking] = []
    for number, question in enumerate(questions, 1):
        out.print(f"\n{heading(number, question, with_key=False)}", style="bold")
        for sentence in sheet_of(question, with_key=False).words:
            out.print(sentence)
        kind: type[_Board | _Tree] = _Board if isinstance(question, BoardQuestion) else _Tree
        asking = kind(question, out)
        try:
            asking.ask()
        except Ended:
            markings.append(asking.marking)
            break
        markings.append(asking.marking)
        if len(questions) > 1:
            out.print(f"{asking.marking.points:g} of {asking.marking.possible} points")
    return markings


def _read(prompt: str, out: Terminal) -> str:
    print(f"{prompt}> ", end="", flush=True, file=out.file)
    line = sys.stdin.readline()
    if not line:
        print(file=out.file)
        raise Ended
    if not sys.stdin.isatty():
        print(file=out.file)
    return line.strip()


class _Asking:
    """A question, with what was answered so far."""

    question: Any

    def __init__(self, question: AnyQuestion, out: Terminal) -> None:
        self.question, self.out = question, out
        self.written: dict[str, Any] = {}

    @property
    def marking(self) -> Marking:
        """The marks of what was answered."""
        given = {name: answer for name, answer in self.written.items() if answer}
        return mark_written(self.question, given)


class _Tree(_Asking):
    """A question on a tree, asked in the order of the search."""

    question: Question

    def ask(self) -> None:
        """Ask for each item, and say at once whether the answer is right. Raises Ended."""
        self.out.print(tree_text(lettered_picture(self.question)))
        order = search_order(self.question)
        due = {(each.path, each.item): each for each in mark_written(self.question, {}).marks}
        for path, item in sorted(due, key=order.__getitem__):
            if item != "cut" or path[-1]:  # a first child is always searched
                self._ask(due[path, item])

    def _ask(self, due: Mark) -> None:
        name = self.question.labels[due.path]
        steps = iter(plain.STEPS)
        while True:
            text = _read(PROMPTS[due.item].format(name=name), self.out)
            if text == "q":
                raise Ended
            if text == "?":
                self._hint(due, next(steps, plain.STEPS[-1]))
                continue
            cells = self.written.setdefault(name, {})
            before = dict(cells)
            try:
                cells.update(_cells(due.item, text))
                found = next(
                    each
                    for each in self.marking.marks
                    if (each.path, each.item) == (due.path, due.item)
                )
            except NotationError as error:
                cells.clear()
                cells.update(before)
                self.out.print(str(error))
                continue
            if found.verdict != "right":
                self.out.print(f"no: {found.expected}")
                self._hint(found, plain.STEPS[-1])
            return

    def _hint(self, due: Mark, step: str) -> None:
        if due.item == "again":
            return
        self.out.print(plain.hint(self.question, due, step))


def _cells(item: str, text: str) -> dict[str, Any]:
    """Return the answer to an item as `read_answer` takes it. Raises NotationError."""
    if item == "value":
        return {"value": text}
    if item == "window":
        ends = text.strip("()").replace(",", " ").split()
        if len(ends) not in (0, 2):
            raise NotationError(f"window {text[:40]!r}; expected two numbers, such as -inf 5")
        return dict(zip(("alpha", "beta"), ends or ("", ""), strict=True))
    if text.lower() not in (*YES, *NO, ""):
        raise NotationError(f"answer {text[:40]!r}; expected y or n")
    return {item: text.lower() in YES}


class _Board(_Asking):
    """A question on a board."""

    question: BoardQuestion

    def ask(self) -> None:
        """Ask for each item, then say what is wrong. Raises Ended."""
        self.out.print(sheet_of(self.question, with_key=False).text)
        for name in BOARD_ANSWERS[self.question.item]:
            while True:
                text = _read(name, self.out)
                if text == "q":
                    raise Ended
                self.written[name] = "" if text == "?" else text
                try:
                    found = next(each for each in self.marking.marks if each.item == name)
                except NotationError as error:
                    self.out.print(str(error))
                    continue
                break
            if found.verdict != "right":
                self.out.print(f"no: {found.expected}")

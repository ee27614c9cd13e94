"""Answers to questions on trees, read from JSON data."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from plyscope.errors import NotationError
from plyscope.lab.quiz.question import Path, Question
from plyscope.searching.score import INFINITY


@dataclass(frozen=True)
class NodeAnswer:
    """The answer at a node; an item is None if nothing was written."""

    value: int | None = None
    alpha: int | None = None
    beta: int | None = None
    is_cut: bool = False
    is_again: bool = False


Answer = dict[Path, NodeAnswer]
NUMBERS, STROKES = ("value", "alpha", "beta"), ("cut", "again")
"""The keys of an answer at a node; `window` is a list of alpha and beta."""
IGNORED = ("name", "label")
"""Keys that are ignored."""


def read_answer(question: Question, data: Mapping[str, Any]) -> Answer:
    """Return the answer in JSON data, whose keys are paths or the letters on the sheet.

    Raises NotationError for an unknown or repeated node, and for a value that is not a number.
    """
    answer: Answer = {}
    for text, written in data.items():
        path = _path(question, text)
        if path in answer:
            raise NotationError(f"node {text[:40]!r} is in the answer twice; expected once")
        answer[path] = _node_answer(text, written)
    return answer


def _path(question: Question, text: str) -> Path:
    for path, label in question.labels.items():
        if text == label:
            return path
    if text == "" or re.fullmatch(r"\d{1,6}(\.\d{1,6})*", text):
        path = tuple(int(part) for part in text.split(".") if part)
        if path in question.key:
            return path
    raise NotationError(
        f"node {text[:40]!r} in the answer; expected a letter of the sheet, or a path such as "
        "'0.1' that the tree has"
    )


def _node_answer(node: str, written: Any) -> NodeAnswer:
    where = f"node {node!r}" if node else "the root"
    known = (*NUMBERS, "window", *STROKES)
    if not isinstance(written, Mapping) or set(written) - {*known, *IGNORED}:
        raise NotationError(f"answer {str(written)[:60]!r} at {where}; expected {', '.join(known)}")
    if "window" in written:
        written = {**written, **_ends(written["window"], where)}
    strokes = [written.get(name, False) for name in STROKES]
    for name, stroke in zip(STROKES, strokes, strict=True):
        if not isinstance(stroke, bool):
            raise NotationError(f"{name} {str(stroke)[:40]!r} at {where}; expected true or false")
    value, alpha, beta = (read_number(written.get(name), f"{name} at {where}") for name in NUMBERS)
    return NodeAnswer(value, alpha, beta, *strokes)


def _ends(window: Any, where: str) -> dict[str, Any]:
    """Return alpha and beta of a window written as a list, in which null is infinity; without a
    window, neither."""
    if window is None:
        return {}
    if not isinstance(window, list | tuple) or len(window) != 2:
        raise NotationError(
            f"window {str(window)[:40]!r} at {where}; expected [alpha, beta], null for infinity"
        )
    infinite = (-INFINITY, INFINITY)
    ends = (end if given is None else given for given, end in zip(window, infinite, strict=True))
    return dict(zip(("alpha", "beta"), ends, strict=True))


def read_number(written: Any, where: str) -> int | None:
    """Return the value of a number such as `−5`, `∞` or `-inf`; None for an empty text."""
    if written is None or (isinstance(written, str) and not written.strip()):
        return None
    if isinstance(written, int) and not isinstance(written, bool) and abs(written) <= INFINITY:
        return written
    text = str(written).strip().lower().replace("−", "-").lstrip("+")
    infinite = re.fullmatch(r"(-?)(∞|inf|infinity|oo)", text)
    if infinite is not None:
        return -INFINITY if infinite[1] else INFINITY
    number = re.fullmatch(r"[=≥≤]?\s*(-?\d{1,9})", text)
    if number is None:
        raise NotationError(f"{str(written)[:40]!r} for {where}; expected a whole number, ∞ or −∞")
    return int(number[1])

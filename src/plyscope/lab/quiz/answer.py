"""What a person answers, read from JSON-ready data."""

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
    """What a person wrote at a node, None where nothing."""

    value: int | None = None
    alpha: int | None = None
    beta: int | None = None
    is_cut: bool = False
    is_again: bool = False


Answer = dict[Path, NodeAnswer]
NUMBERS, STROKES = ("value", "alpha", "beta"), ("cut", "again")
"""The words of an answer at a node."""


def read_answer(question: Question, data: Mapping[str, Any]) -> Answer:
    """Return the answer written as JSON-ready data, by path.

    Raises NotationError for a node that is not there, and for what is no number.
    """
    return {_path(question, text): _node_answer(text, written) for text, written in data.items()}


def _path(question: Question, text: str) -> Path:
    if text == "" or re.fullmatch(r"\d{1,6}(\.\d{1,6})*", text):
        path = tuple(int(part) for part in text.split(".") if part)
        if path in question.key:
            return path
    raise NotationError(
        f"node {text[:40]!r} in the answer; expected a path such as '0.1' that the tree has"
    )


def _node_answer(node: str, written: Any) -> NodeAnswer:
    where = f"node {node!r}" if node else "the root"
    if not isinstance(written, Mapping) or set(written) - {*NUMBERS, *STROKES}:
        raise NotationError(
            f"answer {str(written)[:60]!r} at {where}; expected {', '.join((*NUMBERS, *STROKES))}"
        )
    strokes = [written.get(name, False) for name in STROKES]
    for name, stroke in zip(STROKES, strokes, strict=True):
        if not isinstance(stroke, bool):
            raise NotationError(f"{name} {str(stroke)[:40]!r} at {where}; expected true or false")
    value, alpha, beta = (read_number(written.get(name), f"{name} at {where}") for name in NUMBERS)
    return NodeAnswer(value, alpha, beta, *strokes)


def read_number(written: Any, where: str) -> int | None:
    """Return a number as people write it: `−5`, `∞`, `-inf`; None for nothing."""
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

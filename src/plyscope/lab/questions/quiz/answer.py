"""Answers to questions on trees, read from JSON data or from the cells of a table.

People write numbers, empty cells and strokes in many ways: `−5`, `'-5`, `5.0` and `–`. Each of them
is read. An item that cannot be read counts as not answered.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import Any
from unicodedata import normalize

from plyscope.errors import NotationError
from plyscope.lab.questions.quiz.question import Path, Question
from plyscope.rules.treetext import exact_value
from plyscope.searching.score import INFINITY


@dataclass(frozen=True)
class NodeAnswer:
    """The answer at a node; an item is None if nothing was written."""

    value: float | None = None
    alpha: float | None = None
    beta: float | None = None
    is_cut: bool = False
    is_again: bool = False


Answer = dict[Path, NodeAnswer]
NUMBERS, STROKES = ("value", "alpha", "beta"), ("cut", "again")
"""The keys of an answer at a node; `window` is a list of alpha and beta."""
IGNORED = ("name", "label")
"""Keys that are ignored."""
EMPTY = frozenset(("", "-", "--", ".", "/", "na", "n/a", "nan", "none", "null", "?"))
"""Cells without an answer, as `plain` returns them."""
YES = frozenset((
    "x", "xx", "y", "yes", "j", "ja", "o", "oui", "s", "si", "sí", "sim", "t", "true", "wahr",
    "vrai", "1", "1.0", "1,0", "cut", "pruned", "again", "✓", "✔", "✗", "✘", "×", "+", "*", "/",
))  # fmt: skip
NO = EMPTY - {"/"} | frozenset((
    "n", "no", "nein", "non", "f", "false", "falsch", "faux", "0", "0.0", "0,0", "uncut", "nee",
    "não",
))  # fmt: skip
"""Words for a stroke and for none, as `plain` returns them."""


def read_answer(
    question: Question, data: Mapping[str, Any], notes: list[str] | None = None
) -> Answer:
    """Return the answer in JSON data, whose keys are names of nodes.

    An item or a node that cannot be read is left out, with a sentence in `notes`. Raises
    NotationError without `notes`.
    """
    answer: Answer = {}
    for text, written in data.items():
        with noted(notes):
            path = path_of(question, text)
            if path in answer:
                raise NotationError(f"node {text[:40]!r} is in the answer twice; expected once")
            answer[path] = _node_answer(text, written, notes)
    return answer


@contextmanager
def noted(notes: list[str] | None) -> Iterator[None]:
    """Add the sentence of a NotationError to `notes`; raise it without `notes`."""
    try:
        yield
    except NotationError as error:
        if notes is None:
            raise
        notes.append(str(error))


def path_of(question: Question, text: str, where: str = "the answer") -> Path:
    """Return the path of a node that is named by its letter on the sheet, by its own name or by its
    path, such as `0.1`; small letters will do. Raises NotationError."""
    name = normalize("NFKC", text).strip()
    if name == "" or re.fullmatch(r"\d{1,6}(\.\d{1,6})*", name):
        path = tuple(int(part) for part in name.split(".") if part)
        if path in question.key:
            return path
    own = {path: node.name for path, node in question.key.items()}
    for names in (question.labels, own):
        for form in (str, str.casefold):
            found = [path for path, each in names.items() if form(each) == form(name)]
            if len(found) == 1 and name:
                return found[0]
    raise NotationError(
        f"node {text[:40]!r} in {where}; expected a letter of the sheet, or a path "
        "such as '0.1' that the tree has"
    )


def _node_answer(node: str, written: Any, notes: list[str] | None) -> NodeAnswer:
    where = f"node {node!r}" if node else "the root"
    known = (*NUMBERS, "window", *STROKES)
    if not isinstance(written, Mapping) or set(written) - {*known, *IGNORED}:
        raise NotationError(f"answer {str(written)[:60]!r} at {where}; expected {', '.join(known)}")
    if "window" in written:
        written = {**written, **_ends(written["window"], where)}

    cells = {name: written.get(name) for name in (*NUMBERS, *STROKES)}
    return NodeAnswer(*read_items(cells, where, notes).values())


def read_items(
    cells: Mapping[str, Any], where: str, notes: list[str] | None = None
) -> dict[str, Any]:
    """Return the numbers and strokes in cells, by name. What cannot be read is no answer, with a
    sentence in `notes`; raises NotationError without `notes`."""
    items: dict[str, Any] = {}
    for name, written in cells.items():
        items[name] = False if name in STROKES else None
        with noted(notes):
            read = read_stroke if name in STROKES else read_number
            items[name] = read(written, f"{name} at {where}")
    return items


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


def plain(written: Any) -> str:
    """Return a cell in lower case, with plain signs: `–5` and Excel's `'-5` are `-5`."""
    text = normalize("NFKC", "" if written is None else str(written)).strip().lstrip("'’").strip()
    return re.sub("[‐‑‒–—−]", "-", text.casefold())


def read_number(written: Any, where: str) -> float | None:
    """Return the exact value of a number such as `−5`, `3.0`, `4.01`, `1/3`, `∞` or `-inf`; None
    for an empty cell."""
    if isinstance(written, int) and not isinstance(written, bool) and abs(written) <= INFINITY:
        return written
    text = plain(written)
    if text in EMPTY:
        return None
    text = re.sub(r"^(=|≥|≤|>=|<=)", "", text).replace(" ", "").lstrip("+")
    infinite = re.fullmatch(r"(-?)(∞|(math\.|\\)?inf(inity|ty|inite)?|oo|unendlich|infini)", text)
    if infinite is not None:
        return -INFINITY if infinite[1] else INFINITY
    number = re.fullmatch(r"-?\d{1,9}([.,]\d{0,9}|/0*[1-9]\d{0,8})?", text)
    if number is None:
        raise NotationError(f"{str(written)[:40]!r} for {where}; expected a number, ∞ or −∞")
    return exact_value(Fraction(text.replace(",", ".")))


def read_stroke(written: Any, where: str) -> bool:
    """Return whether a cell is a stroke, such as `x` or `yes`. Raises NotationError for a word that
    is neither a yes nor a no."""
    text = plain(written)
    if text not in YES | NO:
        raise NotationError(f"{str(written)[:40]!r} for {where}; expected x or yes, or no")
    return text in YES

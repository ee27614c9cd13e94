"""The text of explicit trees, both ways.

    NESTED  = [[3,5],[6,9]], nested lists whose leaves are whole numbers; or
    COMPACT = A[B=4[3,5],C[x=7,2]], with a name before any list or leaf, and `=` before the
              estimate of an inner node or the value of a named leaf; or
    JSON    = {"name": "A", "side": "max", "value": 4, "children": [...]}; or
    PYTHON  = ['A', ['B', ('C', 3), ('D', 5)], ('E', 6)], lists or tuples that begin with a name,
              and then have their children, or the value of a leaf

Sides alternate unless a node names its side: `[max[3,5],min B[6,9]]`. Round brackets may replace
square ones. A leaf's value may be a fraction, 4.01 or 1/3, or unknown: `?`, or a name alone.

A chance node has the average of its children: `chance[3,5]`, and with a weight before each child
`chance[1/3:3,2/3:5]` or `chance[0.25:A[3,5],0.75:2]`; the weights sum to 1. An inner node below a
chance node names its side.

Round brackets without commas are read as in Lisp and in tree demonstrators, where a leaf has its
own brackets: `(((3)(5))((6)(9)))` is [[3,5],[6,9]].
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from plyscope.errors import NotationError

MAX_NODES = 200_000
MAX_DEPTH = 200
MAX_VALUE = 999_999_999
MAX_DECIMALS = 9
CHANCE = 2
"""The side of a chance node, whose value is the average of its children."""
WORDS = ("max", "min", "chance")
"""The sides of a tree, indexed by side."""
Value = int | Fraction
"""An exact value; a whole number is an int."""


@dataclass(frozen=True)
class TreeNode:
    """A node of a tree that was read from a text."""

    children: tuple[TreeNode, ...] = ()
    """The children, empty for a leaf."""
    value: Value | None = None
    """The value of a leaf, None if it is unknown (its sign, such as `x` or `?`, is then its name);
    or the estimate of an inner node, None if none is written."""
    name: str | None = None
    side: int | None = None
    """The side to move, or CHANCE, if the text names it; otherwise None: it is not the parent's
    side. The inner nodes below a chance node name their sides."""
    weights: tuple[Value, ...] = ()
    """The probabilities of a chance node's children, which sum to 1; empty if all are equal."""

    def __str__(self) -> str:
        return format_node(self)


def looks_like_tree(source: Any) -> bool:
    """Return whether a text or a Python object is written as a tree is.

    `rules.source` asks first whether it is an SGF text, or lists of the cells of a board.
    """
    if not isinstance(source, str):
        return isinstance(source, list | tuple | dict)
    text = source.strip()
    return "[" in text or "{" in text or text.startswith("((")


def read_node(source: str | Sequence[Any] | dict[str, Any]) -> TreeNode:
    """Return the root of a text, of nested lists or of JSON objects; raise NotationError."""
    if isinstance(source, str):
        text = source.strip()
        if QUOTED.search(text):
            source = _load_literal(text)
            return _node_of(_bounded(source), "the tree")
        if not re.search(r'[{"]', text):
            return _Reader(_with_commas(text)).read()
        source = _load_json(text)
    return _node_of(_bounded(source), "the tree")


def _with_commas(text: str) -> str:
    """Return a text of round brackets with commas inserted and the brackets of leaves removed."""
    is_list = re.fullmatch(r"\s*\(\s*\([\s()\d+\-−]+", text) and re.search(r"\)\s*\(", text)
    if not is_list or text.count("(") != text.count(")"):
        return text
    bare = re.sub(rf"\(\s*({NUMBER})\s*\)", r" \1 ", text)
    return re.sub(rf"(\)|{NUMBER})(?=\s*[(\d+\-−])", r"\1,", re.sub(r"\s+", " ", bare))


def _load_json(text: str) -> Any:
    import json

    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NotationError(
            f"cannot read the tree as JSON: {str(error)[:120]}; "
            "expected nested lists or objects with name, side, value, children"
        ) from None


QUOTED = re.compile(r"[\[(]\s*['\"]")
"""A list or tuple that begins with a text, as in Python."""


def _load_literal(text: str) -> Any:
    """Return the lists and tuples in a text of Python."""
    try:
        return ast.literal_eval(text.replace("−", "-"))
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError) as error:
        raise NotationError(
            f"cannot read the tree {text[:60]!r}: {str(error).partition(': <')[0][:80]}; "
            "expected lists such as ['A', ['B', 3, 5], ('C', 6)]"
        ) from None


def _bounded(data: Any) -> Any:
    """Return the data unchanged; raise NotationError for too many nodes."""
    stack, nodes = [data], 0
    while stack:
        node = stack.pop()
        below = node.get("children") if isinstance(node, dict) else node
        stack += below if isinstance(below, list | tuple) else ()
        nodes += 1
        if nodes + len(stack) > MAX_NODES:
            raise NotationError(f"tree has more than {MAX_NODES:,} nodes; expected fewer")
    return data


def _node_of(data: Any, where: str, depth: int = 0) -> TreeNode:
    """Return the node of nested lists, tuples and objects."""
    if depth > MAX_DEPTH:
        raise NotationError(f"tree is deeper than {MAX_DEPTH}; expected fewer levels")
    name, side, value, children = None, None, None, data
    if isinstance(data, dict):
        if unknown := set(data) - {"name", "side", "value", "children"}:
            raise NotationError(
                f"unknown key {min(map(str, unknown))[:40]!r} in {where}; "
                "expected name, side, value, children"
            )
        name, side, value, children = (
            data.get("name"),
            data.get("side"),
            data.get("value"),
            data.get("children", ()),
        )
    elif not isinstance(data, list | tuple):
        value, children = data, ()
    elif data and isinstance(data[0], str):
        name, *children = data
        if len(children) == 1 and not isinstance(children[0], list | tuple | dict):
            value, children = children[0], ()
    if name is not None and not (isinstance(name, str) and re.fullmatch(NAME, name)):
        raise NotationError(
            f"name {str(name)[:40]!r} in {where}; "
            "expected a word that begins with a letter, not max or min"
        )
    if side is not None and (side not in WORDS or not children):
        raise NotationError(
            f"side {str(side)[:40]!r} in {where}; expected max or min, and children"
        )
    if value is not None and (
        not isinstance(value, int) or isinstance(value, bool) or abs(value) > MAX_VALUE
    ):
        raise NotationError(
            f"value {repr(value)[:40]} in {where}; expected a whole number within ±{MAX_VALUE:,}"
        )
    if not isinstance(children, list | tuple) or (not children and value is None):
        raise NotationError(
            f"{str(children)[:40]!r} in {where} is no node; "
            "expected a whole number or a list of at least one child"
        )
    label = (name or where)[:80]
    below = tuple(
        _node_of(child, f"child {number} of {label}", depth + 1)
        for number, child in enumerate(children, 1)
    )
    return TreeNode(below, value, name, None if side is None else WORDS.index(side))


NUMBER = r"[+\-−]?\d+(?!\d)"
SIDE = r"(?i:max|min)(?![\w'])"
NAME = rf"(?!{SIDE})[^\W\d][\w']*"
_TOKEN = re.compile(
    rf"\s*(?:(?P<number>[+\-−]?\d+(?![\d.\w]))|(?P<side>{SIDE})|(?P<name>{NAME})"
    r"|(?P<mark>[\[\](),=]))"
)


class _Reader:
    """A recursive-descent parser of the nested and the compact text of a tree."""

    def __init__(self, text: str) -> None:
        self.text, self.at, self.nodes = text, 0, 0

    def read(self) -> TreeNode:
        node = self._node(0)
        if self.text[self.at :].strip():
            raise self._error("the end of the tree")
        return node

    def _error(self, expected: str) -> NotationError:
        rest = self.text[self.at :].lstrip()
        place = len(self.text) - len(rest) + 1
        found = f"{rest[:12]!r} at place {place}" if rest else "the end"
        return NotationError(
            f"cannot read the tree {self.text[:60]!r}: found {found}; expected {expected}"
        )

    def _take(self, kind: str, text: str = "") -> str | None:
        match = _TOKEN.match(self.text, self.at)
        if match is None or match.lastgroup != kind or (text and match[kind] not in text):
            return None
        self.at = match.end()
        return match[kind]

    def _node(self, depth: int) -> TreeNode:
        """Read a node and all nodes below it; raise NotationError, which names the place."""
        self.nodes += 1
        if depth > MAX_DEPTH or self.nodes > MAX_NODES:
            raise NotationError(
                f"tree has more than {MAX_DEPTH} levels or {MAX_NODES:,} nodes; expected fewer"
            )
        side = self._take("side")
        name = self._take("name")
        number = self._take("number") if name is None or self._take("mark", "=") else None
        value = int(number.replace("−", "-")) if number is not None and len(number) < 12 else None
        if number is not None and (value is None or abs(value) > MAX_VALUE):
            raise NotationError(
                f"value {number[:24]!r} in the tree; expected a whole number within ±{MAX_VALUE:,}"
            )
        children: list[TreeNode] = []
        if self._take("mark", "[("):
            while True:
                children.append(self._node(depth + 1))
                if self._take("mark", "])"):
                    break
                if not self._take("mark", ","):
                    raise self._error("',' or ']'")
        if not children and (value is None or side is not None):
            raise self._error("a whole number or '['" if side is None else "'['")
        return TreeNode(
            tuple(children), value, name, None if side is None else WORDS.index(side.lower())
        )


class Exact(float):
    """An exact fraction among the results of a search: a float that is printed as 4.01 or 1/3.

    It is equal to the nearest float and to the fraction, and `Fraction(value)` is the fraction.

    >>> value = Exact(Fraction(1, 3))
    >>> value, value == 1 / 3, value == Fraction(1, 3)
    (1/3, True, True)
    """

    fraction: Fraction

    def __new__(cls, fraction: Fraction) -> Exact:
        """Return the value of a fraction."""
        value = super().__new__(cls, fraction)
        value.fraction = fraction
        return value

    def __getnewargs__(self) -> tuple[Any, ...]:
        return (self.fraction,)

    def as_integer_ratio(self) -> tuple[int, int]:
        """Return the numerator and the denominator of the fraction."""
        return self.fraction.as_integer_ratio()

    @property
    def real(self) -> Exact:
        """The value itself, which fractions compare with."""
        return self

    def __eq__(self, other: object) -> bool:
        return self.fraction == other or float(self) == other

    def __hash__(self) -> int:
        return hash(float(self))

    def __neg__(self) -> Exact:
        return Exact(-self.fraction)

    def __repr__(self) -> str:
        return format_value(self.fraction)


def as_exact(value: float | Fraction) -> Value:
    """Return a number exactly as its text says: 4.01, and not the binary fraction next to it."""
    if isinstance(value, Exact):
        return value.fraction
    return Fraction(str(value)) if isinstance(value, float) else value


def exact_value(value: Value) -> float:
    """Return a value as results have it: an int if it is whole, else an Exact."""
    return int(value) if value.denominator == 1 else Exact(Fraction(value))


def format_value(value: Value) -> str:
    """Return the exact text of a value: 3, 4.01, or 1/3 if it has more decimals than
    MAX_DECIMALS."""
    if value.denominator == 1:
        return str(value.numerator)
    units, rest = divmod(abs(value.numerator) * 10**MAX_DECIMALS, value.denominator)
    if rest:
        return f"{value.numerator}/{value.denominator}"
    whole, decimals = divmod(units, 10**MAX_DECIMALS)
    digits = f"{decimals:0{MAX_DECIMALS}}".rstrip("0")
    return f"{'-' if value < 0 else ''}{whole}.{digits}"


def format_node(node: TreeNode) -> str:
    """Return the compact text of the tree below a node."""
    name = node.name or ""
    value = "" if node.value is None else f"{'=' if name else ''}{format_value(node.value)}"
    side = "" if node.side is None else WORDS[node.side] + (" " if name or value else "")
    children = f"[{','.join(map(format_node, node.children))}]" if node.children else ""
    return f"{side}{name}{value}{children}"

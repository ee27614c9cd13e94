"""Nodes of explicit trees, made from nested objects, and their compact text.

    COMPACT = [[3,5],[6,9]], nested lists whose leaves are values; and
              A[B=4[3,5],C[x=7,2]], with a name before any list or leaf, and `=` before the
              estimate of an inner node or the value of a named leaf

Sides alternate unless a node names its side: `[max[3,5],min B[6,9]]`. A name that is not one word,
or is a side, has quotes: `"max"[3,"to the left"=5]`. A leaf's value may be a fraction, 4.01 or 1/3,
or unknown: `?`, or a name alone.

A chance node has the average of its children: `chance[3,5]`, and with a weight before each child
`chance[1/3:3,2/3:5]` or `chance[0.25:A[3,5],0.75:2]`; the weights sum to 1. An inner node below a
chance node names its side.

`treeforms` reads this text and the other forms in which people write trees.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from plyscope.errors import NotationError

MAX_NODES = 200_000
MAX_DEPTH = 200
MAX_VALUE = 999_999_999
MAX_DECIMALS = 9
MAX_NAME = 80
CHANCE = 2
"""The side of a chance node, whose value is the average of its children."""
WORDS = ("max", "min", "chance")
"""The sides of a tree, indexed by side."""
UNKNOWN = "?"
"""The name of an unknown leaf without a name."""
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


_MARK = re.compile(
    r"[\[{<├→\n]|->|^\s*'?\(|^\s*[^\W\d]\w*\s*\(.*[,(].*\)|^\s*\d+[ ,]+\d+\s*/"
    r"|^\s*(?i:depth|height)"
)


def looks_like_tree(source: Any) -> bool:
    """Return whether a text or a Python object is written as a tree is.

    `rules.source` asks first whether it is an SGF text, or lists of the cells of a board.
    """
    if not isinstance(source, str):
        return isinstance(source, list | tuple | dict)
    if not _MARK.search(source):
        return False
    from plyscope.rules.treeforms.reading import is_tree

    return is_tree(source)


KEYS = ("name", "side", "value", "children", "weights")
"""The keys of a node's object."""


def node_of(data: Any, where: str = "the tree", depth: int = 0) -> TreeNode:
    """Return the node of a number, a list of children, or an object with the keys KEYS.

    A value is a whole number, a Fraction, or a float, which is taken as the decimal number that it
    prints; None is unknown. Raises NotationError, which names the place by `where`.
    """
    if depth > MAX_DEPTH:
        raise NotationError(f"tree is deeper than {MAX_DEPTH}; expected fewer levels")
    if isinstance(data, dict):
        if unknown := set(data) - set(KEYS):
            raise NotationError(
                f"unknown key {min(map(str, unknown))[:40]!r} in {where}; "
                "expected name, side, value, children, weights"
            )
        name, side, value, children, weights = map(data.get, KEYS)
    else:
        is_list = isinstance(data, list | tuple)
        name, side, weights = None, None, None
        value, children = (None, data) if is_list else (data, None)
        if is_list and not data:
            raise NotationError(f"'[]' in {where} is no node; expected a value, or children")
    if name is not None and not (
        isinstance(name, str) and 0 < len(name) <= MAX_NAME and name.isprintable()
    ):
        raise NotationError(
            f"name {str(name)[:40]!r} in {where}; expected a text of 1 to {MAX_NAME} letters"
        )
    value = None if value is None else _exact(value, where)
    children = () if children is None else children
    if not isinstance(children, list | tuple):
        raise NotationError(f"{str(children)[:40]!r} in {where} is no list; expected children")
    if side is not None and (side not in WORDS or not children):
        raise NotationError(
            f"side {str(side)[:40]!r} in {where}; expected max, min or chance, and children"
        )
    label = name or where
    below = tuple(
        node_of(child, f"child {number} of {label}", depth + 1)
        for number, child in enumerate(children, 1)
    )
    number = None if side is None else WORDS.index(side)
    if not below and value is None:
        name = name or UNKNOWN
    return TreeNode(below, value, name, number, _weights(weights, below, number, label))


def _exact(value: Any, where: str) -> Value:
    """Return the exact value of a number; raise NotationError for anything else."""
    if not isinstance(value, bool):
        try:
            exact = Fraction(as_exact(value))
        except (ValueError, TypeError, OverflowError, ZeroDivisionError):
            exact = None
        if exact is not None and abs(exact) <= MAX_VALUE and exact.denominator <= MAX_VALUE:
            return exact.numerator if exact.denominator == 1 else exact
    raise NotationError(
        f"value {repr(value)[:40]} in {where}; expected a number within ±{MAX_VALUE:,}, "
        "such as 3, 4.01 or 1/3"
    )


def _weights(
    weights: Any, below: tuple[TreeNode, ...], side: int | None, where: str
) -> tuple[Value, ...]:
    """Return the checked probabilities of a node's children."""
    if not weights:
        return ()
    found = tuple(_exact(weight, where) for weight in weights)
    if side != CHANCE or len(found) != len(below) or sum(found) != 1 or min(found) <= 0:
        shown = ", ".join(map(format_value, found[:6]))
        raise NotationError(
            f"weights {shown[:60]} in {where}; expected a chance node with a positive weight for "
            "each child, which sum to 1"
        )
    return () if len(set(found)) == 1 else found


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


def is_flat(node: TreeNode) -> bool:
    """Return whether a node has 4, 8, 16, ... leaves and nothing else.

    Programs also write the leaves of a binary tree so; as a text of a tree this is asked about.
    """
    count = len(node.children)
    plain = node.name is None and node.side is None and node.value is None
    return (
        plain
        and count >= 4
        and not count & (count - 1)
        and all(not each.children and each.name in (None, UNKNOWN) for each in node.children)
    )


def format_node(node: TreeNode) -> str:
    """Return the compact text of the tree below a node, which moves for MAX if no side is named."""
    return ("max" if is_flat(node) else "") + _text(node)


def _text(node: TreeNode) -> str:
    from plyscope.rules.treeforms.words import NAME  # late, for a first search

    name = node.name or ""
    if name and not re.fullmatch(NAME, name):
        name = '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if node.value is not None:
        name += f"{'=' if name else ''}{format_value(node.value)}"
    elif not node.children:
        name = UNKNOWN if node.name in (None, UNKNOWN) else name + "=?" * (name[0] == '"')
    side = "" if node.side is None else WORDS[node.side] + (" " if name else "")
    if not node.children:
        return name
    below = [_text(child) for child in node.children]
    if node.weights:
        below = [
            f"{format_value(weight)}:{text}"
            for weight, text in zip(node.weights, below, strict=True)
        ]
    return f"{side}{name}[{','.join(below)}]"

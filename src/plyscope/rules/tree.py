"""Explicit trees: the game of the textbooks, whose leaves carry the values. MAX moves at the root.

A tree is written as nested lists, `[[[3,5],[6,9]],[[1,2],[0,-1]]]`, with a name before any list or
leaf if wanted, `A[B[3,5],C[x=7,2]]`, or as JSON objects `{"name": "A", "children": [...]}` and
`{"name": "x", "value": 7}`. An inner node may carry a `value` too, `B=4[3,5]`: the estimate that a
search stopped there returns. Nodes without a name get A, B, C, ... level by level, inner nodes
only. Sides alternate but where a node says whose it is, `[max[3,5],min B[6,9]]` or `{"side": "max",
"children": [...]}`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from plyscope.display import drawn
from plyscope.errors import IllegalMoveError, NotationError
from plyscope.rules.cells import letters
from plyscope.rules.game import FIRST, SECOND

__all__ = ["ExplicitTree", "TreePosition", "parse_tree"]

MAX_NODES = 200_000
MAX_DEPTH = 200
MAX_VALUE = 999_999_999
WORDS = ("max", "min")
"""The sides of a tree, indexed by side."""


@dataclass(frozen=True)
class TreeNode:
    """A node as it was written: a leaf has a value and no children, an inner node has children and
    perhaps a value, its estimate, and the side to move, None for the other one than above."""

    children: tuple[TreeNode, ...] = ()
    value: int | None = None
    name: str | None = None
    side: int | None = None


class TreePosition(NamedTuple):
    """A place in a tree: the numbers of the children taken from the root, 0-based."""

    game: ExplicitTree
    path: tuple[int, ...]

    @property
    def node(self) -> TreeNode:
        """The node itself."""
        node = self.game.root
        for index in self.path:
            node = node.children[index]
        return node

    def __str__(self) -> str:
        return self.game.format(self)

    def __repr__(self) -> str:
        return f"<tree node {self.game.name_of(self.path)}>"


@dataclass(frozen=True, eq=False)
class ExplicitTree:
    """A tree as a game: moves are the numbers of children, 0-based from the left; the payoff of a
    leaf is its value."""

    root: TreeNode
    name: str = "tree"
    summary: str = "an explicit tree"
    scored: bool = True

    def start(self) -> TreePosition:
        """Return the root."""
        return TreePosition(self, ())

    def side(self, position: TreePosition) -> int:
        """Return FIRST (MAX) or SECOND (MIN)."""
        return self._sides[position.path]

    def moves(self, position: TreePosition) -> Sequence[int]:
        """Return the children's numbers."""
        return range(len(position.node.children))

    def play(self, position: TreePosition, move: int) -> TreePosition:
        """Return the child: not checked."""
        return TreePosition(self, (*position.path, move))

    def payoff(self, position: TreePosition) -> int | None:
        """Return a leaf's value, None at an inner node."""
        node = position.node
        return None if node.children else node.value

    def format_move(self, position: TreePosition, move: int) -> str:
        """Return the child's name; a leaf without one is called by its value."""
        return self.name_of((*position.path, move))

    def parse_move(self, position: TreePosition, text: str) -> int:
        """Return the child of that name, value or 1-based number."""
        names = [self.format_move(position, move) for move in self.moves(position)]
        if text in names:
            return names.index(text)
        if text.isascii() and text.isdigit() and len(text) < 7 and 1 <= int(text) <= len(names):
            return int(text) - 1
        known = ", ".join(name[:24] for name in names[:16]) + (
            f", ... ({len(names)} in all)" if len(names) > 16 else ""
        )
        raise IllegalMoveError(
            f"no child {text[:40]!r} at {self.name_of(position.path)[:24]}; "
            f"expected one of {known or 'none: it is a leaf'}"
        )

    def format(self, position: TreePosition) -> str:
        """Return the text of the tree below `position`."""
        return _format(position.node)

    def __repr__(self) -> str:
        return f"<tree {self.format(self.start())}>"

    _repr_html_ = drawn

    def name_of(self, path: tuple[int, ...]) -> str:
        """Return the name of the node at `path`, for a leaf without one its value."""
        return self._names[path]

    @cached_property
    def _sides(self) -> dict[tuple[int, ...], int]:
        sides: dict[tuple[int, ...], int] = {}
        waiting: list[tuple[tuple[int, ...], TreeNode, int]] = [((), self.root, FIRST)]
        while waiting:
            path, node, usual = waiting.pop()
            sides[path] = side = usual if node.side is None else node.side
            waiting += [
                ((*path, index), child, 1 - side) for index, child in enumerate(node.children)
            ]
        return sides

    @cached_property
    def _names(self) -> dict[tuple[int, ...], str]:
        names: dict[tuple[int, ...], str] = {}
        given = 0
        level: list[tuple[tuple[int, ...], TreeNode]] = [((), self.root)]
        while level:
            below = []
            for path, node in level:
                if node.children:
                    names[path] = node.name or letters(given).upper()
                    given += 1
                else:
                    names[path] = node.name or str(node.value)
                below += [((*path, index), child) for index, child in enumerate(node.children)]
            level = below
        return names


def parse_tree(source: str | Sequence[Any] | dict[str, Any]) -> ExplicitTree:
    """Return the tree of a text, of nested lists or of JSON objects; raise NotationError that says
    where it cannot be read."""
    if isinstance(source, str):
        text = source.strip()
        root = (
            _node_from_json(_bounded(_load_json(text)), "the tree")
            if re.search(r'[{"]', text)
            else _Reader(text).read()
        )
    else:
        root = _node_from_json(_bounded(source), "the tree")
    if not root.children:
        raise NotationError(
            f"tree {_format(root)!r} has no children; expected a list such as [[3,5],[6,9]]"
        )
    if root.side == SECOND:
        raise NotationError("side 'min' at the root of the tree; expected max, who moves there")
    return ExplicitTree(root)


def _load_json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NotationError(
            f"cannot read the tree as JSON: {str(error)[:120]}; "
            "expected nested lists or objects with name, side, value, children"
        ) from None


def _bounded(data: Any) -> Any:
    """Return the data of a tree as they are; raise NotationError where they are of more nodes than
    a tree may have."""
    waiting, nodes = [data], 0
    while waiting:
        node = waiting.pop()
        below = node.get("children") if isinstance(node, dict) else node
        waiting += below if isinstance(below, list | tuple) else ()
        nodes += 1
        if nodes + len(waiting) > MAX_NODES:
            raise NotationError(f"tree has more than {MAX_NODES:,} nodes; expected fewer")
    return data


def _node_from_json(data: Any, where: str, depth: int = 0) -> TreeNode:
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
        if name is not None and not (isinstance(name, str) and re.fullmatch(NAME, name)):
            raise NotationError(
                f"name {str(name)[:40]!r} in {where}; "
                "expected a word that begins with a letter, not max or min"
            )
        if side is not None and (side not in WORDS or not children):
            raise NotationError(
                f"side {str(side)[:40]!r} in {where}; expected max or min, and children"
            )
    elif not isinstance(data, list | tuple):
        value, children = data, ()
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
        _node_from_json(child, f"child {number} of {label}", depth + 1)
        for number, child in enumerate(children, 1)
    )
    return TreeNode(below, value, name, None if side is None else WORDS.index(side))


SIDE = r"(?i:max|min)(?![\w'])"
NAME = rf"(?!{SIDE})[^\W\d][\w']*"
_TOKEN = re.compile(
    rf"\s*(?:(?P<number>[+\-−]?\d+(?![\d.\w]))|(?P<side>{SIDE})|(?P<name>{NAME})"
    r"|(?P<mark>[\[\](),=]))"
)


class _Reader:
    """Reads the compact form, `A[B=4[3,5],x=7]`; round brackets serve as square ones."""

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


def _format(node: TreeNode) -> str:
    name = node.name or ""
    value = "" if node.value is None else f"{'=' if name else ''}{node.value}"
    side = "" if node.side is None else WORDS[node.side] + (" " if name or value else "")
    return (
        side
        + name
        + value
        + (f"[{','.join(map(_format, node.children))}]" if node.children else "")
    )

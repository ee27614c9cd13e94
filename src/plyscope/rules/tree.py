"""Explicit trees, as in textbooks: the leaves hold the values, and MAX moves at the root.

An inner node may have a value too: the estimate of a search that stops there. Inner nodes without a
name are called A, B, C, ... level by level. `treetext` reads and writes trees.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import lcm
from typing import Any, NamedTuple

from plyscope.display import drawn
from plyscope.errors import IllegalMoveError, NotationError
from plyscope.rules.cells import letters
from plyscope.rules.game import FIRST, SECOND, Game, GamePosition, winner_of
from plyscope.rules.position import Position
from plyscope.rules.treetext import TreeNode, format_node, format_value


class TreePosition(NamedTuple):
    """A node of a tree, given by its path from the root: the 0-based number of a child per ply."""

    game: ExplicitTree
    path: tuple[int, ...]

    @property
    def node(self) -> TreeNode:
        """The node at the end of the path."""
        node = self.game.root
        for index in self.path:
            node = node.children[index]
        return node

    @property
    def payoff(self) -> int | None:
        """A leaf's value, None at an inner node."""
        return self.game.payoff(self)

    @property
    def is_over(self) -> bool:
        """Whether the node is a leaf."""
        return self.payoff is not None

    @property
    def side(self) -> int:
        """FIRST (MAX) or SECOND (MIN)."""
        return self.game.side(self)

    @property
    def winner(self) -> int | None:
        """FIRST if a leaf's value is positive, SECOND if it is negative, else None."""
        return winner_of(self.payoff)

    @property
    def moves(self) -> Sequence[int]:
        """The children's numbers."""
        return self.game.moves(self)

    def play(self, *moves: int | str) -> TreePosition:
        """Return the node after `moves`, each the 0-based number of a child or its text.

        Raises IllegalMoveError at the first one that does not exist.
        """
        position = self
        for move in moves:
            if isinstance(move, str) or move not in position.moves:
                move = self.game.parse_move(position, str(move))
            position = self.game.play(position, move)
        return position

    def __str__(self) -> str:
        return self.game.format(self)

    def __repr__(self) -> str:
        return f"<tree node {self.game.name_of(self.path)}>"


AnyPosition = Position | GamePosition | TreePosition
"""A position of a line game, of a user-defined game, or of a tree."""


@dataclass(frozen=True, eq=False)
class ExplicitTree(Game):
    """A tree as a game: a move is the 0-based number of a child; the payoff of a leaf is its value.

    >>> import plyscope as ps
    >>> ps.search(parse_tree("[[3,5],[2,9]]")).value
    3
    """

    root: TreeNode
    name: str = "tree"
    summary: str = "an explicit tree"
    scored: bool = True
    said: str = ""
    """How the text of the tree was read, `read as a dict of children, 7 nodes`; empty for nested
    lists and the compact text."""

    def __str__(self) -> str:
        return format_node(self.root)

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
        """Return the child `move`, which is not checked."""
        return TreePosition(self, (*position.path, move))

    def payoff(self, position: TreePosition) -> int | None:
        """Return a leaf's value in units of 1/`scale`, None at an inner node."""
        node = position.node
        return None if node.children else self.units(node)

    def units(self, node: TreeNode) -> int:
        """Return a node's value in units of 1/`scale`, 0 if none is written."""
        return int((node.value or 0) * self.scale)

    @cached_property
    def scale(self) -> int:
        """The least common multiple of the denominators of all values."""
        scale, stack = 1, [self.root]
        while stack:
            node = stack.pop()
            if node.value is not None:
                scale = lcm(scale, node.value.denominator)
            stack += node.children
        return scale

    def format_move(self, position: TreePosition, move: int) -> str:
        """Return the child's name; the name of a leaf without one is its value."""
        return self.name_of((*position.path, move))

    def parse_move(self, position: TreePosition, text: str) -> int:
        """Return the child (0-based) that `text` names: by its name, value or 1-based number."""
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
        return format_node(position.node)

    def __repr__(self) -> str:
        return f"<tree {self.format(self.start())}>"

    _repr_html_ = drawn

    def name_of(self, path: tuple[int, ...]) -> str:
        """Return the name of the node at `path`; a leaf without one has its value as name."""
        return self._names[path]

    def distinct_name(self, path: tuple[int, ...]) -> str:
        """Return the name of the node at `path`, numbered where siblings share it: `5 (2 of 3)`."""
        name, above = self._names[path], path[:-1]
        siblings = range(len(TreePosition(self, above).node.children)) if path else ()
        alike = [(*above, index) for index in siblings if self._names[(*above, index)] == name]
        return f"{name} ({alike.index(path) + 1} of {len(alike)})" if len(alike) > 1 else name

    @cached_property
    def _sides(self) -> dict[tuple[int, ...], int]:
        """The side to move at each node by its path."""
        sides: dict[tuple[int, ...], int] = {}
        stack: list[tuple[tuple[int, ...], TreeNode, int]] = [((), self.root, FIRST)]
        while stack:
            path, node, usual = stack.pop()
            sides[path] = side = usual if node.side is None else node.side
            stack += [
                ((*path, index), child, 1 - side) for index, child in enumerate(node.children)
            ]
        return sides

    @cached_property
    def _names(self) -> dict[tuple[int, ...], str]:
        """The name of each node by its path."""
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
                    names[path] = node.name or format_value(node.value or 0)
                below += [((*path, index), child) for index, child in enumerate(node.children)]
            level = below
        return names


def parse_tree(source: str | Sequence[Any] | dict[str, Any]) -> ExplicitTree:
    """Return the tree of a text, of nested lists or of a dict, in a form of `treeforms`.

    Raises NotationError, which names the place of the error.

    >>> parse_tree("[[3,5],[6,9]]")
    <tree [[3,5],[6,9]]>
    """
    from plyscope.rules.treeforms.reading import read_tree

    reading = read_tree(source)
    root = reading.root
    if not root.children:
        raise NotationError(
            f"tree {format_node(root)[:60]!r} has no children; "
            "expected a list such as [[3,5],[6,9]]"
        )
    if root.side == SECOND:
        raise NotationError("side 'min' at the root of the tree; expected max, who moves there")
    return ExplicitTree(root, said=reading.said)

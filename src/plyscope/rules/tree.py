"""Explicit trees, as in textbooks: the leaves hold the values, in MAX's view.

MAX moves at the root unless the root names its side. An inner node may have a value too: the
estimate of a search that stops there. Inner nodes without a name are called A, B, C, ... level by
level. `treetext` reads and writes trees.

Values are exact fractions. As a game, a tree has payoffs in units of 1/`scale`, where `scale` is
such that the value of every node, the average of a chance node too, is a whole number of units. So
searches use whole numbers, and their results are divided by the scale.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import lcm
from operator import mul
from typing import Any, NamedTuple

from plyscope.display import drawn
from plyscope.errors import IllegalMoveError, NotationError
from plyscope.rules.cells import letters
from plyscope.rules.game import FIRST, SECOND, Game, GamePosition, winner_of
from plyscope.rules.position import Position
from plyscope.rules.treetext import (
    CHANCE,
    MAX_VALUE,
    WORDS,
    TreeNode,
    Value,
    exact_value,
    format_node,
    format_value,
)


class TreePosition(NamedTuple):
    """A node of a tree, given by its path from the root: the 0-based number of a child per ply."""

    game: ExplicitTree
    path: tuple[int, ...]

    @property
    def node(self) -> TreeNode:
        """The node at the end of the path."""
        return self.game.node_at(self.path)

    @property
    def payoff(self) -> float | None:
        """A leaf's value, None at an inner node."""
        units = self.game.payoff(self)
        return None if units is None else self.game.exact(units)

    @property
    def is_over(self) -> bool:
        """Whether the node is a leaf."""
        return not self.node.children

    @property
    def side(self) -> int:
        """FIRST (MAX), SECOND (MIN) or CHANCE."""
        return self.game.side(self)

    @property
    def winner(self) -> int | None:
        """FIRST if a leaf's value is positive, SECOND if it is negative, else None."""
        return winner_of(self.game.payoff(self))

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
    divided_by: int = 1
    """A divisor that the scale must have: the common denominator of a search window."""
    assumed: int | None = None
    """The value of unknown leaves in a search, in units of 1/`scale`; None if they have none."""
    said: str = ""
    """How the text of the tree was read, `read as a dict of children, 7 nodes`; empty for nested
    lists and the compact text."""

    def __str__(self) -> str:
        return format_node(self.root)

    def start(self) -> TreePosition:
        """Return the root."""
        return TreePosition(self, ())

    def node_at(self, path: tuple[int, ...]) -> TreeNode:
        """Return the node at the end of a path."""
        node = self.root
        for index in path:
            node = node.children[index]
        return node

    def side(self, position: TreePosition) -> int:
        """Return FIRST (MAX), SECOND (MIN) or CHANCE."""
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
        """Return a node's value in units of 1/`scale`, 0 if an inner node has none.

        Raises NotationError for an unknown leaf, unless `assumed` is given.
        """
        if node.value is None and not node.children:
            if self.assumed is None:
                raise NotationError(
                    f"the value of the leaf {node.name!r} is unknown; expected a number"
                )
            return self.assumed
        return int((node.value or 0) * self.scale)

    def exact(self, units: int) -> float:
        """Return the exact value of `units`."""
        if self.scale == 1:
            return units
        return exact_value(Fraction(units, self.scale))

    @cached_property
    def scale(self) -> int:
        """The number that makes the value of every node whole: the least common multiple of the
        denominators of all values and averages, and of `divided_by`.

        Raises NotationError if that makes the values too large.
        """
        scale = lcm(self.divided_by, _scale_of(self.root))
        if scale > 1 and max(Fraction(1), _largest_of(self.root)) * scale > MAX_VALUE:
            raise NotationError(
                f"the values of the tree have the common denominator {scale:,}; expected values "
                f"that are within ±{MAX_VALUE:,} when multiplied by it, so fewer decimals"
            )
        return scale

    @cached_property
    def has_chance(self) -> bool:
        """Whether there is a chance node."""
        return CHANCE in self._sides.values()

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
        """Return the text of the tree below `position`, with its side if MIN is to move."""
        node = position.node
        if node.children and node.side is None and self.side(position) == SECOND:
            node = replace(node, side=SECOND)
        return format_node(node)

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
    def unknown(self) -> dict[tuple[int, ...], str]:
        """The names of the unknown leaves by their paths."""
        unknown: dict[tuple[int, ...], str] = {}
        stack: list[tuple[tuple[int, ...], TreeNode]] = [((), self.root)]
        while stack:
            path, node = stack.pop()
            if node.value is None and not node.children:
                unknown[path] = self._names[path]
            stack += [((*path, at), child) for at, child in enumerate(node.children)][::-1]
        return unknown

    @cached_property
    def backed_up(self) -> dict[tuple[int, ...], Value] | None:
        """The minimax value of each node by its path, in units of 1/`scale`, which orders the
        children best first; None if an inner node has an estimate or a leaf is unknown."""
        values: dict[tuple[int, ...], Value] = {}
        if self.unknown:
            return None
        for path in sorted(self._sides, key=len, reverse=True):
            node = self.node_at(path)
            if not node.children:
                values[path] = self.units(node)
                continue
            if node.value is not None:
                return None
            below = [values[*path, index] for index in range(len(node.children))]
            if self._sides[path] == CHANCE:
                values[path] = sum(map(mul, shares_of(node), below))
            else:
                values[path] = max(below) if self._sides[path] == FIRST else min(below)
        return values

    @cached_property
    def _sides(self) -> dict[tuple[int, ...], int]:
        """The side to move at each node by its path."""
        sides: dict[tuple[int, ...], int] = {}
        stack: list[tuple[tuple[int, ...], TreeNode, int]] = [((), self.root, FIRST)]
        while stack:
            path, node, usual = stack.pop()
            sides[path] = side = usual if node.side is None else node.side
            other = FIRST if side == CHANCE else 1 - side  # a leaf, if it names no side
            stack += [((*path, index), child, other) for index, child in enumerate(node.children)]
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
                    names[path] = node.name or (
                        "?" if node.value is None else format_value(node.value)
                    )
                below += [((*path, index), child) for index, child in enumerate(node.children)]
            level = below
        return names


def _scale_of(node: TreeNode) -> int:
    """Return the least common denominator of the values of a node and of all nodes below it."""
    denominators = [1 if node.value is None else node.value.denominator]
    for child, share in zip(node.children, shares_of(node), strict=True):
        denominators.append(_scale_of(child) * share.denominator)
    return lcm(*denominators)


def _largest_of(node: TreeNode) -> Fraction:
    """Return the greatest absolute value of a node and of all nodes below it."""
    return max([abs(Fraction(node.value or 0)), *map(_largest_of, node.children)])


def value_in(game: Any, units: int) -> float:
    """Return the value of a score in the units of a game, which are 1/`scale` in a tree."""
    return game.exact(units) if isinstance(game, ExplicitTree) else units


def shares_of(node: TreeNode) -> Sequence[Value]:
    """Return the probabilities of a chance node's children; 1 for each child of another node."""
    if node.side != CHANCE:
        return [1] * len(node.children)
    return node.weights or [Fraction(1, len(node.children))] * len(node.children)


def parse_tree(
    source: str | Sequence[Any] | dict[str, Any], side: str | None = None
) -> ExplicitTree:
    """Return the tree of a text, of nested lists or of a dict, in a form of `treeforms`.

    `side` is `max` or `min`, who moves at a root that does not name its side; by default MAX.
    Raises NotationError, which names the place of the error.

    >>> parse_tree("[[3,5],[6,9]]")
    <tree [[3,5],[6,9]]>
    >>> parse_tree([[3, 5], [6, 9]], side="min")
    <tree min[[3,5],[6,9]]>
    """
    from plyscope.rules.treeforms.reading import read_tree

    reading = read_tree(source)
    root = reading.root
    if not root.children:
        raise NotationError(
            f"tree {format_node(root)[:60]!r} has no children; "
            "expected a list such as [[3,5],[6,9]]"
        )
    if side is not None:
        if side not in WORDS[:CHANCE]:
            raise NotationError(f"side {str(side)[:40]!r} of the tree; expected max or min")
        if root.side not in (None, WORDS.index(side)):
            raise NotationError(
                f"side {side!r} of the tree, whose root is written {WORDS[root.side]}; "
                "expected no side"
            )
        root = replace(root, side=WORDS.index(side))
    tree = ExplicitTree(root, said=reading.said)
    _check_sides(root)
    _ = tree.scale  # raises NotationError if it is too large
    return tree


def _check_sides(root: TreeNode) -> None:
    """Raise NotationError for an inner node below a chance node without a side: whose move it is
    can be read in two ways."""
    stack = [root]
    while stack:
        node = stack.pop()
        stack += node.children
        for child in node.children if node.side == CHANCE else ():
            if child.children and child.side is None:
                text = format_node(child)[:40]
                raise NotationError(
                    f"no side at {text!r} below a chance node; expected max{text} or min{text}"
                )

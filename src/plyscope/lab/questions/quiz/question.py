"""A question: a tree, its conventions, and the key, which is computed by the search itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from plyscope.errors import OptionError
from plyscope.rules.game import FIRST
from plyscope.rules.tree import ExplicitTree, TreePosition
from plyscope.rules.treetext import TreeNode
from plyscope.searching.algorithms import ALGORITHMS
from plyscope.searching.conventions import Conventions
from plyscope.searching.events import Cutoff, Enter, Leaf, Research, Return
from plyscope.searching.score import format_score
from plyscope.searching.trace import Trace, trace

ITEMS = ("values", "windows", "cuts")
ITEMS_OF = {"minimax": ("values",), "alphabeta": ITEMS, "pvs": ("values", "cuts", "again")}
"""The items that a question can ask for, by algorithm."""

Path = tuple[int, ...]
"""The path to a node: the index of each child on the way from the root."""


@dataclass(frozen=True, kw_only=True)
class NodeKey:
    """The right answer at a node."""

    path: Path
    name: str
    is_max: bool
    is_leaf: bool
    window: tuple[int, int] | None
    """Alpha and beta of the last visit; None if the node is not searched."""
    score: float | None
    """The score of the last visit; None if the node is not searched."""
    is_cut: bool
    """Whether the edge above it is cut."""
    is_again: bool
    """Whether PVS searches the node again, with a wider window."""

    def __str__(self) -> str:
        if self.score is None or self.window is None:
            return f"{self.name}: not searched"
        alpha, beta = map(format_score, self.window)
        return f"{self.name}: window ({alpha}, {beta}), value {format_score(self.score)}"


@dataclass(frozen=True)
class Question:
    """A tree to be searched by hand."""

    tree: ExplicitTree
    conventions: Conventions = field(default_factory=Conventions)
    asked: tuple[str, ...] = ()
    """The items to be written at the nodes, some of ITEMS_OF; all if empty."""
    algorithm: str = "alphabeta"

    def __str__(self) -> str:
        asked = ", ".join(self.asked)
        return f"{self.tree}: {asked} by {self.algorithm}; {self.convention}"

    def __post_init__(self) -> None:
        if self.algorithm not in ITEMS_OF:
            raise OptionError(
                f"a question on {self.algorithm!r}; expected one of {', '.join(ITEMS_OF)}"
            )
        if self.tree.has_chance:
            raise OptionError("a question on a tree with chance nodes; expected MAX and MIN nodes")
        known = ITEMS_OF[self.algorithm]
        if set(self.asked) - set(known):
            raise OptionError(
                f"asked for {', '.join(self.asked)!r}; expected some of {', '.join(known)}"
            )
        object.__setattr__(self, "asked", self.asked or known)

    @cached_property
    def trace(self) -> Trace:
        """The trace of the search with the question's conventions."""
        return trace_of(self.tree, self.conventions, self.algorithm)

    @cached_property
    def key(self) -> dict[Path, NodeKey]:
        """The right answer node by node, parents before their children."""
        return key_of(self.trace)

    @cached_property
    def labels(self) -> dict[Path, str]:
        """The label of each node on a sheet: its name; for a leaf the parent's name and a number,
        `D2`. A node with an ambiguous label has its path, `0.1`."""
        labels = {
            path: node.name
            if not node.is_leaf or not path
            else f"{self.key[path[:-1]].name}{path[-1] + 1}"
            for path, node in self.key.items()
        }
        known = list(labels.values())
        return {
            path: label if known.count(label) == 1 else ".".join(map(str, path))
            for path, label in labels.items()
        }

    @property
    def convention(self) -> str:
        """The conventions in one line, for the sheet."""
        return self.conventions.describe(ALGORITHMS[self.algorithm].takes - {"scoring"})


def trace_of(tree: ExplicitTree, conventions: Conventions, algorithm: str = "alphabeta") -> Trace:
    """Return the trace of a search. Conventions that the algorithm does not have are ignored."""
    taken = {name: getattr(conventions, name) for name in ALGORITHMS[algorithm].takes}
    return trace(tree, algorithm, **taken)


def key_of(searched: Trace) -> dict[Path, NodeKey]:
    """Return the answer key of a search, parents before their children."""
    tree: ExplicitTree = searched.result.request.position.game
    windows: dict[Path, tuple[int, int]] = {}
    scores: dict[Path, float] = {}
    cut: set[Path] = set()
    again: set[Path] = set()
    for event in searched.events:
        if isinstance(event, Enter):
            windows[event.path] = (event.alpha, event.beta)
            cut.discard(event.path)  # skipped at first, and searched after all
        elif isinstance(event, Leaf | Return):
            scores[event.path] = event.score
        elif isinstance(event, Cutoff):
            cut |= {(*event.path, move) for move in event.skipped} - scores.keys()
        elif isinstance(event, Research):
            again.add(event.path)
    return {
        path: NodeKey(
            path=path,
            name=tree.name_of(path),
            is_max=tree.side(TreePosition(tree, path)) == FIRST,
            is_leaf=not node.children,
            window=windows.get(path),
            score=scores.get(path),
            is_cut=path in cut,
            is_again=path in again,
        )
        for path, node in _in_preorder(tree.root)
    }


def _in_preorder(node: TreeNode, path: Path = ()) -> Iterator[tuple[Path, TreeNode]]:
    yield path, node
    for index, child in enumerate(node.children):
        yield from _in_preorder(child, (*path, index))

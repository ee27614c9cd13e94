"""`TreePicture`: a search tree at any step of the search, made from a trace, in a form for drawing.

Windows, scores and bounds are in the root's view, as in the events. Children are in the order in
which the search reached them. Moves that a cutoff skipped are included, marked `is_cut`; in an
explicit tree, with their subtrees.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from plyscope.faces.diagrams.smallboard import SmallBoard, small_board
from plyscope.faces.wording import counts_text
from plyscope.rules.game import state_of
from plyscope.rules.tree import ExplicitTree, TreePosition
from plyscope.rules.treetext import CHANCE
from plyscope.searching.events import (
    Cutoff,
    Enter,
    Event,
    Leaf,
    Return,
    TableHit,
)
from plyscope.searching.result import SearchResult, line_text
from plyscope.searching.score import Bound, format_score

Path = tuple[Any, ...]


@dataclass
class PictureNode:
    """A node as drawn."""

    path: Path
    name: str
    is_max: bool
    position: Any = None
    window: tuple[int, int] | None = None
    """The window (alpha, beta) of the node's last search; None if that search has no window."""
    score: float | None = None
    """The score that its last call returned, None if that is unknown."""
    bound: Bound | None = None
    """The relation of its score to the value."""
    is_leaf: bool = False
    is_cut: bool = False
    is_on_pv: bool = False
    is_current: bool = False
    """Whether the last event was at this node."""
    is_table_hit: bool = False
    is_mean: bool = False
    """Whether its score is a mean: of playouts, or of the children of a chance node."""
    visits: int = 0
    note: str = ""
    """Further data of the algorithm: playouts, proof numbers, or a merit."""
    children: list[PictureNode] = field(default_factory=list)

    @property
    def sign(self) -> str:
        """▲ for MAX or ▼ for MIN before the name; empty for a leaf and a mean."""
        return "" if self.is_leaf or self.is_mean else "▲ " if self.is_max else "▼ "

    def walk(self) -> Iterator[PictureNode]:
        """Yield the node and all nodes below it."""
        yield self
        for child in self.children:
            yield from child.walk()


@dataclass(frozen=True)
class TreePicture:
    """A tree to draw, and the counts so far."""

    root: PictureNode
    caption: str
    """The algorithm and its conventions."""
    scoring: str
    nodes: int = 0
    leaves: int = 0
    cutoffs: int = 0
    leaf_windows: bool = False
    """Whether the windows of leaves are shown."""
    game: Any = None
    """The game of the nodes' positions, None if no boards are drawn."""

    def board(self, node: PictureNode) -> SmallBoard | None:
        """Return the small board of a node, None if the node is drawn with its name."""
        if self.game is None:
            return None
        return small_board(self.game, node.position, node.path[-1] if node.path else None)

    def score_text(self, node: PictureNode) -> str:
        """Return a score such as `= 5` or `≥ 6`, the bare value of a leaf, or an empty text."""
        if node.score is None or node.bound is None:
            return ""
        value = short_score(node.score, self.scoring)
        return value if node.is_leaf else f"{node.bound.sign} {value}"

    def window_text(self, node: PictureNode) -> str:
        """Return the window of the node's last call, such as `(−∞, 5)`."""
        if node.window is None:
            return ""
        alpha, beta = (format_score(end, self.scoring) for end in node.window)
        return f"({alpha}, {beta})"

    @property
    def counts_text(self) -> str:
        """The nodes, leaves and cutoffs so far."""
        return counts_text(self.nodes, self.leaves, self.cutoffs)


class TreeBuilder:
    """Builds the tree of a search from its `result` and its events."""

    has_windows = True
    """Whether the windows of Enter events are shown."""

    def __init__(self, result: SearchResult) -> None:
        self.result, self.game = result, result.game
        self.root_side = result.request.view
        self.positions: dict[Path, Any] = {(): state_of(result.position)}
        self.by_path: dict[Path, PictureNode] = {}
        self.counts = {Enter: 0, Leaf: 0, Cutoff: 0}
        self._begin(())

    def node(self, path: Path) -> PictureNode:
        """Return the node at `path`, creating it and its ancestors if necessary."""
        if path not in self.by_path:
            above = self.node(path[:-1])
            self.positions[path] = self.game.play(self.positions[path[:-1]], path[-1])
            above.children.append(self._begin(path))
        return self.by_path[path]

    def _begin(self, path: Path) -> PictureNode:
        position = self.positions[path]
        is_max = self.game.side(position) == self.root_side
        self.by_path[path] = PictureNode(path, name_of(self.result, path), is_max, position)
        self.by_path[path].is_mean = self.game.side(position) == CHANCE
        return self.by_path[path]

    def write_out(self, path: Path = ()) -> None:
        """Add all nodes of an explicit tree below `path`, before the first event."""
        if isinstance(self.game, ExplicitTree):
            node, moves = self.node(path), self.game.moves(self.positions[path])
            node.is_leaf = not moves
            for move in moves:
                self.write_out((*path, move))

    def follow(self, event: Event) -> list[PictureNode]:
        """Update the tree after an event, and return the changed nodes."""
        self.counts[type(event)] = self.counts.get(type(event), 0) + 1
        node = self.node(event.path)
        if isinstance(event, Enter):
            node.window = (event.alpha, event.beta) if self.has_windows else None
            node.is_cut = node.is_table_hit = False
            node.score = node.bound = None  # the score of an earlier call
            node.visits += 1
            if event.path:  # the parent may have been a leaf of a shallower iteration
                self.by_path[event.path[:-1]].is_leaf = False
        elif isinstance(event, Leaf):
            node.score, node.bound, node.is_leaf = event.score, Bound.EXACT, True
        elif isinstance(event, Return | TableHit):
            node.score, node.bound = event.score, event.bound
            node.is_table_hit = isinstance(event, TableHit)
        elif isinstance(event, Cutoff):
            skipped = (self._cut((*event.path, move)) for move in event.skipped)
            return [node, *chain.from_iterable(skipped)]
        return [node]

    def describe(self, event: Event) -> str:
        """Return a sentence about the event specific to the algorithm, empty without one."""
        return ""

    def which(self, event: Event) -> str:
        """Return the name of the event's step in the pseudocode."""
        return getattr(event, "which", "")

    def _cut(self, path: Path) -> Iterator[PictureNode]:
        node = self.node(path)
        if not node.visits:
            node.is_cut = True
            yield node
            if isinstance(self.game, ExplicitTree):
                moves = self.game.moves(self.positions[path])
                node.is_leaf = not moves
                for move in moves:
                    yield from self._cut((*path, move))


def mover_of(result: SearchResult, event: Enter) -> str:
    """Return MAX, MIN or chance, which moves at the node that was called."""
    game = result.game
    if isinstance(game, ExplicitTree) and game.has_chance:
        position = TreePosition(game, (*result.request.position.path, *event.path))
        if position.side == CHANCE:
            return "chance"
    return "MAX" if event.is_max else "MIN"


def name_of(result: SearchResult, path: Path) -> str:
    """Return the name of a node: its name in an explicit tree, otherwise the move to it."""
    if isinstance(result.game, ExplicitTree):
        name = result.game.name_of((*result.request.position.path, *path))
        return name.replace("-", "−")  # an unnamed leaf is named by its value
    return line_text(result.position, path)[-1] if path else "root"


def distinct_name(result: SearchResult, path: Path) -> str:
    """Return a name of a node that no sibling has; leaves of equal value are numbered."""
    if isinstance(result.game, ExplicitTree):
        name = result.game.distinct_name((*result.request.position.path, *path))
        return name.replace("-", "−")
    return name_of(result, path)


def path_name(result: SearchResult, path: Path) -> str:
    """Return the name of a node in sentences.

    This is its name in an explicit tree, otherwise the moves to it, such as `a3–c3–a2`.
    """
    if isinstance(result.game, ExplicitTree):
        return name_of(result, path)
    return "–".join(line_text(result.position, path)) or "root"


def short_score(score: float, scoring: str) -> str:
    """Return a score as text, without trailing zeros after the decimal point."""
    text = format_score(score, scoring)
    return text.rstrip("0").rstrip(".") if "." in text else text

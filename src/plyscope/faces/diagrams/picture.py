"""`TreePicture`: a search tree as it can be drawn, made from a trace, at any moment of the search.

Windows, scores and bounds are in the root's view, as in the events. Children stand in the order in
which the search came to them; what a cutoff skipped is there too, marked `is_cut`, with its whole
subtree where the tree is explicit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from plyscope.errors import OptionError
from plyscope.rules.tree import ExplicitTree
from plyscope.searching.algorithms import ALGORITHMS
from plyscope.searching.causes import Cause, causes
from plyscope.searching.driver import Trace
from plyscope.searching.events import (
    BoundMoved,
    Cutoff,
    Enter,
    Event,
    Leaf,
    Research,
    Return,
    TableHit,
)
from plyscope.searching.result import SearchResult, line_text
from plyscope.searching.score import Bound, format_score

__all__ = [
    "MAX_DRAWN",
    "PictureNode",
    "TreeBuilder",
    "TreePicture",
    "draw_tree",
    "name_of",
    "narrate",
    "sentences",
]

MAX_DRAWN = 2000
"""Nodes beyond which a tree is not drawn."""

Path = tuple[Any, ...]


@dataclass
class PictureNode:
    """A node as drawn. `window` is the one it was last called with, `score` and `bound` what it
    returned; None while that is not known."""

    path: Path
    name: str
    is_max: bool
    window: tuple[int, int] | None = None
    score: float | None = None
    bound: Bound | None = None
    is_leaf: bool = False
    is_cut: bool = False
    is_on_pv: bool = False
    is_current: bool = False
    is_table_hit: bool = False
    visits: int = 0
    children: list[PictureNode] = field(default_factory=list)

    def walk(self) -> Iterator[PictureNode]:
        """Yield the node and everything below it."""
        yield self
        for child in self.children:
            yield from child.walk()


@dataclass(frozen=True)
class TreePicture:
    """A tree to draw, with the `caption` that names algorithm and conventions, and the counts so
    far. Text shows the windows of leaves only where they are asked for: `leaf_windows`."""

    root: PictureNode
    caption: str
    scoring: str
    step: int
    nodes: int
    leaves: int
    cutoffs: int
    leaf_windows: bool = False

    def score_text(self, node: PictureNode) -> str:
        """Return `= 5`, `≥ 6`, or nothing while the score is not known; a leaf shows its value
        alone."""
        if node.score is None or node.bound is None:
            return ""
        value = format_score(node.score, self.scoring)
        return value if node.is_leaf else f"{node.bound.sign} {value}"

    def window_text(self, node: PictureNode) -> str:
        """Return the window that the node was called with, as `(−∞, 5)`."""
        return (
            ""
            if node.window is None
            else f"({', '.join(format_score(bound, self.scoring) for bound in node.window)})"
        )


class TreeBuilder:
    """Follows the events of the search that had this `result` and keeps the tree they have drawn so
    far."""

    def __init__(self, result: SearchResult) -> None:
        self.result, self.game = result, result.game
        self.root_side = self.game.side(result.position)
        self.positions: dict[Path, Any] = {(): result.position}
        self.by_path: dict[Path, PictureNode] = {}
        self.counts = {Enter: 0, Leaf: 0, Cutoff: 0}
        self._begin(())

    def node(self, path: Path) -> PictureNode:
        """Return the node at `path`, new ones joined to their parent."""
        if path not in self.by_path:
            above = self.node(path[:-1])
            self.positions[path] = self.game.play(self.positions[path[:-1]], path[-1])
            above.children.append(self._begin(path))
        return self.by_path[path]

    def _begin(self, path: Path) -> PictureNode:
        is_max = self.game.side(self.positions[path]) == self.root_side
        self.by_path[path] = PictureNode(path, name_of(self.result, path), is_max)
        return self.by_path[path]

    def write_out(self, path: Path = ()) -> None:
        """Draw what is there before anything happens: an explicit tree."""
        if isinstance(self.game, ExplicitTree):
            node, moves = self.node(path), self.game.moves(self.positions[path])
            node.is_leaf = not moves
            for move in moves:
                self.write_out((*path, move))

    def follow(self, event: Event) -> list[PictureNode]:
        """Draw what happened, and return the nodes that look otherwise now."""
        self.counts[type(event)] = self.counts.get(type(event), 0) + 1
        node = self.node(event.path)
        if isinstance(event, Enter):
            node.window, node.is_cut, node.is_table_hit = (event.alpha, event.beta), False, False
            node.visits += 1
            if event.path:
                self.by_path[
                    event.path[:-1]
                ].is_leaf = False  # which it was in a pass that did not look so deep
        elif isinstance(event, Leaf):
            node.score, node.bound, node.is_leaf = event.score, Bound.EXACT, True
        elif isinstance(event, Return | TableHit):
            node.score, node.bound, node.is_table_hit = (
                event.score,
                event.bound,
                isinstance(event, TableHit),
            )
        elif isinstance(event, Cutoff):
            return [
                node,
                *(below for move in event.skipped for below in self._cut((*event.path, move))),
            ]
        return [node]

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


def name_of(result: SearchResult, path: Path) -> str:
    """Return the name of a node of the search: its own in a tree, else the move that leads to
    it."""
    if isinstance(result.game, ExplicitTree):
        name = result.game.name_of((*result.position.path, *path))
        return name.replace("-", "−")  # of an unnamed leaf, its value
    return line_text(result.position, path, result.game)[-1] if path else "root"


def draw_tree(
    trace: Trace, step: int | None = None, most: int = MAX_DRAWN, whole: bool = False
) -> TreePicture:
    """Return the tree after the first `step` events, all of them by default; raise OptionError when
    it has more than `most` nodes.

    Of an explicit tree the `whole` is drawn if that is asked for, in the order in which it is
    written.
    """
    events = trace.events if step is None else trace.events[: max(0, step)]
    builder = TreeBuilder(trace.result)
    if whole:
        builder.write_out()
    for event in events:
        builder.follow(event)
        if len(builder.by_path) > most:
            raise OptionError(f"the tree has more than {most:,} nodes; expected a smaller depth")
    result = trace.result
    if step is None or step >= len(trace.events):
        for end in range(len(result.pv) + 1):
            if result.pv[:end] in builder.by_path:
                builder.by_path[result.pv[:end]].is_on_pv = True
    elif events:
        builder.node(events[-1].path).is_current = True
    algorithm = ALGORITHMS[result.algorithm]
    return TreePicture(
        root=builder.by_path[()],
        caption=f"{result.algorithm}, {result.heuristic}: {result.conventions.describe(algorithm.takes)}",
        scoring=result.conventions.scoring,
        step=len(events),
        nodes=builder.counts[Enter],
        leaves=builder.counts[Leaf],
        cutoffs=builder.counts[Cutoff],
    )


def sentences(trace: Trace) -> list[str]:
    """Return one sentence for every event that closes a window: what closed it, where the other
    bound came from, and what is not searched."""
    return [_cutoff_sentence(trace, cause) for cause in causes(trace.events)]


def _cutoff_sentence(trace: Trace, cause: Cause) -> str:
    event, origin = cause.cutoff, cause.origin
    result, scoring = trace.result, trace.result.conventions.scoring
    alpha, beta = format_score(event.alpha, scoring), format_score(event.beta, scoring)
    is_max = event.which == "beta"
    child = name_of(result, (*event.path, event.move))
    strict = trace.result.conventions.cut == "gt"
    relation = (
        (f"alpha to {alpha} {'>' if strict else '≥'} beta {beta}")
        if is_max
        else (f"beta to {beta} {'<' if strict else '≤'} alpha {alpha}")
    )
    verb = ("raises" if is_max else "lowers") if cause.is_moved else "meets"
    if origin is None:
        source = "its window came with"
    else:
        source = (
            f"{name_of(result, (*origin.path, origin.move))} gave to {name_of(result, origin.path)}"
        )
    skipped = _listed([name_of(result, (*event.path, move)) for move in event.skipped])
    consequence = (
        f"{skipped} {'is' if len(event.skipped) == 1 else 'are'} not searched"
        if event.skipped
        else "nothing was left to search"
    )
    return f"At {name_of(result, event.path)} ({'MAX' if is_max else 'MIN'}) {child} {verb} {relation}, which {source}: {consequence}."


def _listed(names: Sequence[str]) -> str:
    shown = [*names[:6], f"{len(names) - 6} more"] if len(names) > 7 else list(names)
    return " and ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else "".join(shown)


def narrate(trace: Trace) -> list[str]:
    """Return one plain sentence about every event."""
    cutoffs = iter(sentences(trace))
    return [
        next(cutoffs).removesuffix(".") if isinstance(event, Cutoff) else _describe(trace, event)
        for event in trace.events
    ]


def _describe(trace: Trace, event: Event) -> str:
    result, scoring = trace.result, trace.result.conventions.scoring
    name = name_of(result, event.path)
    if isinstance(event, Enter):
        kind = "MAX" if event.is_max else "MIN"
        return f"{name} ({kind}) is called with the window ({format_score(event.alpha, scoring)}, {format_score(event.beta, scoring)})"
    if isinstance(event, Leaf):
        return f"{name} is {'at the horizon' if event.horizon else 'a leaf'} and worth {format_score(event.score, scoring)}"
    if isinstance(event, BoundMoved):
        verb = "raises alpha" if event.which == "alpha" else "lowers beta"
        child = name_of(result, (*event.path, event.move))
        return f"at {name}, {child} {verb} from {format_score(event.before, scoring)} to {format_score(event.after, scoring)}"
    if isinstance(event, Return | TableHit):
        verb = "returns" if isinstance(event, Return) else "is known from the table:"
        score = format_score(event.score, scoring)
        return f"{name} {verb} {score}, so its value is {event.bound.sign} {score}"
    if isinstance(event, Research):
        return f"{name} is searched again with the window ({format_score(event.alpha, scoring)}, {format_score(event.beta, scoring)})"
    about = [
        f"{key} {value}"
        for key, value in event.as_dict().items()
        if key in ("depth", "guess") and value is not None
    ]
    return f"a new pass begins: {', '.join(about)}"

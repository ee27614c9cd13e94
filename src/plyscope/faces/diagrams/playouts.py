"""The tree of a search by playouts: each node with its visits, and the mean of their results."""

from __future__ import annotations

from plyscope.display import times
from plyscope.faces.diagrams.picture import Path, PictureNode, TreeBuilder, path_name
from plyscope.searching.events import Enter, Event, Leaf
from plyscope.searching.result import SearchResult
from plyscope.searching.score import Bound, format_score


class PlayoutTree(TreeBuilder):
    """A builder for searches by playouts.

    An Enter event is the node at which a playout leaves the tree, and a Leaf event is its end. The
    random moves between them are not part of the tree. A node's score is a mean, so it is drawn as
    neither MAX nor MIN. A box is a finished game.
    """

    has_windows = False
    begun: Path = ()
    """The path of the last node that was entered."""
    is_new = True
    """Whether that node was entered for the first time."""

    def __init__(self, result: SearchResult) -> None:
        super().__init__(result)
        self.totals: dict[Path, float] = {}

    def _begin(self, path: Path) -> PictureNode:
        node = super()._begin(path)
        node.is_mean = True
        return node

    def follow(self, event: Event) -> list[PictureNode]:
        """Update the tree after an event, and return the changed nodes."""
        if isinstance(event, Enter):
            self.begun = event.path
            self.counts[Enter] += 1
            node = self.node(event.path)
            self.is_new = not node.visits
            if self.is_new:
                node.is_leaf = False
            return [node]
        if not isinstance(event, Leaf):
            return super().follow(event)
        self.counts[Leaf] += 1
        way = [self.node(self.begun[:end]) for end in range(len(self.begun) + 1)]
        for node in way:
            self.totals[node.path] = self.totals.get(node.path, 0) + event.score
            node.visits += 1
            node.score, node.bound = self.totals[node.path] / node.visits, Bound.ESTIMATE
            node.note = times(node.visits, "visit")
        end = way[-1]
        if event.path == end.path:  # nothing was played from there: it has one value
            end.is_leaf, end.score = True, event.score
        return way

    def describe(self, event: Event) -> str:
        """Return a sentence about the last event, without its full stop."""
        name = path_name(self.result, self.begun)
        if not isinstance(event, Leaf):
            return f"{name} {'joins the tree' if self.is_new else 'is reached again'}"
        played = "a game played at random from there" if event.path != self.begun else "the game"
        score = format_score(event.score, self.result.conventions.scoring)
        counted = f"{times(len(self.begun) + 1, 'node')} on the way to it"
        return f"{name}: {played} is worth {score}, which counts for the {counted}"

    def which(self, event: Event) -> str:
        """Return whether a node that is over was reached again, and nothing joined the tree."""
        return "" if self.is_new else "again"

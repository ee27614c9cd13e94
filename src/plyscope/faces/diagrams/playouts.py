"""The tree of a search by playouts: each node with its visits, and the mean of their results."""

from __future__ import annotations

from plyscope.faces.diagrams.picture import Path, PictureNode, TreeBuilder
from plyscope.faces.wording import times
from plyscope.searching.events import Enter, Event, Leaf
from plyscope.searching.score import Bound, format_score


class PlayoutTree(TreeBuilder):
    """Follows playouts: a node is entered where one leaves the tree, a leaf is where it ends.

    What is played at random between them is no part of the tree.
    """

    begun: Path = ()
    """The last node that was entered."""

    def follow(self, event: Event) -> list[PictureNode]:
        """Draw what happened, and return the nodes that look otherwise now."""
        if isinstance(event, Enter):
            self.begun = event.path
            self.counts[Enter] += 1
            self.node(event.path).is_leaf = False
            return [self.node(event.path)]
        if not isinstance(event, Leaf):
            return super().follow(event)
        self.counts[Leaf] += 1
        way = [self.node(self.begun[:end]) for end in range(len(self.begun) + 1)]
        for node in way:
            total = (node.score or 0) * node.visits + event.score
            node.visits += 1
            node.score, node.bound = total / node.visits, Bound.ESTIMATE
            node.note = f"{node.visits:,} visit{'s' * (node.visits > 1)}"
        return way

    def describe(self, event: Event) -> str:
        """Return what happened last, as a sentence without its full stop."""
        node = self.node(self.begun)
        if not isinstance(event, Leaf):
            how = "is reached again" if node.visits else "joins the tree"
            return f"{node.name} ({'MAX' if node.is_max else 'MIN'}) {how}"
        played = "a game played at random from there" if event.path != self.begun else "it"
        score = format_score(event.score, self.result.conventions.scoring)
        way = times(len(self.begun) + 1, "node")
        return f"{node.name}: {played} is worth {score}, counted by the {way} on the way to it"

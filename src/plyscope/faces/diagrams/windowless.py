"""Builders for the trees of searches without windows: minimax, and SSS* with merits."""

from __future__ import annotations

from plyscope.faces.diagrams.picture import Path, PictureNode, TreeBuilder, mover_of, path_name
from plyscope.faces.wording import bounded
from plyscope.searching.events import Enter, Event, Leaf, Return
from plyscope.searching.result import SearchResult
from plyscope.searching.score import INFINITY, format_score


class PlainTree(TreeBuilder):
    """A builder for searches that visit every node."""

    has_windows = False

    def describe(self, event: Event) -> str:
        """Return that a node is called, without a window."""
        if not isinstance(event, Enter):
            return ""
        name, kind = path_name(self.result, event.path), mover_of(self.result, event)
        return f"{name} ({kind}) is called"


class MeritTree(TreeBuilder):
    """A builder for SSS*: each state has a merit h, an upper bound of the values of its
    strategies."""

    has_windows = False

    def __init__(self, result: SearchResult) -> None:
        super().__init__(result)
        self.merits: dict[Path, float] = {}

    def follow(self, event: Event) -> list[PictureNode]:
        """Update the tree after an event, and return the changed nodes."""
        changed = super().follow(event)
        if isinstance(event, Enter):
            self.merits[event.path] = event.beta
        elif isinstance(event, Leaf):
            self.merits[event.path] = min(self.merits.get(event.path, INFINITY), event.score)
        elif isinstance(event, Return):
            self.merits[event.path] = event.score
        for node in changed:
            node.note = f"h = {self._merit(node.path)}" if node.path in self.merits else ""
        return changed

    def describe(self, event: Event) -> str:
        """Return a sentence about the change of a state."""
        node, name = self.node(event.path), path_name(self.result, event.path)
        merit = f"h = {self._merit(event.path)}"
        if isinstance(event, Enter):
            kind = "MAX" if node.is_max else "MIN"
            return f"{name} ({kind}) enters OPEN, live, with {merit}"
        scoring = self.result.conventions.scoring
        if isinstance(event, Leaf):
            score = format_score(event.score, scoring)
            return f"{name} is a leaf and worth {score}: it is solved with {merit}"
        if isinstance(event, Return):
            value = bounded(event.score, event.bound, scoring)
            return f"{name} is solved with {merit}, so its value is {value}"
        return ""

    def which(self, event: Event) -> str:
        """Return the case of the operator that opened a node or solved it."""
        path = event.path
        if isinstance(event, Return):
            return "max" if self.node(path).is_max else "min"
        if not path:
            return "root"
        if self.node(path[:-1]).is_max:
            return "all"
        return "first" if self.node(path[:-1]).children[0].path == path else "next"

    def _merit(self, path: Path) -> str:
        return format_score(self.merits[path], self.result.conventions.scoring)

"""The tree of the accumulating search, whose finished games have a worth of their own."""

from __future__ import annotations

from dataclasses import replace

from plyscope.faces.diagrams.picture import PictureNode, TreeBuilder, path_name
from plyscope.searching.events import Event, Leaf
from plyscope.searching.reference.accumulating import WIN
from plyscope.searching.score import format_score


class AccumulatingTree(TreeBuilder):
    """Follows the accumulating search. Events tell what a leaf is worth to the heuristic; where a
    game is over the search counts by the plies since the root's move."""

    def follow(self, event: Event) -> list[PictureNode]:
        """Draw what happened, and return the nodes that look otherwise now."""
        if isinstance(event, Leaf):
            event = replace(event, score=self.worth(event))
        return super().follow(event)

    def worth(self, leaf: Leaf) -> float:
        """Return what the search counts a leaf for."""
        position = self.positions[leaf.path]
        if not leaf.path or self.game.payoff(position) is None:
            return leaf.score
        if position.winner is None:
            return 0
        score = WIN - (len(leaf.path) - 1)
        return score if position.winner == self.root_side else -score

    def describe(self, event: Event) -> str:
        """Return what a leaf counts for."""
        if not isinstance(event, Leaf):
            return ""
        kind = "at the horizon" if event.horizon else "the end of the game"
        name = path_name(self.result, event.path)
        return f"{name} is {kind} and counts {format_score(self.worth(event))}"

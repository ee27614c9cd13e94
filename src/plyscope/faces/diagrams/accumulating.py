"""The tree of the accumulating search, which scores finished games in its own way."""

from __future__ import annotations

from dataclasses import replace

from plyscope.faces.diagrams.picture import PictureNode, TreeBuilder, path_name
from plyscope.searching.events import Event, Leaf
from plyscope.searching.reference.accumulating import WIN
from plyscope.searching.score import format_score


class AccumulatingTree(TreeBuilder):
    """A builder for the accumulating search.

    Events hold the heuristic's value of a leaf. If the game is over there, the search instead uses
    a score by the number of plies since the root's move.
    """

    def follow(self, event: Event) -> list[PictureNode]:
        """Update the tree after an event, and return the changed nodes."""
        if isinstance(event, Leaf):
            event = replace(event, score=self.score_of(event))
        return super().follow(event)

    def score_of(self, leaf: Leaf) -> float:
        """Return the score that the search uses for a leaf."""
        position = self.positions[leaf.path]
        if not leaf.path or self.game.payoff(position) is None:
            return leaf.score
        if position.winner is None:
            return 0
        score = WIN - (len(leaf.path) - 1)
        return score if position.winner == self.root_side else -score

    def describe(self, event: Event) -> str:
        """Return a sentence with the score of a leaf; empty for other events."""
        if not isinstance(event, Leaf):
            return ""
        kind = "at the horizon" if event.horizon else "the end of the game"
        name = path_name(self.result, event.path)
        return f"{name} is {kind} and counts {format_score(self.score_of(event))}"

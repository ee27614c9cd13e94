"""What a search of an explicit tree pruned: the numbers that exercises ask for.

A cutoff after the last child of a node prunes nothing; the exercises of some courses count it, and
those of others do not.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

from plyscope.display import times
from plyscope.rules.treetext import TreeNode


@dataclass(frozen=True, kw_only=True)
class Pruned:
    """The nodes and leaves of a tree down to the horizon, and those that a search pruned.

    A node that was visited twice counts once; the nodes of a result count its visits.
    """

    nodes: int
    """Nodes of the tree, with its root and its leaves."""
    leaves: int
    """Leaves of the tree, and inner nodes at the horizon."""
    pruned_nodes: int
    """Nodes that were never visited, with the leaves among them."""
    pruned_leaves: int
    """Leaves that were never visited."""
    cutoffs: int
    """Cutoffs of the search."""
    idle_cutoffs: int
    """Cutoffs after the last child, which pruned nothing."""

    def __str__(self) -> str:
        cutoffs = self.cutoffs
        idle = f", {self.idle_cutoffs} of which cut nothing" if self.idle_cutoffs else ""
        if idle and cutoffs == self.idle_cutoffs:
            idle = ", which cuts nothing" if cutoffs == 1 else ", which cut nothing"
        elif self.idle_cutoffs == 1:
            idle = ", one of which cuts nothing"
        return (
            f"{times(self.leaves, 'leaf')}, {self.leaves - self.pruned_leaves:,} searched, "
            f"{self.pruned_leaves:,} pruned; {times(self.nodes, 'node')}, "
            f"{self.nodes - self.pruned_nodes:,} visited, {self.pruned_nodes:,} pruned; "
            f"{times(cutoffs, 'cutoff')}{idle}"
        )


def pruned_of(
    root: TreeNode, depth: int, visited: Container[tuple[int, ...]], cutoffs: int, idle_cutoffs: int
) -> Pruned:
    """Return what a search of the tree below `root` to `depth` pruned; `visited` are its paths."""
    counts = [0, 0, 0, 0]
    stack: list[tuple[TreeNode, tuple[int, ...]]] = [(root, ())]
    while stack:
        node, path = stack.pop()
        is_leaf, is_pruned = not node.children or len(path) >= depth, path not in visited
        for index, is_counted in enumerate((True, is_leaf, is_pruned, is_leaf and is_pruned)):
            counts[index] += is_counted
        if not is_leaf:
            stack += [(child, (*path, index)) for index, child in enumerate(node.children)]
    nodes, leaves, pruned_nodes, pruned_leaves = counts
    return Pruned(
        nodes=nodes,
        leaves=leaves,
        pruned_nodes=pruned_nodes,
        pruned_leaves=pruned_leaves,
        cutoffs=cutoffs,
        idle_cutoffs=idle_cutoffs,
    )

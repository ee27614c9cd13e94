"""What a walk takes over from a compiled pass."""

from __future__ import annotations

from typing import Any

from plyscope.searching.walk import Counts, Walk


def take_over(
    walk: Walk,
    found: Any,
    nodes_before: int,
    roots: dict[Any, tuple[int, ...]],
    plies: list[tuple[int, ...]],
) -> None:
    """Let a walk take over the results of a compiled pass: the counters of the compiled walk
    `found`, the words of the `Root` of each move, and those of each `Ply`."""
    walk.nodes = nodes_before + found.nodes
    walk.researches, walk.table_hits = found.researches, found.table_hits
    walk.horizon_leaves, walk.deepest = found.horizon_leaves, found.deepest
    walk.at_root, walk.below = Counts(found.nodes, found.leaves, found.cutoffs), {}
    for move, (value, alpha, beta, turn, nodes, leaves, cutoffs) in sorted(
        roots.items(), key=lambda item: item[1][3]
    ):
        if turn:
            walk.values[move] = (value, walk.proves(value, alpha, beta))
        if nodes > 0:
            walk.below[move] = Counts(nodes, leaves, cutoffs)
            walk.at_root.nodes -= nodes
            walk.at_root.leaves -= leaves
            walk.at_root.cutoffs -= cutoffs
    walk.leaf_plies.update(ply for ply, (_, _, leaves) in enumerate(plies) if leaves)
    while plies and plies[-1][1] < 0:
        plies.pop()
    walk.widths = [{least, greatest} if greatest >= 0 else set() for least, greatest, _ in plies]

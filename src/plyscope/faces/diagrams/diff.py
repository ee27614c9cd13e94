"""Where two searches of one tree differ: what only one of them visits, and where they return
different scores or bounds."""

from __future__ import annotations

from dataclasses import dataclass

from plyscope.faces.diagrams.picture import Path, draw_tree, name_of
from plyscope.searching.algorithms import ALGORITHMS
from plyscope.searching.driver import Trace

__all__ = ["Difference", "TreeDiff", "compare_traces"]

MAX_COMPARED = 200_000


@dataclass(frozen=True)
class Difference:
    """One node on which the searches differ: what the first and the second did there (`= 5`, `not
    visited`, ...)."""

    path: Path
    name: str
    first: str
    second: str


@dataclass(frozen=True)
class TreeDiff:
    """Two searches of one tree beside each other: how each was done, nodes, leaves and cutoffs, and
    the nodes on which they differ."""

    first: str
    second: str
    counts: dict[str, tuple[int, int]]
    values: tuple[float, float]
    differences: tuple[Difference, ...]


def compare_traces(first: Trace, second: Trace) -> TreeDiff:
    """Return where the two searches, of one position, differ, node by node in the order of the
    first and then the second."""
    pictures = [draw_tree(trace, most=MAX_COMPARED) for trace in (first, second)]
    seen = [
        {node.path: node for node in picture.root.walk() if node.visits} for picture in pictures
    ]
    differences = []
    for path in dict.fromkeys([*seen[0], *seen[1]]):
        said = []
        for picture, nodes in zip(pictures, seen, strict=True):
            node = nodes.get(path)
            said.append("not visited" if node is None else picture.score_text(node) or "no score")
        if said[0] != said[1]:
            differences.append(Difference(path, _full_name(first, path), said[0], said[1]))
    names = [
        f"{trace.result.algorithm}, {trace.result.conventions.describe(ALGORITHMS[trace.result.algorithm].takes)}"
        for trace in (first, second)
    ]
    counts = {
        key: (getattr(pictures[0], key), getattr(pictures[1], key))
        for key in ("nodes", "leaves", "cutoffs")
    }
    return TreeDiff(
        names[0], names[1], counts, (first.result.value, second.result.value), tuple(differences)
    )


def _full_name(trace: Trace, path: Path) -> str:
    """Return the names along the path, so that leaves of equal value can be told apart."""
    return " ".join(
        name_of(trace.result, path[:end]) for end in range(1, len(path) + 1)
    ) or name_of(trace.result, ())

"""The differences between two searches of one tree: in visited nodes, scores and bounds."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from plyscope.faces.diagrams.builders import draw_tree
from plyscope.faces.diagrams.picture import Path, distinct_name
from plyscope.faces.wording import conventions_text, path_text
from plyscope.searching.result import SearchResult
from plyscope.searching.trace import Trace

COUNTS = ("nodes", "leaves", "cutoffs")
MAX_COMPARED = 200_000


@dataclass(frozen=True)
class Difference:
    """A node at which the searches differ."""

    path: Path
    name: str
    first: str
    """The result of the first search at the node: `= 5`, `not visited`, ..."""
    second: str


@dataclass(frozen=True)
class TreeDiff:
    """The comparison of two searches of one tree."""

    first: str
    """The algorithm and conventions of the first search."""
    second: str
    counts: dict[str, tuple[int, int]]
    """The nodes, leaves and cutoffs of both searches."""
    values: tuple[float, float]
    differences: tuple[Difference, ...]


def compare_traces(first: Trace, second: Trace) -> TreeDiff:
    """Return the nodes at which two searches of one position differ, in the order of the first."""
    pictures = [draw_tree(trace, most=MAX_COMPARED) for trace in (first, second)]
    visited = [
        {node.path: picture.score_text(node) for node in picture.root.walk() if node.visits}
        for picture in pictures
    ]
    differences = []
    for path in dict.fromkeys([*visited[0], *visited[1]]):
        scores = [texts.get(path, "not visited") or "no score" for texts in visited]
        if scores[0] != scores[1]:
            name = path_text(partial(distinct_name, first.result), path)
            differences.append(Difference(path, name, *scores))
    one, other = pictures
    return TreeDiff(
        first=_name(first.result),
        second=_name(second.result),
        counts={key: (getattr(one, key), getattr(other, key)) for key in COUNTS},
        values=(first.result.value, second.result.value),
        differences=tuple(differences),
    )


def _name(result: SearchResult) -> str:
    return f"{result.algorithm}, {conventions_text(result)}"

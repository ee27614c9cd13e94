"""Searches of one tree compared, and answers about a tree marked: `tree --diff`, `exam`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from plyscope.faces.tables import new_table
from plyscope.faces.wording import number, path_text

if TYPE_CHECKING:
    from plyscope.faces.diagrams.diff import TreeDiff
    from plyscope.faces.sheets.paper import AnyQuestion
    from plyscope.lab.quiz import Marking

MAX_DIFFERENCES = 60


def difference_table(diff: TreeDiff) -> RenderableType:
    """Return two searches side by side, and the nodes on which they differ."""
    counts = new_table("", "", "first", "second")
    for name, pair in (*diff.counts.items(), ("value", diff.values)):
        counts.add_row(name, *map(number, pair))
    heading = Text(f"first:  {diff.first}\nsecond: {diff.second}")
    if not diff.differences:
        return Group(heading, counts, Text("no node differs"))
    columns = ("node", "first", "second")
    nodes = new_table(f"{len(diff.differences):,} nodes differ", *columns, left=columns)
    for item in diff.differences[:MAX_DIFFERENCES]:
        nodes.add_row(item.name, item.first, item.second)
    rest = len(diff.differences) - MAX_DIFFERENCES
    more = [Text(f"and {rest:,} more", style="dim")] if rest > 0 else []
    return Group(heading, counts, nodes, *more)


def marking_table(question: AnyQuestion, marking: Marking) -> RenderableType:
    """Return what was not right in an answer, the points, and what may have gone wrong."""
    from plyscope.lab.quiz import Question

    tree = question.tree if isinstance(question, Question) else None
    columns = ("node", "item", "given", "expected", "mark")[tree is None :]
    table = new_table("", *columns, left=columns)
    for item in marking.marks:
        if item.verdict != "right":
            cells = (item.item, item.given or "–", item.expected, item.verdict)
            table.add_row(
                *([] if tree is None else [path_text(tree.distinct_name, item.path)]), *cells
            )
    lines = [Text(f"{marking.points:g} of {marking.possible} points")]
    if marking.diagnosis is not None:
        lines.append(Text(f"It looks as if {marking.diagnosis}."))
    if isinstance(question, Question):
        lines.append(Text(f"convention: {question.convention}", style="dim"))
    return Group(*([table] if table.row_count else []), *lines)

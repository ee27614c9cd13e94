"""Heuristics line by line: `eval`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from plyscope.faces.boards import draw_board
from plyscope.faces.tables import new_table
from plyscope.faces.wording import TERM_NAMES, headed, line_name, number, side_name
from plyscope.rules.position import Position

if TYPE_CHECKING:
    from plyscope.evaluation.heuristic import Explanation


def explanation_table(explanation: Explanation, show_all: bool = False) -> RenderableType:
    """Return the evaluation line by line, the lines that count first by their share."""
    heading = Text(f"{explanation.heuristic} for {side_name(explanation.side)}: ", style="bold")
    heading.append(number(explanation.total), "bold")
    position = explanation.position
    text = headed(position, "").strip()
    heading.append(f"\n{text}" if "\n" in text else f"   {text}", "")
    if isinstance(position, Position):
        heading.append("\n").append_text(draw_board(position))
    if explanation.lines is None:
        return Group(heading, Text("this heuristic has no lines to show", style="dim"))
    lines = [share for share in explanation.lines if share.value or show_all]
    head = ("line", "kind", "mine", "theirs", "value", "× weight", "=")
    table = new_table("", *head, left=("line", "kind"))
    for share in sorted(lines, key=lambda share: -abs(share.value)):
        numbers = (share.mine, share.theirs, share.table, share.weight, share.value)
        table.add_row(line_name(position.game, share.cells), share.kind, *map(number, numbers))
    for term in explanation.terms:
        table.add_section()
        table.add_row(
            TERM_NAMES.get(term.term, term.term), *[""] * 5, number(term.value), style="bold"
        )
        for part in term.parts:
            table.add_row(f"  {part.what}", *[""] * 5, number(part.value))
    table.add_section()
    table.add_row("sum", *[""] * 5, number(explanation.sum))
    if explanation.sum != explanation.total:
        table.add_row("kept within the table's clamp", *[""] * 5, number(explanation.total))
    hidden = len(explanation.lines) - len(lines)
    note = f"{hidden} of {len(explanation.lines)} lines count 0 (--all shows them)"
    return Group(heading, table, *([Text(note, style="dim")] if hidden else []))

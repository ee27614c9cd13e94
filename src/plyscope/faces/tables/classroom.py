"""Classes in the terminal: what a check has found, and the grades."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

if TYPE_CHECKING:
    from plyscope.lab.classroom.assignment import Assignment
    from plyscope.lab.classroom.check import Check, Item


def check_text(file: str, assignment: Assignment, check: Check) -> Text:
    """Return a line for each item that holds, and a paragraph for each that does not."""
    text = Text(f"{file}, checked for: {assignment.title} ({assignment.game})\n", "bold")
    for item in check.items:
        if item.finding is None:
            text.append(f"  ok       {item.says}\n")
            continue
        text.append("  FINDING", "bold red")
        text.append(f"  {item.says}: {item.finding}\n")
        for line in _shown(file, assignment, item):
            text.append(f"           {line}\n", "dim")
    if check.missing:
        text.append(f"not looked at, until that is right: {', '.join(check.missing)}\n")
    if check.is_sound:
        text.append("nothing was found")
    else:
        text.append(f"{len(check.findings)} of {len(check.items)} items do not hold", "bold")
    return text


def _shown(file: str, assignment: Assignment, item: Item) -> list[str]:
    """Return the commands that show a finding's position."""
    if item.position is None:
        return []
    if assignment.interface == "agent":
        return [f"plyscope play '{item.position}'"]
    heuristic = file if assignment.interface == "table" else f"{file}:{assignment.function}"
    game = "" if assignment.is_of_lines else f" --game {assignment.game}"
    return [f"plyscope eval '{item.position}'{game} -H {heuristic}"]

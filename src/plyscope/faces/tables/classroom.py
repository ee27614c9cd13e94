"""Classes in the terminal: what a check has found, and the grades."""

from __future__ import annotations

from shlex import quote
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from plyscope.classroom.grade import TITLES
from plyscope.faces.tables import cut, new_table
from plyscope.faces.wording import times

if TYPE_CHECKING:
    from plyscope.classroom.assignment import Assignment
    from plyscope.classroom.check import Check, Item
    from plyscope.classroom.entry import Budget
    from plyscope.classroom.grade import Grade
    from plyscope.classroom.run import ClassResult, Graded

WIDE = 110
"""Columns from which a reason stands in its row; `grades.csv` has all of it."""


def check_text(file: str, assignment: Assignment, check: Check) -> Text:
    """Return a line for each item that holds, and a paragraph for each that does not."""
    text = Text(f"{file}, checked for: {assignment.title} ({assignment.game})\n", "bold")
    for item in check.items:
        if item.finding is None:
            is_timed = item.name == "time" and check.microseconds is not None
            most = assignment.limits.call_seconds
            took = f": {check.microseconds:.1f} µs of {most:g} s" if is_timed else ""
            text.append(f"  ok       {item.says}{took}\n")
            continue
        text.append("  FINDING", "bold red")
        text.append(f"  {item.says}: {item.finding}\n")
        for line in _shown(file, assignment, item):
            text.append(f"           {line}\n", "dim")
    if check.missing:
        text.append(f"not asked, until that is right: {', '.join(check.missing)}\n")
    if check.is_sound:
        text.append("nothing was found")
    else:
        text.append(f"{len(check.findings)} of {len(check.items)} items do not hold", "bold")
    return text


def estimate_text(grade: Grade, budget: Budget) -> Text:
    """Return the points of each part with what cost most of them, and the time that it took."""
    text = Text(f"estimate: {grade.total:g} of {grade.of:g} points; the grader has another seed")
    text.stylize("bold")
    for part in grade.parts:
        lost = f": {part.reasons[0]}" if part.points < part.of and part.reasons else ""
        text.append(f"\n  {TITLES[part.name]} {part.points:g} of {part.of:g}", "not bold")
        text.append(lost, "not bold dim")
    if budget.answers:
        took = f"{budget.spent:.3f} s of the {budget.seconds:.3f} s that they may take"
        text.append(f"\nall {budget.answers:,} answers took {took}", "not bold")
    return text


def _shown(file: str, assignment: Assignment, item: Item) -> list[str]:
    """Return the commands that show a finding's position, where its text can be read."""
    rules = assignment.rules
    if item.position is None or not (assignment.is_of_lines or hasattr(rules, "parse_position")):
        return []
    game = "" if assignment.is_of_lines else f" --game {quote(assignment.game)}"
    if assignment.interface == "agent":
        return [f"plyscope play '{item.position}'{game}"]
    name = "" if assignment.interface == "table" else f":{assignment.function}"
    return [f"plyscope eval '{item.position}'{game} -H {quote(f'{file}{name}')}"]


def grade_text(graded: Graded) -> Text:
    """Return the points of one submission, with the reasons."""
    grade = graded.grade
    text = Text(f"{grade.total:g} of {grade.of:g} points\n", "bold")
    for part in grade.parts:
        text.append(f"{TITLES[part.name]}: {part.points:g} of {part.of:g}\n")
        for reason in part.reasons:
            text.append(f"  {reason}\n", "dim")
    return text


def grades_table(result: ClassResult, width: int = WIDE) -> RenderableType:
    """Return the grades of a class, one submission in a row; the reasons stand below where `width`
    is less than WIDE."""
    assignment = result.assignment
    names = [part.name for part in result.graded[0].grade.parts]
    reason = ("what cost most points",) if width >= WIDE else ()
    table = new_table(
        f"{assignment.title}: {times(len(result.graded), 'submission')}",
        "",
        *(TITLES[name] for name in names),
        f"of {assignment.rubric.total:g}",
        *reason,
        left=("", *reason),
    )
    for each in result.graded:
        points = {part.name: f"{part.points:g}" for part in each.grade.parts}
        numbers = (points[name] for name in names)
        short = (cut(each.grade.reason),) if reason else ()
        table.add_row(cut(each.submission.key), *numbers, f"{each.grade.total:g}", *short)
    found = () if reason else ((each.submission.key, each.grade.reason) for each in result.graded)
    alike = {tuple(sorted((each.submission.key, *each.same_as))) for each in result.graded}
    return Group(
        table,
        *(cut(f"{key}: {text}") for key, text in found if text),
        *(Text(f"the same program: {', '.join(keys)}") for keys in sorted(alike) if len(keys) > 1),
    )

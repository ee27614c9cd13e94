"""Heuristics line by line: `eval`."""

from __future__ import annotations

from plyscope.evaluation.heuristic import Explanation
from plyscope.faces.findings.section import Figure, Section
from plyscope.faces.wording import TERM_NAMES, headed, line_name, number, side_name


def explanation_section(
    explanation: Explanation, show_all: bool = False, hint: str = ""
) -> Section:
    """Return the evaluation by lines, the largest first, and by terms.

    `show_all` includes the lines that count 0; otherwise `hint` is a note on how to see them.
    """
    position, lines = explanation.position, explanation.lines or ()
    shown = [line for line in lines if line.value or show_all]
    weighted = ("value", "× weight") if any(line.weight != 1 for line in shown) else ()
    head = ("line", "kind", "mine", "theirs", *weighted, "=")
    gap = [""] * (len(head) - 2)
    rows: list[tuple[str, ...]] = []
    bars: list[tuple[float, ...]] = []
    for line in sorted(shown, key=lambda line: -abs(line.value)):
        factors = (line.table, line.weight) if weighted else ()
        amounts = (line.mine, line.theirs, *factors, line.value)
        rows.append((line_name(position.game, line.cells), line.kind, *map(number, amounts)))
        bars.append((line.value,))
    for term in explanation.terms:
        name = TERM_NAMES.get(term.term, term.term)
        parts = [(f"  {part.what}", part.value) for part in term.parts]
        rows += [(), *((what, *gap, number(value)) for what, value in ((name, term.value), *parts))]
        bars += [(), (term.value,), *((value,) for _, value in parts)]
    sums = [("sum", *gap, number(explanation.sum))]
    if explanation.sum != explanation.total:
        sums.append(("limited by the table's clamp", *gap, number(explanation.total)))
    notes = []
    if explanation.lines is None:
        notes.append("this heuristic has no lines to show")
    elif len(shown) < len(lines) and explanation.terms and not shown:
        notes.append(f"the values are of terms alone: each of {len(lines)} lines counts 0{hint}")
    elif len(shown) < len(lines):
        notes.append(f"{len(lines) - len(shown)} of {len(lines)} lines count 0{hint}")
    name = f"{explanation.heuristic} for {side_name(explanation.side)}"
    return Section(
        1,
        "",
        (f"{name}: {number(explanation.total)}",),
        () if explanation.lines is None else head,
        tuple(rows),
        names=2,
        sums=tuple(sums),
        bars=tuple(bars),
        notes=tuple(notes),
        about=Figure(position, headed(position, "").strip()),
    )

"""Pseudocode read from its text: its lines, and the line to which each kind of event belongs.

A line may end with `# ` and kinds of events, such as `# enter`. A kind may name one of several
steps: `# bound:alpha`.
"""

from __future__ import annotations

from dataclasses import dataclass

from plyscope.searching.conventions import Conventions

MARK = "  # "


@dataclass(frozen=True)
class Pseudocode:
    """The lines of an algorithm, and the line numbers, from 0, by kind of event."""

    lines: tuple[str, ...]
    line_of: dict[str, int]
    remark: str = ""
    """A note on how to read the drawing next to the pseudocode."""

    def line(self, kind: str, which: str = "") -> int | None:
        """Return the number of the line to which a kind of event belongs, None without one."""
        return self.line_of.get(f"{kind}:{which}", self.line_of.get(kind))

    @property
    def cuts(self) -> bool:
        """Whether the algorithm stops at a node before all its children are searched."""
        return "cutoff" in self.line_of


def read(text: str, conventions: Conventions, remark: str = "") -> Pseudocode:
    """Return the pseudocode of a text, adapted to the conventions."""
    signs = {
        "{cut}": "≥" if conventions.cut == "ge" else ">",
        "{score}": "best" if conventions.bound == "soft" else "best, clamped to [α, β]",
    }
    for name, sign in signs.items():
        text = text.replace(name, sign)
    lines, told = [], {}
    for number, line in enumerate(text.strip("\n").split("\n")):
        shown, _, kinds = line.partition(MARK)
        lines.append(shown.rstrip())
        told.update(dict.fromkeys(kinds.split(), number))
    return Pseudocode(tuple(lines), told, remark)

"""Pseudocode read from its text: lines, and which of them each event of a search stands for.

A line ends with `# ` and the kinds of the events that it tells, if any: `# enter`, `# bound`. A
kind may name which of its steps it is about: `# bound:alpha`.
"""

from __future__ import annotations

from dataclasses import dataclass

from plyscope.searching.conventions import Conventions

MARK = "  # "


@dataclass(frozen=True)
class Pseudocode:
    """The lines of an algorithm, and their numbers, from 0, by what they tell."""

    lines: tuple[str, ...]
    told: dict[str, int]
    remark: str = ""
    """What has to be known to read the drawing beside it."""

    def line(self, kind: str, which: str = "") -> int | None:
        """Return the line that an event of a kind stands for, None where there is none."""
        return self.told.get(f"{kind}:{which}", self.told.get(kind))

    @property
    def cuts(self) -> bool:
        """Whether the algorithm stops at a node before all its children are searched."""
        return "cutoff" in self.told


def read(text: str, conventions: Conventions, remark: str = "") -> Pseudocode:
    """Return the pseudocode of a text, as the conventions have it carried out."""
    signs = {
        "{cut}": "≥" if conventions.cut == "ge" else ">",
        "{score}": "best" if conventions.bound == "soft" else "best, brought within [α, β]",
    }
    for name, sign in signs.items():
        text = text.replace(name, sign)
    lines, told = [], {}
    for number, line in enumerate(text.strip("\n").split("\n")):
        shown, _, kinds = line.partition(MARK)
        lines.append(shown.rstrip())
        told.update(dict.fromkeys(kinds.split(), number))
    return Pseudocode(tuple(lines), told, remark)

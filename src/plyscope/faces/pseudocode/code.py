"""Pseudocode read from its text: lines, and which of them each event of a search stands for.

A line ends with `# ` and the kinds of the events that it tells, if any: `# enter`, `# bound`. A
kind may name which end of the window it is about: `# bound:alpha`.
"""

from __future__ import annotations

from dataclasses import dataclass

from plyscope.searching.conventions import Conventions
from plyscope.searching.events import Event

MARK = "  # "


@dataclass(frozen=True)
class Pseudocode:
    """The lines of an algorithm, and their numbers, from 0, by what they tell."""

    lines: tuple[str, ...]
    told: dict[str, int]

    def line(self, event: Event) -> int | None:
        """Return the line that an event stands for, None where there is none."""
        which = getattr(event, "which", "")
        return self.told.get(f"{event.kind}:{which}", self.told.get(event.kind))


def read(text: str, conventions: Conventions) -> Pseudocode:
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
    return Pseudocode(tuple(lines), told)

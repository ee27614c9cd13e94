"""The commands, by what people come for, and what `plyscope` alone says."""

from __future__ import annotations

from typing import NamedTuple


class Group(NamedTuple):
    """Commands that belong together."""

    name: str
    summary: str
    commands: tuple[str, ...]
    """The names of their modules here."""


GROUPS = (
    Group(
        "learn",
        "what a search does with a heuristic, and why",
        ("analyze", "compare", "tree", "eval", "exam"),
    ),
    Group("play", "against the program, here or elsewhere", ("play", "puzzles", "web", "gomocup")),
    Group(
        "design",
        "heuristics and games of your own, and how good they are",
        ("report_card", "tune", "check", "export"),
    ),
    Group(
        "experiment",
        "who is stronger, and whether that is certain",
        ("match", "tournament", "records", "class_"),
    ),
    Group("solve", "what is true, proved", ("solve", "verify", "certify", "perft")),
    Group(
        "more",
        "names of what there is; the shell; setting up",
        ("list_", "examples", "completion", "warm"),
    ),
)
COMMANDS = tuple(name for group in GROUPS for name in group.commands)

MEANT = {
    **{f"{name}s": f"list {name}s" for name in ("game", "heuristic", "algorithm", "agent")},
    "report": "records FILE --report",
    "evaluate": "eval",
    "search": "analyze",
    "duel": "match",
    "server": "web",
    "version": "--version",
}
"""What is meant by words that are no commands."""

GREETING = """\
plyscope: a laboratory for heuristic game-tree search

  plyscope play connect4                    a game; hints are given
  plyscope analyze '.X./O../X.O'            each move's value, and what it cost
  plyscope match open-lines counted-lines   which of the two is better?

{groups}

'plyscope COMMAND --help' says more, 'plyscope --help' all of it.
'plyscope web' opens the page.
"""


def greeting() -> str:
    """Return what `plyscope` alone says, on one screen."""
    lines = []
    for group in GROUPS:
        lines.append(f"{group.name:12}{', '.join(map(typed, group.commands))}")
        lines.append(f"{'':12}  {group.summary}")
    return GREETING.format(groups="\n".join(lines))


def typed(module: str) -> str:
    """Return what is typed for the command of a module."""
    return module.rstrip("_").replace("_", "-")

"""The commands, grouped by purpose, and the greeting of `plyscope` without a command."""

from __future__ import annotations

from typing import NamedTuple


class Group(NamedTuple):
    """Commands that belong together."""

    name: str
    summary: str
    commands: tuple[str, ...]
    """The names of the commands' modules in this package."""


GROUPS = (
    Group(
        "learn",
        "see what a search does with a heuristic, and why",
        ("analyze", "compare", "tree", "eval", "exam"),
    ),
    Group(
        "play",
        "play against the program, here or elsewhere",
        ("play", "puzzles", "web", "gomocup"),
    ),
    Group(
        "design",
        "build and measure your own heuristics and games",
        ("report_card", "tune", "check", "export"),
    ),
    Group(
        "experiment",
        "find out who is stronger, and how certain that is",
        ("match", "tournament", "records", "class_"),
    ),
    Group("solve", "compute and prove exact values", ("solve", "verify", "certify", "perft")),
    Group(
        "more",
        "catalogues, examples, shell completion, setup",
        ("list_", "examples", "completion", "warm"),
    ),
)
COMMANDS = tuple(name for group in GROUPS for name in group.commands)

SUGGESTIONS = {
    **{f"{name}s": f"list {name}s" for name in ("game", "heuristic", "algorithm", "agent")},
    "report": "records FILE --report",
    "evaluate": "eval",
    "search": "analyze",
    "duel": "match",
    "server": "web",
    "version": "--version",
}
"""Suggestions for words that are not commands."""

GREETING = """\
plyscope: a laboratory for heuristic game-tree search

  plyscope play connect4                    play a game, with hints
  plyscope analyze '.X./O../X.O'            the value and the cost of each move
  plyscope match open-lines counted-lines   which of the two is better?

{groups}

'plyscope COMMAND --help' shows its options, 'plyscope --help' all commands.
'plyscope web' opens the page.
"""


def greeting() -> str:
    """Return the greeting, on one screen."""
    lines = []
    for group in GROUPS:
        lines.append(f"{group.name:12}{', '.join(map(command_name, group.commands))}")
        lines.append(f"{'':12}  {group.summary}")
    return GREETING.format(groups="\n".join(lines))


def command_name(module: str) -> str:
    """Return the command name of a module."""
    return module.rstrip("_").replace("_", "-")

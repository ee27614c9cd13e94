"""The commands, grouped by purpose, and the greeting of `plyscope` without a command."""

from __future__ import annotations

from typing import NamedTuple

import plyscope.houses as houses


class Group(NamedTuple):
    """Commands that belong together."""

    name: str
    summary: str
    commands: tuple[str, ...]
    """The names of the commands' modules in this package; of a house, the names of its commands."""


GROUPS = (
    Group(
        "learn",
        "see what a search does with a heuristic, and why",
        ("analyze", "compare", "tree", "eval", "exam"),
    ),
    Group(
        "play",
        "play against the program, here or elsewhere",
        ("play", "review", "puzzles"),
    ),
    Group(
        "design",
        "build and measure your own heuristics and games",
        ("report_card", "tune", "check"),
    ),
    Group(
        "experiment",
        "find out who is stronger, and how certain that is",
        ("match", "tournament", "records"),
    ),
    Group("solve", "compute and prove exact values", ("solve", "verify", "certify", "perft")),
    Group(
        "more",
        "catalogues, examples, shell completion, setup",
        ("list_", "examples", "completion", "warm"),
    ),
)
COMMANDS = tuple(name for group in GROUPS for name in group.commands)


def all_groups() -> tuple[Group, ...]:
    """Return GROUPS, and a group of the commands of houses if there are any."""
    names = tuple(sorted(houses.offered("COMMANDS")))
    givers = [each.package for each in houses.houses() if hasattr(each.module, "COMMANDS")]
    added = Group("houses", f"commands of {', '.join(givers)}", names)
    return (*GROUPS, added) if names else GROUPS


def command_names() -> tuple[str, ...]:
    """Return the names of all commands, those of houses included."""
    return tuple(command_name(name) for group in all_groups() for name in group.commands)


def module_of(command: str) -> str:
    """Return the full name of a command's module."""
    own = next((name for name in COMMANDS if command_name(name) == command), None)
    return houses.offered("COMMANDS")[command] if own is None else f"{__package__}.{own}"


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


def suggestion(word: str) -> str:
    """Return what was probably meant by a word that is no command, empty if that is unknown."""
    package = houses.OURS.get(word)
    return f"`pip install {package}`" if package else SUGGESTIONS.get(word, "")


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
    for group in all_groups():
        lines.append(f"{group.name:12}{', '.join(map(command_name, group.commands))}")
        lines.append(f"{'':12}  {group.summary}")
    return GREETING.format(groups="\n".join(lines))


def command_name(module: str) -> str:
    """Return the command name of a module."""
    return module.rstrip("_").replace("_", "-")

"""The command line as data, read from its parser, for completion and the manual page."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass

from plyscope.evaluation.heuristics import HEURISTICS
from plyscope.faces.cli.groups import all_groups, command_name
from plyscope.faces.cli.options import Parser
from plyscope.lab.agents.catalogue import AGENTS
from plyscope.rules.games import GAMES
from plyscope.searching.algorithms import ALGORITHMS

AGENT = (*AGENTS, *HEURISTICS)
VALUES = {
    "GAME": (*GAMES,),
    "GAME|POSITION|FILE": (*GAMES,),
    "POSITION": (*GAMES,),
    "HEURISTIC": (*HEURISTICS,),
    "START": (*HEURISTICS,),
    "--heuristic": (*HEURISTICS,),
    "--algorithm": (*ALGORITHMS,),
    "AGENT": AGENT,
    "A": AGENT,
    "B": AGENT,
    "WHO": ("human", *AGENT),
}
"""The known values for each of these placeholders."""
FILES = {*VALUES, "FILE", "FOLDER", "TREE"} - {"--algorithm"}
"""The placeholders that may be the name of a file."""


@dataclass(frozen=True, kw_only=True)
class Given:
    """An option or an argument of a command."""

    names: tuple[str, ...]
    """The names, such as `-g` and `--game`; none for an argument."""
    value: str
    """The placeholder of its value; empty for an option without a value."""
    values: tuple[str, ...]
    """The known values."""
    is_file: bool
    """Whether the value may be a file."""
    help: str


@dataclass(frozen=True, kw_only=True)
class Command:
    """A command, or the whole command line, which has no words."""

    words: tuple[str, ...]
    group: str
    help: str
    """The description in one line."""
    description: str
    usage: str
    options: tuple[Given, ...]
    arguments: tuple[Given, ...]
    commands: tuple[str, ...]
    """The names of its subcommands."""


def commands_of(parser: Parser) -> list[Command]:
    """Return the command line and all its commands, in the order of its help."""
    return list(_commands(parser, (), ""))


def _commands(parser: Parser, words: tuple[str, ...], help: str) -> Iterator[Command]:
    parser.complete()
    plain, inner = [], None
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            inner = action
        else:
            plain.append(action)
    groups = {command_name(name): group.name for group in all_groups() for name in group.commands}
    yield Command(
        words=words,
        group=groups.get(words[0], "") if words else "",
        help=help,
        description=" ".join(f"{parser.description or ''} {parser.epilog or ''}".split()),
        usage=" ".join(parser.format_usage().split()).removeprefix("usage: "),
        options=tuple(_given(action) for action in plain if action.option_strings),
        arguments=tuple(_given(action) for action in plain if not action.option_strings),
        commands=() if inner is None else tuple(inner.choices),
    )
    if inner is not None:
        summaries = {each.dest: each.help or "" for each in inner._choices_actions}
        for name, command in inner.choices.items():
            yield from _commands(command, (*words, name), summaries.get(name, ""))


def _given(action: argparse.Action) -> Given:
    names = tuple(action.option_strings)
    metavar = action.metavar if isinstance(action.metavar, str) else "value"
    key = next((name for name in names if name in VALUES), metavar)
    known = action.choices if action.choices is not None else VALUES.get(key, ())
    return Given(
        names=names,
        value="" if action.nargs == 0 else metavar,
        values=tuple(map(str, known)),
        is_file=key in FILES,
        help=(action.help or "") % {**vars(action), "prog": "plyscope"},
    )

"""The options and arguments of commands as rows of data, from which parsers are built."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple


class _Once(argparse.Action):
    """Stores the value of an option that may be given once; a second one is an error."""

    def __call__(self, parser: Any, namespace: Any, values: Any, name: str | None = None) -> None:
        """Store the value."""
        if name is not None and self in parser.given:
            raise argparse.ArgumentError(self, "given twice; expected it once")
        parser.given.add(self)
        setattr(namespace, self.dest, values)


class Option(NamedTuple):
    """An option or an argument of a command."""

    spec: str
    """The names, the placeholder of the value and the default as typed: `-n --games N = 100`. For
    an argument, the attribute and the placeholder: `game GAME?`. `?`, `*` and `+` mean the same as
    in argparse. An option with neither values nor choices is a flag."""
    help: str
    read: Callable[[str], Any] | Iterable[str] | None = None
    """A function that reads a value, or the values that are allowed."""
    default: Any = None
    dest: str | None = None
    """The attribute of the parsed arguments, if it is not the long name."""
    is_list: bool = False
    """Whether the option may be repeated; its values are a list. So are those of an option whose
    placeholder ends in `+` or `*`; any other is refused the second time."""

    def add_to(self, parser: Any) -> None:
        """Add it to a parser or a group of options."""
        spec, _, default = self.spec.partition(" = ")
        words = spec.split()
        at = next((at for at, word in enumerate(words) if word[0] != "-"), len(words)) or 1
        names, values = words[:at], words[at:]
        given: dict[str, Any] = {"help": self.help}
        if default or self.default is not None:
            given["default"] = default or self.default
        if values and values[-1][-1] in "?*+":
            given["nargs"] = values[-1][-1]
            values[-1] = values[-1][:-1]
        if len(values) > 1:
            given |= {"metavar": tuple(values), "nargs": len(values)}
        elif values:
            given["metavar"] = values[0]
        if callable(self.read):
            given["type"] = self.read
        elif self.read is not None:
            given["choices"] = tuple(self.read)
        elif not values:
            given = {"help": self.help, "action": "store_true"}
        if self.dest is not None:
            given["dest"] = self.dest
        if self.is_list:
            given["action"] = "append"
        elif names[0].startswith("-") and given.get("action") is None:
            given["action"] = "extend" if given.get("nargs") in ("+", "*") else _Once
        parser.add_argument(*names, **given)


class Group:
    """Options with a common heading."""

    def __init__(self, title: str, *rows: Row) -> None:
        self.title, self.rows = title, rows

    def add_to(self, parser: Any) -> None:
        """Add the group to a parser."""
        add_rows(parser.add_argument_group(self.title), self.rows)


class OneOf:
    """Options that exclude each other."""

    def __init__(self, *rows: Row) -> None:
        self.rows = rows

    def add_to(self, parser: Any) -> None:
        """Add the options to a parser."""
        add_rows(parser.add_mutually_exclusive_group(), self.rows)


class Later(NamedTuple):
    """Options with a heading, created only when the command is used, since that imports many
    modules."""

    title: str
    rows: Callable[[], Iterable[Option]]

    def add_to(self, parser: Any) -> None:
        """Add the heading to a parser now, the options later."""
        group = parser.add_argument_group(self.title)
        parser.add_later(lambda: add_rows(group, self.rows()))


class Command(NamedTuple):
    """A command, with its one-line help and its description."""

    name: str
    help: str
    description: str | None
    rows: Iterable[Row]
    run: Callable[[argparse.Namespace], int] | None

    def add_to(self, commands: Any) -> None:
        """Add it to the commands of a parser."""
        parser = commands.add_parser(self.name, help=self.help, description=self.description)
        add_rows(parser, self.rows)
        parser.set_defaults(run=self.run)


class Commands:
    """The subcommands of a command."""

    def __init__(self, *commands: Command) -> None:
        self.commands = commands

    def add_to(self, parser: Any) -> None:
        """Add the commands to a parser."""
        names = "|".join(command.name for command in self.commands)
        add_rows(parser.add_subparsers(metavar=names, required=True), self.commands)


Row = Option | Group | OneOf | Later | Command | Commands


def add_rows(parser: Any, rows: Iterable[Row]) -> None:
    """Add rows to a parser, to a group of options or to the commands of a parser."""
    for row in rows:
        row.add_to(parser)

"""The command line, one file per command.

`OPTIONS` describes a command to argparse, and `run` executes it. Only `run` imports other floors
and rich, so that `plyscope --help` is fast.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from errno import ENOMEM
from typing import Any

import plyscope.houses as houses
from plyscope.errors import PlyscopeError
from plyscope.faces.cli import options
from plyscope.faces.cli.groups import (
    COMMANDS,
    all_groups,
    command_name,
    command_names,
    greeting,
    module_of,
    suggestion,
)
from plyscope.faces.cli.rows import Command
from plyscope.faces.cli.statuses import BAD_INPUT, DONE, UNDECIDED
from plyscope.faces.signs import one_line, prepare_streams

__all__ = ["main", "parser", "run"]


def main() -> int:
    """Run the command of this process and return its exit status; errors print one line."""
    prepare_streams()
    with suppress(ValueError):  # not the main thread
        # SIGTERM prints the partial result, as Ctrl-C does
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        status = run(sys.argv[1:])
    except SystemExit as stop:  # argparse
        status = stop.code if isinstance(stop.code, int) else DONE
    # if Ctrl-C came inside an exec, such as a dataclass's, Python would still exit by that signal,
    # although it was handled; another exec prevents this
    exec("")
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _discard_output()
    except OSError as error:
        _discard_output()
        if status != BAD_INPUT:
            return _print_error(f"cannot write the output: {error.strerror}")
    return status


def run(words: Sequence[str]) -> int:
    """Run the command that `words` spell and return its exit status."""
    from plyscope.extras import explained
    from plyscope.pythonfile import blamed

    if not words:
        print(greeting(), end="")
        return DONE
    printed = options.times_json_was_printed()
    if words[0] == "help":
        words = [*words[1:2], "--help"]
    try:
        arguments = parser(words[0]).parse_args([_protect(word) for word in words])
        if not hasattr(arguments, "position"):  # said_reading says it with the position
            options.say_game(getattr(arguments, "game", None))
        return int(arguments.run(arguments))
    except PlyscopeError as error:
        return _print_error(f"{error}{_similar_files(words, str(error))}")
    except KeyboardInterrupt:
        if "--json" in words and options.times_json_was_printed() == printed:
            options.print_json({"stopped": "interrupted"})
        if sys.stderr.isatty():
            print(file=sys.stderr)  # below the terminal's ^C
        _print_error("interrupted")  # the partial result was printed, if there was one
        return UNDECIDED
    except BrokenPipeError:
        _discard_output()  # the reader of our output is gone
        return DONE
    except MemoryError:
        return _print_error(NO_MEMORY)
    except OSError as error:
        if error.errno == ENOMEM or ("shared object" in str(error) and _has_memory_limit()):
            return _print_error(NO_MEMORY)
        where = "cannot read or write" if error.filename is None else repr(str(error.filename))
        return _print_error(f"{where}: {error.strerror or error}")
    except ImportError as error:
        found = explained(error, f"plyscope {words[0]}")
        if found is error:
            raise
        return _print_error(str(found))
    except Exception as error:
        where = blamed(error)
        if not where:
            raise
        return _print_error(f"{where}; 'plyscope check' tests a game and reports its faults")


NO_MEMORY = "not enough memory; expected a greater limit (ulimit -v), or a smaller request"


def _has_memory_limit() -> bool:
    """Return whether this process has a limit of memory, so that a library may not be loaded."""
    try:
        from resource import RLIM_INFINITY, RLIMIT_AS, getrlimit
    except ImportError:  # Windows
        return False
    return getrlimit(RLIMIT_AS)[0] != RLIM_INFINITY


def _similar_files(words: Sequence[str], said: str) -> str:
    """Return a suggestion of existing files whose names are close to missing ones in `words`, if
    the message `said` mentions these."""
    from difflib import get_close_matches

    meant = []
    for name in re.findall(r"[^\s=:]+\.[a-z]\w+", " ".join(words)):
        if name not in said:
            continue
        folder, file = os.path.split(name)
        with suppress(OSError, ValueError):
            there = [] if os.path.exists(name) else os.listdir(folder or ".")
            meant += [os.path.join(folder, near) for near in get_close_matches(file, there, 1, 0.7)]
    return f"; there is {' and '.join(map(repr, meant))}" if meant else ""


def _print_error(text: str) -> int:
    with suppress(OSError):
        print(f"plyscope: {one_line(text)}", file=sys.stderr)
    return BAD_INPUT


def _discard_output() -> None:
    """Discard unwritten output, which would raise an error at exit."""
    descriptor = os.open(os.devnull, os.O_WRONLY)
    os.dup2(descriptor, 1)
    os.close(descriptor)


class _Plyscope(options.Parser):
    """The parser of the whole command line, whose help groups the commands."""

    def format_help(self) -> str:
        """Return the usage, the commands by group, and the options."""
        formatter = self._get_formatter()
        formatter.add_usage("plyscope COMMAND ...", (), ())
        formatter.add_text(self.description)
        subparsers, *_ = (
            action for action in self._actions if isinstance(action, argparse._SubParsersAction)
        )
        described = {action.dest: action for action in subparsers._choices_actions}
        for group in all_groups():
            formatter.start_section(f"{group.name} ({group.summary})")
            formatter.add_arguments(described[command_name(name)] for name in group.commands)
            formatter.end_section()
        formatter.start_section("options")
        formatter.add_arguments(action for action in self._actions if action.option_strings)
        formatter.end_section()
        formatter.add_text(self.epilog)
        formatter.add_text(houses.faults())
        return formatter.format_help()

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse as argparse does, and report an unknown option before the command as such."""
        first = next(iter(args or ()), "")
        if first.startswith("-") and first not in self._option_string_actions:
            self.error(self._too_many([first]))
        return super().parse_known_args(args, namespace)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Raise ArgumentError for an unknown command, with a suggestion if there is one."""
        if value in (action.choices or ()):
            return
        if meant := suggestion(value):
            raise argparse.ArgumentError(
                None, f"unknown command {value!r}; expected perhaps {meant}"
            )
        if houses.faults():
            raise argparse.ArgumentError(None, f"unknown command {value!r}; {houses.faults()}")
        super()._check_value(action, value)


def parser(command: str = "") -> options.Parser:
    """Return the parser of a single command, or of the whole command line if `command` is none."""
    from plyscope.version import __version__

    whole = _Plyscope(
        prog="plyscope",
        description="A laboratory for heuristic game-tree search: "
        "see exactly what a search does with a heuristic, and how good the heuristic is.",
        epilog="POSITION is a board such as '.X./O../X.O', "
        "or a game and moves such as 'connect4 44455' or '15,15,5 h8 i9'. "
        "Every command takes --json. "
        "The exit status is 0 on success; "
        "1 if the result is undecided, refuted or interrupted; 2 for bad input. "
        "'plyscope COMMAND --help' shows the options of a command.",
    )
    whole.add_argument("-v", "--version", action="version", version=f"plyscope {__version__}")
    commands = whole.add_subparsers(
        metavar="COMMAND", dest="command", required=True, parser_class=options.Parser
    )
    is_own = command in map(command_name, COMMANDS)
    for name in [command] if is_own or command in command_names() else command_names():
        module = houses.load(module_of(name))
        run_ = getattr(module, "run", None)
        Command(name, module.HELP, module.__doc__, module.OPTIONS, run_).add_to(commands)
    return whole


def _protect(word: str) -> str:
    """Return a board with '.' for '-', since argparse reads a leading '-' as an option."""
    is_board = word.startswith("-") and "/" in word and re.fullmatch(r"[-xXoO_. \d/]+", word)
    return word.replace("-", ".") if is_board else word

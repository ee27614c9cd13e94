"""The command line, a file for each command.

Its `add` describes the command to argparse, its `run` carries it out and imports what it needs; so
`plyscope --help` loads neither the floors below nor rich.
"""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress

from plyscope.faces.cli import options
from plyscope.faces.cli.statuses import BAD_INPUT, DONE, UNDECIDED
from plyscope.faces.signs import one_line, prepare_streams

__all__ = ["main", "run"]

COMMANDS = (
    "play",
    "analyze",
    "compare",
    "eval",
    "tree",
    "solve",
    "verify",
    "puzzles",
    "exam",
    "certify",
    "match",
    "tournament",
    "report_card",
    "tune",
    "records",
    "report",
    "gomocup",
    "export",
    "perft",
    "check",
    "class_",
    "catalogues",
    "web",
    "warm",
)


def main() -> int:
    """Run this process's command and return its exit status; no error ends in a traceback."""
    prepare_streams()
    with suppress(ValueError):  # not the main thread
        # whoever ends a command wants what it has found, as with Ctrl-C
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        status = run(sys.argv[1:])
    except SystemExit as stop:  # argparse
        status = stop.code if isinstance(stop.code, int) else DONE
    # or Python, where Ctrl-C came inside an exec, such as makes a dataclass, ends by that signal
    # though it was answered
    exec("")
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _write_nowhere()
    except OSError as error:
        _write_nowhere()
        if status != BAD_INPUT:
            return _complain(f"cannot write the output: {error.strerror}")
    return status


def run(words: Sequence[str]) -> int:
    """Run the command that `words` spell and return its exit status."""
    from plyscope.errors import PlyscopeError
    from plyscope.pythonfile import blamed

    printed = options.times_json_was_printed()
    try:
        arguments = _parser().parse_args([_protect(word) for word in words])
        return int(arguments.run(arguments))
    except PlyscopeError as error:
        return _complain(str(error))
    except KeyboardInterrupt:
        if "--json" in words and options.times_json_was_printed() == printed:
            options.print_json({"stopped": "interrupted"})
        if sys.stderr.isatty():
            print(file=sys.stderr)  # below the terminal's ^C
        _complain("interrupted")
        return UNDECIDED
    except BrokenPipeError:
        _write_nowhere()  # whoever read our output has left; say nothing more
        return DONE
    except OSError as error:
        where = "cannot read or write" if error.filename is None else repr(str(error.filename))
        return _complain(f"{where}: {error.strerror or error}")
    except Exception as error:
        where = blamed(error)
        if not where:
            raise
        return _complain(f"{where}; 'plyscope check' plays a game and says what is wrong")


def _complain(text: str) -> int:
    with suppress(OSError):
        print(f"plyscope: {one_line(text)}", file=sys.stderr)
    return BAD_INPUT


def _write_nowhere() -> None:
    """Let what is still to be written be lost, which Python would else complain of at its end."""
    descriptor = os.open(os.devnull, os.O_WRONLY)
    os.dup2(descriptor, 1)
    os.close(descriptor)


def _parser() -> options.Parser:
    from importlib import import_module

    parser = options.Parser(
        prog="plyscope",
        description="A laboratory for heuristic game-tree search: "
        "see exactly what a search does with a heuristic, and how good the heuristic is.",
        epilog="POSITION is a board such as '.X./O../X.O', "
        "or a game and moves such as 'connect4 44455' or '15,15,5 h8 i9'. "
        "All but web and gomocup take --json. "
        "The exit status is 0 when what was asked is done, and holds; "
        "1 when it was not decided, not proved, or interrupted; 2 for bad input. "
        "'plyscope COMMAND --help' says more.",
    )
    parser.add_argument("--version", action="version", version=_version())
    commands = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=options.Parser)
    for name in COMMANDS:
        import_module(f"plyscope.faces.cli.{name}").add(commands)
    return parser


def _version() -> str:
    from plyscope.version import __version__

    return f"plyscope {__version__}"


def _protect(word: str) -> str:
    """Return a board with '.' for '-', or argparse would take one that begins so for an option."""
    is_board = word.startswith("-") and "/" in word and re.fullmatch(r"[-xXoO_. \d/]+", word)
    return word.replace("-", ".") if is_board else word

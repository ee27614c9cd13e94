"""The command line. Each command is a file with two functions: `add` describes it to argparse, `run` carries it out and imports what it
needs.

So `plyscope --help` loads neither the floors below nor rich.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence

from plyscope.faces.cli import options

__all__ = ["run"]

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
    "records",
    "report",
    "gomocup",
    "perft",
    "catalogues",
    "web",
    "warm",
)

INTERRUPTED = 130


def run(words: Sequence[str]) -> int:
    """Run the command that `words` spell and return the exit status: 0, 2 for bad input, 130 after Ctrl-C."""
    from plyscope.errors import PlyscopeError

    try:
        arguments = _parser().parse_args([_protect(word) for word in words])
        return int(arguments.run(arguments) or 0)
    except PlyscopeError as error:
        print(f"plyscope: {_one_line(str(error))}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nplyscope: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # whoever read our output has left; say nothing more
        return 0


def _parser() -> options.Parser:
    from importlib import import_module

    parser = options.Parser(
        prog="plyscope",
        description="A laboratory for heuristic game-tree search: "
        "see exactly what a search does with a heuristic, and how good the heuristic is.",
        epilog="POSITION is a board such as '.X./O../X.O', or a game and moves such as 'connect4 44455' or '15,15,5 h8 i9'. "
        "Every command takes --json. 'plyscope COMMAND --help' says more.",
    )
    parser.add_argument("--version", action="version", version=_version())
    commands = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=options.Parser)
    for name in COMMANDS:
        import_module(f"plyscope.faces.cli.{name}").add(commands)
    return parser


def _version() -> str:
    from plyscope import __version__

    return f"plyscope {__version__}"


def _protect(word: str) -> str:
    """Return a board that begins with '-' with '.' instead, or argparse would take it for an option."""
    return word.replace("-", ".") if word.startswith("-") and "/" in word and re.fullmatch(r"[-xXoO_. \d/]+", word) else word


def _one_line(text: str) -> str:
    return re.sub(r"\s*\n\s*", " ", text)

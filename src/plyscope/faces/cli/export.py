"""`plyscope export`: what plays elsewhere, as a file of its own.

`connectx` writes an agent for Kaggle's ConnectX that searches with a table: one file of the
standard library, which keeps its clock.
"""

from __future__ import annotations

import argparse
from typing import Any

from plyscope.datafile import write_file
from plyscope.faces.cli.options import add_game, add_json, add_output, print_json


def add(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "export", help="an agent for Kaggle's ConnectX, as one file", description=__doc__
    )
    parser.add_argument("world", choices=["connectx"], metavar="WORLD", help="connectx")
    parser.add_argument(
        "heuristic", metavar="HEURISTIC", help="a table: a name, table.toml or file.py:name"
    )
    add_output(parser, "write this file, not the terminal")
    add_game(parser, "connect4", "the game whose lines the table is for (default: connect4)")
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Write the file."""
    from plyscope.worlds.connectx import connectx_submission

    text = connectx_submission(arguments.heuristic, arguments.game)
    if arguments.output is not None:
        write_file("file", arguments.output, text)
    if arguments.json:
        print_json(
            {
                "world": arguments.world,
                "heuristic": arguments.heuristic,
                "game": arguments.game,
                "file": arguments.output,
                "characters": len(text),
                "text": None if arguments.output is not None else text,
            }
        )
    else:
        print(text.rstrip() if arguments.output is None else f"wrote {arguments.output}")
    return 0

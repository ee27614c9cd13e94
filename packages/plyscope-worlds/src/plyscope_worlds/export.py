"""`plyscope export`: write an agent that plays elsewhere, as a single file.

`connectx` writes an agent for Kaggle's ConnectX that searches with a table. The file needs only the
standard library and observes the time limit.
"""

from __future__ import annotations

import argparse

from plyscope.datafile import write_file
from plyscope.faces.cli.options import JSON, print_json
from plyscope.faces.cli.rows import Option

HELP = "write an agent for Kaggle's ConnectX, as one file"
OPTIONS = (
    Option("world WORLD", "connectx", ["connectx"]),
    Option("heuristic HEURISTIC", "a table: a name, table.toml or file.py:name"),
    Option("-o --output FILE", "write to this file instead of the terminal"),
    Option(
        "-g --game GAME = connect4", "the game whose lines the table is for (default: connect4)"
    ),
    JSON,
)


def run(arguments: argparse.Namespace) -> int:
    """Write the file."""
    from plyscope_worlds.connectx_export import connectx_submission

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

"""`plyscope records`: the games in a file of records, as a table, CSV or JSON."""

from __future__ import annotations

import argparse
from typing import Any

from plyscope.faces.cli.options import add_json, console, print_json

__all__ = ["add", "run"]


def add(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser("records", help="the games in a file of records", description=__doc__)
    parser.add_argument("file", metavar="FILE", help="a file that `match --record` has written")
    parser.add_argument("--csv", action="store_true", help="print CSV instead of a table")
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the games."""
    from pathlib import Path

    from plyscope.errors import NotationError
    from plyscope.lab.records import Records

    if not Path(arguments.file).is_file():
        raise NotationError(f"no file {arguments.file!r}; expected one that `match --record` has written")
    with Records(arguments.file) as records:
        games = list(records.games())
    if arguments.json:
        print_json(games)
    elif arguments.csv:
        import csv
        import sys

        table = csv.DictWriter(sys.stdout, games[0] if games else ["experiment"], lineterminator="\n")
        table.writeheader()
        table.writerows(games)
    else:
        from plyscope.faces.tables import records_table

        console().print(records_table(games))
    return 0

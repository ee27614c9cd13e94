"""`plyscope perft`: count what the rules allow, ply by ply."""

from __future__ import annotations

import argparse
from typing import Any

from plyscope.faces.cli.options import (
    add_depth,
    add_json,
    add_position,
    console,
    given_position,
    print_csv,
    print_json,
)
from plyscope.faces.cli.statuses import status_of

DEFAULT_DEPTH = 6
SMALL = 12
"""Cells up to which a game is counted to its end without being asked."""


def add(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "perft",
        help="count sequences, positions, classes and games, ply by ply",
        description=__doc__,
    )
    add_position(parser, "a game, a position or a tree")
    add_depth(parser, f"plies (default: all on small boards, else {DEFAULT_DEPTH})", least=0)
    parser.add_argument(
        "--classes", action="store_true", help="count positions up to symmetry too (slower)"
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--csv", action="store_true", help="print CSV instead of a table")
    add_json(form)
    parser.set_defaults(run=run)


def _is_long(position: Any) -> bool:
    """Whether a game of one's own has too many positions to be counted to its end unasked."""
    from math import isinf

    from plyscope.faces.cli.analyze import foretold

    return isinf(foretold(position, None))


def run(arguments: argparse.Namespace) -> int:
    """Count and print the table, as far as it gets when it is interrupted."""
    from plyscope.faces.progress import counting
    from plyscope.rules.game import GamePosition
    from plyscope.rules.linegame import LineGame
    from plyscope.rules.perft import perft

    position = given_position(arguments)
    game, depth = position.game, arguments.depth
    is_large = isinstance(game, LineGame) and game.size > SMALL
    if depth is None and (is_large or (isinstance(position, GamePosition) and _is_long(position))):
        depth = DEFAULT_DEPTH
    rows = []
    is_interrupted = False
    try:
        with counting("positions") as progress:
            for row in perft(
                position,
                None,
                depth,
                arguments.classes or (depth is None and isinstance(game, LineGame)),
                progress,
            ):
                rows.append(row)
    except KeyboardInterrupt:
        is_interrupted = True
    counts = [{**vars(row), "games": row.games} for row in rows]
    if arguments.json:
        print_json(counts)
    elif arguments.csv:
        print_csv(counts)
    else:
        from plyscope.faces.tables.catalogues import perft_table

        console().print(perft_table(game.name, rows, is_interrupted))
    return status_of(not is_interrupted)

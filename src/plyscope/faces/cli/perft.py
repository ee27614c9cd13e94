"""`plyscope perft`: count move sequences, positions and finished games, ply by ply."""

from __future__ import annotations

import argparse

from plyscope.faces.cli.options import (
    JSON,
    console,
    given_position,
    position_rows,
    print_csv,
    print_json,
    whole,
)
from plyscope.faces.cli.rows import OneOf, Option
from plyscope.faces.cli.statuses import status_of
from plyscope.faces.progress import counting

DEFAULT_DEPTH = 6
SMALL_CELLS = 12
"""The most cells of a game that is counted to its end by default."""


HELP = "count move sequences, positions and finished games, ply by ply"
OPTIONS = (
    *position_rows("a game, a position or a tree"),
    Option(
        "-d --depth N",
        f"count N plies (default: all on small boards, else {DEFAULT_DEPTH})",
        whole(0, 10_000),
    ),
    Option("--classes", "also count positions up to symmetry (slower)"),
    OneOf(Option("--csv", "print CSV instead of a table"), JSON),
)


def run(arguments: argparse.Namespace) -> int:
    """Count and print the table, also after an interrupt."""
    from math import isinf

    from plyscope.faces.cli.analyze import sequence_bound
    from plyscope.rules.game import GamePosition
    from plyscope.rules.linegame import LineGame
    from plyscope.rules.perft import perft

    position = given_position(arguments)
    game, depth = position.game, arguments.depth
    if depth is None and (
        (isinstance(game, LineGame) and game.size > SMALL_CELLS)
        or (isinstance(position, GamePosition) and isinf(sequence_bound(position, None)))
    ):
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
        from plyscope.faces.findings.solving import perft_section
        from plyscope.faces.texts import finding

        console().print(finding(perft_section(position, rows, is_interrupted)))
    return status_of(not is_interrupted)

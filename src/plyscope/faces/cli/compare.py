"""`plyscope compare`: all algorithms on one position, side by side."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from plyscope.faces.cli.analyze import EXHAUSTIBLE, foretold
from plyscope.faces.cli.options import (
    JSON,
    console,
    given_position,
    position_rows,
    print_json,
    say,
    search_options,
    search_rows,
)
from plyscope.faces.cli.rows import Option
from plyscope.faces.cli.statuses import status_of

if TYPE_CHECKING:
    from plyscope.searching.result import SearchResult

COMMON = ("heuristic", "depth", "nodes", "seconds", "seed", "form")
"""The options that all algorithms take."""


HELP = "all algorithms on one position: nodes, cutoffs, time, ratio to minimax"
OPTIONS = (
    *position_rows("a board, a game and moves, or a tree such as [[3,5],[6,9]]"),
    *search_rows(algorithm=False),
    Option("-A --algorithm A,B,...", "which (default: all)"),
    JSON,
)


def run(arguments: argparse.Namespace) -> int:
    """Run every algorithm and print the table, minimax first."""
    from plyscope.faces.progress import searching
    from plyscope.rules.linegame import LineGame
    from plyscope.searching.algorithms import ALGORITHMS, TEXTBOOK

    position = given_position(arguments)
    options = search_options(arguments)
    _refuse_long(position, options)
    asked = options.pop("algorithm", None)
    names = asked.split(",") if asked else TEXTBOOK
    results: list[SearchResult] = []
    with searching() as search:
        for algorithm in map(ALGORITHMS.__getitem__, names):
            if algorithm.needs_lines and not (asked or isinstance(position.game, LineGame)):
                continue
            known = {*algorithm.takes, *COMMON}
            taken = {key: value for key, value in options.items() if key in known}
            results.append(search(position, algorithm=algorithm.name, **taken))
            if results[-1].stopped == "interrupted":
                break
    say(results[-1].notes)
    status = status_of(results[-1].stopped != "interrupted")
    if arguments.json:
        print_json([result.as_dict() for result in results])
        return status
    from plyscope.faces.tables.searches import comparison_table

    out = console()
    out.print(comparison_table(results, out.width))
    return status


def _refuse_long(position: Any, options: dict[str, Any]) -> None:
    """Raise OptionError where minimax would take hours."""
    from plyscope.errors import OptionError

    if {"nodes", "seconds"} & options.keys():
        return
    if foretold(position, options.get("depth")) > EXHAUSTIBLE * 1e2:
        reach = f"depth {options['depth']}" if "depth" in options else "the end"
        raise OptionError(
            f"'{position}' to {reach} is too large for minimax; "
            "expected --depth, --nodes or --seconds"
        )

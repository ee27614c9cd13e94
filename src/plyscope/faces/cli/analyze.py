"""`plyscope analyze`: each move's value and what it cost, beside minimax.

Every move is searched with an open window of its own, so every value is exact; below the table
stands the same search with one window shared by all moves, as a program would run it.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from plyscope.faces.cli.options import (
    add_json,
    add_position,
    add_search,
    console,
    print_json,
    search_options,
)
from plyscope.faces.cli.statuses import status_of

if TYPE_CHECKING:
    from plyscope.searching.result import SearchResult

__all__ = ["add", "run"]

DEFAULT_SECONDS = 5.0
EXHAUSTIBLE = 400_000
"""Sequences of moves up to which minimax is run to the end unasked."""


def add(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "analyze", help="each move's value and what it cost, beside minimax", description=__doc__
    )
    add_position(parser, "a board, a game and moves, or a tree such as [[3,5],[6,9]]")
    add_search(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Search the position and print the table."""
    from plyscope.faces.progress import searching
    from plyscope.searching.algorithms import ALGORITHMS
    from plyscope.searching.driver import as_position

    position = as_position(arguments.position, arguments.game)
    options = search_options(arguments)
    note = _limit_by_default(position, options)
    algorithm = ALGORITHMS[options["algorithm"]]
    with searching() as search:
        shared = search(position, **options)
        is_limited = shared.stopped is not None or "seconds" in options or "nodes" in options
        separate = minimax = None
        if (
            not is_limited
            and options.get("root") is None
            and "root" in algorithm.takes
            and "window" not in options
        ):
            separate = search(position, **{**options, "root": "open"})
            is_limited = separate.stopped is not None
        if (
            not is_limited
            and algorithm.is_exact
            and not algorithm.is_engine
            and foretold(position, options.get("depth")) <= EXHAUSTIBLE
        ):
            kept = {
                key: value
                for key, value in options.items()
                if key in ("heuristic", "depth", "scoring", "order", "seed")
            }
            minimax = search(position, **{**kept, "algorithm": "minimax"})
    searches = [found for found in (shared, separate, minimax) if found is not None]
    status = status_of(all(found.stopped != "interrupted" for found in searches))
    if arguments.json:
        print_json(_as_dict(shared, separate, minimax))
        return status
    from plyscope.faces.tables.searches import analysis_table

    out = console()
    out.print(analysis_table(shared, separate, minimax))
    if note:
        console(stderr=True).print(note, style="dim")
    return status


def _limit_by_default(position: Any, options: dict[str, Any]) -> str:
    """Give a search that could take hours a limit, and return the line that says so."""
    if (
        {"depth", "nodes", "seconds", "clock"} & set(options)
        or options["algorithm"] == "uct"
        or foretold(position, None) <= EXHAUSTIBLE * 1e4
    ):
        return ""
    options["seconds"] = DEFAULT_SECONDS
    return f"limited to {DEFAULT_SECONDS:.0f} seconds, deepening: give --depth, --nodes or --seconds for another limit"


def foretold(position: Any, depth: int | None) -> float:
    """Return a bound of the sequences of moves to `depth`, 0 for a tree, which is as large as it
    is."""
    from plyscope.rules.linegame import Position
    from plyscope.searching.forms import sequences

    return sequences(position, depth) if isinstance(position, Position) else 0.0


def _as_dict(
    shared: SearchResult, separate: SearchResult | None, minimax: SearchResult | None
) -> dict[str, Any]:
    """Return the shared search's fields, with the other two searches whole beside them."""
    return {
        **shared.as_dict(),
        "open_root": None if separate is None else separate.as_dict(),
        "minimax": None if minimax is None else minimax.as_dict(),
    }

"""`plyscope analyze`: the value and the cost of each move, compared with minimax.

The table has a separate search for each move with an open window, so every value is exact. The
lines below it describe the usual search, in which all moves share one window. With several
algorithms (-A A,B,... or -A all) it compares them, as `plyscope compare` does.
"""

from __future__ import annotations

import argparse
from math import inf
from typing import TYPE_CHECKING, Any

from plyscope.errors import OptionError
from plyscope.faces.cli.options import (
    JSON,
    console,
    given_position,
    position_rows,
    print_json,
    say,
    search_options,
    search_rows,
    whole,
)
from plyscope.faces.cli.rows import Option
from plyscope.faces.cli.statuses import status_of
from plyscope.faces.progress import shown_search

if TYPE_CHECKING:
    from plyscope.searching.result import SearchResult

DEFAULT_SECONDS = 5.0
ALL = "all"
"""The word for all textbook algorithms."""
MAX_SEQUENCES = 400_000
"""The greatest number of move sequences for which minimax runs to the end by default."""
MAX_COUNTED_POSITIONS, MAX_COUNTED_PLIES = 5_000, 500
"""The greatest number of positions and plies for counting a user-defined game."""


HELP = "the value and the cost of each move, compared with minimax"
OPTIONS = (
    *position_rows("a board, a game and moves, or a tree such as [[3,5],[6,9]]"),
    *search_rows("the algorithm, or several to compare: A,B,... or all"),
    Option(
        "--top N",
        "show only the N best moves (default: all moves in board order; the 20 best of "
        "more than 40)",
        whole(1),
    ),
    JSON,
)


def run(arguments: argparse.Namespace) -> int:
    """Search the position and print the table, or compare several algorithms."""
    if arguments.algorithm == ALL or "," in arguments.algorithm:
        if arguments.top is not None:
            raise OptionError("--top with several algorithms; expected one --algorithm")
        return compare(arguments)
    position = given_position(arguments)
    options = search_options(arguments)
    note = _limit_by_default(position, options)
    shared = shown_search(position, **options)
    separate, minimax = _compared(position, options, shared)
    searches = [result for result in (shared, separate, minimax) if result is not None]
    say(shared.notes)
    status = status_of(all(result.stopped != "interrupted" for result in searches))
    if arguments.json:
        print_json(
            {
                **shared.as_dict(),
                "open_root": None if separate is None else separate.as_dict(),
                "minimax": None if minimax is None else minimax.as_dict(),
            }
        )
        return status
    from plyscope.faces.findings.searches import (
        MAX_LISTED_MOVES,
        SHORT_LIST_MOVES,
        depths_section,
        search_section,
    )
    from plyscope.faces.texts import finding

    top = arguments.top or (SHORT_LIST_MOVES if len(shared.moves) > MAX_LISTED_MOVES else None)
    sections = [search_section(shared, separate, minimax, top)]
    if shared.request.algorithm.is_engine and shared.depths:
        sections.append(depths_section(shared))
    console().print(finding(*sections))
    if note:
        console(stderr=True).print(note, style="dim")
    return status


def compare(arguments: argparse.Namespace) -> int:
    """Run several algorithms on the position and print a table for each heuristic, minimax
    first."""
    from plyscope.searching.compare import each_algorithm

    position = given_position(arguments)
    options = search_options(arguments)
    _refuse_long(position, options)
    asked, named = options.pop("algorithm", ALL), options.pop("heuristic", None)
    asked = asked if isinstance(asked, str) else ",".join(asked)
    tables: list[list[SearchResult]] = []
    for heuristic in named if isinstance(named, list) else [named]:
        chosen = options if heuristic is None else options | {"heuristic": heuristic}
        tables.append([])
        for name, taken in each_algorithm(position.game, asked, chosen):
            tables[-1].append(shown_search(position, algorithm=name, **taken))
            if tables[-1][-1].stopped == "interrupted":
                break
    results = [result for table in tables for result in table]
    say(note for result in results for note in result.notes)
    if arguments.json:
        print_json([result.as_dict() for result in results])
    else:
        from plyscope.faces.findings.searches import comparison_section
        from plyscope.faces.texts import finding

        out = console()
        out.print(finding(*(comparison_section(table, out.width) for table in tables)))
    return status_of(results[-1].stopped != "interrupted")


def _refuse_long(position: Any, options: dict[str, Any]) -> None:
    """Raise OptionError if minimax would take hours."""
    if {"nodes", "seconds"} & options.keys():
        return
    if sequence_bound(position, options.get("depth")) > MAX_SEQUENCES * 1e2:
        reach = f"depth {options['depth']}" if "depth" in options else "the end"
        raise OptionError(
            f"'{position}' to {reach} is too large for minimax; "
            "expected --depth, --nodes or --seconds"
        )


def _compared(
    position: Any, options: dict[str, Any], shared: SearchResult
) -> tuple[SearchResult | None, SearchResult | None]:
    """Return the search with an open window per move, and minimax's, each None if not needed."""
    algorithm = shared.request.algorithm
    separate = None
    if shared.stopped is not None or shared.limit.is_timed:
        return None, None
    if "root" in algorithm.takes and not {"root", "window"} & options.keys():
        separate = shown_search(position, **{**options, "root": "open"})
        if separate.stopped is not None:
            return separate, None
    is_long = sequence_bound(position, options.get("depth")) > MAX_SEQUENCES
    if is_long or algorithm.is_engine or not algorithm.is_exact:
        return separate, None
    kept = {"heuristic", "depth", "scoring", "order", "seed"} & options.keys()
    taken = {name: options[name] for name in kept}
    return separate, shown_search(position, **taken, algorithm="minimax")


def _limit_by_default(position: Any, options: dict[str, Any]) -> str:
    """Limit a search that could take hours, and return a note about the limit."""
    from plyscope.searching.algorithms import ALGORITHMS

    is_limited = {"depth", "nodes", "seconds", "clock"} & options.keys()
    if is_limited or ALGORITHMS[options["algorithm"]].counts_playouts:
        return ""
    if sequence_bound(position, None) <= MAX_SEQUENCES * 1e4:
        return ""
    options["seconds"] = DEFAULT_SECONDS
    return (
        f"limited to {DEFAULT_SECONDS:.0f} seconds; "
        "set another limit with --depth, --nodes or --seconds"
    )


def sequence_bound(position: Any, depth: int | None) -> float:
    """Return an upper bound of the move sequences to `depth`, 0 for a tree.

    For a user-defined game they are counted; the bound is infinite if there are too many.
    """
    from plyscope.rules.perft import perft
    from plyscope.rules.position import Position
    from plyscope.rules.tree import TreePosition
    from plyscope.searching.cost import sequences

    if isinstance(position, TreePosition):
        return 0.0
    if isinstance(position, Position):
        return sequences(position, depth)
    found = visited = 0
    for row in perft(position, depth=depth):
        found, visited = found + row.sequences, visited + row.positions
        if visited > MAX_COUNTED_POSITIONS or row.ply > MAX_COUNTED_PLIES:
            return inf
    return found

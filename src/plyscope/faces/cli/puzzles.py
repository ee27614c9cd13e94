"""`plyscope puzzles`: find positions in which only one move wins, or only one does not lose.

A solver proves that there is no other such move. Use `play GAME --puzzle` to solve one yourself.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from plyscope.errors import OptionError
from plyscope.faces.cli.options import JSON, console, print_json, seed_row, whole
from plyscope.faces.cli.rows import Option
from plyscope.faces.cli.statuses import status_of
from plyscope.faces.progress import counting

if TYPE_CHECKING:
    from plyscope.lab.judging.puzzles import Puzzle
    from plyscope.rules.position import Position


MOVES = Option(
    "--moves N", "puzzles with at least N legal moves to choose from (default: 4)", whole(2, 1000)
)
HELP = "find positions in which only one move wins, or does not lose"
OPTIONS = (
    Option(
        "game GAME? = connect4",
        "a gravity game, or one of at most 16 cells (default: connect4)",
    ),
    Option("-n --count N = 5", "find N puzzles (default: 5)", whole(1, 10_000)),
    Option(
        "-d --depth N = 3",
        "puzzles whose solution needs at least N plies (default: 3)",
        whole(1, 10_000),
    ),
    MOVES,
    seed_row("the games that the puzzles come from"),
    Option("--date DAY", "the puzzle of a day, such as 2026-11-24 (the page shows it too)"),
    Option(
        "--group NAME", "with --date: the name of a class or group, which gets a puzzle of its own"
    ),
    JSON,
)


def page_address(position: Position) -> str:
    """Return the address of a puzzle on the page of `plyscope web`."""
    from urllib.parse import quote

    from plyscope.faces.report.write import OPENED

    text = quote(str(position), safe="/.")
    return f"{OPENED}#room=play&shelf=puzzles&position={text}"


def run(arguments: argparse.Namespace) -> int:
    """Find the puzzles and print them, the shallowest first."""
    from itertools import islice

    from plyscope.extras import lacking_for_kernels, needs
    from plyscope.lab.judging.puzzles import MIN_MOVES, daily_puzzle, puzzles
    from plyscope.rules.games import line_game

    if arguments.group and not arguments.date:
        raise OptionError("--group without --date; expected both")
    found: list[Puzzle] = []
    if arguments.date:
        found = [daily_puzzle(arguments.date, arguments.group or "")]
    wanted = 1 if arguments.date else arguments.count
    why = "further ones are too rare"
    try:
        with counting("positions tried") as progress:
            deep = (
                item
                for item in puzzles(
                    line_game(arguments.game),
                    arguments.seed,
                    progress,
                    arguments.moves or MIN_MOVES,
                )
                if item.depth >= arguments.depth
            )
            for item in islice(deep, wanted - len(found)):
                found.append(item)
    except KeyboardInterrupt:
        why = "interrupted"
    if not found and (lacking := lacking_for_kernels())[0]:
        raise needs("puzzles", *lacking)
    found.sort(key=lambda item: item.depth)
    is_all = len(found) == wanted
    if arguments.json:
        print_json([item.as_dict() for item in found])
        return status_of(is_all)
    from plyscope.faces.findings.solving import puzzle_section
    from plyscope.faces.texts import finding

    console().print(finding(*map(puzzle_section, found)))
    if arguments.date:
        print(f"for a class, without the solution: {page_address(found[0].position)}")
    if not is_all:
        console().print(f"{len(found)} found; {why}")
    return status_of(is_all)

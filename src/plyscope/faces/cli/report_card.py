"""`plyscope report-card`: what heuristics are worth against the truth, beside a search without an
opinion.

Every position of the game is solved, and what a search of 1, 2, 3, ... plies would choose there is
compared with what is best. Several heuristics stand side by side; for one alone the positions are
drawn in which it is most wrong. Larger games that have a solver, such as connect4, 5,5,4, qubic or
gomoku15, are asked about a sample.
"""

from __future__ import annotations

import argparse
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from plyscope.faces.cli.options import (
    add_depth,
    add_game,
    add_jobs,
    add_json,
    add_number,
    add_seed,
    console,
    print_json,
    say,
)
from plyscope.faces.cli.statuses import status_of

if TYPE_CHECKING:
    from plyscope.lab.reportcard import ReportCard


def add(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "report-card", help="what heuristics are worth against the truth", description=__doc__
    )
    parser.add_argument(
        "heuristics",
        nargs="+",
        metavar="HEURISTIC",
        help="a name, tablebase, table.toml or file.py:name",
    )
    add_game(
        parser,
        "tictactoe",
        "a name, m,n,k or file.py:Name, of at most 300,000 positions, or with --samples "
        "(tictactoe)",
    )
    add_depth(parser, "search 1 to N plies (default: 6)", 6, most=40)
    add_number(
        parser,
        "samples",
        "N positions of random games, for larger games with a solver",
        most=100_000,
    )
    add_seed(parser, "the sample")
    add_jobs(parser, "settle positions in N processes; the sample is the same (default: all cores)")
    parser.add_argument(
        "--record",
        metavar="FILE",
        help="keep the cards in this file of records, for `plyscope records`",
    )
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Work the cards out and print them."""
    from plyscope.faces.progress import counting
    from plyscope.lab.reportcard import report_card
    from plyscope.lab.workers import LocalWorkers

    cards: list[ReportCard] = []
    with (
        suppress(KeyboardInterrupt),
        counting("positions") as progress,
        LocalWorkers(arguments.jobs) as executor,
    ):
        for name in arguments.heuristics:
            options = arguments.depth, progress, arguments.samples, arguments.seed, executor
            cards.append(report_card(name, arguments.game, *options))
    is_interrupted = len(cards) < len(arguments.heuristics)
    if is_interrupted and not cards:
        raise KeyboardInterrupt
    say(note for card in cards for note in card.notes)
    if arguments.record is not None:
        from plyscope.lab.records import Records

        with Records(arguments.record) as records:
            for card in cards:
                records.keep_card(card)
    if arguments.json:
        print_json([card.as_dict() for card in cards])
        return status_of(not is_interrupted)
    from plyscope.faces.tables.heuristics import report_cards

    console().print(report_cards(cards))
    if is_interrupted:
        console().print(f"interrupted: {len(cards)} of {len(arguments.heuristics)} cards")
    return status_of(not is_interrupted)

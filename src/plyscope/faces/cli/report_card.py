"""`plyscope report-card`: measure heuristics against the exact values of a game.

Every position of the game is solved. At each depth 1, 2, 3, ..., the move that a search with the
heuristic chooses is compared with the best moves, and with the choices of a search without a
heuristic. A single card also draws its worst mistakes. Larger games with a solver, such as
connect4, 5,5,4, qubic or gomoku15, are measured on a sample.
"""

from __future__ import annotations

import argparse
from contextlib import suppress
from typing import TYPE_CHECKING

from plyscope.faces.cli.options import JSON, console, print_json, say, seed_row, whole, worker_rows
from plyscope.faces.cli.rows import Option
from plyscope.faces.cli.statuses import status_of
from plyscope.faces.progress import counting

if TYPE_CHECKING:
    from plyscope.lab.reportcard import ReportCard


HELP = "measure heuristics against the exact values of a game"
OPTIONS = (
    Option("heuristics HEURISTIC+", "a name, tablebase, table.toml or file.py:name"),
    Option(
        "-g --game GAME = tictactoe",
        "a name, m,n,k or file.py:Name; more than 300,000 positions need --samples "
        "(default: tictactoe)",
    ),
    Option("-d --depth N = 6", "search 1, 2, ... N plies (default: 6)", whole(1, 40)),
    Option(
        "-n --samples N",
        "use N positions of random games, for larger games with a solver",
        whole(1, 100_000),
    ),
    seed_row("the sample"),
    *worker_rows("solve positions in N processes; the sample is the same (default: all cores)"),
    Option("--record FILE", "add the cards to this file, for `plyscope records`"),
    JSON,
)


def run(arguments: argparse.Namespace) -> int:
    """Compute the cards and print them."""
    from plyscope.lab.reportcard import report_card
    from plyscope.lab.workers import workers

    cards: list[ReportCard] = []
    with (
        suppress(KeyboardInterrupt),
        counting("positions") as progress,
        workers(arguments.jobs, arguments.cluster) as executor,
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
    from plyscope.faces.findings.cards import card_section
    from plyscope.faces.texts import finding

    console().print(finding(card_section(cards)))
    if is_interrupted:
        console().print(f"interrupted: {len(cards)} of {len(arguments.heuristics)} cards")
    return status_of(not is_interrupted)

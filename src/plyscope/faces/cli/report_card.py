"""`plyscope report-card`: measure heuristics against the exact values of a game.

Every position of the game is solved. At each depth 1, 2, 3, ..., the move that a search with the
heuristic chooses is compared with the best moves, and with the choices of a search without a
heuristic. A single card also draws its worst mistakes. Larger games with a solver, such as
connect4, 5,5,4, qubic or gomoku15, are measured on a sample.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from plyscope.faces.cli.options import JSON, console, print_json, say, seed_row, whole, worker_rows
from plyscope.faces.cli.rows import Option
from plyscope.faces.cli.statuses import status_of
from plyscope.faces.progress import counting, telling

if TYPE_CHECKING:
    from plyscope.lab.judging.reportcard import ReportCard


HELP = "measure heuristics against the exact values of a game"
OPTIONS = (
    Option("heuristics HEURISTIC+", "a name, tablebase, table.toml or file.py:name"),
    Option(
        "-g --game GAME = tictactoe",
        "a name, m,n,k or file.py:Name (default: tictactoe)",
    ),
    Option("-d --depth N = 6", "search 1, 2, ... N plies (default: 6)", whole(1, 40)),
    Option(
        "-n --samples N",
        "use N positions of random games instead of all (default: 300, if there are more than "
        "300,000); needs a solver of the game",
        whole(1, 100_000),
    ),
    Option(
        "--positions SOURCES",
        "the sources of the sample, joined by commas: quiet (quiet random games), random, "
        "own-play (games of the heuristic against itself), games:FILE; or all positions "
        "(default: quiet with --samples, else all)",
    ),
    seed_row("the sample"),
    *worker_rows("solve positions in N processes; the sample is the same (default: all cores)"),
    Option(
        "--why",
        "also show positions in which no weights of the heuristic's terms make all right moves",
    ),
    Option("--why-depth N = 1", "the search depth of --why (default: 1)", whole(1, 6)),
    Option("--record FILE", "add the cards to this file, for `plyscope records`"),
    JSON,
)


def run(arguments: argparse.Namespace) -> int:
    """Compute the cards and print them."""
    from plyscope.errors import OptionError
    from plyscope.evaluation.heuristics import find_heuristic
    from plyscope.lab.judging.reportcard import report_card
    from plyscope.lab.matches.records import Records
    from plyscope.lab.people.workers import workers
    from plyscope.rules.source import game_of
    from plyscope.tuning.proofs import proof

    if arguments.why and (
        arguments.samples is not None or arguments.positions not in (None, "all")
    ):
        raise OptionError("--why of a sample; expected a whole game")
    if arguments.record is not None and "," in (arguments.positions or ""):
        raise OptionError("--record of several --positions; expected one, as one card is stored")
    if arguments.why:
        proof("conflicts")  # before the work, if it is not installed
    rules = game_of(arguments.game)
    for name in arguments.heuristics:  # before the work, if one is unknown
        find_heuristic(name, rules)
    if arguments.record is not None:
        Records(arguments.record).close()  # before the work, if it cannot be written
    cards: list[ReportCard] = []
    given = arguments.positions
    sources = [None] if given is None else list(dict.fromkeys(given.split(",")))
    with (
        suppress(KeyboardInterrupt),
        counting("positions") as progress,
        workers(arguments.jobs, arguments.cluster) as executor,
    ):
        for source in sources:
            samples = None if source == "all" else arguments.samples
            for name in arguments.heuristics:
                options = arguments.depth, progress, samples, arguments.seed, executor, source
                cards.append(report_card(name, arguments.game, *options))
    asked = len(arguments.heuristics) * len(sources)
    is_interrupted = len(cards) < asked
    if is_interrupted and not cards:
        raise KeyboardInterrupt
    say(note for card in cards for note in card.notes)
    if arguments.record is not None:
        with Records(arguments.record) as records:
            for card in cards:
                records.keep_card(card)
    why = _why(arguments) if arguments.why and not is_interrupted else iter(())
    if arguments.json:
        data = [card.as_dict() for card in cards]
        with suppress(KeyboardInterrupt):
            for of_card, found in zip(data, why, strict=False):
                of_card["why"] = found.as_dict()
        print_json(data)
        return status_of(not is_interrupted)
    from plyscope.faces.findings.cards import card_section, populations_section
    from plyscope.faces.texts import finding, result_text

    for source in sources:
        if of_source := [card for card in cards if source in (None, card.population)]:
            console().print(finding(card_section(*of_source)))
    if len({card.population for card in cards}) > 1:
        console().print(finding(populations_section(cards)))
    for found in why:
        console().print(result_text(found))
    if is_interrupted:
        console().print(f"interrupted: {len(cards)} of {asked} cards")
    return status_of(not is_interrupted)


def _why(arguments: argparse.Namespace) -> Iterator[Any]:
    """Yield the conflicts of each heuristic."""
    from plyscope.tuning.proofs import proof

    conflicts = proof("conflicts")
    with telling() as tell:

        def progress(phase: str, done: int, total: int) -> None:
            tell(f"{phase}: {done:,} ...")

        for name in arguments.heuristics:
            yield conflicts(name, arguments.game, depth=int(arguments.why_depth), progress=progress)

"""`plyscope tune`: learn the numbers of a heuristic from exact values, and test the result.

START is a table, or a function with numbers as keyword parameters. Its numbers are learned from
the exact values of moves. Then both versions are tested on held-out positions and play each other.
If no improvement is shown, nothing is written.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plyscope.datafile import write_file
from plyscope.errors import OptionError, PlyscopeError
from plyscope.faces.cli.options import (
    JSON,
    console,
    print_json,
    say,
    seconds,
    seed_row,
    whole,
    worker_rows,
)
from plyscope.faces.cli.rows import Group, Option
from plyscope.faces.cli.statuses import status_of
from plyscope.faces.progress import thinking
from plyscope.pythonfile import is_of_file, path_of

if TYPE_CHECKING:
    from plyscope.tuning.result import TuningResult

SUFFIXES = (".toml", ".json")
PYTHON = ".py"
"""The suffix of a module with tuned constants."""


def _cost(text: str) -> float:
    try:
        cost = float(text)
    except ValueError:
        cost = 0.0
    if not 0.01 <= cost <= 100:
        raise argparse.ArgumentTypeError(f"{text!r}; expected a number from 0.01 to 100")
    return cost


HELP = "learn a heuristic's numbers from exact values"
OPTIONS = (
    Option("start START", "the heuristic to improve: a name, table.toml or file.py:name"),
    Option("-g --game GAME = tictactoe", "a line game: a name, m,n,k or file (default: tictactoe)"),
    Group(
        "which numbers",
        Option(
            "--family NAME",
            "the numbers to tune: constants (of a function), lines, table, to-move, kinds, cells, "
            "ends, threats, mobility, own, ... (default: the smallest family that is as good as "
            "any)",
        ),
        Option("--free TERMS", "tune only these terms or numbers, such as to_move,cells.b2"),
    ),
    Group(
        "training",
        Option(
            "--labels SOURCE = exact",
            "the values to learn from: exact; exact+play also tunes constants by games against "
            "START (default: exact)",
        ),
        Option(
            "--objective NAME = moves",
            "what to improve: moves, fewest wrong moves; depths, fewest at depths 1 to N together; "
            "never-loses, never-loses-x or never-loses-o, no line of play beats it "
            "(default: moves)",
        ),
        Option(
            "-d --depth N = 1",
            "the search depth at which the heuristic will be used (default: 1)",
            whole(1, 20),
        ),
        Option(
            "-n --samples N",
            "use N positions of random games (default: all positions of a small game, else 12,000)",
            whole(1, 1_000_000),
        ),
        seed_row(),
        Option("-t --seconds S", "stop learning after S seconds", seconds),
        Option(
            "--resume FILE",
            "store labelled positions in this file, so that the same command can continue",
        ),
    ),
    Option(
        "--optimum",
        "on a small game, also prove the family's least share of wrong moves",
    ),
    Option("--no-games", "play no games against START"),
    Option(
        "--node-cost X",
        "for games at equal time: the cost of a node with the tuned table, relative to START "
        "(default: measured)",
        _cost,
    ),
    *worker_rows("run N processes (default: all cores)"),
    Group(
        "output",
        Option("-o --output FILE", "write the tuned table to this .toml or .json file"),
        Option("--in-place", "overwrite the file START"),
        Option("--html FILE", "also write the card to this .html file"),
        Option("--record FILE", "add the result to this file, for `plyscope records`"),
        JSON,
    ),
)


def run(arguments: argparse.Namespace) -> int:
    """Tune, write an improved table, and print the card."""
    from plyscope.faces.findings.tuning import tuning_sections, tuning_title
    from plyscope.faces.texts import card
    from plyscope.lab.people.workers import workers
    from plyscope.tuning.tune import SERIAL_SECONDS, tune

    output = _output(arguments)
    say(_notes(arguments))
    names = "labels", "objective", "depth", "samples", "seed", "seconds", "optimum", "resume"
    options = {name: getattr(arguments, name) for name in names}
    options["free"] = None if arguments.free is None else arguments.free.split(",")
    options |= {"family": arguments.family, "node_cost": arguments.node_cost}
    with (
        _showing_progress(arguments) as options["progress"],
        workers(arguments.jobs, arguments.cluster, SERIAL_SECONDS) as options["executor"],
    ):
        found = tune(arguments.start, arguments.game, trials=not arguments.no_games, **options)
    data = found.as_dict()
    file = _written(found, output, arguments.in_place)
    typed = f"{file}:{found.start}" if file.endswith(PYTHON) else file
    if arguments.record is not None:
        from plyscope.lab.matches.records import Records

        with Records(arguments.record) as records:
            records.keep_tuning(data)
    if arguments.html is not None:
        from plyscope.faces.report.write import report_html

        write_file(
            "page", arguments.html, report_html(tuning_title(data), tuning_sections(data, typed))
        )
    if arguments.json:
        print_json(data)
    else:
        console().print(card(tuning_sections(data, typed or arguments.start)))
        for line in _endings(found, arguments, file):
            console().print(f"\n{line}")
    return status_of(found.outcome != "interrupted")


def _notes(arguments: argparse.Namespace) -> tuple[str, ...]:
    """Return the notes on START, none if it is invalid, which `tune` reports."""
    from plyscope.evaluation.heuristics import find_heuristic
    from plyscope.evaluation.notes import notes_on
    from plyscope.rules.source import game_of

    try:
        rules = game_of(arguments.game)
        return notes_on(find_heuristic(arguments.start, rules), rules)
    except PlyscopeError:
        return ()


@contextmanager
def _showing_progress(arguments: argparse.Namespace) -> Iterator[Any]:
    """Yield the progress callback of `tune`; on an interrupt without a result, print how to
    continue."""
    from plyscope.faces.findings.tuning import progress_text

    so_far = ["beginning"]

    def progress(*news: Any) -> None:
        so_far[0] = progress_text(*news)

    try:
        with thinking(lambda: f"{so_far[0]} (Ctrl-C stops)"):
            yield progress
    except KeyboardInterrupt:
        say([_resuming(arguments)])
        raise


def _resuming(arguments: argparse.Namespace) -> str:
    if arguments.resume is not None:
        return f"run the same command again to continue from {arguments.resume}"
    return "with --resume FILE, the same command would continue where it was stopped"


# Files


def _output(arguments: argparse.Namespace) -> str | None:
    """Return the output file; raise OptionError if it must not be written."""
    start, output, html = arguments.start, arguments.output, arguments.html
    is_file = Path(start).suffix in SUFFIXES
    if html is not None and Path(html).suffix != ".html":
        raise OptionError(f"page {html!r}; expected a name that ends in .html")
    if arguments.in_place:
        if output is not None or not is_file:
            raise OptionError(
                f"--in-place with {'-o' if output else repr(start)}; "
                "expected a table's file as START, and no -o"
            )
        return str(start)
    if output is None:
        return None
    path = Path(output)
    _require_kind(arguments, output)
    if path.suffix not in (*SUFFIXES, PYTHON):
        raise OptionError(f"output {output!r}; expected a name that ends in {', '.join(SUFFIXES)}")
    known = Path(path_of(start) if is_of_file(start) else start)
    if path.exists() and (is_file or is_of_file(start)) and known.exists() and path.samefile(known):
        instead = "another name, or --in-place" if is_file else "another name"
        raise OptionError(f"output {output!r} is START; expected {instead}")
    if not path.parent.is_dir():
        raise OptionError(f"output {output!r}; expected a name in an existing folder")
    return str(output)


def _require_kind(arguments: argparse.Namespace, output: str) -> None:
    """Raise OptionError if a table would be written as a function or vice versa."""
    from plyscope.evaluation.function import FunctionHeuristic
    from plyscope.evaluation.heuristics import find_heuristic
    from plyscope.rules.source import game_of
    from plyscope.tuning.constants import find_constants

    start, rules = arguments.start, game_of(arguments.game)
    if Path(output).suffix == PYTHON:
        if not is_of_file(start) or arguments.family not in (None, "constants"):
            raise OptionError(
                f"output {output!r} of a table; expected a name that ends in {', '.join(SUFFIXES)}"
            )
        find_constants(start, rules)  # which raises where it has none
    elif is_of_file(start) and isinstance(find_heuristic(start, rules), FunctionHeuristic):
        raise OptionError(f"output {output!r} of a function; expected a name that ends in {PYTHON}")


def _written(result: TuningResult, output: str | None, is_over_start: bool) -> str:
    """Write the table if it is better, or the best so far unless that overwrites START; return the
    file, empty if nothing was written."""
    kept = ("improved",) if is_over_start else ("improved", "interrupted")
    if output is None or result.outcome not in kept:
        return ""
    result.write(output)
    return output


def _endings(result: TuningResult, arguments: argparse.Namespace, file: str) -> Iterator[str]:
    """Yield which files were written, and how to continue."""
    is_wanted = bool(arguments.output or arguments.in_place)
    if file:
        yield f"wrote {file}{': the best so far' if result.outcome == 'interrupted' else ''}"
    elif is_wanted:
        yield f"nothing was written: {result.start} is unchanged"
    elif result.outcome == "improved":
        kept = "the table" if result.source is None else "the function"
        name = "mine.toml" if result.source is None else "tuned.py"
        yield f"nothing was written: save {kept} with -o {name}"
    if arguments.html is not None:
        yield f"wrote {arguments.html}"
    if result.outcome == "interrupted":
        yield _resuming(arguments)

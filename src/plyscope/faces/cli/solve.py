"""`plyscope solve`: prove the exact value of a position and of its moves.

Small games use a tablebase, which is computed once and cached. Gravity games on boards of up to 64
bits get an exact score, line games on up to 64 cells a value. On larger boards plyscope looks for
wins by threats and for draws in which each side blocks all lines, and else searches to the end.
Your own game is solved completely if it has few enough positions, else by proof-number search; if
its positions may repeat, it needs `draw_by_repetition`. A distance is the number of plies to the
end, with the winner winning as fast, and the loser losing as slowly, as possible. With
--checkpoint, a long solve can be stopped and continued.
"""

from __future__ import annotations

import argparse
import sys
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from os.path import getsize
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, cast

from plyscope.datafile import write_file
from plyscope.errors import OptionError
from plyscope.extras import load, why_no_kernels
from plyscope.faces.cli.options import (
    JSON,
    console,
    given_position,
    position_rows,
    print_csv,
    print_json,
    seconds,
    whole,
    worker_rows,
)
from plyscope.faces.cli.rows import OneOf, Option
from plyscope.faces.cli.statuses import status_of
from plyscope.faces.progress import counting, note_slow, thinking

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from plyscope.faces.printed import Printed
    from plyscope.rules.position import Position
    from plyscope.rules.tree import AnyPosition
    from plyscope.solving.verdict import Verdict
    from plyscope_fast.solving.signs import Signs

CSV = ("move", "value", "distance", "score")
"""The columns of --csv, a row for each move."""
SIGNS_LEGEND = (
    "It completes a line, or else blocks one, or else takes the least number that it can: 1 urgent,"
    " 2 the only one of its pair, 3 claimeven or claimodd, 4 to 6 in this order."
)
CLUSTER_JOBS = 256
"""The number of jobs submitted to a cluster at a time."""


HELP = "prove the exact value of a position and of its moves"
OPTIONS = (
    *position_rows("a board, a game and moves, or a game"),
    Option(
        "--method NAME = auto",
        "the solver: auto, tablebase, book, connect, lines, blocking, threats, search, "
        "exhaustive, retrograde or proof-number (default: auto)",
    ),
    Option("-t --seconds S", "give up after S seconds", seconds),
    Option("--maker-breaker", "solve the Maker–Breaker game: X wins by a line, O by preventing it"),
    Option("--checkpoint FILE", "save progress in FILE, and continue from it"),
    Option(
        "--megabytes N",
        "the table size of the solvers lines (default: 256) and connect (default: 32)",
        whole(1, 1 << 16),
    ),
    *worker_rows("split the work into jobs for N processes", 2),
    Option("--threads N", "the threads of the solver connect (default: all cores)", whole(1, 256)),
    Option("--value-only", "solve only the position, not each of its moves"),
    Option(
        "--proof FILE",
        "write a proof that `plyscope verify` can check; packed if FILE ends in .xz; if it ends in "
        ".lib, write the winner's moves for RenLib instead",
    ),
    Option(
        "--signs",
        "with gravity: look for signs on the empty cells that say how to play to the end; with "
        "--proof, also as answers of the proof",
    ),
    OneOf(Option("--csv", "print the moves as CSV"), JSON),
)


def run(arguments: argparse.Namespace) -> int:
    """Solve and print the verdict."""
    from plyscope.processes import usable_cores
    from plyscope.rules.position import Position
    from plyscope.solving.solve import solve

    began = perf_counter()
    position = given_position(arguments)
    if arguments.proof is not None and not isinstance(position, Position):
        raise OptionError(
            f"--proof {arguments.proof!r} of {position.game.name!r}; expected a line game:"
            " only these have proofs"
        )
    if arguments.signs:
        _require_signs(position, arguments)
    if _is_library(arguments.proof):
        from plyscope.solving.renlib import moves_to

        moves_to(cast("Position", position))  # raises OptionError before the solve
    signs_proof = arguments.signs and arguments.proof is not None
    told = deque(["solving"], maxlen=1)
    with thinking(lambda: f"{told[-1]} (Ctrl-C stops)"), _workers(arguments) as (executor, jobs):
        verdict = solve(
            position,
            arguments.method,
            seconds=arguments.seconds,
            with_moves=not arguments.value_only,
            progress=told.append,
            keep_interrupted=True,
            maker_breaker=arguments.maker_breaker,
            # with a proof of signs it is the journal of that
            checkpoint=None if signs_proof else arguments.checkpoint,
            megabytes=arguments.megabytes,
            executor=executor,
            jobs=jobs,
            threads=arguments.threads or usable_cores(),
        )
    note_slow(verdict.seconds, why_no_kernels)
    signed: list[Signs] = []
    no_signs = _find_signs(verdict, arguments.seconds, signed) if arguments.signs else ""
    no_proof = "" if arguments.proof is None else _write_proof(verdict, arguments)
    written = arguments.proof is not None and not no_proof
    seconds = perf_counter() - began
    from plyscope.lab.judging.why import reason_of

    reason = None if arguments.csv else reason_of(verdict)
    if arguments.json:
        answer = verdict.as_dict() | {"reason": None if reason is None else reason.as_dict()}
        if written:
            size = getsize(arguments.proof)
            answer["written"] = {"file": arguments.proof, "bytes": size, "seconds": seconds}
        if arguments.signs:
            answer["signs"] = [each.as_dict() for each in signed]
        print_json(answer)
    elif arguments.csv:
        moves = [(item.text, item.value, item.distance, item.score) for item in verdict.moves or ()]
        print_csv([dict(zip(CSV, row, strict=True)) for row in moves], CSV)
    else:
        from plyscope.faces.findings.solving import verdict_section
        from plyscope.faces.texts import finding
        from plyscope.rules.game import spoken

        console().print(finding(verdict_section(verdict, is_brief=True, reason=reason)))
        if reason is not None and reason.signs is not None and not arguments.signs:
            signed = [reason.signs]
            start = cast("Position", verdict.position)
            plies = start.empty.bit_count() - reason.signs.position.empty.bit_count()
            print("After", *(spoken(start.game, name) for name in reason.line[:plies]), end=":\n")
        for each in signed:
            console().print(_signs_text(each))
        if written:
            size = getsize(arguments.proof)
            print(f"wrote {arguments.proof}, {size:,} bytes; {seconds:.3f} s with the proof")
    if no_signs:
        print(f"the search for signs was stopped: {no_signs}", file=sys.stderr)
    if no_proof:
        print(f"no proof was written: {no_proof}", file=sys.stderr)
    return status_of(verdict.stopped is None and not no_proof and not no_signs)


def _find_signs(verdict: Verdict, seconds: float | None, found: list[Signs]) -> str:
    """Add the signs for a solved position to a list; return the reason if not all were searched."""
    from plyscope.searching.limit import Late

    signs = load("plyscope_fast.solving.signs", "a search for signs", "fast")
    with thinking(lambda: "looking for signs (Ctrl-C stops)"):
        try:
            found.extend(signs.signs_of(verdict, seconds))
        except KeyboardInterrupt:
            return "interrupted"
        except Late:
            return f"{seconds:g} s passed"
    return ""


@contextmanager
def _workers(arguments: argparse.Namespace) -> Iterator[tuple[Executor | None, int]]:
    """Yield the executor, and the number of jobs submitted to it at a time."""
    if arguments.jobs is None and arguments.cluster is None:
        yield None, 1
        return
    from plyscope.lab.people.workers import LocalWorkers, workers

    with workers(arguments.jobs, arguments.cluster, alone=0) as executor:
        try:
            yield executor, arguments.jobs or CLUSTER_JOBS
        finally:
            if isinstance(executor, LocalWorkers):
                # running jobs are useless now, or restart from the journal
                executor.abandon()


def _write_proof(verdict: Verdict, arguments: argparse.Namespace) -> str:
    """Write the proof with the tables of the solve, or return the reason why that is impossible."""
    from plyscope.solving.ask import Ask

    proof_lines = load("plyscope_fast.solving.proof", "a proof file", "fast").proof_lines

    if verdict.value is None:
        return str(verdict)
    if arguments.maker_breaker and (verdict.value > 0) == (verdict.position.side == 0):
        return "X, the Maker, wins; only a win of O, the Breaker, has a proof"
    if _is_library(arguments.proof) and verdict.value == 0:
        return "a draw; only a win can be a RenLib library"
    in_jobs = arguments.jobs is not None or arguments.cluster is not None
    now = deque(["looking for signs (Ctrl-C stops)"], maxlen=1)
    ask = Ask(
        cast("Position", verdict.position),
        report=now.append,
        maker_breaker=arguments.maker_breaker,
        megabytes=arguments.megabytes,
        # with jobs it is a journal
        checkpoint=None if in_jobs or arguments.checkpoint is None else Path(arguments.checkpoint),
    )
    try:
        shown = thinking(lambda: now[-1]) if arguments.signs else counting("positions of the proof")
        with shown as progress:
            lines = proof_lines(ask, verdict.value, progress, arguments.signs)
            write_file("proof", arguments.proof, _pieces(lines, ask.position, arguments.proof))
    except KeyboardInterrupt:
        return "interrupted"
    return ""


def _require_signs(position: AnyPosition, arguments: argparse.Namespace) -> None:
    """Raise OptionError if there are no signs for the position or with the options."""
    from plyscope.rules.position import Position

    signs = load("plyscope_fast.solving.signs", "a search for signs", "fast")
    if not isinstance(position, Position) or not signs.has_signs(position.game):
        raise OptionError(
            f"--signs for {position.game.name!r}; expected a game with gravity, on at most"
            f" {signs.MAX_CELLS} cells, in which a line wins"
        )
    for name, is_given in (
        ("--maker-breaker", arguments.maker_breaker),
        ("--csv", arguments.csv),
        (f"--proof {arguments.proof!r}", _is_library(arguments.proof)),
    ):
        if is_given:
            raise OptionError(f"--signs with {name}; expected one of them")


def _signs_text(found: Signs) -> Printed:
    """Return the board with the signs on its empty cells, and how they are read."""
    from plyscope.faces.boards import draw_board

    does = f"{found.side.upper()} {('can draw', 'wins')[found.at_least]}"
    if not found.signs:
        return f"no signs were found within the limits by which {does}; there may be some"
    return [
        f"{does} by these signs:",
        draw_board(found.position, is_numbered=False, marks=found.marks),
        SIGNS_LEGEND,
    ]


def _is_library(file: str | None) -> bool:
    """Return whether a file is a library of RenLib."""
    return file is not None and file.endswith(".lib")


def _pieces(lines: Iterator[str], position: Position, file: str) -> Iterator[bytes]:
    """Yield the bytes of a file with these lines, in the format that its name asks for."""
    if _is_library(file):
        from plyscope.solving.renlib import library

        yield library(position, lines)
        return
    if not file.endswith(".xz"):
        for line in lines:
            yield line.encode("ascii")
        return
    import lzma

    packer = lzma.LZMACompressor()
    for line in lines:
        yield packer.compress(line.encode("ascii"))
    yield packer.flush()

"""`plyscope solve`: what a position is worth, proved, and by which moves.

Small games come from a tablebase that is made once and kept, gravity games on boards of up to 64
bits get their exact score, games of lines on up to 64 cells their value, others are searched to the
end. Of a game of one's own every position gets its value where they are few enough, else
proof-number search finds that of this one. A distance counts the plies to the end when the winner
hurries and the loser delays. A long solve with --checkpoint can be stopped, and goes on when it is
started again.
"""

from __future__ import annotations

import argparse
import sys
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from os.path import getsize
from time import perf_counter
from typing import TYPE_CHECKING

from plyscope.datafile import write_file
from plyscope.errors import OptionError
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
from plyscope.faces.progress import counting, thinking

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from plyscope.solving.verdict import Verdict

CSV = ("move", "value", "distance", "score")
"""The columns of --csv, a row for each move."""
CLUSTER_JOBS = 256
"""Jobs given out to a cluster at a time."""


HELP = "what a position is worth, proved"
OPTIONS = (
    *position_rows("a board, a game and moves, or a game"),
    Option(
        "--method NAME = auto",
        "auto, tablebase, book, connect, lines, threats, search, exhaustive or proof-number "
        "(default: auto)",
    ),
    Option("-t --seconds S", "give up after S seconds", seconds),
    Option("--maker-breaker", "the Maker–Breaker game: X wants a line, O wants that there is none"),
    Option("--weak", argparse.SUPPRESS, dest="maker_breaker"),  # its old name
    Option("--checkpoint FILE", "keep what is known in FILE, and go on from there"),
    Option(
        "--megabytes N", "the size of the table of lines (256) or connect (32)", whole(1, 1 << 16)
    ),
    *worker_rows("split it into jobs for N processes", 2),
    Option("--value-only", "the position alone, not each of its moves"),
    Option("--proof FILE", "write a proof of it that `plyscope verify` checks"),
    OneOf(Option("--csv", "print the moves as CSV"), JSON),
)


def run(arguments: argparse.Namespace) -> int:
    """Solve and print the verdict."""
    from plyscope.rules.position import Position
    from plyscope.solving.solve import solve

    if arguments.maker_breaker and arguments.proof is not None:
        raise OptionError(
            "--proof with --maker-breaker; expected one of them: proofs are of the usual game alone"
        )
    began = perf_counter()
    position = given_position(arguments)
    if arguments.proof is not None and not isinstance(position, Position):
        raise OptionError(
            f"--proof {arguments.proof!r} of {position.game.name!r}; expected a line game,"
            " of which alone proofs are written"
        )
    told = deque(["solving"], maxlen=1)

    def text() -> str:
        return f"{told[-1]} (Ctrl-C stops)"

    with thinking(text, compiled="solver"), _workers(arguments) as (executor, jobs):
        verdict = solve(
            position,
            arguments.method,
            seconds=arguments.seconds,
            with_moves=not arguments.value_only,
            progress=told.append,
            keep_interrupted=True,
            maker_breaker=arguments.maker_breaker,
            checkpoint=arguments.checkpoint,
            megabytes=arguments.megabytes,
            executor=executor,
            jobs=jobs,
        )
    no_proof = "" if arguments.proof is None else _write_proof(verdict, arguments.proof)
    written = arguments.proof is not None and not no_proof
    seconds = perf_counter() - began
    if arguments.json:
        answer = verdict.as_dict()
        if written:
            size = getsize(arguments.proof)
            answer["written"] = {"file": arguments.proof, "bytes": size, "seconds": seconds}
        print_json(answer)
    elif arguments.csv:
        moves = [(item.text, item.value, item.distance, item.score) for item in verdict.moves or ()]
        print_csv([dict(zip(CSV, row, strict=True)) for row in moves], CSV)
    else:
        from plyscope.faces.findings.solving import verdict_section
        from plyscope.faces.texts import finding

        console().print(finding(verdict_section(verdict, is_brief=True)))
        if written:
            size = getsize(arguments.proof)
            print(f"wrote {arguments.proof}, {size:,} bytes; {seconds:.3f} s with the proof")
    if no_proof:
        print(f"no proof is written: {no_proof}", file=sys.stderr)
    return status_of(verdict.stopped is None and not no_proof)


@contextmanager
def _workers(arguments: argparse.Namespace) -> Iterator[tuple[Executor | None, int]]:
    """Give who does the jobs, and how many at a time."""
    if arguments.jobs is None and arguments.cluster is None:
        yield None, 1
        return
    from plyscope.lab.workers import LocalWorkers, workers

    with workers(arguments.jobs, arguments.cluster, alone=0) as executor:
        try:
            yield executor, arguments.jobs or CLUSTER_JOBS
        finally:
            if isinstance(executor, LocalWorkers):
                # what still runs is of no use, or is begun again from the journal
                executor.abandon()


def _write_proof(verdict: Verdict, name: str) -> str:
    """Write the proof, or return why there is none."""
    from plyscope.solving.proof import proof_of

    if verdict.value is None:
        return str(verdict)
    try:
        with counting("positions of the proof") as progress:
            proof = proof_of(verdict.position, progress)
    except KeyboardInterrupt:
        return "interrupted"
    write_file("proof", name, proof)
    return ""

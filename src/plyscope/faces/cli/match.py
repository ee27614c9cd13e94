"""`plyscope match`: play games between two agents, and test which is better.

Each opening is played twice, with sides changed. The result says whether one agent is shown to be
better, and by how much: an Elo difference from the score of the pairs, with an interval that counts
repeated games once. --sprt plays until one of two differences is accepted.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

from plyscope.extras import load
from plyscope.faces.cli.agents import AGENT, AGENT_DEPTH, SANDBOX, given_agents
from plyscope.faces.cli.options import JSON, number, print_result, seed_row, whole, worker_rows
from plyscope.faces.cli.rows import Option
from plyscope.faces.cli.statuses import status_of
from plyscope.faces.progress import thinking

if TYPE_CHECKING:
    from plyscope.lab.matches.match import MatchOptions
    from plyscope.lab.matches.tally import MatchResult


PLAY = (
    Option(
        "-g --game GAME = tictactoe", "the game: a name, m,n,k or file.py:Name (default: tictactoe)"
    ),
    Option(
        "--opening-plies N",
        "start from all openings of N plies; with file.py:Name, after N random plies (default: "
        "enough for different games if both agents are deterministic, else 0)",
        whole(0, 20),
    ),
    Option(
        "--opening RULE",
        "let the agents choose their sides by a rule: pie or swap2",
        ("pie", "swap2"),
    ),
    Option("--balanced", "use only openings that favour neither side"),
    seed_row(),
    SANDBOX,
    Option("--adjudicate N = 0", "with N cells empty, end games by their exact value", whole(0)),
    Option(
        "--max-plies N",
        "a game of file.py:Name is a draw after N plies (default: 1,000)",
        whole(1, 1_000_000),
    ),
    *worker_rows("play in N processes; the games do not change (default: all cores)"),
    Option("--record FILE", "store every game in this SQLite file, and continue from it"),
)
HELP = "play games between two agents, and test which is better"
OPTIONS = (
    Option("a A", AGENT),
    Option("b B", "its opponent"),
    AGENT_DEPTH,
    Option("-n --games N = 1000", "play at most N games (default: 1000)", whole(1)),
    Option("--sprt ELO0 ELO1", "play until one of two Elo differences is accepted (SPRT)", number),
    Option(
        "--errors ALPHA BETA",
        "the error rates of the SPRT (default: 0.05 0.05)",
        number,
        (0.05, 0.05),
    ),
    *PLAY,
    JSON,
)


def run(arguments: argparse.Namespace) -> int:
    """Play the games and print the result."""
    from plyscope.lab.matches.match import play_match
    from plyscope.lab.matches.ratings import Sprt

    sprt = None
    if arguments.sprt is not None:
        load("numpy", "a sequential test", "fast")  # before the games, and not after them
        (elo0, elo1), (alpha, beta) = arguments.sprt, arguments.errors
        sprt = Sprt(elo0=elo0, elo1=elo1, alpha=alpha, beta=beta)
    texts = [arguments.a, arguments.b]
    a, b = given_agents(texts, arguments.depth, arguments.game, arguments.sandbox)
    with playing(arguments) as options:
        result = play_match(a, b, arguments.games, sprt=sprt, keep_interrupted=True, **options)
    print_result(result, arguments.json)
    return status_of(
        result.stopped != "interrupted" and (sprt is None or result.verdict is not None)
    )


@contextmanager
def playing(arguments: argparse.Namespace) -> Iterator[MatchOptions]:
    """Yield the options of `PLAY` as keyword arguments, with processes, records and progress."""
    from plyscope.lab.matches.records import Records
    from plyscope.lab.people.workers import workers

    so_far = ["playing"]

    def progress(score: MatchResult) -> None:
        games = f"{score.games:,} of {arguments.games:,} games"
        result = f"{score.a_wins}–{score.draws}–{score.b_wins}"
        if score.ratio is not None:
            result += f", log-likelihood ratio {score.ratio:.2f}"
        so_far[0] = f"{score.a} – {score.b}, {games}: {result} (Ctrl-C stops)"

    kept = nullcontext() if arguments.record is None else Records(arguments.record)
    with (
        kept as records,
        thinking(lambda: so_far[0]),
        workers(arguments.jobs, arguments.cluster) as executor,
    ):
        options: MatchOptions = {
            "game": arguments.game,
            "seed": arguments.seed,
            "opening_plies": arguments.opening_plies,
            "opening": arguments.opening,
            "adjudicate": arguments.adjudicate,
            "balanced": arguments.balanced,
            "progress": progress,
            "executor": executor,
            "records": records,
        }
        if arguments.max_plies is not None:
            options["max_plies"] = arguments.max_plies
        yield options

"""`plyscope match`: games between two agents, in pairs from the same openings, and what they prove.

Each opening is played twice, the agents changing sides. The ratings are those of Davidson's model, with draws and the advantage of the
first move; --sprt plays on until one of two differences is accepted.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

from plyscope.faces.cli.options import add_json, console, print_json, whole

if TYPE_CHECKING:
    from concurrent.futures import Executor

__all__ = ["add", "run"]


def add(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser("match", help="games between two agents, and what they prove", description=__doc__)
    parser.add_argument("a", metavar="A", help="an agent, such as two-ply or 'alphabeta heuristic=open-lines depth=4'")
    parser.add_argument("b", metavar="B", help="its opponent")
    parser.add_argument("-g", "--game", default="tictactoe", metavar="GAME", help="the game (default: tictactoe)")
    parser.add_argument("-n", "--games", type=whole(1), default=1000, metavar="N", help="at most so many games (default: 1000)")
    parser.add_argument("--openings", type=whole(0, 20), default=0, metavar="PLIES", help="begin at all openings of so many plies")
    parser.add_argument("--sprt", nargs=2, type=float, metavar=("ELO0", "ELO1"), help="stop when one of two Elo differences is accepted")
    parser.add_argument("--errors", nargs=2, type=float, default=(0.05, 0.05), metavar=("ALPHA", "BETA"), help="the test's (0.05 0.05)")
    parser.add_argument("--seed", type=whole(0), default=0, metavar="N", help="the seed of whatever is random (default: 0)")
    parser.add_argument("--jobs", type=whole(1, 1024), default=1, metavar="N", help="play in N processes; the games are the same (1)")
    parser.add_argument("--record", metavar="FILE", help="keep every game in this SQLite file, and go on where it ends")
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Play the games and print what came of them."""
    from plyscope.faces.progress import thinking
    from plyscope.lab.match import play_match
    from plyscope.lab.ratings import Sprt
    from plyscope.lab.records import Records

    sprt = (
        None
        if arguments.sprt is None
        else Sprt(elo0=arguments.sprt[0], elo1=arguments.sprt[1], alpha=arguments.errors[0], beta=arguments.errors[1])
    )
    so_far = [""]

    def progress(score: Any) -> None:
        ratio = "" if sprt is None else f", log-likelihood ratio {sprt.ratio(score.pairs):.2f}"
        so_far[0] = f"{score.games:,} of {arguments.games:,} games: {score.a_wins}–{score.draws}–{score.b_wins}{ratio} (Ctrl-C stops)"

    kept = nullcontext() if arguments.record is None else Records(arguments.record)
    with kept as records, thinking(lambda: so_far[0]), _workers(arguments.jobs) as executor:
        result = play_match(
            arguments.a,
            arguments.b,
            arguments.games,
            arguments.game,
            arguments.seed,
            opening_plies=arguments.openings,
            sprt=sprt,
            progress=progress,
            keep_interrupted=True,
            executor=executor,
            records=records,
        )
    if arguments.json:
        print_json(result.as_dict())
        return 0
    from plyscope.faces.tables import match_table

    console().print(match_table(result))
    return 0


@contextmanager
def _workers(jobs: int) -> Iterator[Executor | None]:
    """Give processes to play in, None for one job; Ctrl-C is left to this process, which lets them finish what they play."""
    if jobs == 1:
        yield None
        return
    import signal
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    with ProcessPoolExecutor(jobs, get_context("spawn"), signal.signal, (signal.SIGINT, signal.SIG_IGN)) as pool:
        yield pool

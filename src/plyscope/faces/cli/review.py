"""`plyscope review`: judge every move of a game, and say which ones were better.

MOVES are a game and its moves (`connect4 44455`). FILE is a game saved by `plyscope play` or the
page, games of `plyscope records --text`, or a file of another program (SGF, PSQ, RIF and others).
A value is proved by a solver where one finds it with few nodes; else a search estimates it (≈).
Values are in the view of the side that moves.
"""

from __future__ import annotations

import argparse

from plyscope.faces.cli.options import JSON, print_result, seconds, whole
from plyscope.faces.cli.rows import Option
from plyscope.faces.cli.statuses import status_of
from plyscope.faces.progress import thinking

HELP = "judge every move of a game: mistakes, better moves, wins that came late"
OPTIONS = (
    Option("source MOVES|FILE", "a game and its moves, or a file such as game.json or a.sgf"),
    Option("-g --game GAME", "the game, if MOVES do not name it: a name, m,n,k or file.py:Name"),
    Option("--side x|o", "judge only the moves of this side"),
    Option("--effort N = 1", "use N times as many nodes for each position (default: 1)", whole(1)),
    Option(
        "-t --seconds S = 0",
        "then prove the moves left unjudged, for at most S seconds (default: 0)",
        seconds,
    ),
    JSON,
)


def run(arguments: argparse.Namespace) -> int:
    """Judge the moves and print them."""
    from plyscope.lab.judging.gamereview import review

    so_far = ["reviewing"]

    def progress(done: int, total: int) -> None:
        so_far[0] = f"position {done} of {total} (Ctrl-C stops)"

    with thinking(lambda: so_far[0]):
        found = review(
            arguments.source,
            arguments.game,
            side=arguments.side,
            effort=arguments.effort,
            seconds=arguments.seconds,
            progress=progress,
            keep_interrupted=True,
        )
    print_result(found, arguments.json)
    return status_of(found.stopped is None)

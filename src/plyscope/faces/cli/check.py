"""`plyscope check`: test your own game by random play.

A fault is reported with its position and the moves that led there; a game without faults is
described in numbers. The exit status is 1 if a fault was found.
"""

from __future__ import annotations

import argparse

from plyscope.faces.cli.options import JSON, console, print_json, seed_row, whole
from plyscope.faces.cli.rows import Option
from plyscope.faces.cli.statuses import status_of
from plyscope.faces.progress import thinking

DEFAULT_GAMES = 100


HELP = "test your own game by random play"
OPTIONS = (
    Option("game GAME", "file.py:Name, or the name of a game"),
    Option(
        "-n --games N", f"games to play (default: {DEFAULT_GAMES})", whole(1, 10**6), DEFAULT_GAMES
    ),
    seed_row("the games"),
    JSON,
)


def run(arguments: argparse.Namespace) -> int:
    """Play, and print the findings."""
    from plyscope.rules.check import check_game

    with thinking("playing at random (Ctrl-C stops)"):
        check = check_game(
            arguments.game, games=arguments.games, seed=arguments.seed, keep_interrupted=True
        )
    if arguments.json:
        print_json(check.as_dict())
    else:
        out = console()
        for sentence in check.sentences():
            out.print(sentence, soft_wrap=True)
    return status_of(check.is_sound and not check.is_interrupted)

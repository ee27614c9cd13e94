"""`plyscope check`: whether a game of one's own keeps the rules of being a game.

It is played at random. What breaks a rule is said with the position where it was seen and the moves
that led there; a game that keeps the rules is told in numbers. The exit status is 1 where a rule
is broken.
"""

from __future__ import annotations

import argparse

from plyscope.faces.cli.options import JSON, console, print_json, seed_row, whole
from plyscope.faces.cli.rows import Option
from plyscope.faces.cli.statuses import status_of
from plyscope.faces.progress import thinking

GAMES = 100


HELP = "play a game of one's own at random, and say what is wrong"
OPTIONS = (
    Option("game GAME", "file.py:Name; or a game that has a name"),
    Option("-n --games N", f"games to play (default: {GAMES})", whole(1, 10**6), GAMES),
    seed_row("the games"),
    JSON,
)


def run(arguments: argparse.Namespace) -> int:
    """Play, and print what was seen."""
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
            out.print(sentence, markup=False, highlight=False, soft_wrap=True)
    return status_of(check.is_sound and not check.is_interrupted)

"""`plyscope check`: whether a game of one's own keeps the rules of being a game.

It is played at random. What breaks a rule is said with the position where it was seen and the moves
that led there; a game that keeps the rules is told in numbers. The exit status is 1 where a rule
is broken.
"""

from __future__ import annotations

import argparse
from typing import Any

from plyscope.faces.cli.options import add_json, add_number, add_seed, console, print_json
from plyscope.faces.cli.statuses import status_of

GAMES = 100


def add(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "check",
        help="play a game of one's own at random, and say what is wrong",
        description=__doc__,
    )
    parser.add_argument("game", metavar="GAME", help="file.py:Name; or a game that has a name")
    add_number(parser, "games", f"games to play (default: {GAMES})", GAMES, 10**6)
    add_seed(parser, "the games")
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Play, and print what was seen."""
    from plyscope.faces.progress import thinking
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

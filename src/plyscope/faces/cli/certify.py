"""`plyscope certify`: an agent against every line of play of its opponent; can it be beaten?

Where there are too many lines, the engine looks for one that beats it, and the answer says so.
"""

from __future__ import annotations

import argparse
from typing import Any

from plyscope.faces.cli.match import agent_notes
from plyscope.faces.cli.options import add_json, console, print_json, say, seconds
from plyscope.faces.cli.statuses import status_of


def add(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "certify",
        help="an agent against every line of play: can it be beaten?",
        description=__doc__,
    )
    parser.add_argument(
        "agent", metavar="AGENT", help="a name, or 'alphabeta heuristic=counted-lines depth=4'"
    )
    parser.add_argument(
        "--game",
        default="tictactoe",
        metavar="GAME",
        help="a name, m,n,k or file.py:Name (default: tictactoe)",
    )
    parser.add_argument(
        "--seconds",
        type=seconds,
        default=120.0,
        metavar="S",
        help="half for every line, the rest for the engine (120)",
    )
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Play every line and print the counts."""
    from plyscope.faces.progress import counting
    from plyscope.lab.certify import certify

    say(agent_notes([arguments.agent], arguments.game))
    with counting("positions") as progress:
        certificate = certify(
            arguments.agent, arguments.game, seconds=arguments.seconds, progress=progress
        )
    if arguments.json:
        print_json(certificate.as_dict())
    else:
        from plyscope.faces.tables.solving import certificate_table

        console().print(certificate_table(certificate))
    return status_of(certificate.never_loses is True)

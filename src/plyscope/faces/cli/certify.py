"""`plyscope certify`: an agent against every line of play of its opponent; can it be beaten?

Where there are too many lines, the engine looks for one that beats it, and the answer says so.
"""

from __future__ import annotations

import argparse
from typing import Any

from plyscope.faces.cli.agents import AGENT, add_agent_depth, add_sandbox, given_agents
from plyscope.faces.cli.options import add_game, add_json, add_seconds, console, print_json
from plyscope.faces.cli.statuses import status_of


def add(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "certify",
        help="an agent against every line of play: can it be beaten?",
        description=__doc__,
    )
    parser.add_argument("agent", metavar="AGENT", help=AGENT)
    add_agent_depth(parser)
    add_game(parser, "tictactoe", "a name, m,n,k or file.py:Name (default: tictactoe)")
    add_seconds(parser, "half for every line, the rest for the engine (default: 120)", 120.0)
    add_sandbox(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Play every line and print the counts."""
    from plyscope.faces.progress import counting
    from plyscope.lab.certify import certify

    (agent,) = given_agents([arguments.agent], arguments.depth, arguments.game, arguments.sandbox)
    with counting("positions") as progress:
        certificate = certify(agent, arguments.game, seconds=arguments.seconds, progress=progress)
    if arguments.json:
        print_json(certificate.as_dict())
    else:
        from plyscope.faces.tables.solving import certificate_table

        console().print(certificate_table(certificate))
    return status_of(certificate.never_loses is True)

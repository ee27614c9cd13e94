"""`plyscope certify`: play every possible game against an agent to see whether it can be beaten.

If there are too many lines of play, the engine searches for one that beats it, and the answer says
so.
"""

from __future__ import annotations

import argparse

from plyscope.faces.cli.agents import AGENT, AGENT_DEPTH, SANDBOX, given_agents
from plyscope.faces.cli.options import JSON, print_result, seconds
from plyscope.faces.cli.rows import Option
from plyscope.faces.cli.statuses import status_of
from plyscope.faces.progress import counting

HELP = "play every possible game against an agent: can it be beaten?"
OPTIONS = (
    Option("agent AGENT", AGENT),
    AGENT_DEPTH,
    Option("-g --game GAME = tictactoe", "a name, m,n,k or file.py:Name (default: tictactoe)"),
    Option(
        "-t --seconds S = 120",
        "the time limit: half for trying every line, the rest for the engine (default: 120)",
        seconds,
    ),
    SANDBOX,
    JSON,
)


def run(arguments: argparse.Namespace) -> int:
    """Play every line and print the counts."""
    from plyscope.lab.judging.certify import certify

    (agent,) = given_agents([arguments.agent], arguments.depth, arguments.game, arguments.sandbox)
    with counting("positions") as progress:
        certificate = certify(agent, arguments.game, seconds=arguments.seconds, progress=progress)
    print_result(certificate, arguments.json)
    return status_of(certificate.never_loses is True)

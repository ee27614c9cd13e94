"""`plyscope tournament`: play matches between several agents, and rate them in one table.

Every match is played in pairs, as in `plyscope match`; the ratings are fitted to all games at once.
"""

from __future__ import annotations

import argparse

from plyscope.faces.cli.agents import AGENT, AGENT_DEPTH, given_agents
from plyscope.faces.cli.match import PLAY, playing
from plyscope.faces.cli.options import JSON, console, print_json, whole
from plyscope.faces.cli.rows import Option
from plyscope.faces.cli.statuses import status_of

HELP = "play several agents against each other, and rate them"
OPTIONS = (
    Option("agents AGENT+", AGENT),
    AGENT_DEPTH,
    Option("-n --games N = 100", "play N games in every match (default: 100)", whole(1)),
    Option("--gauntlet", "play only the first agent against each of the others"),
    *PLAY,
    JSON,
)


def run(arguments: argparse.Namespace) -> int:
    """Play the matches and print the ratings and who beat whom."""
    from plyscope.lab.matches.tournament import tournament

    agents = given_agents(arguments.agents, arguments.depth, arguments.game, arguments.sandbox)
    with playing(arguments) as options:
        result = tournament(agents, arguments.games, gauntlet=arguments.gauntlet, **options)
    if arguments.json:
        print_json(result.as_dict())
    else:
        from plyscope.faces.findings.matches import tournament_section
        from plyscope.faces.texts import finding

        out = console()
        out.print(finding(tournament_section(result, out.width)))
    return status_of(result.stopped is None)

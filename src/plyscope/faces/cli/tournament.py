"""`plyscope tournament`: matches of several agents, each against each, and one table of ratings.

Every match is played in pairs, as `plyscope match` does; the ratings explain all games at once.
"""

from __future__ import annotations

import argparse
from typing import Any

from plyscope.faces.cli.agents import AGENT, add_agent_depth, given_agents
from plyscope.faces.cli.match import add_play, playing
from plyscope.faces.cli.options import add_json, add_number, console, print_json
from plyscope.faces.cli.statuses import status_of


def add(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "tournament",
        help="several agents, each against each, and their ratings",
        description=__doc__,
    )
    parser.add_argument("agents", nargs="+", metavar="AGENT", help=AGENT)
    add_agent_depth(parser)
    add_number(parser, "games", "so many games in every match (default: 100)", 100)
    parser.add_argument(
        "--gauntlet", action="store_true", help="the first agent against each of the others alone"
    )
    add_play(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Play the matches and print the ratings and who beat whom."""
    from plyscope.lab.tournament import play_tournament

    agents = given_agents(arguments.agents, arguments.depth, arguments.game, arguments.sandbox)
    with playing(arguments) as options:
        result = play_tournament(agents, arguments.games, gauntlet=arguments.gauntlet, **options)
    if arguments.json:
        print_json(result.as_dict())
    else:
        from plyscope.faces.tables.matches import tournament_table

        out = console()
        out.print(tournament_table(result, out.width))
    return status_of(result.stopped is None)

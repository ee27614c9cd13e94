"""`plyscope solve`: what a position is worth, proved, and by which moves.

Gravity games on boards of up to 64 bits get their exact score, small games come from a tablebase that is made once and kept, others are
searched to the end. A distance counts the plies to the end when the winner hurries and the loser delays.
"""

from __future__ import annotations

import argparse
import sys
from typing import Any

from plyscope.faces.cli.options import add_json, add_position, console, print_json, seconds

__all__ = ["add", "run"]


def add(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser("solve", help="what a position is worth, proved", description=__doc__)
    add_position(parser, "a board, a game and moves, or a game")
    parser.add_argument("--method", default="auto", metavar="NAME", help="auto, tablebase, connect or search (default: auto)")
    parser.add_argument("--seconds", type=seconds, metavar="S", help="give up after S seconds")
    parser.add_argument("--value-only", action="store_true", help="the position alone, not each of its moves")
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Solve and print the verdict."""
    from plyscope.faces.progress import thinking
    from plyscope.rules.notation import parse
    from plyscope.solving.solve import solve

    position = parse(arguments.position, arguments.game)
    told = ["solving"]

    def text() -> str:
        if getattr(sys.modules.get("plyscope._jit"), "compiling", ()):
            return "compiling the solver for this board, this once"
        return f"{told[-1]} (Ctrl-C stops)"

    with thinking(text):
        verdict = solve(
            position,
            arguments.method,
            seconds=arguments.seconds,
            with_moves=not arguments.value_only,
            progress=told.append,
            keep_interrupted=True,
        )
    if arguments.json:
        print_json(verdict.as_dict())
        return 0
    from plyscope.faces.tables import verdict_table

    console().print(verdict_table(verdict))
    return 0

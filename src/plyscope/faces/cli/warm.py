"""`plyscope warm`: compile the searches once, so that no later command has to wait for it."""

from __future__ import annotations

import argparse
from typing import Any

from plyscope.faces.cli.options import add_json, print_json

__all__ = ["add", "run"]


def add(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser("warm", help="compile the searches once, so that later commands need not wait", description=__doc__)
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Call every kernel on a small position and say what that took."""
    import sys
    from time import perf_counter

    from plyscope.faces.progress import thinking
    from plyscope.searching.algorithms import ALGORITHMS
    from plyscope.searching.driver import search

    spent: dict[str, float] = {}
    for number, name in enumerate(ALGORITHMS, 1):
        began = perf_counter()
        with thinking(f"compiling {name}, {number} of {len(ALGORITHMS)}"):
            search(".X./O../X.O", name, engine="compiled")
        spent[name] = perf_counter() - began
    if arguments.json:
        print_json(spent)
    else:
        print(f"{len(spent)} searches ready after {sum(spent.values()):.3f} s", file=sys.stderr)
    return 0

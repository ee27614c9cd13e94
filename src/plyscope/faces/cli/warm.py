"""`plyscope warm`: compile the searches and solvers now, so that later commands do not wait."""

from __future__ import annotations

import argparse

from plyscope.faces.cli.options import JSON, print_json
from plyscope.faces.cli.statuses import DONE
from plyscope.faces.progress import thinking

HELP = "compile the searches now, so that later commands do not wait"
OPTIONS = (JSON,)


def run(arguments: argparse.Namespace) -> int:
    """Compile everything, with a progress bar, and print the time it took."""
    import sys
    from time import perf_counter

    from plyscope.faces.warming import bar, warm

    began, shown = perf_counter(), [bar(0, 1)]
    with thinking(lambda: f"compiling, once on this machine {shown[-1]}"):
        spent = warm(lambda phase, done, total: shown.append(bar(done, total)))
    if arguments.json:
        print_json(spent)
    elif not spent:
        print("nothing to compile: plyscope-fast has the machine code", file=sys.stderr)
    else:
        print(
            f"{len(spent)} searches and solvers ready after {perf_counter() - began:.3f} s",
            file=sys.stderr,
        )
    return DONE

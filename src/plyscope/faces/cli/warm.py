"""`plyscope warm`: compile the searches and the solvers once, so that no later command has to wait
for it."""

from __future__ import annotations

import argparse
from typing import Any

from plyscope.faces.cli.options import add_json, print_json
from plyscope.faces.cli.statuses import DONE

COMPILED_SOLVERS = ("lines", "connect", "threats")
"""The solvers that are compiled with the searches, that of gravity games for the board of Connect
Four."""


def add(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "warm",
        help="compile the searches once, so that later commands need not wait",
        description=__doc__,
    )
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Call every kernel on a small position and say what that took."""
    import sys
    from concurrent.futures import ProcessPoolExecutor, as_completed
    from multiprocessing import get_context
    from time import perf_counter

    from plyscope.faces.progress import thinking
    from plyscope.searching.algorithms import ALGORITHMS
    from plyscope.searching.compiled.run import entries

    distinct = {entries(ALGORITHMS[name]): name for name in sorted(ALGORITHMS, key=_size)}
    names = [*COMPILED_SOLVERS, *reversed(distinct.values())]
    began = perf_counter()
    spent: dict[str, float] = {}
    with (
        thinking(lambda: f"compiling the searches, {len(spent)} of {len(names)} ready"),
        ProcessPoolExecutor(mp_context=get_context("spawn")) as pool,
    ):
        for done in as_completed([pool.submit(prepare, name) for name in names]):
            name, seconds = done.result()
            spent[name] = seconds
    if arguments.json:
        print_json(spent)
    else:
        print(
            f"{len(spent)} searches and solvers ready after {perf_counter() - began:.3f} s",
            file=sys.stderr,
        )
    return DONE


def _size(name: str) -> int:
    """Return the size of an algorithm's kernels: the longest are compiled first, so that none is
    waited for in the end."""
    from pathlib import Path

    from plyscope.searching import compiled
    from plyscope.searching.algorithms import ALGORITHMS

    return (Path(compiled.__path__[0]) / f"{ALGORITHMS[name].compiled}.py").stat().st_size


def prepare(name: str) -> tuple[str, float]:
    """Compile an algorithm or the solver, if need be; return its name and the seconds that took."""
    from time import perf_counter

    began = perf_counter()
    if name in COMPILED_SOLVERS:
        from plyscope.rules.games import line_game
        from plyscope.solving.connect import connect_solver
        from plyscope.solving.lines import lines_solver
        from plyscope.solving.threats import threat_solver

        solvers: dict[str, tuple[Any, str]] = {
            "lines": (lines_solver, "5,5,4"),
            "connect": (connect_solver, "connect4"),
            "threats": (threat_solver, "5,5,4"),
        }
        solver, game = solvers[name]
        solver(line_game(game)).prepare()
    else:
        from plyscope.searching.search import search

        search(".X./O../X.O", name, form="compiled")
    return name, perf_counter() - began

"""This checkout beside another one, in turn in one run: the ratio of their CPU seconds by work.

    git worktree add ../before REVISION
    python bench/ratio.py ../before            all works, five rounds
    python bench/ratio.py ../before engine     those whose name has "engine"

Both run with this Python, each with its own sources and kernels, which are compiled first. A ratio
below 1 means that the other checkout is quicker. The nodes have to be the same to the digit.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

HERE = Path(__file__).resolve().parent.parent
POSITIONS = HERE / "tests" / "data" / "connect4"
WEIGHTS = (0, 1, 10, 100, 1000, 0)
LEAST_SECONDS = 0.4
"""A work is repeated until it has taken as long."""


def searched(position: str, algorithm: str, heuristic: Any, form: str, **options: Any) -> int:
    from plyscope import search

    for word in ("form", "engine"):  # what it was called before
        try:
            return search(position, algorithm, heuristic, **{word: form}, **options).nodes
        except TypeError:
            pass
        except Exception as error:
            if word not in str(error):
                raise
    raise SystemExit(f"no search takes a form: {position!r}")


def solved(position: str, **options: Any) -> int:
    from plyscope import solve
    from plyscope_fast.solving.lines import lines_solver
    from plyscope_fast.solving.threats import threat_solver

    for solver in (lines_solver, threat_solver):
        solver.cache_clear()  # with what they know
    return solve(position, with_moves=False, **options).nodes


def scored(file: str, count: int) -> int:
    from plyscope import parse, parse_game
    from plyscope_fast.solving.connect import ConnectSolver

    solver = ConnectSolver(parse_game("connect4"))
    lines = (POSITIONS / file).read_text(encoding="utf-8").splitlines()[:count]
    positions = [line.split() for line in lines]
    scores = solver.scores([parse(f"connect4 {moves}") for moves, _ in positions])
    assert scores == [int(score) for _, score in positions]
    return solver.nodes


def works() -> dict[str, Callable[[], int]]:
    from plyscope import LineTable
    from plyscope.searching.algorithms import TEXTBOOK

    def window(length: int) -> LineTable:
        return LineTable.one_sided("window", (*WEIGHTS[:length], 0))

    made: dict[str, Callable[[], int]] = {}
    gomoku, opened = "15,15,5 h8 i9 h9 g8", "connect4 44"
    for form in ("reference", "compiled"):
        made |= {
            f"{form} minimax 3×3": lambda form=form: searched(
                "tictactoe b2", "minimax", "result", form
            ),
            f"{form} alphabeta 3×3": lambda form=form: searched(
                "tictactoe", "alphabeta", "result", form
            ),
            f"{form} connect4 to 6": lambda form=form: searched(
                "connect4", "alphabeta", window(4), form, depth=6
            ),
            f"{form} gomoku to 2": lambda form=form: searched(
                gomoku, "alphabeta", window(5), form, depth=2
            ),
            f"{form} tiny, to 2": lambda form=form: searched(
                opened, "alphabeta", "counted-lines", form, depth=2
            ),
        }
    for algorithm in TEXTBOOK:
        limit = {"nodes": 300} if algorithm == "uct" else {"depth": 4}
        made[f"reference {algorithm}"] = lambda name=algorithm, limit=limit: searched(
            opened, name, None if name == "uct" else "counted-lines", "reference", **limit
        )
    for algorithm in ("alphabeta", "pvs", "mtdf", "iterative-deepening"):
        made[f"compiled {algorithm}"] = lambda name=algorithm: searched(
            opened, name, "counted-lines", "compiled", depth=9
        )
    made["compiled without opinion"] = lambda: searched(
        opened, "alphabeta", "null", "compiled", depth=10, scoring="result"
    )
    made["engine connect4"] = lambda: searched(
        "connect4", "engine", "counted-lines", "compiled", nodes=400_000
    )
    made["engine gomoku"] = lambda: searched(
        gomoku, "engine", "counted-lines", "compiled", nodes=200_000
    )
    made["connect: end-game"] = lambda: scored("Test_L3_R1", 1000)
    made["connect: middle, easy"] = lambda: scored("Test_L2_R1", 400)
    made["connect: middle"] = lambda: scored("Test_L2_R2", 60)
    made["lines 5,5,4"] = lambda: solved("5,5,4", method="lines")
    made["lines 6,5,4"] = lambda: solved("6,5,4", method="lines")
    made["lines 7,4,4"] = lambda: solved("7,4,4", method="lines")
    made["lines 7,7,5 weak"] = lambda: solved("7,7,5", method="lines", maker_breaker=True)
    made["threats 15,15,5"] = lambda: solved("15,15,5 h8 a1 i9 o1 g9 a15", method="threats")
    return made


def measure(name: str) -> dict[str, float]:
    """Return the nodes and the least seconds of a work of this process's plyscope."""
    work = works()[name]
    nodes, seconds, began = work(), float("inf"), process_time()
    while process_time() - began < LEAST_SECONDS:
        start = process_time()
        work()
        seconds = min(seconds, process_time() - start)
    return {"nodes": nodes, "seconds": seconds}


def beside(checkouts: tuple[Path, Path], name: str, rounds: int) -> str:
    """Return the row of a work."""
    rows: dict[Path, list[dict[str, float]]] = {checkout: [] for checkout in checkouts}
    for number in range(rounds):
        for checkout in checkouts if number % 2 else reversed(checkouts):
            path = {"PYTHONPATH": str(checkout / "src")}
            words = [sys.executable, __file__, ".", "--measure", name]
            output = subprocess.check_output(words, env=os.environ | path, text=True)
            rows[checkout].append(json.loads(output))
    nodes = {row["nodes"] for half in rows.values() for row in half}
    seconds = [[row["seconds"] for row in rows[checkout]] for checkout in checkouts]
    ratios = [before / now for before, now in zip(*seconds, strict=True)]
    count = f"{nodes.pop():,.0f}" if len(nodes) == 1 else "DIFFER"
    least = "".join(f"{min(half):>9.4f}s" for half in seconds)
    return f"{name:28}{count:>12}{least}   {median(ratios):.2f}: " + " ".join(
        f"{ratio:.2f}" for ratio in ratios
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("before", type=Path, help="another checkout")
    parser.add_argument("part", nargs="?", default="", help="of the names of the works")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--measure", metavar="WORK", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        print(json.dumps(measure(arguments.measure)))
        return
    print(f"{'work':28}{'nodes':>12}{'before':>10}{'now':>10}   ratio: median, of each round")
    for name in works():
        if arguments.part in name:
            print(beside((arguments.before.resolve(), HERE), name, arguments.rounds), flush=True)


if __name__ == "__main__":
    main()

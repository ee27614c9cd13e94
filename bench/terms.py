"""What terms cost: nanoseconds of the processor a node on Connect Four, beside the table that they
are added to.

    python bench/terms.py          five rounds, in turn in one run

The least of all rounds counts, whose order turns.
"""

from __future__ import annotations

import argparse
from time import process_time
from typing import Any

from plyscope import LineTable, TermSum, search
from plyscope.evaluation.linetable import KindTable
from plyscope.searching.request import make_request

TABLE = LineTable.one_sided("lines", (0, 1, 10, 100, 1000))
TERMS: dict[str, dict[str, Any]] = {
    "tempo": {"tempo": {(2, 0): 4, (3, 0): 40, (0, 2): -2, (0, 3): -9}},
    "kinds": {
        "kinds": {
            "column": KindTable({(2, 0): 3, (0, 2): -3}, {(3, 0): 12, (0, 3): -4}),
            "diagonal": KindTable({(2, 0): 1, (0, 2): -1}, {(3, 0): 30, (0, 3): -12}),
        }
    },
    "cells": {"cells": {"d1": 3, "d2": 4, "d3": 5, "c3": 4, "e3": 4}},
    "ends": {"ends": {(2, 2): 5, (3, 2): 20, (3, 1): 9}},
    "threats": {"threats": {(0, 1): 30, (0, 0): 9, (1, 1): 12, (1, 0): 25}},
    "mobility": {"mobility": 6},
}
TERMS["all"] = {name: value for term in TERMS.values() for name, value in term.items()}
DEPTHS = {"alphabeta": 9, "minimax": 6}
POSITION = "connect4 44"
LEAST_SECONDS = 0.5


def nanoseconds(heuristic: Any, algorithm: str) -> float:
    """Return the least time a node of searches that take half a second together."""
    options: dict[str, Any] = {"depth": DEPTHS[algorithm], "form": "compiled"}
    least, began = float("inf"), process_time()
    while process_time() - began < LEAST_SECONDS:
        start = process_time()
        nodes = search(POSITION, algorithm, heuristic, **options).nodes
        least = min(least, (process_time() - start) / nodes)
    return least * 1e9


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    heuristics = {"lines": TABLE} | {
        f"lines, {name}": TermSum(TABLE, **terms) for name, terms in TERMS.items()
    }
    print(f"{'':16}" + "".join(f"{algorithm:>28}" for algorithm in DEPTHS))
    measured: dict[tuple[str, str], list[float]] = {}
    for algorithm in DEPTHS:
        for heuristic in heuristics.values():
            make_request(POSITION, algorithm, heuristic)
            nanoseconds(heuristic, algorithm)  # compiled, and laid out
    for number in range(rounds):
        names = list(heuristics)
        for name in names if number % 2 else reversed(names):
            for algorithm in DEPTHS:
                spent = nanoseconds(heuristics[name], algorithm)
                measured.setdefault((name, algorithm), []).append(spent)
    for name in heuristics:
        row = ""
        for algorithm in DEPTHS:
            own, plain = min(measured[name, algorithm]), min(measured["lines", algorithm])
            row += f"{own:>14.1f} ns  {own / plain:>6.2f} ×  "
        print(f"{name:16}{row}")


if __name__ == "__main__":
    main()

"""Holds both forms of every textbook algorithm against each other: `python bench/twins.py
[--positions 2000] [--seed 0] [--seconds S]`.

Each position is of one of ten games, and is searched by the algorithms in turn, under random
conventions, windows, heuristics and depths, now and then within a budget of nodes: value, bound,
nodes, leaves, cutoffs, lines of play, table hits, re-searches and every root move must be equal.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))  # whose comparison this is

from twins import FANO, TWINS, assert_twins, some_options, some_position

GAMES = (
    "tictactoe",
    "misere-tictactoe",
    "torus-tictactoe",
    "5,4,4",
    "5,5,3,gravity,misere",
    "connect4",
    "cube",
    "3x3x3,3,gravity",
    "gomoku9",
    "fano",
)


@dataclass
class Row:
    """What came of an algorithm."""

    searches: int = 0
    nodes: int = 0
    different: int = 0


def compare(positions: int, seed: int, seconds: float) -> dict[str, Row]:
    """Search `positions` positions in both forms, or as many as there is time for, and return what
    came of each algorithm."""
    from plyscope import parse_game

    draw, rows, began, told = (
        random.Random(seed),
        {name: Row() for name in TWINS},
        perf_counter(),
        perf_counter(),
    )
    games = [FANO if name == "fano" else parse_game(name) for name in GAMES]
    for number in range(positions):
        name, game = TWINS[number % len(TWINS)], draw.choice(games)
        position = some_position(game, draw)
        options = some_options(name, draw, position)
        if draw.random() < 0.2:
            options["nodes"] = draw.randint(1, 5000)
        row = rows[name]
        row.searches += 1
        try:
            row.nodes += assert_twins(position, name, **options)
        except (
            Exception
        ) as error:  # whatever one form raises and the other does not is a difference too
            row.different += 1
            print(
                f"{type(error).__name__}: {error} ({name} of '{position}', {options})", flush=True
            )
        if perf_counter() - told > 30:
            told = perf_counter()
            print(
                f"{number + 1} of {positions} positions, {told - began:.0f} seconds",
                file=sys.stderr,
                flush=True,
            )
        if perf_counter() - began > seconds:
            break
    return rows


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--seconds", type=float, default=3600.0, help="end after so many seconds with what there is"
    )
    asked = parser.parse_args(words)
    rows = compare(asked.positions, asked.seed, asked.seconds)
    print(f"{'algorithm':20}{'searches':>10}{'nodes':>12}{'different':>11}")
    for name, row in rows.items():
        print(f"{name:20}{row.searches:10,}{row.nodes:12,}{row.different:11,}")
    total = [
        sum(getattr(row, key) for row in rows.values())
        for key in ("searches", "nodes", "different")
    ]
    print(f"{'all':20}{total[0]:10,}{total[1]:12,}{total[2]:11,}")
    return 1 if total[2] else 0


if __name__ == "__main__":
    sys.exit(main())

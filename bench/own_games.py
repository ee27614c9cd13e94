"""Measures the worked games in both forms, in one run: `python bench/own_games.py [--seconds 2]
[NAME ...]`.

Each is searched to the depth at which the reference takes about so long; both forms visit the same
nodes, or the script says so and exits with status 1. Compiling is apart; Numba is loaded before.
All times are the processor's.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from time import process_time
from typing import Any

from plyscope import search
from plyscope.pythonrun import load_named
from plyscope.rules.game import as_game

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


def measured(run: Callable[[str, int], Any], form: str, depth: int) -> tuple[Any, float]:
    """Return what the search found, and the seconds it took."""
    began = process_time()
    return run(form, depth), process_time() - began


def row_of(file: Path, cls: str, seconds: float) -> tuple[str, bool]:
    """Return the row of a game, and whether both forms agree."""
    game = as_game(load_named(f"{file}:{cls}", "game", "a class")[1])

    def run(form: Any, depth: int) -> Any:
        return search(game.start(), game=game, form=form, depth=depth)

    before = process_time()
    try:
        run("compiled", 1)
    except Exception as error:
        return f"{game.name:16} {error}", True
    compiling, depth, spent = process_time() - before, 1, 0.0
    while spent < seconds / 3 and depth < 30:
        depth += 1
        reference, spent = measured(run, "reference", depth)
        if reference.complete:
            break
    compiled, quick = min(
        (measured(run, "compiled", depth) for _ in range(3)),
        key=lambda found: found[1],
    )
    same = (reference.nodes, reference.value, reference.pv) == (
        compiled.nodes,
        compiled.value,
        compiled.pv,
    )
    rates = reference.nodes / spent, compiled.nodes / quick
    return (
        f"{game.name:16}{depth:6}{reference.nodes:12,}{rates[0]:12,.0f}{rates[1]:14,.0f}"
        f"{rates[1] / rates[0]:8.0f}{compiling:10.1f}{'' if same else '  DIFFERENT'}",
        same,
    )


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="files of examples/, by default all")
    parser.add_argument("--seconds", type=float, default=2.0)
    asked = parser.parse_args(words)
    import plyscope_fast.machine.own_types  # noqa: F401 # loads Numba

    print(
        f"{'game':16}{'depth':>6}{'nodes':>12}{'reference/s':>12}{'compiled/s':>14}{'ratio':>8}"
        f"{'compile s':>10}"
    )
    agree = True
    for file in sorted(EXAMPLES.glob("*.py")):
        if asked.names and file.stem not in asked.names:
            continue
        cls = next(
            line.split("(")[0].split()[1]
            for line in file.read_text().splitlines()
            if line.startswith("class ") and "Game)" in line
        )
        row, same = row_of(file, cls, asked.seconds)
        agree &= same
        print(row, flush=True)
    return 0 if agree else 1


if __name__ == "__main__":
    sys.exit(main())

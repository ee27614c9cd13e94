"""Measure how many best moves in won positions have a reason that says more than values do.

    python bench/reasons.py [SEED [GAME ...]]

For each game it draws positions by random play to a random ply, and keeps those that short
questions to the solvers prove to be won by the side to move, but not at once, until there are
COUNT. A reason
*against every reply* is of a kind before `column`; `column` and `ending` describe one line of best
play; the rest (`only`, `value`) say what solvers prove.
"""

from __future__ import annotations

import sys
from collections import Counter
from random import Random
from time import perf_counter

import plyscope as ps
from plyscope.solving.known import proof_of

COUNT = 200
PLIES = {"connect4": range(4, 36), "4,4,4": range(3, 14), "7,7,5": range(12, 44)}
ONE_LINE = {"column", "ending"}
VALUES = {"only", "value", "unknown"}


def won_positions(name: str, seed: int) -> list[ps.Position]:
    """Return COUNT different won positions."""
    draw, found = Random(f"{name} {seed}"), dict[ps.Position, None]()
    while len(found) < COUNT:
        position = ps.parse(name)
        for _ in range(draw.choice(PLIES[name])):
            if position.is_over:
                break
            position = position.play(draw.choice(position.moves))
        if position.is_over or any(position.play(m).winner is not None for m in position.moves):
            continue
        verdict = proof_of(position)
        if verdict is not None and verdict.value == 1 and verdict.best_moves:
            found[position] = None
    return [*found]


def main() -> None:
    """Print a row for each game."""
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 53
    for name in sys.argv[2:] or PLIES:
        positions = won_positions(name, seed)
        began = perf_counter()
        counts = Counter(ps.why(position).kind for position in positions)
        seconds = (perf_counter() - began) / COUNT
        lines = sum(counts[kind] for kind in ONE_LINE)
        told = COUNT - lines - sum(counts[kind] for kind in VALUES)
        print(f"{name}: {told / COUNT:.0%} against every reply, ", end="")
        print(f"{(told + lines) / COUNT:.0%} with lines of best play; ", end="")
        print(", ".join(f"{kind} {count}" for kind, count in counts.most_common()), end="; ")
        print(f"{seconds:.2f} s a position", flush=True)


if __name__ == "__main__":
    main()

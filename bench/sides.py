"""Searches and solvers of games in which sides do not alternate, held to brute force: `python
bench/sides.py [TREES]`, 2,000 trees unless said.

Every exact algorithm searches every tree, and as many positions of dots and boxes, Kalah and
Othello, under conventions drawn anew; what is held is what `tests/searching/test_sides.py` holds:
the value, the bounds of the root's moves, the best moves, and the value all along the principal
variation. Then the solvers are asked about as many random graphs, whose positions are reached in
several ways, with scores and without: `tests/solving/test_own_games.py`. Stops at the first
difference.
"""

from __future__ import annotations

import random
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from time import perf_counter
from typing import Any

TESTS = Path(__file__).resolve().parent.parent / "tests"
SEEDS_OF_TESTS = 1000
"""Seeds below are those of the tests."""


def main(number: int) -> None:
    sys.path.insert(0, str(TESTS))
    sides = tests_in(TESTS / "searching" / "test_sides.py")
    own_games = tests_in(TESTS / "solving" / "test_own_games.py")
    began = perf_counter()
    for name in sides.EXACT:
        draw = random.Random(f"bench {name}")
        for tree in sides.trees(draw.randrange(10**9), number):
            sides.hold(
                tree, (), name, draw.choice([1, 2, 3, 4, None]), **sides.some_options(draw, name)
            )
        for build in sides.GAMES.values():
            game, plies = build()
            for _ in range(number // len(sides.GAMES)):
                position = sides.some_position(game, draw, draw.randint(*plies))
                sides.hold(
                    game,
                    position,
                    name,
                    draw.choice([1, 2, 3, 4]),
                    **sides.some_options(draw, name),
                )
        print(
            f"{name}: {number:,} trees, "
            f"{number // len(sides.GAMES) * len(sides.GAMES):,} positions, no difference",
            flush=True,
        )
    asked = sum(
        own_games.hold_values(seed, scored=False)
        + own_games.hold_values(seed, scored=True)
        + own_games.hold_distances(seed)
        for seed in range(SEEDS_OF_TESTS, SEEDS_OF_TESTS + number)
    )
    print(f"solvers: {3 * number:,} graphs, {asked:,} questions, no difference")
    print(f"{perf_counter() - began:.0f} s")


def tests_in(path: Path) -> Any:
    """Return a file of tests as a module."""
    spec = spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2_000)

"""Searches and solvers of games in which sides do not alternate, held to brute force: `python
bench/sides.py [TREES]`, 2,000 trees unless said.

Every exact algorithm searches so many trees, and as many positions of games of one's own, under
conventions drawn anew; what is held is what `tests/every/test_algorithms.py` holds: the value, the
bounds of the root's moves, the best moves, and the value all along the principal variation. Then
the solvers are asked about as many random graphs, whose positions are reached in several ways, with
scores and without: `tests/solving/test_own_games.py`. Stops at the first difference.
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
    sys.path.insert(0, str(TESTS.parent))
    from games import MixedTree
    from listed import OWN_GAMES, game_of, late_state

    every = tests_in(TESTS / "every" / "test_algorithms.py")
    own_games = tests_in(TESTS / "solving" / "test_own_games.py")
    began, each = perf_counter(), -(-number // len(OWN_GAMES))
    for name in every.EXACT:
        draw = random.Random(f"bench {name}")
        for _ in range(number):
            every.hold(MixedTree.drawn(draw, draw.randint(1, 5)), (), name, draw)
        for game in map(game_of, OWN_GAMES):
            for _ in range(each):
                every.hold(game, late_state(game, draw), name, draw)
        print(
            f"{name}: {number:,} trees, {each * len(OWN_GAMES):,} positions, no difference",
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

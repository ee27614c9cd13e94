"""Attacks on what tuning proves: optima, numbers that never lose, conflicts and their proofs.

    python bench/attacks.py orderings [NUMBER [SEED]]  random families of one to three numbers on
                                                   small games, against the board in every ordering
    python bench/attacks.py changed [NUMBER]       changed proofs, all of which must be refused
    python bench/attacks.py programmes [SECONDS]   mixed-integer programmes (HiGHS)

In an ordering, each two leaves are rated in the same order, or as high as each other. Weights for
every one of them come from the rays along which differences are zero, and from sums of these rays.
The board says how they play: their wrong moves, and whether any line of play beats them.
"""

from __future__ import annotations

import sys
from collections import Counter
from functools import cache
from itertools import combinations, product
from math import gcd
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "tuning"))

import test_conflicts
from atlas import is_beaten
from test_optimum import contests

from plyscope import parse_game
from plyscope.lab.judging.whole import WholeGame
from plyscope.tuning.family import Family, families_of, find_family
from plyscope_optima.conflict import find_conflict
from plyscope_optima.optimum import optimum
from plyscope_optima.unbeaten import unbeaten
from programmes import least_by_programme, unbeaten_by_programme

GAMES = (
    *("3,2,2", "3,2,3", "4,2,2", "2,2,2,misere", "3,2,3,misere", "3,2,2,gravity", "3,2,3,torus"),
    *("3,3,3,gravity", "4,2,3", "3,3,2,misere", "tictactoe"),
)
"""Small games; the later ones have more positions."""
TERMS = ("table", "to-move", "kinds", "cells", "threats", "mobility", "ends")
MAX_POINTS, MAX_SUMS = 400, 60_000
"""The most orderings of a family that are played, and sums of rays that are tried for them."""
SIDES = "x", "o", "xo"
HIGHS_ROWS = (
    *(("x", (0, 1)), ("o", (0, 1)), ("o", (0, 4)), ("o", (0, 1, 2, 3)), ("x", (0, 1, 2, 3))),
    *(("o", (2, 3, 4, 6, 7)), ("o", (1, 2, 3, 6, 7)), ("xo", (1, 2, 3, 4, 6, 7))),
    *(("o", (0, 1, 2, 3, 8, 9)), ("xo", (0, 2, 4, 6, 8, 9)), ("x", (8, 9)), ("o", (4, 5, 6, 7))),
)
"""Sides and numbers of the family kinds+cells."""


@cache
def whole(game: str) -> WholeGame:
    return WholeGame(parse_game(game))


def some_family(draw: Random) -> tuple[str, Family]:
    """Return a game, and a family of one to three numbers on it."""
    while True:
        game = draw.choice(GAMES)
        rules = parse_game(game)
        known = [name for name in families_of(rules) if name in TERMS]
        if not known or not len(whole(game).critical):
            continue
        terms = "+".join(draw.sample(known, min(len(known), draw.randint(1, 2))))
        every = find_family(terms, "null", rules).parameters
        free = draw.sample(every, min(len(every), draw.randint(1, 3)))
        family = find_family(terms, "null", rules, free)
        if len(family.parameters) <= 3:  # a name may free several
            return game, family


def orderings(family: Family, population: WholeGame, depth: int) -> list[tuple[int, ...]] | None:
    """Return weights for every ordering of the leaves, None if there are too many."""
    graph, found = population, set()
    for at in population.asked:
        here = {at}
        for _ in range(depth):
            here = {child for each in here for child in graph.children[each]}
        found |= {(each, population.sides[at]) for each in here if graph.children[each]}
    at, sides = zip(*sorted(found), strict=True) if found else ((), ())
    features = family.features([population.positions[each] for each in at], list(sides))
    zero = np.zeros((1, len(family.parameters)), np.int64)  # a drawn game
    vectors = np.unique(np.vstack([zero, features.astype(np.int64)]), axis=0)
    normals = set()
    for one in vectors:
        for row in (vectors - one).tolist():
            divisor = gcd(*row)
            if divisor:
                normals.add(max(tuple(sign * x // divisor for x in row) for sign in (1, -1)))
    points = _points(sorted(normals), len(family.parameters))
    return None if points is None or len(points) > MAX_POINTS else points


def _points(normals: list[tuple[int, ...]], size: int) -> list[tuple[int, ...]] | None:
    """Return a point in each cone that the planes of these normals cut the space into, None if
    there are too many planes."""
    zero = (0,) * size
    if size == 1 or not normals:
        return [zero, *product((1, -1), repeat=size)]
    if np.linalg.matrix_rank(np.array(normals)) < size:  # then add planes through all of it
        normals = [*normals, *(tuple(row) for row in np.eye(size, dtype=int).tolist())]
    rays = set()
    for some in combinations(normals, size - 1):
        cross = (some[0][1], -some[0][0]) if size == 2 else np.cross(*some).tolist()
        divisor = gcd(*cross)
        if divisor:
            rays |= {tuple(sign * x // divisor for x in cross) for sign in (1, -1)}
    if len(rays) ** size > MAX_SUMS:
        return None
    found = {(0,) * len(normals): zero}
    for number in range(1, size + 1):
        for some in combinations(sorted(rays), number):
            point = tuple(map(sum, zip(*some, strict=True)))
            found.setdefault(tuple(np.sign(np.array(normals) @ point).tolist()), point)
    return list(found.values())


def attack_orderings(number: int, seed: int = 0) -> Counter[str]:
    """Compare families with all orderings; exit with the first that differs."""
    counts: Counter[str] = Counter()
    while counts["families"] < number:
        seed += 1
        draw = Random(f"attack {seed}")
        game, family = some_family(draw)
        population, depth = whole(game), draw.choice((1, 1, 2))
        points = orderings(family, population, depth)
        if points is None:
            continue
        said = f"seed {seed}: {game} {family.parameters} depth {depth}"
        tables = [family.heuristic(point, "tried") for point in points]
        critical = population.critical
        wrong = [float(critical.wrong_by(critical.played(t, depth)).mean()) for t in tables]
        conflict = find_conflict(family, population, depth, 1e9)
        best = optimum(family, population, depth=depth)
        _require(best.is_proved and abs(best.least - min(wrong)) < 1e-9, f"{said}: {best}")
        counts["optima"] += 1
        if depth == 1:
            _require((conflict is None) == (min(wrong) == 0), f"{said}: conflict {conflict}")
        _require(conflict is None or min(wrong) > 0, f"{said}: conflict {conflict}")
        beaten = [[is_beaten(population, t, depth, side) for side in (0, 1)] for t in tables]
        for sides in SIDES:
            asked = ["xo".index(side) for side in sides]
            holds = any(not any(each[side] for side in asked) for each in beaten)
            found = unbeaten(family, sides, depth, population=population)
            _require(found.is_possible == holds, f"{said}: {found}, by the board {holds}")
            counts["never lose" if holds else "none never loses"] += 1
        counts["families"] += 1
        counts["conflicts"] += conflict is not None
        counts[f"of {len(family.parameters)} numbers"] += 1
        counts[f"at depth {depth}"] += 1
        counts["orderings"] += len(points)
        print(f"{counts['families']} of {number} families, {said}", file=sys.stderr, flush=True)
    return counts


def _require(is_true: bool, said: str) -> None:
    if not is_true:
        raise SystemExit(said)


def attack_changed(number: int) -> Counter[str]:
    """Change proofs; all have to be refused."""
    for seed in range(number):
        test_conflicts.test_rejects_changed_proofs(seed)
    return Counter(refused=number)


def attack_programmes(seconds: float) -> Counter[str]:
    """Compare with mixed-integer programmes on tic-tac-toe."""
    counts: Counter[str] = Counter()
    game, population = parse_game("tictactoe"), whole("tictactoe")
    every = find_family("kinds+cells", "null", game).parameters
    for sides, at in HIGHS_ROWS:
        family = find_family("kinds+cells", "null", game, [every[one] for one in at])
        found = unbeaten(family, sides, population=population)
        began = process_time()
        try:
            weights = unbeaten_by_programme(sides, at, seconds=seconds)
        except TimeoutError:
            counts["not finished"] += 1
            continue
        _require((weights is not None) == found.is_possible, f"{sides} {at}: {found}, {weights}")
        counts["never lose" if weights else "none never loses"] += 1
        print(f"{process_time() - began:6.1f} s", sides, at, weights, flush=True)
    for name, is_fair, size in (("lines", True, 2), ("table", False, 4)):
        best, choices = optimum(find_family(name, "null", game), population), contests(is_fair)
        began = process_time()
        try:
            least = least_by_programme(choices, size, 30, seconds)
        except TimeoutError:
            counts["not finished"] += 1
            continue
        _require(abs(least - best.least * best.choices) < 1e-6, f"{name}: {least}, {best}")
        counts["optima"] += 1
        print(f"{process_time() - began:6.1f} s", name, least, flush=True)
    return counts


def main() -> None:
    kind, *words = sys.argv[1:]
    attacks: dict[str, Any] = {
        "orderings": lambda: attack_orderings(*map(int, words or ["300"])),
        "changed": lambda: attack_changed(int(words[0]) if words else 1000),
        "programmes": lambda: attack_programmes(float(words[0]) if words else 60.0),
    }
    began = process_time()
    counts = attacks[kind]()
    print(f"{kind}: {dict(counts)}, {process_time() - began:.0f} s of CPU")


if __name__ == "__main__":
    main()

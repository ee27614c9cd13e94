"""The proven optimum against sweeps, mixed-integer programmes and counts that were published."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise, product
from math import comb

import numpy as np
import pytest

import oracles
from plyscope import parse, parse_game, report_card
from plyscope.errors import OptionError
from plyscope.lab.judging.whole import WholeGame
from plyscope.tuning.family import find_family
from plyscope.tuning.result import Optimum
from plyscope_optima.cone import ANY_SIGN, Cone, times
from plyscope_optima.optimum import BranchAndBound, games_lost, optimum
from plyscope_optima.siblings import Options, siblings, siblings_of
from plyscope_optima.weights import WEIGHT_SIZES, in_direction
from programmes import least_by_programme
from sentences import refuses

# Cones


def leaves(cone: Cone, planes: np.ndarray) -> list[Cone]:
    """Cut a cone by all planes that cross it."""
    for plane, sign in zip(planes, cone.signs(planes), strict=True):
        if sign == ANY_SIGN:
            return [leaf for part in cone.cut(plane) for leaf in leaves(part, planes)]
    return [cone]


@pytest.mark.parametrize(("dimension", "planes"), [(2, 9), (3, 9), (4, 8), (5, 7)])
@pytest.mark.parametrize("most", [9, 10**12])
def test_planes_in_general_position_leave_the_cones_that_schlaefli_counted(
    dimension: int, planes: int, most: int
) -> None:
    """2 Σ C(m − 1, i) cones of full dimension (Schläfli 1852, Cover 1965)."""
    draw = random.Random(dimension)
    normals = np.array(
        [[draw.randint(-most, most) for _ in range(dimension)] for _ in range(planes)]
    )
    found = leaves(Cone.whole(dimension), normals)
    full = [cone for cone in found if 0 not in cone.signs(normals)]
    assert len(full) == 2 * sum(comb(planes - 1, i) for i in range(dimension))
    signs = {tuple(cone.signs(normals)) for cone in found}
    assert len(signs) == len(found)
    for cone in found:
        along = [sum(int(a) * int(b) for a, b in zip(n, cone.inner, strict=True)) for n in normals]
        assert [(x > 0) - (x < 0) for x in along] == list(cone.signs(normals))


@pytest.mark.parametrize("seed", range(20))
def test_parts_of_a_cone_share_no_point_and_are_all_of_it(seed: int) -> None:
    draw = random.Random(seed)
    dimension = draw.randint(1, 4)
    planes = np.array([[draw.randint(-1, 1) for _ in range(dimension)] for _ in range(7)])
    planes = planes[planes.any(axis=1)]
    found = {tuple(cone.signs(planes)) for cone in leaves(Cone.whole(dimension), planes)}
    points = product(range(-3, 4), repeat=dimension)
    assert {tuple(np.sign(planes @ point)) for point in points} <= found


def test_products_are_exact_beyond_the_range_of_machine_numbers() -> None:
    large = np.array([[2**61, 3**38]])
    assert times(large, large).tolist() == [[2**122 + 3**76]]


# Small choices against all faces, and against a mixed-integer programme


def some_choices(draw: random.Random, dimension: int, most: int = 2) -> Counter[Options]:
    """Draw choices at random."""
    found: Counter[Options] = Counter()
    for _ in range(draw.randint(3, 12)):
        options = []
        for features in {
            tuple(draw.randint(-most, most) for _ in range(dimension))
            for _ in range(draw.randint(2, 4))
        }:
            moves = draw.randint(1, 2)
            options.append(((*features, 0), moves, draw.choice([0, 0, moves, moves, 1])))
        found[tuple(sorted(options))] += draw.randint(1, 3)
    return found


def lost(choices: Counter[Options], weights: tuple[Fraction | int, ...]) -> Fraction:
    """Return what these weights lose, the fixed part taken once."""
    total = Fraction(0)
    for options, times_ in choices.items():
        rated = [
            (sum(a * b for a, b in zip(features, (*weights, 1), strict=True)), moves, wrong)
            for features, moves, wrong in options
        ]
        best = [(moves, wrong) for value, moves, wrong in rated if value == max(rated)[0]]
        total += times_ * Fraction(sum(w for _, w in best), sum(m for m, _ in best))
    return total


def least_of(choices: Counter[Options]) -> tuple[Fraction, Fraction, tuple[int, ...]]:
    """Return what branch and bound finds: the least, the bound and the weights."""
    made = siblings(choices)
    search = BranchAndBound(made, (0,) * (made.directions.shape[1] - 1))
    while search.step():
        assert search.bound <= search.least
    unit = made.undecided.unit
    return Fraction(search.least, unit), Fraction(search.bound, unit), search.weights


def points_of_all_faces(choices: Counter[Options], dimension: int) -> set[tuple[int, ...]]:
    """Return a point of each face of the arrangement, refined by the planes of the axes.

    The rays lie on dimension − 1 of the planes; a face has a point that is a sum of some of its
    rays, as many as it has dimensions.
    """
    normals = {tuple(int(i == j) for j in range(dimension)) for i in range(dimension)}
    for options in choices:
        for one, other in combinations(options, 2):
            normals.add(tuple(a - b for a, b in zip(one[0][:-1], other[0][:-1], strict=True)))
    normals.discard((0,) * dimension)
    rays = set()
    for some in combinations(sorted(normals), dimension - 1):
        cross = (some[0][1], -some[0][0]) if dimension == 2 else np.cross(*some).tolist()
        divisor = int(np.gcd.reduce(cross))
        if divisor:
            rays |= {tuple(sign * x // divisor for x in cross) for sign in (1, -1)}
    sums = (
        tuple(map(sum, zip(*some, strict=True)))
        for number in range(1, dimension + 1)
        for some in combinations(sorted(rays), number)
    )
    return {(0,) * dimension, *sums}


@pytest.mark.parametrize("seed", range(30))
def test_finds_the_optimum_of_two_weights_of_a_sweep_over_all_faces(seed: int) -> None:
    choices = some_choices(random.Random(seed), 2)
    least, bound, weights = least_of(choices)
    assert lost(choices, weights) == least == bound
    assert least == min(lost(choices, point) for point in points_of_all_faces(choices, 2))


@pytest.mark.parametrize("seed", range(8))
def test_finds_the_optimum_of_three_weights_of_a_sweep_over_all_faces(seed: int) -> None:
    draw = random.Random(seed)
    choices = Counter(dict(some_choices(draw, 3, most=1).most_common(4)))
    least, bound, weights = least_of(choices)
    assert lost(choices, weights) == least == bound
    assert least == min(lost(choices, point) for point in points_of_all_faces(choices, 3))


@pytest.mark.parametrize("seed", range(12))
def test_finds_the_optimum_of_four_weights_of_a_mixed_integer_programme(seed: int) -> None:
    choices = some_choices(random.Random(100 + seed), 4, most=1)
    least, bound, weights = least_of(choices)
    assert lost(choices, weights) == least == bound
    assert float(least) == pytest.approx(least_by_programme(choices, 4, most=40))


def test_a_tie_may_be_better_than_either_side() -> None:
    row = (((0, 0), 1, 1), ((1, 0), 1, 0), ((2, 0), 1, 1))
    assert least_of(Counter({row: 1})) == (Fraction(2, 3), Fraction(2, 3), (0,))


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("dimension", [1, 2, 3])
def test_no_weights_lose_less_than_the_bound_of_their_signs(seed: int, dimension: int) -> None:
    draw = random.Random(seed)
    choices = some_choices(draw, dimension)
    arrays, directions, _ = siblings(choices)
    directions = directions[:, :-1]
    for _ in range(20):
        weights = np.array([draw.randint(-3, 3) for _ in range(dimension)])
        signs, loses = np.sign(directions @ weights), lost(choices, tuple(weights)) * arrays.unit
        cone, left = Cone.whole(dimension), arrays
        while len(left.owner):
            bound = left.bound(len(directions))
            assert bound.least <= loses
            assert all(bound.by_sign[at, sign + 1] <= loses for at, sign in enumerate(signs))
            at = draw.choice(left.direction.tolist())
            cone = cone.cut(directions[at])[signs[at] + 1]
            left = left.with_signs(cone.signs(directions))
        assert left.lost == loses


# What is kept fixed


@pytest.mark.parametrize("seed", range(30))
def test_bounds_real_weights_and_finds_whole_ones_beside_a_fixed_part(seed: int) -> None:
    draw = random.Random(seed)
    choices: Counter[Options] = Counter()
    for options, times_ in some_choices(draw, 1).items():
        fixed = [((at[0], draw.randint(-3, 3)), moves, wrong) for at, moves, wrong in options]
        choices[tuple(fixed)] = times_
    least, bound, weights = least_of(choices)
    crossings = sorted(
        {
            Fraction(two[0][1] - one[0][1], one[0][0] - two[0][0])
            for options in choices
            for one, two in combinations(options, 2)
            if one[0][0] != two[0][0]
        }
    )
    between = [(a + b) / 2 for a, b in pairwise(crossings)]
    ends = [crossings[0] - 1, crossings[-1] + 1] if crossings else [Fraction(0)]
    assert bound == min(lost(choices, (at,)) for at in [*crossings, *between, *ends])
    assert lost(choices, weights) == least == min(lost(choices, (at,)) for at in range(-40, 41))


# Games


@cache
def whole(game: str) -> WholeGame:
    return WholeGame(parse_game(game))


@cache
def proved(game: str, family: str) -> Optimum:
    rules = parse_game(game)
    return optimum(find_family(family, "counted-lines", rules), whole(game))


@cache
def contests(is_fair: bool) -> Counter[Options]:
    """The choices of tic-tac-toe between moves that do not win at once, by their open lines.

    `is_fair`: those of the other side count the opposite, and have no numbers of their own.
    """
    found: Counter[Options] = Counter()
    for b in oracles.reachable3():
        side = oracles.to_move(b)
        after = [oracles.place(b, cell, side) for cell in oracles.moves(b, oracles.LINES3)]
        if len({oracles.worth3(child) for child in after}) < 2:
            continue
        options: dict[tuple[int, ...], list[bool]] = {}
        for child in after:
            features = open_lines(child, side, "O" if side == "X" else "X")
            if is_fair:
                features = [features[0] - features[2], features[1] - features[3]]
            options.setdefault((*features, 0), []).append(
                -oracles.worth3(child) < oracles.worth3(b)
            )
        if any(oracles.has_line(child, side, oracles.LINES3) for child in after):
            options = {(0,) * (3 if is_fair else 5): [False]}
        found[tuple((key, len(each), sum(each)) for key, each in sorted(options.items()))] += 1
    return found


def open_lines(b: oracles.Board, side: str, other: str) -> list[int]:
    """Count the lines with one stone of `side` alone, with two, and those of `other`."""
    found = [0] * 4
    for line in oracles.LINES3:
        own, their = oracles.count(b, line, side), oracles.count(b, line, other)
        if 0 in (own, their) and 0 < own + their < 3:
            found[own - 1 if own else their + 1] += 1
    return found


def test_the_two_numbers_of_tictactoe_are_the_best_of_a_sweep_by_brute_force() -> None:
    best, choices = proved("tictactoe", "lines"), contests(is_fair=True)
    swept = min(lost(choices, point) for point in points_of_all_faces(choices, 2))
    assert best.is_proved
    assert best.choices == sum(choices.values()) == 3191
    assert best.least == best.bound == float(swept / 3191)
    assert lost(choices, best.weights) == swept


def test_the_four_numbers_of_tictactoe_are_the_best_of_a_mixed_integer_programme() -> None:
    best, choices = proved("tictactoe", "table"), contests(is_fair=False)
    assert best.is_proved
    assert lost(choices, best.weights) == 54
    assert best.least * 3191 == pytest.approx(least_by_programme(choices, 4, most=30)) == 54


@pytest.mark.parametrize("family", ["lines", "table", "to-move", "cells", "threats", "all"])
def test_the_report_card_of_the_best_numbers_has_the_least_share(family: str) -> None:
    rules = parse_game("tictactoe")
    best = proved("tictactoe", family)
    heuristic = find_family(family, "counted-lines", rules).heuristic(best.weights, "best")
    assert report_card(heuristic, rules, depth=1).depths[0].mistakes == pytest.approx(best.least)


@pytest.mark.parametrize(
    ("game", "family"),
    [("tictactoe", "table"), ("tictactoe", "all"), ("4,3,3", "lines"), ("4,3,3", "to-move")],
)
def test_a_thousand_weights_never_fall_below_a_proved_bound(game: str, family: str) -> None:
    best = proved(game, family)
    made = siblings_of(whole(game), find_family(family, "null", parse_game(game)))
    draw = random.Random(7)
    search = BranchAndBound(made, best.weights)
    assert best.is_proved
    assert search.least == round(best.least * made.undecided.unit * best.choices)
    for _ in range(500):
        weights = tuple(draw.randint(-40, 40) for _ in best.weights)
        assert search.lost_with(weights) >= search.least
        near = tuple(weight + draw.randint(-2, 2) for weight in best.weights)
        assert search.lost_with(near) >= search.least


def test_a_family_within_another_is_no_better() -> None:
    lines, table = proved("tictactoe", "lines"), proved("tictactoe", "table")
    assert proved("tictactoe", "all").least <= table.least <= lines.least
    assert proved("tictactoe", "to-move").least == table.least  # who moves next is the other side
    start = report_card("counted-lines", "tictactoe", depth=1)
    assert lines.least <= start.depths[0].mistakes


def test_keeps_the_bounds_of_a_stopped_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plyscope_optima.optimum.PROGRESS_SECONDS", 0.0)
    family = find_family("all", "null", parse_game("tictactoe"))
    heard: list[Optimum] = []

    def interrupt(now: Optimum) -> None:
        heard.append(now)
        if now.nodes == 5:
            raise KeyboardInterrupt

    stopped = optimum(family, whole("tictactoe"), progress=interrupt, keep_interrupted=True)
    assert stopped.nodes == 5
    assert stopped.bound <= proved("tictactoe", "all").least <= stopped.least <= heard[0].least
    assert not stopped.is_proved
    with pytest.raises(KeyboardInterrupt):
        optimum(family, whole("tictactoe"), progress=interrupt)
    assert optimum(family, whole("tictactoe"), seconds=0).nodes == 1


@pytest.mark.parametrize("depth", [2, 3])
@pytest.mark.parametrize(
    ("game", "name", "start"),
    [
        ("3,2,3", "table", "null"),
        ("4,2,2", "kinds", "null"),
        ("3,3,3,gravity", "threats", "null"),
        ("3,2,3,misere", "cells", "counted-lines"),
        ("3,3,3,gravity", "lines", "counted-lines"),
    ],
)
def test_no_weights_make_fewer_wrong_moves_at_several_plies(
    game: str, name: str, start: str, depth: int
) -> None:
    family, critical = find_family(name, start, parse_game(game)), whole(game).critical

    def wrong(weights: tuple[int, ...]) -> float:
        played = critical.played(family.heuristic(weights, "tried"), depth)
        return float(critical.wrong_by(played).mean())

    best = optimum(family, whole(game), depth=depth)
    assert (best.depth, best.is_proved) == (depth, True)
    assert best.least == pytest.approx(wrong(best.weights))
    draw = random.Random(depth)
    for size in (1, 3, 30):
        for _ in range(20):
            weights = tuple(draw.randint(-size, size) for _ in family.parameters)
            assert wrong(weights) >= best.least - 1e-9
    stopped = optimum(family, whole(game), 0, depth=depth)
    assert stopped.bound <= best.least <= stopped.least


def test_two_numbers_at_two_plies_are_as_good_as_the_best_of_all_directions() -> None:
    """The shares were found by playing all directions in which leaves are ordered differently."""
    for name, least in (("lines", 105.133), ("cells", 214.0), ("threats", 73.429)):
        best = optimum(find_family(name, "null", parse_game("tictactoe")), depth=2)
        assert best.is_proved
        assert best.least * best.choices == pytest.approx(least, abs=0.001)


def test_finds_an_optimum_of_a_misere_game() -> None:
    best = proved("3,3,3,misere", "lines")
    family = find_family("lines", "null", parse_game("3,3,3,misere"))
    card = report_card(family.heuristic(best.weights, "best"), "3,3,3,misere", depth=1)
    assert best.is_proved
    assert card.depths[0].mistakes == pytest.approx(best.least)


@pytest.mark.parametrize("game", ["2,2,2", "3,1,2", "4,1,3", "3,2,2", "5,1,3", "4,2,3"])
def test_finds_an_optimum_of_games_with_few_decisions(game: str) -> None:
    best, family = proved(game, "lines"), find_family("lines", "null", parse_game(game))
    population = whole(game)
    critical = population.critical
    wrong_by = critical.wrong_by(critical.played(family.heuristic(best.weights, "best"), 1))
    assert best.is_proved
    assert best.choices == len(wrong_by)
    assert best.least * best.choices == pytest.approx(wrong_by.sum())


def test_the_optimum_of_other_labels_counts_what_is_lost_against_siblings() -> None:
    """A label of a position need not be the best of those after its moves."""
    game = parse_game("4,1,3")
    other = whole("4,1,3").relabelled(lambda asked: [each.first % 3 - 1 for each in asked])
    family = find_family("lines", "null", game)
    best, critical = optimum(family, other), other.critical
    wrong_by = critical.wrong_by(critical.played(family.heuristic(best.weights, "best"), 1))
    assert best.is_proved
    assert best.least == pytest.approx(wrong_by.mean())


def test_rejects_shares_too_fine_to_count() -> None:
    option = ((0, 0), 20, 0), ((1, 0), 25, 25)
    with refuses(OptionError):
        siblings(Counter({option: 1}))


def test_beats_the_best_four_numbers_of_tictactoe_and_not_six_others() -> None:
    game = parse_game("tictactoe")
    as_x, as_o = games_lost(find_family("to-move", "null", game), (2, 8, -1, -6)) or ((), ())
    assert as_x is None
    assert as_o is not None
    position = parse(f"tictactoe {' '.join(as_o)}")
    assert position.is_over
    assert position.winner == 0
    never = (0, 4, -3, -63, 4, 0, -12, -12)
    assert games_lost(find_family("kinds", "null", game), never) == (None, None)


def test_yields_whole_weights_up_to_the_point_unless_it_is_too_large() -> None:
    largest = WEIGHT_SIZES[-1]
    for size, is_last in ((3, True), (largest, True), (largest + 1, False)):
        found = list(in_direction(np.array([size, -1], dtype=object)))
        assert (found[-1] == (size, -1)) is is_last
        greatest = [max(map(abs, weights)) for weights in found]
        assert greatest == [each for each in WEIGHT_SIZES if each < size] + [size] * is_last

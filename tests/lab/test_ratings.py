"""Ratings and stopping rules against an independent library, and against players whose strength is
known."""

from __future__ import annotations

import math
import random
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from typing import Any

import pytest

from plyscope import play_match
from plyscope.errors import OptionError
from plyscope.lab.matches.openings import openings
from plyscope.lab.matches.ratings import (
    ELO,
    Sprt,
    elo_of_pairs,
    elo_of_score,
    fit_ratings,
    score_of_elo,
)
from plyscope.rules.games import GAMES
from sentences import refuses, says


def played(draw: random.Random, elo: float, first_move: float, drawn: float) -> str:
    """The outcome of one game of Davidson's model."""
    x = (elo + first_move) / ELO
    weights = (math.exp(x / 2), math.exp(-x / 2), drawn)
    return draw.choices(("first", "second", "draw"), weights)[0]


def a_match(
    draw: random.Random, games: int, elo: float, first_move: float, drawn: float
) -> list[tuple[str, str, str, int]]:
    rows = []
    for number in range(games):
        one, other, better = ("a", "b", elo) if number % 2 == 0 else ("b", "a", -elo)
        rows.append((one, other, played(draw, better, first_move, drawn), 1))
    return rows


def merged(rows: list[tuple[str, str, str, int]]) -> list[tuple[str, str, str, int]]:
    counts: dict[tuple[str, str, str], int] = {}
    for *key, count in rows:
        counts[tuple(key)] = counts.get(tuple(key), 0) + count  # type: ignore[index, arg-type]
    return [(*key, count) for key, count in counts.items()]


def test_rates_as_bradley_and_terry_without_draws() -> None:
    draw = random.Random(5)
    strength = {"a": 0.9, "b": 0.2, "c": -0.3, "d": -0.8}
    rows = []
    for _ in range(600):
        one, other = draw.sample(sorted(strength), 2)
        won = draw.random() < 1 / (1 + math.exp(strength[other] - strength[one]))
        rows += [
            (one, other, "first" if won else "second", 1),
            (other, one, "second" if won else "first", 1),
        ]  # no first-move advantage
    found = fit_ratings(merged(rows))
    number = {name: at for at, name in enumerate(found.players)}
    wins = [
        (number[one], number[other]) if outcome == "first" else (number[other], number[one])
        for one, other, outcome, _ in rows
    ]
    choix = pytest.importorskip("choix", reason="needs the extra test-peers")
    expected = choix.ilsr_pairwise(4, wins, alpha=0)
    for at, rating in enumerate(found.ratings):
        assert rating.value == pytest.approx((expected[at] - sum(expected) / 4) * ELO, abs=0.5)
    assert found.first_move.value == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize(
    ("elo", "first_move", "drawn"), [(0, 0, 1.0), (80, 40, 0.5), (-150, 100, 2.0)]
)
def test_covers_the_truth_as_often_as_intervals_say(
    elo: float, first_move: float, drawn: float
) -> None:
    draw = random.Random(f"{elo} {first_move}")
    inside = {"elo": 0, "first": 0}
    for _ in range(1000):
        found = fit_ratings(merged(a_match(draw, 200, elo, first_move, drawn)))
        difference = found.difference("a", "b")
        inside["elo"] += difference.low <= elo <= difference.high
        inside["first"] += found.first_move.low <= first_move <= found.first_move.high
    assert 930 <= inside["elo"] <= 970
    assert 930 <= inside["first"] <= 970


def test_covers_the_truth_with_the_interval_of_pairs() -> None:
    draw, inside = random.Random(8), 0
    for _ in range(300):
        pairs = [0] * 5
        for _ in range(100):
            pairs[sum(draw.choices((2, 1, 0), (0.4, 0.3, 0.3))[0] for _ in range(2))] += 1
        found = elo_of_pairs(pairs)
        inside += found.low <= elo_of_score(0.55) <= found.high
    assert 270 <= inside <= 297


def test_does_not_narrow_an_interval_by_repeated_games() -> None:
    once, often = elo_of_pairs([0, 2, 5, 6, 3]), elo_of_pairs([0, 40, 100, 120, 60], 1 / 20)
    assert vars(often) == pytest.approx(vars(once))
    alike = elo_of_pairs([0, 0, 0, 1000, 0], 2 / 2000)
    assert alike.low < 0 < alike.value == pytest.approx(elo_of_score(0.75))


def test_the_sequential_test_errs_no_more_than_it_says() -> None:
    draw, sprt = random.Random(13), Sprt(elo0=0, elo1=60)
    for elo, wrong in ((0, "elo1"), (60, "elo0")):
        errors = 0
        for _ in range(300):
            pairs = [0] * 5
            while sprt.verdict(pairs) is None:
                score = score_of_elo(elo)
                halves = sum(draw.choices((2, 1, 0), (score - 0.15, 0.3, 0.85 - score), k=2))
                pairs[halves] += 1
            errors += sprt.verdict(pairs) == wrong
        assert errors <= 25  # 5 % of 300, and what chance may add


def test_decides_no_sequential_test_by_repeated_games() -> None:
    sprt, pairs = Sprt(elo0=0, elo1=60), [0, 0, 0, 1000, 0]
    assert sprt.verdict(pairs) == "elo1"
    assert sprt.ratio(pairs, 1 / 1000) == pytest.approx(sprt.ratio([0, 0, 0, 1, 0]))
    assert sprt.verdict(pairs, 1 / 1000) is None
    twice = "alphabeta depth=4", "alphabeta heuristic=null depth=1"
    found = play_match(*twice, 300, "connect4", sprt=sprt, opening_plies=0)
    assert (found.games, found.distinct, found.verdict, found.better) == (2, 2, None, None)
    assert (found.a_wins, found.stopped) == (2, "repeats")


def test_decides_no_sequential_test_by_too_few_games() -> None:
    found = play_match("two-ply", "random", 10, sprt=Sprt(elo0=0, elo1=1000), seed=1)
    assert (found.is_too_few, found.verdict) == (True, None)


def test_gives_a_finite_rating_to_an_agent_that_wins_every_game() -> None:
    found = fit_ratings([("a", "b", "first", 20), ("b", "a", "second", 20)]).difference("a", "b")
    assert 100 < found.low < found.value < 10_000


def test_elo_and_score_are_inverse() -> None:
    assert elo_of_score(score_of_elo(123)) == pytest.approx(123)
    assert (elo_of_score(0), elo_of_score(1)) == (-math.inf, math.inf)
    assert score_of_elo(400) == pytest.approx(10 / 11)


def test_draws_one_opening_of_each_class() -> None:
    tictactoe = GAMES["tictactoe"]
    assert [len(openings(tictactoe, plies)) for plies in range(4)] == [1, 3, 12, 38]
    assert all(not position.is_over for position in openings(GAMES["connect4"], 3))
    with refuses(OptionError):
        openings(tictactoe, 9)


def test_rates_equal_agents_equal_and_keeps_the_unbeatable_unbeaten() -> None:
    equal = play_match("greedy", "greedy", 400, opening_plies=2, seed=3)
    assert equal.elo.low < 0 < equal.elo.high
    better = play_match("two-ply", "random", 200, seed=1)
    assert better.b_wins == 0
    assert better.elo.low > 0
    assert sum(better.pairs) == 100
    assert better.a_wins + better.b_wins + better.draws == better.games == 200


def test_plays_the_same_pairs_in_any_process() -> None:
    with (
        ThreadPoolExecutor(3) as threads,
        ProcessPoolExecutor(2, get_context("spawn")) as processes,
    ):
        found = [
            play_match("random", "greedy", 41, "4,3,3", 6, opening_plies=2, executor=pool)
            for pool in (None, threads, processes)
        ]
    assert (
        len(
            {
                (
                    item.pairs,
                    item.a_wins_as_x,
                    item.draws,
                    item.moves_to_win,
                    item.distinct,
                    item.games,
                )
                for item in found
            }
        )
        == 1
    )
    assert (found[0].games, sum(found[0].pairs)) == (41, 20)


def test_says_that_games_without_chance_repeat() -> None:
    found = play_match("alphabeta depth=2", "alphabeta depth=3", 100, opening_plies=0)
    assert found.distinct == found.games == 2


def test_stops_a_match_when_its_test_is_decided() -> None:
    found = play_match("two-ply", "random", 5000, sprt=Sprt(elo0=0, elo1=50), seed=2)
    assert (found.verdict, found.stopped) == ("elo1", "sprt")
    assert found.games < 500


@pytest.mark.parametrize(
    "call",
    [
        lambda: Sprt(elo0=5, elo1=5),
        lambda: Sprt(elo0=0, elo1=5, alpha=0.7),
        lambda: fit_ratings([]),
        lambda: fit_ratings([("a", "b", "won", 1)]),
        lambda: elo_of_pairs([0] * 5),
    ],
)
def test_rejects_bad_requests(call: Any) -> None:
    with pytest.raises(OptionError) as caught:
        call()
    says(str(caught.value))

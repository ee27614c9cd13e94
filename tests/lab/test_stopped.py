"""The interval of a match that a sequential test has stopped."""

from __future__ import annotations

import random

import pytest

from plyscope.lab.matches.ratings import Sprt, elo_of_pairs, score_of_elo
from plyscope.lab.matches.stopped import elo_at_stop
from plyscope.lab.matches.tally import MatchResult
from tests.tunings import sampled

SPRT = Sprt(elo0=0, elo1=60)


def stopped(draw: random.Random, elo: float) -> tuple[int, ...]:
    """Return the pairs of a match at the end of its test, with 30 % draws."""
    pairs, score = [0] * 5, score_of_elo(elo)
    while sum(pairs) < 6 or SPRT.verdict(pairs) is None:
        pairs[sum(draw.choices((2, 1, 0), (score - 0.15, 0.3, 0.85 - score), k=2))] += 1
    return tuple(pairs)


ENDED = [stopped(random.Random(seed), 30) for seed in range(5)]


@pytest.mark.parametrize("elo", [0, 30])
def test_covers_the_truth_as_often_as_the_interval_says(elo: int) -> None:
    """`bench/intervals.py` measures it for more matches and other conditions."""
    draw, number = random.Random(4), 300
    inside = above = 0
    for _ in range(number):
        pairs = stopped(draw, elo)
        found = elo_at_stop(pairs, 1.0, SPRT)
        inside += found.low <= elo <= found.high
        above += found.unbiased > elo
    assert 276 <= inside <= 294
    assert 126 <= above <= 174


def test_an_early_end_is_worth_less_than_it_looks() -> None:
    pairs = next(each for each in ENDED if SPRT.verdict(each) == "elo1")
    plain, found = elo_of_pairs(pairs), elo_at_stop(pairs, 1.0, SPRT)
    assert found.low < plain.low
    assert found.low < found.unbiased < plain.value < found.high


def test_negates_the_interval_when_agents_change_places() -> None:
    pairs = ENDED[0]
    one = elo_at_stop(pairs, 1.0, Sprt(elo0=0, elo1=60))
    other = elo_at_stop(pairs[::-1], 1.0, Sprt(elo0=-60, elo1=0))
    assert (one.low, one.high, one.unbiased) == pytest.approx(
        (-other.high, -other.low, -other.unbiased)
    )


def test_gives_no_upper_bound_to_an_agent_that_wins_every_game() -> None:
    found = elo_at_stop((0, 0, 0, 0, 6), 1.0, Sprt(elo0=0, elo1=200))
    assert 0 < found.low < found.high == float("inf")


def test_counts_repeated_games_once() -> None:
    once = elo_at_stop(ENDED[0], 1.0, SPRT)
    often = elo_at_stop(tuple(20 * number for number in ENDED[0]), 1 / 20, SPRT)
    assert tuple(often) == pytest.approx(tuple(once))


def test_gives_a_match_the_interval_of_its_ended_test() -> None:
    match: MatchResult = sampled().trials[0].match
    assert match.verdict is not None
    plain = elo_of_pairs(match.pairs, match.distinct / match.games)
    assert match.elo.value == plain.value
    assert match.elo.low < plain.low
    assert match.as_dict()["elo_unbiased"] == match.elo_unbiased < match.elo.value

"""Tournaments: every pairing is played, and one set of ratings explains them all."""

from __future__ import annotations

import pytest

from commands import output
from plyscope import play_match
from plyscope.errors import OptionError
from plyscope.lab.matches.ratings import fit_ratings
from plyscope.lab.matches.tournament import tournament
from sentences import refuses


def test_pairs_each_agent_with_each_other_once() -> None:
    found = tournament(["random", "greedy", "one-ply", "two-ply"], 40, seed=2, opening_plies=1)
    assert [(match.a, match.b) for match in found.matches] == [
        ("random", "greedy"),
        ("random", "one-ply"),
        ("random", "two-ply"),
        ("greedy", "one-ply"),
        ("greedy", "two-ply"),
        ("one-ply", "two-ply"),
    ]
    assert sum(rating.value for rating in found.ratings.ratings) == pytest.approx(0, abs=1e-6)
    assert found.ratings.difference("two-ply", "random").low > 0
    won, drawn, lost = found.score("two-ply", "random") or (0, 0, 0)
    assert (lost, won + drawn) == (0, 40)
    assert found.score("random", "two-ply") == (lost, drawn, won)
    assert found.score("random", "random") is None


def test_plays_the_matches_of_play_match() -> None:
    found = tournament(["random", "greedy", "one-ply"], 30, seed=4)
    again = play_match("random", "one-ply", 30, seed=4)
    assert (found.matches[1].pairs, found.matches[1].distinct) == (again.pairs, again.distinct)
    assert found.ratings == fit_ratings([row for match in found.matches for row in match.outcomes])


def test_plays_the_first_agent_against_the_others_in_a_gauntlet() -> None:
    found = tournament(["two-ply", "random", "greedy"], 10, gauntlet=True)
    assert [(match.a, match.b) for match in found.matches] == [
        ("two-ply", "random"),
        ("two-ply", "greedy"),
    ]
    assert found.score("random", "greedy") is None


@pytest.mark.parametrize("agents", [[], ["random"], ["random", "random"]])
def test_rejects_too_few_agents(agents: list[str]) -> None:
    with refuses(OptionError):
        tournament(agents, 2)


def test_names_every_agent_in_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    out = output(capsys, "tournament", "random", "greedy", "two-ply", "-n", "10")
    assert all(name in out for name in ("random", "greedy", "two-ply", "won–drawn–lost"))
    assert '"ratings"' in output(capsys, "tournament", "random", "greedy", "-n", "4", "--json")

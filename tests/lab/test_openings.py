"""Openings that favour neither side."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from plyscope import parse, parse_game, play_match, solve
from plyscope.errors import NotationError, OptionError
from plyscope.lab.matches.openings import balanced, openings
from plyscope.lab.matches.records import Records


def test_balanced_openings_favour_neither_side() -> None:
    game = parse_game("tictactoe")
    found = openings(game, 2)
    even = balanced(found, 0)
    assert 0 < len(even) < len(found)
    assert [position for position in found if solve(position).value == 0] == list(even)
    with pytest.raises(OptionError, match="all 1 favour a side"):
        balanced(openings(parse_game("4,3,3"), 0), 0)
    played = play_match("random", "random", 20, "tictactoe", 1, opening_plies=2, balanced=True)
    assert played.openings == len(even)


def test_balances_openings_by_the_engine_without_a_solver() -> None:
    found = openings(parse_game("6,6,4"), 2)
    even = balanced(found, 3)
    assert even == balanced(found, 3)
    assert set(even) < set(found)
    assert len(even) >= len(found) * 0.2


def test_begins_a_match_at_the_given_starts_in_turn(tmp_path: Path) -> None:
    starts = [parse("tictactoe b2"), parse("tictactoe a1 b2"), parse("tictactoe c1")]
    with Records(tmp_path / "kept.db") as records:
        options: dict[str, Any] = {"games": 8, "starts": starts, "records": records, "seed": 3}
        played = play_match("greedy", "random", **options)
        (experiment,) = records.experiments()
        pairs = records.pairs(experiment.number)
        assert play_match("greedy", "random", **options).outcomes == played.outcomes
        play_match("greedy", "random", **{**options, "starts": starts[::-1]})
        assert len(records.experiments()) == 2
    assert played.openings == 3
    assert [pairs[at][0].start for at in range(4)] == [*starts, starts[0]]


def test_takes_the_game_of_a_match_from_its_start_or_beside_it() -> None:
    rows = [[1, 2, 0], [0, 0, 0], [0, 0, 0]]
    options: dict[str, Any] = {"games": 2, "opening_plies": 0}
    for start, game, name in (("connect4 44", None, "connect4"), (rows, "tictactoe", "tictactoe")):
        with Records(":memory:") as records:
            play_match("random", "random", start=start, game=game, records=records, **options)
            assert {each["game"] for each in records.games()} == {name}
    with pytest.raises(NotationError, match="expected 7×6"):
        play_match("random", "random", start="X../.O./...", game="connect4", **options)

"""A match plays different games: agents without chance get openings, and never repeat themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import plyscope as ps
from commands import answer, data
from plyscope.lab.matches.match import automatic_plies
from plyscope.lab.matches.openings import openings, shortest_plies
from plyscope.lab.matches.records import Records
from plyscope.lab.matches.tournament import tournament

SURE = "alphabeta heuristic=open-lines depth=1", "alphabeta heuristic=counted-lines depth=2"


def test_gives_agents_without_chance_the_shortest_sufficient_openings() -> None:
    found = ps.play_match(*SURE, games=6)
    assert (found.games, found.distinct, found.openings, found.book) == (6, 6, 3, 3)
    assert (found.opening_plies, found.stopped) == (1, None)
    found = ps.play_match(*SURE, games=8)
    assert (found.games, found.distinct, found.openings, found.book) == (8, 8, 4, 12)
    assert found.opening_plies == 2
    assert ps.play_match(*SURE, games=2).opening_plies == 0


def test_ends_a_match_before_its_games_repeat() -> None:
    found = ps.play_match(*SURE, games=2000)
    book = len(openings(ps.GAMES["tictactoe"], 2))
    assert (found.games, found.distinct, found.openings) == (2 * book, 2 * book, book)
    assert found.stopped == "repeats"
    one = ps.play_match(*SURE, games=2000, opening_plies=0)
    assert (one.games, one.distinct, one.openings, one.stopped) == (2, 2, 1, "repeats")
    given = ps.play_match(
        *SURE, games=50, starts=[ps.parse("X../.../..."), ps.parse(".X./.../...")]
    )
    assert (given.games, given.openings, given.stopped) == (4, 2, "repeats")
    odd = ps.play_match(*SURE, games=5, opening_plies=0)
    assert (odd.games, odd.stopped) == (2, "repeats")


def test_plays_random_agents_from_the_start() -> None:
    for a in ("random", "two-ply", lambda position: position.moves[0]):
        found = ps.play_match(a, SURE[0], games=12, seed=3)
        assert (found.games, found.openings, found.stopped) == (12, 1, None)
        assert found.seed_matters


@pytest.mark.parametrize(
    ("agent", "repeats"),
    [
        ("alphabeta depth=2", True),
        ("level-6", True),
        ("engine nodes=100", False),
        ("iterative-deepening nodes=100 ties=random", True),
        ("alphabeta depth=2 ties=random", False),
        ("minimax depth=2 ties=random", False),
        ("alphabeta depth=2 seconds=1", False),
        ("engine nodes=100 threads=2", False),
        ("uct nodes=100", False),
        ("uct nodes=100 seed=1", False),
        *((name, False) for name in ("level-3", "level-10", "random", "two-ply", "perfect")),
        ("full-alphabeta", False),
        ("program command='true'", False),
    ],
)
def test_an_agent_says_whether_it_repeats_its_games(agent: str, repeats: bool) -> None:
    assert ps.parse_agent(agent).repeats(ps.GAMES["tictactoe"]) == repeats


def test_keeps_openings_short_and_within_a_quarter_of_the_board() -> None:
    assert shortest_plies(ps.GAMES["tictactoe"], 1000) == 2
    assert shortest_plies(ps.GAMES["connect4"], 4) == 1
    assert shortest_plies(ps.GAMES["connect4"], 5) == 2
    assert shortest_plies(ps.parse_game("2,1,2"), 1000) == 0
    agents = [ps.parse_agent(each) for each in ("random", *SURE)]
    assert automatic_plies(agents, ps.GAMES["tictactoe"], 6) == 1
    assert automatic_plies(agents[:2], ps.GAMES["tictactoe"], 6) == 0


def test_counts_the_openings_played() -> None:
    found = ps.play_match("random", "two-ply", games=2, opening_plies=3)
    assert (found.openings, found.book) == (1, 38)
    told = found.as_dict()
    assert (told["openings"], told["book"], told["opening_plies"]) == (1, 38, 3)


def test_reports_a_seed_without_effect() -> None:
    pair = "iterative-deepening nodes=50 ties=random", "alphabeta heuristic=open-lines depth=1"
    games = [ps.play_match(*pair, games=24, seed=seed, opening_plies=2) for seed in (1, 2)]
    assert games[0].pairs == games[1].pairs
    assert not any(found.seed_matters for found in games)
    assert ps.play_match(*pair, games=10, opening_plies=2).seed_matters
    starts = [ps.parse("X../.../..."), ps.parse(".X./.../...")]
    assert not ps.play_match(*pair, games=2, starts=starts).seed_matters


def test_uses_the_same_openings_in_all_matches_of_a_tournament() -> None:
    found = tournament(["random", *SURE], 6)
    assert [match.opening_plies for match in found.matches] == [1, 1, 1]
    found = tournament(["random", "two-ply", SURE[0]], 6)
    assert [match.opening_plies for match in found.matches] == [0, 0, 0]


def test_finds_records_of_automatic_openings_again(tmp_path: Path) -> None:
    def play() -> Any:
        with Records(tmp_path / "games.db") as records:
            return ps.play_match(*SURE, games=100, seed=5, records=records)

    first, second = play(), play()
    assert (first.pairs, first.games, first.stopped) == (second.pairs, 24, second.stopped)
    with Records(tmp_path / "games.db") as records:
        assert len(records.experiments()) == 1


def test_prints_the_openings_and_why_a_match_stopped(capsys: Any) -> None:
    told = " ".join(answer(capsys, "match", *SURE, "-n", "2000", "-j", "1")[1].split())
    assert "openings: all 12 positions after 2 plies" in told
    assert "24 different games from 12 openings" in told
    assert "repeat" in told
    assert "--opening-plies 3" in told
    assert "the seed has no effect" in told
    told = answer(capsys, "match", "random", "two-ply", "--opening-plies", "3", "-n", "2")[1]
    assert "2 different games from 1 of 38 openings" in " ".join(told.split())
    found = data(capsys, "match", *SURE, "--opening-plies", "0", "-n", "2000")
    assert (found["games"], found["stopped"]) == (2, "repeats")


def test_treats_a_search_with_a_user_function_as_random(tmp_path: Path) -> None:
    (tmp_path / "drawn.py").write_text(
        "import random\ndef heuristic(board, player): return random.randrange(9)\n"
    )
    other = "alphabeta heuristic=counted-lines depth=1"
    drawn = f"drawn=alphabeta heuristic={tmp_path / 'drawn.py'}:heuristic depth=1"
    assert ps.play_match(drawn, other, games=4, opening_plies=1).seed_matters
    for heuristic, matters in ((lambda board, player: 0, True), ("open-lines", False)):
        searching = ps.Agent("alphabeta", heuristic=heuristic, depth=1, name="one")
        found = ps.play_match(searching, other, games=6, opening_plies=1)
        assert found.seed_matters is matters

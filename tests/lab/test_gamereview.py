"""Reviews of games: what they are read from, and what they say of each move."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import oracles
import plyscope as ps
from commands import answer, data, output, refusal
from games import NIM_FILE
from plyscope.errors import NotationError
from plyscope.lab.judging import review as lab_review
from plyscope.lab.judging.gamereview import review
from plyscope.lab.matches.gametext import read_game_text
from plyscope.lab.matches.match import play_match
from sentences import says

SLOW = "tictactoe a3 b3 a2 c3 b2 a1 c1"
"""A game in which the fifth move wins later than it could."""
SAVED = {"game": "tictactoe", "start": ".../.../...", "x": "human", "o": "level-3", "seed": 0}


def saved(folder: Path, **changes: Any) -> str:
    moves = SLOW.split()[1:]
    file = folder / "g.json"
    file.write_text(json.dumps(SAVED | {"moves": moves} | changes))
    return str(file)


def test_judges_each_move_as_brute_force_does() -> None:
    """Mistakes, slower wins and plies in twenty random games."""
    played = play_match("random", "random", games=20, seed=3).first_games
    for start, names, _ in played:
        found = review(" ".join([start.game.name, *names]))
        assert [item.move for item in found.moves] == list(names)
        b = (".",) * 9
        for item in found.moves:
            cell = "abc".index(item.move[0]) + 3 * (3 - int(item.move[1]))
            before, after = oracles.hurried3(b), oracles.hurried_move3(b, cell)
            assert item.is_blunder == (sign(after) < sign(before))
            assert item.is_slow_win == (0 < after < before)
            assert (item.before, item.after) == (sign(before), sign(after))
            if before:
                assert item.plies == 100 - abs(before)
            if after:
                assert item.plies_after == 100 - abs(after)
            b = oracles.place(b, cell, oracles.to_move(b))
        for side in found.sides:
            own = [item for item in found.moves if item.position.side == "xo".index(side.side)]
            assert side.moves == side.proved == len(own)
            assert side.mistakes == sum(item.is_blunder for item in own)
            assert side.slow_wins == sum(item.is_slow_win for item in own)


def sign(value: int) -> int:
    return (value > 0) - (value < 0)


def test_says_what_was_better_and_what_wins_sooner(capsys: pytest.CaptureFixture[str]) -> None:
    says(f"review {SLOW}", output(capsys, "review", SLOW))
    found = data(capsys, "review", SLOW)
    assert [item["is_slow_win"] for item in found["moves"]] == [at == 4 for at in range(7)]
    assert found["moves"][4]["quickest"] == ["a1"]
    assert [(side["mistakes"], side["slow_wins"]) for side in found["sides"]] == [(0, 1), (1, 0)]
    assert (found["winner"], found["stopped"]) == ("x", None)
    one = data(capsys, "review", SLOW, "--side", "x")
    assert [item["ply"] for item in one["moves"]] == [0, 2, 4, 6]
    assert [side["side"] for side in one["sides"]] == ["x"]


NIM_MOVES = "1 2 3 1 3"


@pytest.mark.parametrize(
    ("content", "name", "game", "moves", "players"),
    [
        ("", "tictactoe a3 b3", "tictactoe", ("a3", "b3"), ("", "")),
        ("", "connect4 44455", "connect4", ("d1", "d2", "d3", "e1", "e2"), ("", "")),
        (
            "(;GM[4]SZ[15]PB[Ann]PW[Bob]RE[B+];B[hh];W[hg])",
            "a.sgf",
            "gomoku15",
            ("h8", "h9"),
            ("Ann", "Bob"),
        ),
        (
            "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,8,0\n",
            "a.psq",
            "gomoku15",
            ("h8", "i8"),
            ("", ""),
        ),
        (
            json.dumps(SAVED | {"moves": ["b2", "a1"]}),
            "g.json",
            "tictactoe",
            ("b2", "a1"),
            ("human", "level-3"),
        ),
        (NIM_FILE, "nim.py:Nim 1 2 3", "nim", ("1", "2", "3"), ("", "")),
    ],
)
def test_reads_the_game_of_every_readable_form(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    content: str,
    name: str,
    game: str,
    moves: tuple[str, ...],
    players: tuple[str, str],
) -> None:
    monkeypatch.chdir(tmp_path)
    if content:
        Path(name.partition(":")[0].partition(" ")[0]).write_text(content)
    text = read_game_text(name)
    assert (text.start.game.name, text.moves, text.players) == (game, moves, players)
    if content and content is not NIM_FILE:
        assert read_game_text(content)[:3] == text[:3]  # pasted


def test_reads_a_game_from_a_position_with_stones(tmp_path: Path) -> None:
    file = saved(tmp_path, start="XOO/X../...", moves=["b2", "a1", "c1"])
    found = review(file)
    assert [item.is_slow_win for item in found.moves] == [True, False, False]
    assert found.players == ("human", "level-3")
    says("review a saved game with stones", str(found).replace(file, "g.json"))


def test_reads_the_games_that_records_write(tmp_path: Path) -> None:
    text = '[Game "tictactoe"]\n[X "a"]\n[O "b"]\n[Result "1-0"]\n[Ending "no answer"]\n1. {}\n'
    file = tmp_path / "games.txt"
    file.write_text(text.format("a3 b3") + "\n" + text.format("c1"))
    assert read_game_text(str(file)).moves == ("a3", "b3")
    second = read_game_text(f"{file}#2")
    assert (second.moves, second.players, second.result) == (("c1",), ("a", "b"), 1)
    says("review a game of records", str(review(f"{file}#2")))


def test_judges_games_of_people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("nim.py").write_text(NIM_FILE)
    found = review(f"nim.py:Nim {NIM_MOVES}")
    assert [item.is_blunder for item in found.moves] == [True, True, False, False, False]
    assert [item.better for item in found.moves[:2]] == [("2",), ("1",)]
    assert review(NIM_MOVES, "nim.py:Nim").as_dict() == found.as_dict()


def test_plays_on_what_play_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["play", "tictactoe", "--x", "two-ply", "--o", "random", "-s", "3", "--json"]
    printed = answer(capsys, *words)[1]
    file = tmp_path / "p.json"
    file.write_text(printed)
    found = data(capsys, "review", str(file))
    assert [item["move"] for item in found["moves"]] == json.loads(printed)["moves"]
    assert found["players"] == ["two-ply", "random"]


@pytest.mark.parametrize(
    "words",
    [
        ["review", "tictactoe"],
        ["review", "XO./.X./..O"],
        ["review", "[[3,5],[6,9]]"],
        ["review", "connect4 44x"],
        ["review", "tictactoe a3 a3"],
        ["review", "tictactoe a3", "--side", "y"],
        ["review", "nowhere.json"],
        ["review", "g.json", "-g", "connect4"],
        ["review", "wrong.json"],
        ["review", "search.json"],
        ["review", "records.db"],
        ["analyze", "g.json"],
        ["solve", "g.json"],
        ["tree", "g.json"],
        ["analyze", json.dumps(SAVED | {"moves": ["b2"]})],
        ["analyze", "-g", "g.json"],
        ["analyze", "search.json"],
        ["eval", "match.json"],
        ["play", "search.json"],
    ],
    ids=" ".join,
)
def test_refuses_what_is_no_game_and_names_what_reads_it(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    saved(tmp_path)
    Path("wrong.json").write_text(json.dumps(SAVED | {"moves": [1, 2]}))
    result = {"game": "tictactoe", "position": "X../.../...", "moves": [], "plyscope": "1"}
    Path("search.json").write_text(json.dumps(result))
    Path("match.json").write_text(json.dumps({"a": "random", "plyscope": "1"}))
    Path("records.db").write_bytes(b"SQLite format 3\0" + bytes(100))
    says(" ".join(words), refusal(capsys, *words))


def test_returns_the_moves_judged_before_ctrl_c(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = 0

    def interrupted(*given: Any, **options: Any) -> Any:
        nonlocal asked
        asked += 1
        if asked > 3:
            raise KeyboardInterrupt
        return real(*given, **options)

    real = lab_review.proof_of
    monkeypatch.setattr(lab_review, "proof_of", interrupted)
    found = review(SLOW, keep_interrupted=True)
    assert found.stopped == "interrupted"
    assert len(found.moves) in (1, 2)
    says("an interrupted review", str(found))
    asked = 3
    with pytest.raises(KeyboardInterrupt):
        review(SLOW)


def test_marks_a_value_of_a_search() -> None:
    found = review("connect4 444555", side="o")
    assert [item.is_proved for item in found.moves] == [True, True, False]
    *_, last = [line for line in str(found).splitlines() if line.split()[1:2] == ["O"]]
    assert last.count("≈") == 2


def test_reads_moves_as_lists_after_a_game_and_refuses_trees() -> None:
    assert read_game_text("tictactoe [[0,0],[1,1],[0,1]]").moves == ("a3", "b2", "b3")
    with pytest.raises(NotationError, match="is a tree"):
        read_game_text("[[3,5],[2,9]]")


LATE = "connect4 c1 b1 b2 a1 g1 g2 c2 b3 c3 d1 c4"
"""A game of Connect Four in which few nodes prove 5 of 11 moves."""


def test_calls_no_move_worse_without_a_proof_and_proves_the_rest_in_time() -> None:
    brief = review(LATE)
    assert not all(item.is_proved for item in brief.moves)
    assert all(item.is_proved for item in brief.moves if item.is_blunder)
    whole = review(LATE, seconds=200)
    assert all(item.is_proved for item in whole.moves)
    assert [item.ply for item in whole.moves if item.is_blunder] == [0, 1, 2, 3]
    for few, all_ in zip(brief.moves, whole.moves, strict=True):
        assert not few.is_proved or (few.before, few.after) == (all_.before, all_.after)
    for item in whole.moves:
        after = ps.solve(item.position.play(item.move), with_moves=False)
        assert item.after == -(after.value or 0)


def test_proves_the_last_moves_first_and_stops_in_time() -> None:
    start = ps.parse("gomoku15")
    moves = [start.game.parse_move(start, name) for name in ("h8", "g9", "h9", "h10", "g8")]
    *_, briefly = lab_review.review_game(start, moves)
    *_, longer = lab_review.review_game(start, moves, seconds=0.3)
    assert len(briefly) == len(longer) == 6
    assert not longer[0].is_proved  # no solver proves the empty board

"""Puzzles have one answer, whoever looks."""

from __future__ import annotations

import io
import json
import re
from datetime import date, timedelta
from importlib.resources import files
from itertools import islice

import pytest

import oracles
from commands import answer, data, output
from plyscope import parse, parse_game, search, solve
from plyscope.errors import OptionError
from plyscope.faces.cli import run
from plyscope.lab.judging.puzzles import DAILY, daily_puzzle, puzzle_in, puzzles
from plyscope.rules.symmetry import canonical
from sentences import refuses


@pytest.mark.parametrize(
    ("spec", "sizes", "k", "columns"),
    [("tictactoe", (3, 3), 3, 0), ("4,3,3", (4, 3), 3, 0), ("4,3,3,gravity", (4, 3), 3, 4)],
)
def test_has_one_answer_by_brute_force(
    spec: str, sizes: tuple[int, ...], k: int, columns: int
) -> None:
    oracle = oracles.Solved(oracles.lines(sizes, k), columns)
    found = list(islice(puzzles(parse_game(spec), 1), 25))
    assert len(found) >= 4
    for puzzle in found:
        position = puzzle.position
        b = tuple(
            "XO."[0 if position.first >> cell & 1 else 1 if position.second >> cell & 1 else 2]
            for cell in range(position.game.size)
        )
        after = {
            cell: oracle.worth(oracles.place(b, cell, oracles.to_move(b)))
            for cell in oracles.moves(b, oracle.lines, columns)
        }
        best = min(value for value, _ in after.values())
        (answer,) = [cell for cell, (value, _) in after.items() if value == best]
        assert position.game.format_move(position, answer) == puzzle.move
        assert puzzle.goal == {-1: "win", 0: "draw"}[best]
        plies = (
            after[answer][1]
            if puzzle.goal == "win"
            else max(plies or 0 for cell, (_, plies) in after.items() if cell != answer)
        )
        assert puzzle.depth == (plies or 0) + 1
    assert len({canonical(puzzle.position) for puzzle in found}) == len(found)


def test_a_puzzle_has_moves_to_choose_from(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for seed in range(3):
        assert all(
            len(item.position.moves) >= 4
            for item in islice(puzzles(parse_game("connect4"), seed), 4)
        )
    few = [
        len(item.position.moves)
        for item in islice(puzzles(parse_game("connect4"), 3, least_moves=2), 12)
    ]
    assert min(few) < 4
    monkeypatch.setattr("sys.stdin", io.StringIO("moves\nquit\n"))
    _, out, _ = answer(capsys, "play", "connect4", "--puzzle", "--seed", "3")
    assert re.search(r"^([1-7] ){3,}[1-7]$", out, re.M)
    found = data(capsys, "puzzles", "connect4", "--moves", "7", "-n", "2")
    assert [sum(top == "." for top in item["position"].split("/")[0]) for item in found] == [7, 7]
    assert "--moves 3 without --puzzle" in answer(capsys, "play", "--moves", "3")[2]


def test_finds_connect_four_puzzles_and_the_agents_they_fool() -> None:
    for puzzle in islice(puzzles(parse_game("connect4"), 2), 3):
        verdict = solve(puzzle.position)
        assert [item.text for item in verdict.moves or () if item.value == verdict.value] == [
            puzzle.move
        ]
        for name in ("open-lines", "counted-lines"):
            best = search(
                puzzle.position, "alphabeta", name, depth=1, scoring="result", root="open"
            ).best_moves
            names = [puzzle.position.game.format_move(puzzle.position, move) for move in best]
            assert (name in puzzle.fooled) == (puzzle.move not in names)


def test_command_prints_puzzles_of_a_game(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = json.loads(output(capsys, "puzzles", "tictactoe", "-n", "3", "--json"))
    assert json.loads(output(capsys, "puzzles", "tictactoe", "-n", "3", "--json")) == first
    assert [item["depth"] for item in first] == sorted(item["depth"] for item in first)
    assert run(["puzzles", "tictactoe", "-n", "100", "--depth", "5"]) == 1
    assert "further ones are too rare" in capsys.readouterr().out
    (puzzle,) = islice(puzzles(parse_game("tictactoe"), 3), 1)
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{puzzle.move}\nquit\n"))
    assert f"{puzzle.move}: that is it" in output(
        capsys, "play", "tictactoe", "--puzzle", "--seed", "3"
    )


@pytest.mark.parametrize("game", ["misere-tictactoe", "tictactoe"])
def test_prints_the_name_of_the_game_once(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert output(capsys, "puzzles", game, "-n", "1").count(game) == 1


def test_makes_no_puzzles_without_a_solver() -> None:
    with pytest.raises(OptionError, match="at most 16 cells"):
        next(puzzles(parse_game("qubic")))


def test_makes_no_puzzle_of_an_empty_board() -> None:
    game = parse_game("misere-tictactoe")
    for seed in range(4):
        assert next(puzzles(game, seed)).position != game.start()


def test_makes_no_puzzle_of_a_position_without_a_short_proof() -> None:
    assert puzzle_in(parse("7,7,5")) is None


def test_proves_the_same_puzzle_of_each_day_of_a_year(
    capsys: pytest.CaptureFixture[str],
) -> None:
    first = date(2026, 1, 1)
    days = [(first + timedelta(days=number)).isoformat() for number in range(0, 366, 30)]
    found = [daily_puzzle(day) for day in days]
    assert len({canonical(puzzle.position) for puzzle in found}) == len(days)
    again = (first + timedelta(days=366)).isoformat()
    assert daily_puzzle(again) == found[0]
    assert data(capsys, "puzzles", "--date", again)[0]["move"] == found[0].move
    for text in ("", "today", "2026-02-30"):
        with refuses(OptionError):
            daily_puzzle(text)


def test_puzzles_of_days_have_one_answer_by_brute_force() -> None:
    listed = files("plyscope.lab.judging").joinpath(DAILY).read_text(encoding="utf-8").split()
    assert len(listed) == len({canonical(parse(text)) for text in listed}) == 366
    late = [text for text in listed if text.count(".") <= 9]
    assert len(late) >= 8
    oracle = oracles.Solved(oracles.lines((7, 6), 4), 7)
    for text in late:
        puzzle = puzzle_in(parse(text))
        assert puzzle is not None
        b = oracles.board(text)
        side = oracles.to_move(b)
        won = [
            cell
            for cell in oracles.moves(b, oracle.lines, 7)
            if oracle.worth(oracles.place(b, cell, side))[0] == -1
        ]
        assert ["abcdefg"[cell % 7] for cell in won] == [puzzle.move[0]]


def test_gives_a_class_a_different_puzzle_each_day(capsys: pytest.CaptureFixture[str]) -> None:
    from plyscope.faces.cli import run

    day = "2026-11-27"
    positions = {daily_puzzle(day, group).position for group in ("", "cs101", "cs102")}
    assert len(positions) == 3
    assert daily_puzzle(day, "cs101") == daily_puzzle(day, "cs101")
    assert run(["puzzles", "--date", day, "--group", "cs101"]) == 0
    assert "#room=play&shelf=puzzles&position=" in capsys.readouterr().out

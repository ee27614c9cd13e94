"""Every command on games of one's own, from a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from plyscope.faces.cli import run

GAMES = '''
import plyscope as ps

class Nim(ps.Game):
    """Take one to three of ten; whoever takes the last one wins."""

    def start(self):
        return 10, ps.FIRST

    def side(self, state):
        return state[1]

    def moves(self, state):
        return [take for take in (1, 2, 3) if take <= state[0]]

    def play(self, state, move):
        return state[0] - move, 1 - state[1]

    def payoff(self, state):
        return None if state[0] else 1 if state[1] == ps.SECOND else -1

class Raising(Nim):
    def play(self, state, move):
        return state[0] - move, (1, 0)[state[1] + (state[0] < 4)]

class Stuck(Nim):
    def moves(self, state):
        return [take for take in (2, 3) if take <= state[0]]

def left(state):
    """What is left, good for X."""
    return state[0]
'''


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "nim.py"
    path.write_text(GAMES, encoding="utf-8")
    return str(path)


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    try:
        status = run(words)
    except SystemExit as stop:
        status = int(stop.code or 0)
    printed = capsys.readouterr()
    return status, printed.out, printed.err


def data(capsys: pytest.CaptureFixture[str], *words: str, status: int = 0) -> Any:
    found, out, err = answer(capsys, *words, "--json")
    assert (found, err) == (status, "")
    return json.loads(out)


def test_check_says_what_is_wrong_and_where(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = answer(capsys, "check", f"{file}:Nim")
    assert status == 0
    assert "nim: no rule was broken in 100 random games" in out
    assert "20 positions in all: solve has the value of each" in out
    status, out, _ = answer(capsys, "check", f"{file}:Stuck", "--seed", "3")
    assert status == 1
    assert "breaks a rule: there is no move, and payoff is None" in out
    found = data(capsys, "check", f"{file}:Stuck", "--games", "20", status=1)
    assert [fault["kind"] for fault in found["faults"]] == ["no moves"]
    assert (found["games"], found["is_sound"]) == (20, False)


@pytest.mark.parametrize("game", ["gone.py:Nim", "nim.py:Nom", "nim", "3,3"])
def test_check_of_what_is_no_game_is_bad_input(
    file: str, game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = answer(capsys, "check", game.replace("nim.py", file))
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "expected" in err


def test_what_a_game_raises_is_a_line_that_names_its_place(
    file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, _, err = answer(capsys, "analyze", f"{file}:Raising")
    assert status == 2
    assert err.count("\n") == 1
    assert f"{file}:24: play raised IndexError: tuple index out of range" in err

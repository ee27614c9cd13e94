"""Every command on games of one's own, from a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from commands import answer, data, refusal
from games import NIM_FILE
from sentences import says

GAMES = (
    NIM_FILE
    + '''
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
)


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "nim.py"
    path.write_text(GAMES, encoding="utf-8")
    return str(path)


def test_check_says_what_is_wrong_and_where(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = answer(capsys, "check", f"{file}:Nim")
    assert status == 0
    assert "nim: no rule was broken in 100 random games" in out
    assert "20 positions in all: solve" in out
    status, out, _ = answer(capsys, "check", f"{file}:Stuck", "--seed", "3")
    assert status == 1
    assert "breaks a rule: there is no move, and payoff is None" in out
    found = data(capsys, "check", f"{file}:Stuck", "--games", "20", status=1)
    assert [fault["kind"] for fault in found["faults"]] == ["no moves"]
    assert (found["games"], found["is_sound"]) == (20, False)


@pytest.mark.parametrize("game", ["gone.py:Nim", "nim.py:Nom", "nim", "3,3"])
def test_check_rejects_an_object_that_is_no_game(
    file: str, game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "expected" in refusal(capsys, "check", game.replace("nim.py", file))


def test_reports_an_exception_of_a_game_in_a_line_with_its_place(
    file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    says(refusal(capsys, "analyze", f"{file}:Raising"))


def test_accepts_the_position_in_each_place(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (
        [f"{file}:Nim 3"],
        ["3", "--game", f"{file}:Nim"],
        [f"{file}:Nim 3", "--game", f"{file}:Nim"],
    ):
        found = data(capsys, "analyze", *words)
        assert (found["position"], found["game"], found["best_moves"]) == ("(7, 1)", "nim", ["3"])
    assert data(capsys, "analyze", "--game", f"{file}:Nim")["position"] == "(10, 0)"
    assert data(capsys, "solve", "--game", "tictactoe")["value"] == 0


def test_analyze_compares_with_minimax_where_the_game_is_small(
    file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found = data(capsys, "analyze", f"{file}:Nim")
    # each sequence of moves is a node of minimax: the sums of perft
    assert found["minimax"]["nodes"] == 600
    assert [move["value"] for move in found["open_root"]["moves"]] == [-(10**9), 10**9, -(10**9)]


def test_compare_leaves_out_algorithms_that_need_lines_unless_requested(
    file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found = data(capsys, "compare", f"{file}:Nim 3 3")
    assert {result["algorithm"] for result in found}.isdisjoint({"engine", "accumulating"})
    assert {result["value"] for result in found if result["bound"] == "exact"} == {-(10**9)}
    says(refusal(capsys, "compare", f"{file}:Nim", "-A", "minimax,accumulating"))


def test_runs_tree_perft_eval_and_solve(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = answer(capsys, "tree", f"{file}:Nim")
    assert status == 0
    says(err)
    says(out)
    found = data(capsys, "perft", f"{file}:Nim")
    assert sum(row["games"] for row in found) == 274  # tribonacci
    assert data(capsys, "eval", f"{file}:Nim 3", "-H", f"{file}:left")["value"] == -7
    verdict = data(capsys, "solve", f"{file}:Nim")
    assert (verdict["value"], verdict["distance"], verdict["best_moves"]) == (1, 5, ["2"])
    assert verdict["method"] == "exhaustive"
    status, out, _ = answer(capsys, "solve", f"{file}:Nim 3", "--method", "proof-number")
    assert "O wins; best: 3" in out
    status, out, _ = answer(capsys, "solve", "[[3,5],[6,9]]")
    assert "MAX wins, score 6; best: C" in out


@pytest.mark.parametrize(
    "words",
    [
        *("analyze", "analyze nim.py:Nim 9", "analyze nim.py:Nim -A engine", "tree nim.py:Nom"),
        *("analyze nim.py:Nim -H open-lines", "analyze nim.py:Nim -A sss --form compiled"),
        *("solve nim.py:Nim --method connect", "solve nim.py:Nim --maker-breaker"),
        *("solve nim.py:Nim --proof p", "solve nim.py:Nim --checkpoint c", "eval nim.py:Nim x"),
        *("perft nim.py:Nim,9", "compare gone.py:Nim", "solve --game gone.py:Nim"),
        *("analyze nim.py:Raising", "perft nim.py:Raising", "solve nim.py:Raising"),
        *("analyze nim.py:Stuck", "solve nim.py:Stuck", "solve nim.py:left"),
    ],
)
def test_rejects_impossible_requests_in_a_line_without_object_addresses(
    file: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command, *rest = words.split(" ", 1)
    given = rest[0].replace("nim.py", file) if rest else ""
    position, _, options = given.partition(" -")
    split = [position] if not position.startswith("-") else given.split()
    split += f"-{options}".split() if options and not given.startswith("-") else []
    err = refusal(capsys, command, *filter(None, split))
    assert err.startswith("plyscope: ")
    assert " object at 0x" not in err


def test_prints_boards_of_several_lines_above_the_table(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "drawn.py"
    path.write_text(
        GAMES + "    \nclass Drawn(Nim):\n    def format(self, state):\n"
        "        return 'o' * state[0] + '\\n' + 'xo'[state[1]]\n",
        encoding="utf-8",
    )
    for command in ("analyze", "compare", "solve"):
        _, out, _ = answer(capsys, command, f"{path}:Drawn")
        assert out.split()[0] == "oooooooooo", command
    _, out, _ = answer(capsys, "eval", f"{path}:Drawn", "-H", f"{path}:left")
    assert out.splitlines()[:3] == ["left for X: 10", "oooooooooo", "x"]
    refusal(capsys, "analyze", f"{path}:Drawn 9")

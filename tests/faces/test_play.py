"""Games at the terminal, fed through standard input."""

from __future__ import annotations

import io
import json
import re
import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from commands import answer
from plyscope.faces.cli import run
from sentences import says

Play = Callable[..., tuple[int, str, str]]


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Play:
    """Play with what is entered, by the command with these words; return its status and output."""

    def play(entered: str, *words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO(entered))
        return answer(capsys, "play", *words)

    return play


BAD = ["a", "0", "10", "", "x" * 10_000, "é", "²", "b2 b3", "level 99", "level x", "\x00"]


def test_rejects_input_that_is_no_free_cell_and_asks_again(play: Play) -> None:
    status, out, err = play("5\n5\n" + "".join(f"{bad}\n" for bad in BAD), "--seed", "1")
    assert (status, err) == (0, "")
    assert "'b2' is taken; expected one of" in out
    assert out.count("X to move: ") == 3 + len(BAD)
    assert out.count("expected") >= 1 + len(BAD)
    assert "goodbye; to continue: plyscope play 'tictactoe b2 a3'" in out


def test_lets_a_person_beat_the_accumulating_agent_by_its_losing_line(play: Play) -> None:
    status, out, _ = play(
        "a3\nc1\na1\nb1\n",
        "--x",
        "accumulating",
        "--o",
        "human",
        "--first",
        "o",
    )
    assert status == 0
    assert "you win with a1 b1 c1" in out


def test_lets_the_computer_begin(play: Play) -> None:
    _, out, _ = play("", "--second", "--level", "10", "--seed", "2")
    assert out.startswith("X: level-10")
    assert "X plays" in out
    assert "O to move: " in out


def test_draws_the_board_once_after_the_answer_of_an_agent(play: Play) -> None:
    _, out, _ = play("5\n", "--level", "1", "--seed", "1")
    before, answered, after = out.partition("O plays ")
    assert answered
    boards = [text.count("┼───┼") / 2 for text in (before, after)]
    assert boards == [1, 1]  # at the start, and with the stone of the agent
    assert "O" in after.partition("\n")[2].partition("X to move")[0]


def test_obeys_hint_undo_eval_moves_level_and_help(play: Play) -> None:
    entered = "undo\n5\nhint\nundo\neval\nmoves\nlevel 3\nboard\nhelp\n?\nquit\n"
    status, out, _ = play(entered, "--seed", "1")
    assert status == 0
    for said in (
        "nothing to take back",
        "hint: ",
        "holds the draw",
        "counted-lines: 0 for X",
        "a3 b3 c3 a2 b2 c2 a1 b1 c1",
        "level-3: ",
        "goodbye",
    ):
        assert said in out
    assert "to continue: plyscope play 'tictactoe'" in out


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    "words", [["gomoku9", "--level", "2"], ["6,6,4", "--level", "1", "--second"]]
)
def test_resumes_a_game_as_it_would_have_gone_on(
    play: Play, monkeypatch: pytest.MonkeyPatch, words: list[str], seed: int
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    options = [*words, "--seed", str(seed)]
    entered = "a1\na2\nb1\nd1\n"
    status, whole, _ = play(entered, *options)
    _, left, _ = play("a1\na2\n", *options)
    (told,) = re.findall(r"^goodbye; to continue: (.*)$", left, re.M)
    program, command, *typed = shlex.split(told)
    assert (program, command, typed[-1]) == ("plyscope", "play", str(seed))
    _, rest, _ = play("b1\nd1\n", *typed)
    assert status == 0
    assert goodbye(rest) == goodbye(whole)


def goodbye(out: str) -> str:
    """Return how a game that was left is gone on with."""
    return out[out.index("goodbye") :]


def test_names_columns_in_connect_four_if_the_person_does(
    play: Play, capsys: pytest.CaptureFixture[str]
) -> None:
    entered = "4\nmoves\nhint\nd9\n8\nwhy 4\nquit\n"
    words = ("connect4-5x4", "--level", "1", "--seed", "1")
    status, out, _ = play(entered, *words)
    assert status == 0
    assert "A move is a column, 1 to 5." in out
    assert re.search(r"^O plays [1-5] \([a-e][1-4]\)$", out, re.M)
    assert "1 2 3 4 5\n" in out
    assert re.search(r"^hint: [1-5] (wins in|holds|looks best)", out, re.M)
    assert "column '8'; expected 1 to 5" in out
    assert re.search(r"^move 3, X 4 (wins|draws|loses)", out, re.M)
    answered = answer(capsys, "solve", "connect4-5x4 3344", "--json")[1]
    assert {move[0] for move in json.loads(answered)["best_moves"]} <= set("abcde")
    for words in (("solve", "connect4-5x4 33"), ("analyze", "connect4-5x4 33", "-d", "2")):
        out = answer(capsys, *words)[1]
        assert re.search(r"^ 3( ←)? ", out, re.M)
    says(answer(capsys, "analyze", "connect4-5x4 33333")[2])


def test_plays_two_agents_move_by_move_or_many_games(play: Play) -> None:
    _, out, _ = play("", "--x", "two-ply", "--o", "random", "--seed", "3")
    assert "X wins with" in out or "a draw" in out
    _, out, _ = play("", "--x", "two-ply", "--o", "random", "--games", "40", "--json")
    result = json.loads(out)
    assert result["a_wins_as_x"] + result["a_wins_as_o"] + result["draws"] == 40
    _, out, _ = play("", "--x", "two-ply", "--o", "random", "--games", "40")
    assert "moves on average" in out


def test_prints_only_the_json_record_on_standard_output(play: Play) -> None:
    _, out, err = play("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "--x", "human", "--o", "human", "--json")
    record = json.loads(out)
    assert (record["winner"], record["line"], record["moves"]) == (
        "x",
        ["c3", "b2", "a1"],
        ["a3", "b3", "c3", "a2", "b2", "c2", "a1"],
    )
    assert "X to move" in err


def test_plays_games_of_every_shape(play: Play) -> None:
    for game, entered in (
        ("connect4", "4\n9\n"),
        ("qubic", "b2c\n4\n"),
        ("gomoku9", "e5\ne55\n"),
        ("7,7,5", "d4\n"),
        ("misere-tictactoe", "5\n"),
    ):
        status, out, err = play(entered, game, "--level", "2", "--seed", "1")
        assert (status, err) == (0, "")
        assert "O plays" in out


def test_says_how_a_finished_position_ended(play: Play) -> None:
    assert "you win with a3 b3 c3" in play("", "XXX/OO./...", "--x", "human")[1]
    assert "a draw" in play("", "XOX/XXO/OXO")[1]


def test_says_goodbye_after_ctrl_c(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Interrupting(io.StringIO):
        def readline(self, size: int = -1) -> str:
            raise KeyboardInterrupt

    monkeypatch.setattr(sys, "stdin", Interrupting())
    assert run(["play"]) == 0
    printed = capsys.readouterr()
    assert "goodbye; to continue" in printed.out
    assert printed.err == ""


# Games of one's own

NIM = f"{Path(__file__).parents[2] / 'examples' / 'nim.py'}:Nim"


def test_plays_a_user_defined_game_by_the_names_of_its_moves(play: Play) -> None:
    entered = "z9\n\nhint\neval\nmoves\na2\nundo\nhelp\nlevel 7\n"
    status, out, err = play(entered, "--game", NIM, "--level", "3")
    assert (status, err) == (0, "")
    assert "O: level-3 (UCT, 50 playouts a move, 20 % random moves)" in out
    assert "A move is a name such as 'a1'." in out
    assert "no move 'z9' on '3 4 5'; expected one of a1, a2, a3" in out
    assert "nothing entered; expected a name such as 'a1'" in out
    assert "hint: a2 wins in 11 plies" in out
    assert "play may go on " in out
    assert "null: 0 for X" in out
    assert "a1, a2, a3, b1, b2, b3, b4, c1, c2, c3, c4, c5\n" in out
    assert out.count("\n3 4 5\n") == 2
    assert "level-7: UCT, 1,000 playouts a move" in out
    assert f"goodbye; to continue: plyscope play --game {NIM} ''" in out


def test_resumes_a_user_defined_game(play: Play) -> None:
    words = "--game", NIM, "--x", "human", "--o", "human"
    _, out, _ = play("b4\n", "a3 c4", *words)
    assert f"plyscope play --game {NIM} 'a3 c4, b4'" in out
    status, out, _ = play("c1\n", "a3 c4, b4", *words, "--json")
    found = json.loads(out)
    assert (status, found["game"], found["winner"], found["line"]) == (0, NIM, "o", None)
    assert (found["start"], found["end"], found["moves"]) == ("0 0 1", "0 0 0", ["c1"])


def test_plays_two_agents_at_a_user_defined_game(play: Play) -> None:
    words = ("--game", NIM, "--x", "alphabeta", "--o", "random", "--seed", "1")
    status, out, _ = play("", *words)
    assert (status, out.rstrip().rpartition("\n")[2]) == (0, "X wins")
    status, out, _ = play("", *words, "--games", "6", "--json")
    assert (status, json.loads(out)["a_wins_as_x"]) == (0, 3)


def test_lets_a_person_choose_the_side_after_the_opening(play: Play) -> None:
    words = ("4,4,4", "--opening", "pie", "--o", "human", "--x", "greedy", "--seed", "1")
    status, out, err = play("z\nx\n", *words)
    assert (status, err) == (0, "")
    assert "greedy places 1 stone" in out
    assert "'z'; expected x or o" in out
    assert "X is you, O is greedy" in out
    assert out.count("O plays") == 1  # the stone on the board is the person's now


def test_lets_a_person_place_the_stones_of_swap2_for_both_sides(play: Play) -> None:
    words = ("4,4,4", "--opening", "swap2", "--x", "human", "--o", "greedy", "--seed", "1")
    status, out, err = play("b2\nb2\nb1\nc2\n", *words)
    assert (status, err) == (0, "")
    assert "Place 3 stones; then the sides are chosen." in out
    assert "'b2' is taken" in out
    assert "greedy takes X" in out
    assert "X is greedy, O is you" in out


def test_resumes_a_saved_game_with_its_moves_players_and_seed(play: Play, tmp_path: Path) -> None:
    file = str(tmp_path / "g.json")
    words = ("connect4", "--o", "level-2", "--seed", "8")
    whole = play("4\n4\n3\n3\nquit\n", *words)[1]
    half = play(f"4\n4\nsave {file}\nquit\n", *words)[1]
    assert f"to continue: plyscope play {file}" in half
    rest = play("3\n3\nquit\n", file)[1]
    answers = [
        [line for line in out.splitlines() if line.startswith("O plays")] for out in (whole, rest)
    ]
    assert answers[0][2:] == answers[1] != []
    undone = play("undo\nundo\nundo\nquit\n", file)[1]
    assert "nothing to take back" in undone  # both moves were in the file
    other = play("quit\n", file, "--o", "level-9")[1]
    assert "level-9" in other


@pytest.mark.parametrize(
    ("content", "error"),
    [
        ("{", "cannot read the game"),
        ('{"moves": ["b2"]}', "expected a saved game"),
        (
            '{"moves": [3], "start": "", "game": "tictactoe", "x": "human", "o": "human"}',
            "not texts",
        ),
        (
            '{"moves": ["b2", "b2"], "start": ".../.../...", "game": "tictactoe", "x": "human", "o": "human"}',
            "'b2' is taken",
        ),
    ],
)
def test_rejects_a_file_that_is_no_saved_game(
    play: Play, content: str, error: str, tmp_path: Path
) -> None:
    (tmp_path / "g.json").write_text(content)
    status, _, err = play("", str(tmp_path / "g.json"))
    assert (status, err.count("\n")) == (2, 1)
    assert error in err


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.sgf", "(;GM[4]SZ[15];B[hh];W[ii];B[hi])"),
        ("a.psq", "Piskvorky 15x15, 0:0, 0\n8,8,0\n9,9,0\n8,9,0\n"),
    ],
)
def test_resumes_a_game_of_another_program_with_its_moves(
    play: Play, name: str, content: str, tmp_path: Path
) -> None:
    file = tmp_path / name
    file.write_text(content)
    status, out, err = play("undo\nquit\n", str(file), "--o", "human")
    assert status == 0
    says(err)
    assert "to continue: plyscope play 'gomoku15 h8'" in out
    assert "--x level-5 --o human" in out


def test_echoes_typed_moves_and_can_undo_them(play: Play) -> None:
    both = ("--x", "human", "--o", "human")
    _, out, _ = play("4\nundo\nundo\nquit\n", "connect4 4455", *both)
    assert "to continue: plyscope play 'connect4 445'" in out
    _, out, _ = play("quit\n", "X../.O./...", *both)
    assert "to continue: plyscope play 'X../.O./...'" in out

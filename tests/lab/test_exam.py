"""Exam questions on other algorithms and on boards, a sheet for each student, and their marks."""

from __future__ import annotations

import csv
import io
import json
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import pytest

import plyscope as ps
from plyscope.faces.cli import run
from plyscope.lab.exam.boards import make_board_questions
from plyscope.lab.exam.trees import make_questions
from plyscope.lab.quiz import Question, mark, read_answer
from plyscope.lab.quiz.boards import BoardQuestion, mark_board

NESTED = "[[[3,9,-3],[7,-6],[-3,7,5]],[[-8,7,7],[-7,-3],[-7,-2,-6]]]"


def second_searches(
    tree: Any, is_max: bool, alpha: float, beta: float, path: Any, found: set
) -> float:
    """PVS with MAX and MIN apart, as none of ours is written."""
    if not isinstance(tree, list):
        return tree
    best = None
    for number, child in enumerate(tree):
        at = (*path, number)
        if best is None:
            score = second_searches(child, not is_max, alpha, beta, at, found)
        else:
            low, high = (alpha, alpha + 1) if is_max else (beta - 1, beta)
            score = second_searches(child, not is_max, low, high, at, found)
            if (is_max and high < beta and low < score < beta) or (
                not is_max and low > alpha and alpha < score < high
            ):
                found.add(at)
                score = second_searches(child, not is_max, alpha, beta, at, found)
        best = score if best is None else (max if is_max else min)(best, score)
        if is_max:
            alpha = max(alpha, score)
        else:
            beta = min(beta, score)
        if alpha >= beta:
            break
    return best


def test_second_searches_are_those_of_a_pvs_written_otherwise() -> None:
    for question in make_questions(7, 20, algorithm="pvs"):
        found: set[tuple[int, ...]] = set()
        tree = json.loads(str(question.tree.start()))
        value = second_searches(tree, True, float("-inf"), float("inf"), (), found)
        assert value == question.key[()].score
        assert {path for path, node in question.key.items() if node.is_again} == found != set()


def test_minimax_asks_for_every_value_and_nothing_else() -> None:
    question = Question(ps.parse_tree(NESTED), algorithm="minimax")
    assert question.asked == ("values",)
    assert [question.key[path].score for path in ((), (0,), (1,), (0, 0), (1, 2))] == [
        7,
        7,
        -3,
        9,
        -2,
    ]
    assert not any(node.is_cut for node in question.key.values())


def test_marks_of_pvs_count_a_second_search_that_is_none_against_it() -> None:
    question = Question(ps.parse_tree(NESTED), asked=("again",), algorithm="pvs")
    due = {path for path, node in question.key.items() if node.is_again}
    answer = {".".join(map(str, path)): {"again": True} for path in due}
    assert mark(question, read_answer(question, answer)).points == len(due) == 2
    answer["1"] = {"again": True}
    assert mark(question, read_answer(question, answer)).points == len(due) - 1


def minimax(position: ps.Position, depth: int, side: int) -> int:
    if depth == 0 or position.is_over:
        return ps.evaluate(position, "counted-lines", side="xo"[side])
    values = [minimax(position.play(move), depth - 1, side) for move in position.moves]
    return max(values) if position.side == side else min(values)


@pytest.mark.parametrize("game", ["tictactoe", "4,3,3", "connect4"])
def test_the_keys_of_boards_equal_a_minimax_written_here(game: str) -> None:
    rules = ps.parse_game(game)
    for question in make_board_questions(5, 9, rules, "counted-lines"):
        position, side = question.position, question.position.side
        if question.item == "evaluation":
            assert question.value == ps.evaluate(position, "counted-lines") != 0
            continue
        plies = 1 if question.item == "choice" else 0
        worth = {
            rules.format_move(position, move): minimax(position.play(move), plies, side)
            for move in question.moves or position.moves
        }
        assert question.worth == worth
        assert {worth[move] for move in question.best} == {max(worth.values())}


def test_equals_may_stand_in_any_order_and_a_pair_counts_by_itself() -> None:
    question = BoardQuestion(
        position=ps.parse("X../.O./..."),
        heuristic="counted-lines",
        item="order",
        moves=(1, 2, 3, 8),
    )
    full = {
        moves
        for moves in permutations(question.worth)
        if mark_board(question, {"order": moves}).points == 3
    }
    values = [tuple(question.worth[move] for move in moves) for moves in full]
    assert set(values) == {tuple(sorted(question.worth.values(), reverse=True))}
    assert len(full) == 2  # one pair is equal
    reverse = list(reversed(question.order))
    assert mark_board(question, {"order": reverse}).points == 0
    assert mark_board(question, {"order": "b3 b3 c3 a2"}).points == 0
    assert mark_board(question, {"order": ["nonsense"]}).marks[0].verdict == "wrong"
    assert mark_board(question, {}).marks[0].verdict == "missing"


def test_a_best_move_is_as_good_as_another() -> None:
    question = BoardQuestion(
        position=ps.parse("X../.O./..."), heuristic="counted-lines", item="choice"
    )
    assert len(question.best) > 1
    for move in question.best:
        assert mark_board(question, {"move": move, "value": question.value}).points == 2
    assert mark_board(question, {"move": "b3"}).points == 0


def test_questions_are_the_same_for_the_same_seed_alone() -> None:
    game = ps.GAMES["connect4"]
    made = [
        make_board_questions(seed, 6, game, "counted-lines")
        for seed in ("1 Ada", "1 Ada", "1 Alan")
    ]
    assert made[0] == made[1] != made[2]
    assert len({question.position for question in made[0]}) == 6


@pytest.fixture
def names(tmp_path: Path) -> Path:
    file = tmp_path / "names.csv"
    file.write_text("name,id\nAda Lovelace,1\nAlan Turing,2\nÉmile B,3\n", encoding="utf-8")
    return file


@pytest.mark.parametrize("ask", [["--ask", "choice,order"], ["-A", "pvs"], []])
def test_every_student_has_a_sheet_whose_key_has_full_marks(
    ask: list[str], names: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["exam", *ask, "--students", str(names), "--questions", "2"]
    assert run([*words, "-o", str(tmp_path / "e.html")]) == 0
    sheets = sorted(path.name for path in tmp_path.glob("e-*.html"))
    assert sheets == [
        f"e-{name}{end}.html"
        for name in ("Ada-Lovelace", "Alan-Turing", "Émile-B")
        for end in ("-key", "")
    ]
    texts = {path.read_text(encoding="utf-8") for path in tmp_path.glob("e-*-*.html")}
    assert len(texts) == 6
    capsys.readouterr()

    answers: dict[str, dict[str, Any]] = {}
    with (tmp_path / "e-keys.csv").open(encoding="utf-8") as keys:
        for row in csv.DictReader(keys):
            written = answers.setdefault(row["student"], {}).setdefault(row["question"], {})
            if ask[:1] == ["--ask"]:
                written[row["item"]] = (
                    row["answer"].split()[0] if row["item"] == "move" else row["answer"]
                )
                continue
            node = written.setdefault(row["node"], {})
            if row["item"] == "window":
                node["alpha"], node["beta"] = row["answer"].split()
            else:
                node[row["item"]] = True if row["answer"] == "yes" else row["answer"]
    folder = tmp_path / "answers"
    folder.mkdir()
    for name, answer in list(answers.items())[:2]:
        (folder / f"{name.replace(' ', '-')}.json").write_text(json.dumps(answer), encoding="utf-8")
    assert run([*words, "--answer", str(folder)]) == 0
    marks = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["student"] for row in marks] == ["Ada Lovelace"] * 2 + ["Alan Turing"] * 2 + [
        "Émile B"
    ]
    assert all(float(row["points"]) == float(row["possible"]) > 0 for row in marks[:4])
    assert (marks[4]["points"], marks[4]["note"]) == ("0", "no Émile-B.json")


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (
            ["--ask", "values,order"],
            "asked for 'values, order'; expected some of values, windows, cuts",
        ),
        (["--ask", "cuts", "-A", "minimax"], "asked for 'cuts'; expected some of values"),
        (["--ask", "valus"], "some of values, windows, cuts, or on boards of evaluation, choice"),
        (["XO./.X./..O"], "a board, 'XO./.X./..O', without --ask; expected some of evaluation,"),
        (["--ask", "order", "--depth", "3"], "--depth with a question on a board; expected a tree"),
        (
            ["-g", "connect4"],
            "--game with a question on a tree; expected --ask evaluation,choice,order",
        ),
        (["--ask", "order", "-g", "examples/nim.py:Nim"], "expected a line game"),
        (["--ask", "order", "XXX/OO./..."], "the game is over"),
        (
            ["--students", "none.txt", "-o", "x.html"],
            "cannot read the students 'none.txt': No such file",
        ),
        (
            ["--students", "none.txt"],
            "--students without a file; expected -o FILE, or --answer FOLDER",
        ),
        (["--ask", "choice", "-g", "15,15,5", "--plies", "1"], "has a question on its choice"),
    ],
)
def test_what_cannot_be_asked_is_told_in_one_line(
    words: list[str], error: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["exam", *words]) == 2
    said = capsys.readouterr().err
    assert error in said
    assert said.count("\n") == 1


def test_a_name_that_is_there_twice_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "names.txt"
    file.write_text("Ada\nAda\n", encoding="utf-8")
    assert run(["exam", "--students", str(file), "-o", str(tmp_path / "e.md")]) == 2
    assert "student 'Ada'" in capsys.readouterr().err


def test_random_boards_always_have_something_to_say() -> None:
    draw = Random(3)
    for _ in range(20):
        seed = draw.randrange(10**6)
        for question in make_board_questions(seed, 3, ps.GAMES["tictactoe"], "open-lines"):
            assert not question.position.is_over
            assert question.item != "choice" or len(question.best) < len(question.worth)

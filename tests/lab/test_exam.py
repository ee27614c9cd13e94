"""Exam questions on other algorithms and on boards, their sheets and their marks."""

from __future__ import annotations

import io
import json
import re
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import pytest

import oracles
import plyscope as ps
from commands import output
from plyscope.faces.cli import run
from plyscope.faces.diagrams.board import board_svg, legible
from plyscope.faces.diagrams.markup import drawn_size
from plyscope.faces.sheets import trees
from plyscope.faces.sheets.paper import LANDSCAPE_PT, MIN_LABEL_PT, MIN_SCALE
from plyscope.faces.sheets.plain import board_rules, paper_rules
from plyscope.lab.questions.exam.boards import make_board_questions
from plyscope.lab.questions.exam.exam import exam
from plyscope.lab.questions.exam.trees import Constraints, length_of, make_questions
from plyscope.lab.questions.quiz import Question, mark, read_answer
from plyscope.lab.questions.quiz.boards import BOARD_ANSWERS, BoardQuestion, mark_board
from plyscope.lab.questions.quiz.table import blank_table, filled_table
from plyscope.searching.conventions import Conventions
from sentences import says

NESTED = "[[[3,9,-3],[7,-6],[-3,7,5]],[[-8,7,7],[-7,-3],[-7,-2,-6]]]"


def test_finds_the_second_searches_of_an_independent_pvs() -> None:
    for question in make_questions(7, 20, algorithm="pvs"):
        found, again = oracles.pvs_by_node(json.loads(str(question.tree.start())))
        assert {path: node.score for path, node in question.key.items() if path in found} == {
            path: score for path, (_, _, score) in found.items()
        }
        for path, node in question.key.items():
            is_struck = path not in found and path[:-1] in found
            assert (node.is_cut, node.score is None) == (is_struck, path not in found)
        assert {path for path, node in question.key.items() if node.is_again} == again != set()


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


def test_deducts_points_for_a_wrong_second_search_of_pvs() -> None:
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
        assert question.move_values == worth
        assert {worth[move] for move in question.best} == {max(worth.values())}


def test_accepts_equal_moves_in_any_order_and_counts_each_pair() -> None:
    question = BoardQuestion(
        position=ps.parse("X../.O./..."),
        heuristic="counted-lines",
        item="order",
        moves=(1, 2, 3, 8),
    )
    full = {
        moves
        for moves in permutations(question.move_values)
        if mark_board(question, {"order": moves}).points == 3
    }
    values = [tuple(question.move_values[move] for move in moves) for moves in full]
    assert set(values) == {tuple(sorted(question.move_values.values(), reverse=True))}
    assert len(full) == 2  # one pair is equal
    reverse = list(reversed(question.order))
    assert mark_board(question, {"order": reverse}).points == 0
    assert mark_board(question, {"order": "b3 b3 c3 a2"}).points == 0
    assert mark_board(question, {"order": ["nonsense"]}).marks[0].verdict == "wrong"
    assert mark_board(question, {}).marks[0].verdict == "missing"


def test_accepts_any_best_move() -> None:
    question = BoardQuestion(
        position=ps.parse("X../.O./..."), heuristic="counted-lines", item="choice"
    )
    assert len(question.best) > 1
    for move in question.best:
        assert mark_board(question, {"move": move, "value": question.value}).points == 2
    assert mark_board(question, {"move": "b3"}).points == 0


def test_draws_the_same_questions_only_for_the_same_seed() -> None:
    game = ps.GAMES["connect4"]
    made = [
        make_board_questions(seed, 6, game, "counted-lines")
        for seed in ("1 Ada", "1 Ada", "1 Alan")
    ]
    assert made[0] == made[1] != made[2]
    assert len({question.position for question in made[0]}) == 6


def test_draws_boards_with_something_to_ask() -> None:
    draw = Random(3)
    for _ in range(20):
        seed = draw.randrange(10**6)
        for question in make_board_questions(seed, 3, ps.GAMES["tictactoe"], "open-lines"):
            assert not question.position.is_over
            assert question.item != "choice" or len(question.best) < len(question.move_values)


# Answers as people write them


def test_reads_the_key_of_a_sheet_as_a_right_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for words in ([], ["-A", "pvs"], ["--bound", "hard", "--cut", "gt"]):
        asked = ["exam", "-s", "4", *words, "--json"]
        (question,) = json.loads(output(capsys, *asked))
        answer = {
            node["label"]: {name: node[name] for name in ("value", "window", "cut", "again")}
            for node in question["key"].values()
        }
        assert {"A", "B", "D1"} <= set(answer)
        assert answer["A"]["window"] == [None, None]
        monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(answer)))
        marking = json.loads(output(capsys, *asked, "--answer", "-"))
        assert marking["points"] == marking["possible"] > 0


# What a sheet says


def test_asks_about_boards_when_only_a_game_is_given(capsys: pytest.CaptureFixture[str]) -> None:
    asked = json.loads(output(capsys, "exam", "-g", "connect4", "--json"))
    assert [question["item"] for question in asked] == ["evaluation", "choice", "order"]


def test_prints_the_numbers_of_the_heuristic_that_marks_the_sheet() -> None:
    for name, board, words in (
        ("counted-lines", "tictactoe", "1 with 1 stone, 3 with 2, 8 with 3"),
        ("diagonal-lines", "connect4", "Each diagonal line counts 2 times"),
        ("result", "tictactoe", "limited to ±10"),
    ):
        question = BoardQuestion(
            position=ps.parse_game(board).start(), heuristic=name, item="choice"
        )
        rules = " ".join(board_rules(question))
        assert words in rules
        assert f"{len(question.position.game.lines)} lines" in rules
        assert "a win has no other value" in rules


def test_prints_every_convention_of_a_tree_on_its_sheet() -> None:
    def said(algorithm: str = "alphabeta", **conventions: str) -> str:
        tree = ps.parse_tree(NESTED)
        wanted = Conventions(**conventions)  # type: ignore[arg-type]
        return " ".join(paper_rules(Question(tree, wanted, algorithm=algorithm)))

    usual = said()
    assert "alpha ≥ beta" in usual
    assert "fail-soft" in usual
    assert "deep cutoffs" in usual
    assert "window (−∞, ∞)" in usual
    assert "alpha > beta" in said(cut="gt")
    assert "fail-hard" in said(bound="hard")
    assert "shallow" in said(cutoffs="shallow")
    assert "each of its children is called with (−∞, ∞)" in said(root="open")
    pvs = said("pvs")
    for words in ("(alpha, alpha + 1)", "(beta − 1, beta)", "last visit", "R belongs to"):
        assert words in pvs
    assert "last visit" not in usual


def test_hides_points_that_would_reveal_the_number_of_cuts(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for words, is_told in (([], False), (["-A", "pvs"], False), (["-A", "minimax"], True)):
        assert ("point" in output(capsys, "exam", *words).splitlines()[0]) == is_told


# Paper


@pytest.mark.parametrize(
    ("algorithm", "depth", "branching"),
    [
        ("alphabeta", 3, (2, 3)),
        ("alphabeta", 4, (3, 3)),
        ("pvs", 5, (2, 3)),
        ("minimax", 2, (9, 9)),
    ],
)
@pytest.mark.parametrize("with_key", [False, True])
def test_fits_a_printed_tree_on_its_page_with_every_leaf_once(
    algorithm: str, depth: int, branching: tuple[int, int], with_key: bool
) -> None:
    wanted = Constraints(depth=depth, branching=branching, cutoffs=0)
    (question,) = make_questions(2, 1, wanted, algorithm=algorithm)
    widest = LANDSCAPE_PT / MIN_SCALE
    drawn = trees.printed_trees(question, with_key, widest)
    assert max(drawn_size(svg)[0] for svg in drawn) <= widest
    leaves = sum(node.is_leaf for node in question.key.values())
    assert sum(svg.count("<rect") for svg in drawn) == leaves
    names = {node.name for node in question.key.values() if not node.is_leaf}
    shown = set(re.findall(r">([A-Z]+)</text>", "".join(drawn)))
    assert names <= shown


def test_has_a_row_to_fill_in_for_everything_marked() -> None:
    tree = ps.parse_tree(NESTED)
    head, *rows = trees.blanks(Question(tree))
    question = Question(tree)
    assert head == ("node", "alpha", "beta", "value")
    assert len(rows) == len(question.key)
    assert ("D1 (3)", "", "", "–") in rows
    head, *rows = trees.blanks(Question(tree, algorithm="minimax"))
    assert head == ("node", "value")
    assert {row[0] for row in rows} == {"A", "B", "C", "D", "E", "F", "G", "H", "I"}
    assert trees.blanks(Question(tree, asked=("cuts",))) == ()


@pytest.mark.parametrize("board", ["XO./.X./..O", "connect4 44455", "15,15,5 h8"])
def test_prints_readable_labels_on_a_board(board: str) -> None:
    svg = board_svg(ps.parse(board))
    printed = legible(svg, 200, MIN_LABEL_PT)
    points = 200 / drawn_size(svg)[0]
    cell = float(re.findall(r"scale\(([\d.]+)\)", printed)[0])
    sizes = re.findall(r'class="label" font-size="([\d.]+)"', printed)
    assert sizes
    assert min(float(size) * cell * points for size in sizes) > 8


def test_writes_the_sheet_and_its_key_into_the_pdf(tmp_path: Path) -> None:
    pytest.importorskip("typst")
    for words in (["-d", "4", "--branching", "3..3"], ["--ask", "choice,order", "-n", "2"]):
        assert run(["exam", *words, "-o", str(tmp_path / "e.pdf")]) == 0
        for name in ("e.pdf", "e-key.pdf"):
            assert (tmp_path / name).read_bytes().startswith(b"%PDF")


def test_accepts_a_range_of_values_below_zero(capsys: pytest.CaptureFixture[str]) -> None:
    leaves = re.findall(
        r"-?\d+", json.loads(output(capsys, "exam", "--values", "-3..-1", "--json"))[0]["tree"]
    )
    assert set(leaves) <= {"-3", "-2", "-1"} != set()
    with pytest.raises(SystemExit, match="2"):
        run(["exam", "--values", "-x"])
    says(capsys.readouterr().err)


def test_says_how_trees_and_boards_were_read(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["exam", "{'A': ['B', 'C'], 'B': [3, 5], 'C': [2, 9]}", "--key"]) == 0
    printed = capsys.readouterr()
    assert "read as a dict of children, 7 nodes" in printed.err
    assert "In the tree: 4 leaves, 3 searched, 1 pruned" in printed.out
    assert run(["exam", "[[1,2,1],[0,1,0],[2,0,2]]", "-g", "tictactoe", "--ask", "choice"]) == 0
    assert "read as a board of 3×3, 1 = X, 2 = O" in capsys.readouterr().err


def test_names_many_files_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["exam", "-n", "3", "-o", str(tmp_path / "e.svg")]) == 0
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "wrote 3 sheets and keys" in said
    assert len(list(tmp_path.iterdir())) == 6


def test_marks_an_occupied_cell_as_wrong_without_an_error() -> None:
    question = BoardQuestion(
        position=ps.parse("X../.O./..."), heuristic="counted-lines", item="choice"
    )
    assert mark_board(question, {"move": "a3"}).marks[0].verdict == "wrong"


@pytest.mark.parametrize(
    ("algorithm", "students"), [("alphabeta", 14), ("minimax", 14), ("pvs", 4)]
)
def test_sheets_of_one_class_are_equally_long(algorithm: str, students: int) -> None:
    lengths = []
    for student in range(students):
        drawn = make_questions(f"34 {student}", 3, algorithm=algorithm, is_equal=True)
        lengths.append([sum(column) for column in zip(*map(length_of, drawn), strict=True)])
    for column in zip(*lengths, strict=True):
        assert max(column) <= 1.1 * min(column)
    free = [make_questions(f"34 {student}", 3, algorithm=algorithm) for student in range(students)]
    nodes = [sum(length_of(question)[0] for question in drawn) for drawn in free]
    assert max(nodes) > 1.1 * min(nodes)


@pytest.mark.parametrize("ask", [["--ask", "choice,order"], ["-A", "pvs"], []])
def test_reads_answers_from_a_table(
    ask: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    questions: Any = (
        exam(2, seed=1, ask=("choice", "order"), game="tictactoe").questions
        if "--ask" in ask
        else make_questions(1, 2, algorithm=ask[1] if ask else "alphabeta")
    )
    if "--ask" in ask:
        head, *rows = blank_table(questions)
        for row, question in zip(rows, questions, strict=True):
            key = {"move": question.best[0], "value": f"{question.value}"}
            key |= {"order": " ".join(question.order)}
            row[2:] = [
                key[name] if name in BOARD_ANSWERS[question.item] else "" for name in head[2:]
            ]
        table = [head, *rows]
    else:
        table = filled_table(questions, [question.key.values() for question in questions])
    file = tmp_path / "answers.csv"
    words = ["exam", "-s", "1", "-n", "2", *ask, "--answer", str(file), "--json"]
    file.write_text("\n".join(map(";".join, table)), encoding="utf-8-sig")
    marks = json.loads(output(capsys, *words))
    assert [each["points"] for each in marks] == [each["possible"] for each in marks]
    file.write_text("\n".join(map(";".join, [*table, ["7", "A", "3", *table[0][3:]]])))
    assert run(words) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out) == marks
    says(printed.err)

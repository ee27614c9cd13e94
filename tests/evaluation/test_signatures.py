"""The signatures that a heuristic may have as a Python function."""

from __future__ import annotations

import pickle
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import plyscope as ps
from games import Nim
from plyscope.errors import HeuristicError, NotationError, OptionError
from plyscope.evaluation.function import MAX_VALUE, load_function
from plyscope.evaluation.heuristics import find_heuristic
from plyscope.evaluation.linetable import LineTable
from plyscope.evaluation.signatures import OF_CONFIG, SIGNATURES, board_rows, signature_of
from sentences import refuses
from twins import some_position

BOARDS = ("tictactoe", "connect4", "5,4,4", "3x3x3,3", "2x2x2x2,2", "6,1,3")


@pytest.mark.parametrize(
    ("function", "text"),
    [
        (lambda position: 0, "f(position)"),
        (lambda state: 0, "f(position)"),
        (lambda p, weight=3: 0, "f(position)"),
        (lambda board: 0, "f(board)"),
        (lambda grid, depth=2: 0, "f(board)"),
        (lambda board, player: 0, "f(board, player)"),
        (lambda rows, side: 0, "f(board, player)"),
        (lambda b, player: 0, "f(board, player)"),
        (lambda array, me, you: 0, "f(board, player, opponent)"),
        (lambda board, player, opponent, k=3: 0, "f(board, player, opponent)"),
        (lambda mine, theirs: 0, "f(mine, theirs)"),
        (lambda m, t: 0, "f(mine, theirs)"),
        (lambda mine, theirs, lines: 0, "f(mine, theirs, lines)"),
        (lambda mine, theirs, lines=(): 0, "f(mine, theirs, lines)"),
        (lambda a, b, c, d=1: 0, "f(mine, theirs, lines)"),
        (lambda *stones: 0, "f(mine, theirs, lines)"),
        (max, "f(mine, theirs, lines)"),
    ],
)
def test_chooses_a_signature_by_the_names_of_the_arguments(function: Any, text: str) -> None:
    assert signature_of("f", function).text == text


def test_chooses_a_signature_by_annotations() -> None:
    def of_lists(b: list[list[int]], p: int) -> int:
        return 0

    def of_an_array(b: np.ndarray, p: int) -> float:
        return 0

    for function in (of_lists, of_an_array):
        assert signature_of("f", function).text == "f(board, player)"


@pytest.mark.parametrize(
    "function",
    [
        lambda: 0,
        lambda mine: 0,
        lambda position, side: 0,
        lambda position, player: 0,
        lambda a, b, c, d: 0,
        lambda board, player, opponent, k: 0,
        lambda mine, theirs, *, lines: 0,
    ],
)
def test_lists_all_signatures_for_an_unknown_one_before_the_search(function: Any) -> None:
    function.__name__ = "f"
    with refuses(OptionError) as told:
        ps.search("tictactoe", heuristic=function, nodes=1)
    assert all(each.text in str(told.value) for each in SIGNATURES if each is not OF_CONFIG)


def test_has_one_signature_for_user_defined_games() -> None:
    def f(mine: int, theirs: int) -> int:
        return 0

    expected = r"'f\(mine, theirs\)' on 'nim', .*; expected f\(position\)$"
    with pytest.raises(OptionError, match=expected):
        ps.search((5, 0), game=Nim(5, most=2), heuristic=f)  # type: ignore[arg-type]
    first = ps.search((5, 0), game=Nim(5, most=2), heuristic=lambda state: state[0], depth=1)
    assert first.value == 4
    second = ps.search((5, 1), game=Nim(5, most=2), heuristic=lambda state: state[0], depth=1)
    assert second.value == -3  # an answer in FIRST's view


@pytest.mark.parametrize("spec", BOARDS)
def test_gives_rows_with_every_stone_where_it_is_drawn(spec: str) -> None:
    draw = random.Random(spec)
    for _ in range(20):
        position = some_position(ps.parse_game(spec), draw)
        marks = np.array(board_rows(position)).ravel()
        owners = [position.owner(cell) for cell in range(position.game.size)]
        assert [{0: None, 1: 0, 2: 1}[mark] for mark in marks] == owners


def test_the_first_row_is_the_top_one() -> None:
    assert board_rows(ps.parse("connect4 44")) == [[0] * 7] * 4 + [
        [0, 0, 0, 2, 0, 0, 0],
        [0, 0, 0, 1, 0, 0, 0],
    ]
    assert board_rows(ps.parse("XO./.X./..O")) == [[1, 2, 0], [0, 1, 0], [0, 0, 2]]


def test_marks_holes_of_the_board_in_rows() -> None:
    game = ps.LineGame("ring", (3, 3), 3, holes=1 << 4)
    position = game.start().play("a1", "c3")
    assert board_rows(position) == [[0, 0, 2], [0, -1, 0], [1, 0, 0]]
    found = ps.search(position, heuristic=lambda board: sum(map(sum, board)), depth=2)
    assert (found.value, ps.evaluate(position, lambda array: array.sum())) == (5, 2)


def rows(board: list[list[int]], player: int) -> int:
    """A full row, column or diagonal less the opponent's, plus the centre."""
    n = len(board)
    lines = [*board, *zip(*board, strict=True), [board[i][i] for i in range(n)]]
    opponent = 1 if player == 2 else 2
    return sum((opponent not in line) - (player not in line) for line in lines)


def players(board: list[list[int]], player: int, opponent: int) -> int:
    return rows(board, player) if opponent == 3 - player else 10_000


def an_array(array: Any, player: int) -> int:
    assert isinstance(array, np.ndarray)
    return rows(array.tolist(), player)


def of_x(board: list[list[int]]) -> int:
    return rows(board, 1)


def of_position(position: ps.Position) -> int:
    return rows(board_rows(position), 1)


def bitboards(mine: int, theirs: int, lines: tuple[int, ...]) -> int:
    wanted = [0b111, 0b111000, 0b111000000, 0b001001001, 0b010010010, 0b100100100, 0b100010001]
    return sum((theirs & line == 0) - (mine & line == 0) for line in wanted)


@pytest.mark.parametrize("function", [players, an_array, of_x, of_position, bitboards])
def test_evaluates_one_idea_equally_in_every_signature(function: Any) -> None:
    draw = random.Random(3)
    for _ in range(100):
        position = some_position(ps.parse_game("tictactoe"), draw)
        for side in ("x", "o"):
            wanted = ps.evaluate(position, rows, side=side)
            assert ps.evaluate(position, function, side=side) == wanted
    found = ps.search("tictactoe", heuristic=function, depth=3)
    assert (found.value, found.nodes) == (
        (wanted_search := ps.search("tictactoe", heuristic=rows, depth=3)).value,
        wanted_search.nodes,
    )


def test_rounds_fractions_by_their_scale_and_halves_to_even() -> None:
    def f(board: list[list[int]], player: int) -> float:
        return {0: 0.125, 1: 0.375, 2: -0.125}[board[0][0]]

    for text, wanted in (("...", 1), ("X..", 4), ("O..", -1)):
        value = ps.evaluate(f"{text}/.../... x", ps.heuristic(f, scale=10))
        assert value == wanted == round({"...": 1.25, "X..": 3.75, "O..": -1.25}[text])
    halves = ps.heuristic(lambda board: 0.25, scale=10)
    assert [ps.evaluate(".../.../...", halves, side=side) for side in "xo"] == [2, -2]


def test_rounds_each_entry_of_a_table_of_fractions() -> None:
    def f(mine: int, theirs: int) -> float:
        return mine / 3 if not theirs else 0

    table = find_heuristic(ps.heuristic(f, scale=100, name="thirds"), ps.parse_game("tictactoe"))
    assert isinstance(table, LineTable)
    assert (table.name, [table.value(count, 0) for count in range(4)]) == (
        "thirds",
        [0, 33, 67, 100],
    )


def test_explains_the_scale_to_fractions_without_one() -> None:
    for function in (lambda board: 0.5, lambda m, t: 0.5, lambda m, t, lines: 0.5):
        with pytest.raises(
            HeuristicError, match=r"answered '0.5' .*; expected a whole number, or a scale"
        ):
            ps.evaluate("X../.../...", function)


@pytest.mark.parametrize("answer", [float("nan"), "3", None, 1e9])
def test_reports_an_answer_that_no_scale_makes_a_number(answer: Any) -> None:
    with refuses(HeuristicError):
        ps.evaluate("X../.../...", ps.heuristic(lambda board: answer, scale=10, name="odd"))


@pytest.mark.parametrize("scale", [0, -1, float("inf"), float("nan"), "3"])
def test_rejects_a_scale_that_is_no_number(scale: Any) -> None:
    with refuses(OptionError):
        ps.heuristic(lambda board: 0, scale=scale)


FILE = """
import plyscope
from math import sqrt

def _helper(board): return 0

@plyscope.heuristic(scale=100)
def share(board, player): return sqrt(sum(row.count(player) for row in board))
"""


def test_a_file_with_one_function_needs_no_name(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(FILE)
    for spec, wanted in (
        ("", 141),
        (":share", 141),
        (":share scale=10", 14),
        (" scale=1000", 1414),
    ):
        assert ps.evaluate("XX./OO./...", f"{path}{spec}") == wanted
    assert load_function(str(path)).name == "share"


def test_names_the_functions_of_a_file_with_several(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("def one(board): return 1\ndef two(board): return 2\n")
    with refuses(NotationError):
        ps.evaluate("X../.../...", str(path))
    path.write_text("def one(board): return 1\ndef heuristic(board): return one(board) + 2\n")
    assert ps.evaluate("X../.../...", str(path), side="x") == 3


@pytest.mark.parametrize("scale", ["0", "x", "-3"])
def test_rejects_a_bad_scale_in_a_file(tmp_path: Path, scale: str) -> None:
    (tmp_path / "mine.py").write_text("def f(board): return 1.5\n")
    with pytest.raises(OptionError, match="expected a number above 0"):
        ps.evaluate("X../.../...", f"{tmp_path / 'mine.py'}:f scale={scale}")


def test_pickles_a_search_with_a_function_for_other_processes() -> None:
    for function in (rows, of_x, of_position, bitboards):
        result = ps.search("tictactoe", heuristic=function, depth=2)
        heuristic = pickle.loads(pickle.dumps(result)).request.heuristic
        assert heuristic.signature is result.request.heuristic.signature
        position = ps.parse("X../.O./...")
        assert heuristic.evaluate(position, 1) == ps.evaluate(position, function, side="o")


def test_reads_a_scale_from_an_attribute() -> None:
    def f(board: Any) -> float:
        return 0.5

    f.scale = 10  # type: ignore[attr-defined]
    assert ps.evaluate("X../.../...", f, side="x") == 5
    assert f([]) == 0.5


def test_documents_list_the_same_signatures() -> None:
    page = Path(__file__).parents[2].joinpath("docs/your-heuristic.md").read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| `f(")]
    assert rows == [
        f"| `{each.text}` | {each.chosen} | {each.given} | {each.view} |" for each in SIGNATURES
    ]


def test_reads_infinite_values_as_the_greatest_in_every_form() -> None:
    def won(mine: int, theirs: int, lines: tuple[int, ...]) -> float:
        for line in lines:
            if line & mine == line:
                return float("inf")
        return 0

    position = ps.parse("XX./OO./...")
    assert ps.evaluate("XXX/OO./...", won, side="x") == MAX_VALUE
    found = [
        ps.search(position, heuristic=won, depth=1, scoring="heuristic", form=form)
        for form in ("reference", "auto")
    ]
    assert [each.value for each in found] == [MAX_VALUE, MAX_VALUE]
    assert found[0].best_moves == found[1].best_moves

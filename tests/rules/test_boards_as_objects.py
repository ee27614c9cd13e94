"""Boards as Python objects, and on the command line."""

from __future__ import annotations

from enum import Enum
from typing import Any

import pytest

import plyscope as ps
from commands import answer, data
from plyscope.errors import NotationError, OptionError, PlyscopeError
from plyscope.rules.source import read
from sentences import says

ROWS = [[1, 1, 2], [2, 1, 0], [2, 0, 0]]
FLAT = [cell for row in ROWS for cell in row]
LETTERS = [[".XO"[cell] for cell in row] for row in ROWS]


class Array:
    """An array of another library."""

    def __init__(self, lists: list[Any]) -> None:
        self.lists = lists

    def tolist(self) -> list[Any]:
        return self.lists


FORMS: dict[str, Any] = {
    "rows": ROWS,
    "tuples": tuple(map(tuple, ROWS)),
    "flat": FLAT,
    "flat tuple": tuple(FLAT),
    "floats": [[float(cell) for cell in row] for row in ROWS],
    "plus and minus one": [[(0, 1, -1)[cell] for cell in row] for row in ROWS],
    "letters": LETTERS,
    "rows as texts": ["".join(row) for row in LETTERS],
    "None": [[(None, "X", "O")[cell] for cell in row] for row in ROWS],
    "spaces": [[" xo"[cell] for cell in row] for row in ROWS],
    "own numbers": [["X", "X", "O"], ["O", "X", 6], ["O", 8, 9]],
    "array": Array(ROWS),
    "flat array": Array(FLAT),
}


@pytest.mark.parametrize("form", FORMS)
def test_reads_every_form_of_a_board_with_its_game(form: str) -> None:
    position = ps.parse("XXO/OX./O..")
    assert ps.parse(FORMS[form], game="tictactoe") == position
    assert read(FORMS[form], "tictactoe").said.startswith("a board of 3×3")
    assert ps.search(FORMS[form], game="tictactoe").best_moves == ps.search(position).best_moves


@pytest.mark.parametrize(
    "form", ["rows", "tuples", "flat", "floats", "plus and minus one", "array"]
)
def test_asks_whether_rows_of_numbers_are_a_board_or_a_tree(form: str) -> None:
    with pytest.raises(NotationError, match=r"game='tictactoe' .*, ps\.parse_tree\(rows\) for"):
        ps.search(FORMS[form])


@pytest.mark.parametrize("form", ["letters", "rows as texts", "spaces", "own numbers"])
def test_reads_rows_with_both_stones_without_a_game(form: str) -> None:
    assert ps.parse(FORMS[form]) == ps.parse("XXO/OX./O..")


def test_reads_a_numpy_array() -> None:
    numpy = pytest.importorskip("numpy")
    for made in (numpy.array(ROWS), numpy.array(FLAT), numpy.array(LETTERS)):
        assert ps.parse(made, game="tictactoe") == ps.parse("XXO/OX./O..")
        assert ps.parse(str(made), game="tictactoe") == ps.parse("XXO/OX./O..")
    empty = numpy.zeros((6, 7))
    assert ps.parse(empty, game="connect4") == ps.parse("connect4")


@pytest.mark.parametrize("tree", [[[3, 12, 8], [2, 4, 6], [14, 5, 2]], [[1, 2], [3, 4]], [3, 5]])
def test_reads_lists_that_can_only_be_a_tree_as_one(tree: list[Any]) -> None:
    assert str(ps.parse(tree)) == str(ps.parse_tree(tree).start())


def test_reads_the_board_of_an_observation() -> None:
    seen = {"board": [0] * 37 + [1, 1, 2, 0, 0], "mark": 2}
    assert ps.parse(seen) == ps.parse("......./" * 5 + "..XXO..")
    assert read(seen).said.endswith("from the key 'board', without mark")
    with pytest.raises(NotationError, match="expected"):
        ps.parse({"board": [[3, 5], [2, 9]]})


def test_turns_the_rows_of_each_level() -> None:
    levels = [[["X", "", ""], ["", "", ""], ["", "", ""]], [["", "", "O"], [""] * 3, [""] * 3]]
    levels.append([[""] * 3] * 3)
    assert str(ps.parse(levels)) == "X../.../...//..O/.../...//.../.../..."
    turned = ps.parse(levels, rows="bottom")
    assert str(turned) == ".../.../X..//.../.../..O//.../.../..."
    with pytest.raises(OptionError, match="rows 'up'; expected top or bottom"):
        ps.parse(ROWS, game="tictactoe", rows="up")


def test_a_state_of_an_own_game_is_no_board() -> None:
    with pytest.raises(OptionError, match="is no position"):
        ps.search((10, 0))


@pytest.mark.parametrize(
    "text", ["x " + " " * 9_000 + "!", "int " * 2_000, "[ " * 4_000, "9" * 5_000]
)
def test_refuses_a_long_text_quickly(text: str) -> None:
    with pytest.raises(PlyscopeError) as raised:
        ps.parse(text)
    assert len(str(raised.value)) < 500


def test_every_command_says_how_it_read_a_board(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("eval", "perft"):
        status, out, err = answer(capsys, command, "112/210/200")
        assert status == 0
        assert out
        assert "read as a board of 3×3, 1 = X, 2 = O, rows from the top" in err
    assert data(capsys, "eval", "XXO/OX./O..")["position"] == "XXO/OX./O.."


def test_the_command_line_asks_and_obeys_the_game(capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = answer(capsys, "analyze", str(ROWS))
    assert status == 2
    says(err)
    status, out, _ = answer(capsys, "analyze", str(ROWS), "-g", "tictactoe", "-d", "1")
    assert (status, out.split()[0]) == (0, "XXO/OX./O..")


def test_a_board_may_begin_with_a_dash(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = answer(capsys, "analyze", "-|-|O\n-|X|-\n-|X|-", "-d", "1")
    assert (status, out.split()[0]) == (0, "..O/.X./.X.")
    assert answer(capsys, "analyze", "-x-/-o-/---", "-d", "1")[0] == 0


def test_rows_from_the_bottom_are_an_option(capsys: pytest.CaptureFixture[str]) -> None:
    text = "0011000\n0002000\n" + "0000000\n" * 4
    status, _, err = answer(capsys, "eval", text)
    assert status == 2
    says(err)
    status, out, err = answer(capsys, "eval", text, "--rows", "bottom")
    assert status == 0
    assert "rows from the bottom" in err
    assert "connect4, 3 stones" in out


def test_refuses_a_board_in_place_of_a_game() -> None:
    for board in (f"tictactoe {ROWS}", {"board": FLAT}):
        with pytest.raises(OptionError, match=r"in place of a game; expected 'tictactoe'"):
            ps.play_match("random", "random", 2, board)


def test_reads_members_of_an_enum_by_their_names_or_values() -> None:
    for names in ("EMPTY=0 X=1 O=2", "NONE=1 RED=2 YELLOW=3", "N=0 P1=1 P2=-1"):
        members = dict(each.split("=") for each in names.split())
        cells = list(Enum("Cell", {name: int(value) for name, value in members.items()}))
        rows = [[cells[cell] for cell in row] for row in ROWS]
        assert str(ps.parse(rows, "tictactoe")) == "XXO/OX./O.."

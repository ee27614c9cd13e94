"""Boards, lines, moves and winners."""

from __future__ import annotations

import pickle
import random
from time import process_time
from typing import Any

import pytest

import oracles
from plyscope import search, solve
from plyscope.errors import IllegalMoveError, NotationError, OptionError, PlyscopeError
from plyscope.rules.games import GAMES, parse_game
from plyscope.rules.linegame import LineGame, Position
from plyscope.rules.lines import Line, count_lines, grid_lines
from plyscope.rules.notation import parse
from plyscope.solving.solvers import SOLVERS
from plyscope_fast.evaluation.tablebase import generate
from plyscope_fast.solving.proof import proof_of
from sentences import refuses

LENGTHS = {
    "tictactoe": 3,
    "4,3,3": 3,
    "cube": 3,
    "qubic": 4,
    "connect4": 4,
    "gomoku9": 5,
    "gomoku15": 5,
    "5,5,4": 4,
    "torus-tictactoe": 3,
}


@pytest.mark.parametrize(("name", "k"), LENGTHS.items())
def test_finds_the_lines_of_a_walk_from_every_cell(name: str, k: int) -> None:
    game = GAMES[name]
    assert {frozenset(line.cells()) for line in game.lines} == set(
        oracles.lines(game.shape, k, game.torus)
    )


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("tictactoe", 8),
        ("torus-tictactoe", 12),
        ("cube", 49),
        ("qubic", 76),
        ("connect4", 69),
        ("gomoku15", 572),
    ],
)
def test_counts_the_known_numbers_of_lines(name: str, count: int) -> None:
    assert len(GAMES[name].lines) == count


def test_counts_lines_of_any_board_before_making_all_of_them() -> None:
    draw = random.Random(7)
    for _ in range(150):
        shape = tuple(
            draw.randint(1, most)
            for most in ((30,), (9, 9), (5, 5, 5), (4, 4, 4, 4), (3, 3, 3, 3, 3))[draw.randrange(5)]
        )
        k, torus = draw.randint(1, 6), draw.random() < 0.5
        found = {frozenset(line.cells()) for line in grid_lines(shape, k, torus)}
        assert found == set(oracles.lines(shape, k, torus)), (shape, k, torus)
        assert count_lines(shape, k, torus) >= len(found)
        assert torus or count_lines(shape, k) == len(found)


@pytest.mark.parametrize(
    "text",
    [
        "32,32,5",
        "1024,1,512",
        "32,32,32",
        "10x10x10,3",
        "4x4x4x4x4,4",
        "32,32,5,torus",
        "10x10x10,5,torus",
    ],
)
def test_no_plain_board_of_two_or_three_dimensions_has_too_many_lines(text: str) -> None:
    assert parse_game(text).size <= 1024


@pytest.mark.parametrize(
    "text",
    [
        "2x2x2x2x2x2x2x2x2x2,2",
        "4x4x4x4x4,3,torus",
        "31,33,512,torus",
        "x".join("2" * 10) + ",2,torus",
    ],
)
def test_rejects_boards_of_too_many_lines_before_making_one(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plyscope.rules.linegame.grid_lines", None)
    with refuses(NotationError):
        parse_game(text)
    *shape, k = (int(number) for number in text.replace("x", ",").removesuffix(",torus").split(","))
    with pytest.raises(OptionError, match="too many cells"):
        LineGame.grid(*shape, k=k, torus="torus" in text)


def test_reads_a_board_of_five_dimensions_at_once() -> None:
    began = process_time()
    assert len(parse("52x2x2x2x2,2,gravity,misere 1 2 3").game.masks_through[0]) == 2 * 2**4 - 1
    assert parse("x".join("1" * 30) + ",1").game.masks == (1,)
    assert parse("20,20,1024,torus a1").game.lines == ()
    assert process_time() - began < 10  # it was minutes


def test_kinds_of_lines_follow_their_direction() -> None:
    kinds = [line.kind for line in GAMES["tictactoe"].lines]
    assert kinds == ["row"] * 3 + ["column"] * 3 + ["diagonal"] * 2
    cube = [line.kind for line in GAMES["cube"].lines]
    assert {kind: cube.count(kind) for kind in cube} == {
        "row": 9,
        "column": 9,
        "pillar": 9,
        "diagonal": 18,
        "space-diagonal": 4,
    }


@pytest.mark.parametrize("name", GAMES)
def test_reaches_by_play_the_position_that_is_set_up(name: str) -> None:
    game, draw = GAMES[name], random.Random(7)
    for _ in range(20):
        position = game.start()
        while not position.is_over:
            before = (position.first, position.second, position.side)
            after = position.play(draw.choice(position.moves))
            assert (position.first, position.second, position.side) == before
            position = after
            assert game.position(position.first, position.second) == position
        assert position.moves == ()


def test_finds_the_winner_and_the_line_of_a_won_game() -> None:
    position = parse("tictactoe b2 a3 b3 a1 b1")
    assert position.winner == 0
    assert [GAMES["tictactoe"].format_cell(cell) for cell in position.winning_line().cells()] == [
        "b3",
        "b2",
        "b1",
    ]  # type: ignore[union-attr]
    assert GAMES["tictactoe"].payoff(position) == 1


def test_loses_by_a_line_in_misere() -> None:
    assert parse("misere-tictactoe b2 a3 b3 a1 b1").winner == 1


def test_under_gravity_stones_lie_on_stones() -> None:
    start = GAMES["connect4"].start()
    assert [GAMES["connect4"].format_cell(cell) for cell in start.play("4", "4").moves] == [
        "a1",
        "b1",
        "c1",
        "d3",
        "e1",
        "f1",
        "g1",
    ]
    with refuses(IllegalMoveError):
        start.play("d2")
    with refuses(IllegalMoveError):
        parse("connect4 X6/7/7/7/7/7")


def test_lets_the_last_mover_win_when_both_sides_have_a_line() -> None:
    assert parse("XXX/OOO/... x").winner == 1
    assert parse("XXX/OOO/... o").winner == 0


@pytest.mark.parametrize("move", [None, 1.0, [4], b"b2"])
def test_rejects_in_one_line_what_is_no_move(move: Any) -> None:
    with refuses(NotationError):
        parse_game("tictactoe").start().play(move)


def test_rejects_a_move_to_a_taken_cell_or_in_a_finished_game() -> None:
    with refuses(IllegalMoveError):
        parse("tictactoe 5").play("b2")
    with refuses(IllegalMoveError):
        parse("XXX/OO./...").play("c1")
    with refuses(IllegalMoveError):
        parse("connect4 1212121").play("4")


def test_makes_a_game_of_given_lines() -> None:
    fano = tuple(
        Line(sum(1 << cell for cell in cells), "line")
        for cells in ((0, 1, 2), (0, 3, 4), (0, 5, 6), (1, 3, 5), (1, 4, 6), (2, 3, 6), (2, 4, 5))
    )
    game = LineGame("fano", (7,), fano)
    assert game.position(0b111, 0b1011000 & ~0b111).winner == 0
    assert pickle.loads(pickle.dumps(game)) == game
    with refuses(OptionError):
        LineGame("bad", (7,), (Line(1 << 7, "line"),))


def test_positions_are_values() -> None:
    one, other = parse("tictactoe 5 1"), parse("O../.X./...")
    assert (one, hash(one)) == (other, hash(other))
    assert len({one, other, one.play("c1")}) == 2
    assert pickle.loads(pickle.dumps(one)) == one


@pytest.mark.parametrize("text", ["4x4x4,4", "7,6,4,gravity", "3,3,3,torus", "3,3,3,misere"])
def test_reads_a_spec_of_known_rules_as_the_game_of_the_catalogue(text: str) -> None:
    assert parse_game(text) is next(
        game for game in GAMES.values() if game.rules == parse_game(text).rules
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "tic",
        "3,3",
        "3,3,0",
        "0,3,3",
        "99,99,5",
        "3,3,3,round",
        "3x3",
        "3,3,3," + "torus," * 20,
        "3x3x3x3x3x3x3,3",
    ],
)
def test_rejects_bad_games_in_one_line(text: str) -> None:
    with pytest.raises(PlyscopeError) as caught:
        parse_game(text)
    assert "expected" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("shape", "cell", "name"),
    [
        ((3, 3), 0, "a3"),
        ((7, 6), 41, "g1"),
        ((4, 4, 4), 37, "b3c"),
        ((30, 2), 59, "ad1"),
        ((2, 2, 2, 2), 15, "b1b2"),
    ],
)
def test_cells_have_names(shape: tuple[int, ...], cell: int, name: str) -> None:
    game = LineGame.grid(*shape, k=2)
    assert game.format_cell(cell) == name
    assert game.parse_move(game.start(), name.upper()) == cell


@pytest.mark.parametrize(
    "text", ["", "z9", "0", "10", "a", "a0", "a4", "5x", "²", "b2b2", "a" * 1000, "-1", "a3a"]
)
def test_rejects_bad_cells(text: str) -> None:
    with pytest.raises((NotationError, IllegalMoveError)) as caught:
        GAMES["tictactoe"].parse_move(GAMES["tictactoe"].start(), text)
    assert "expected" in str(caught.value)


def test_a_position_cannot_hold_two_stones_on_a_cell() -> None:
    with pytest.raises(IllegalMoveError, match="overlap"):
        GAMES["tictactoe"].position(1, 1)


def test_position_is_a_named_tuple_of_bitboards() -> None:
    position = parse(".X./O../X.O")
    assert isinstance(position, Position)
    assert (position.first, position.second, position.side) == (0b001000010, 0b100001000, 0)


def test_describes_what_a_game_adds_to_the_plain_rule() -> None:
    assert parse_game("7,7,5").variants == set()
    assert parse_game("5,4,4,gravity,misere").variants == {"gravity", "misere"}
    assert parse_game("3,3,3,torus").variants == {"torus"}


@pytest.mark.parametrize("text", ["4,3,3", "4,3,3,misere", "4,3,3,torus", "4,3,3,gravity"])
def test_completes_a_line_when_all_its_stones_are_of_one_side(text: str) -> None:
    game, draw = parse_game(text), random.Random(text)
    for _ in range(300):
        stones = draw.randrange(1 << game.size)
        full = [line for line in game.lines if line.mask & ~stones == 0]
        assert game.completed(stones) == next(iter(full), None)
        for cell in range(game.size):
            assert game.completes(stones, cell) == any(line.mask >> cell & 1 for line in full)
    assert game.winner_of(1) == (0 if game.misere else 1)
    assert game.value_of_line == (-1 if game.misere else 1)


def test_rejects_unknown_rules() -> None:
    game = LineGame.grid(4, 3, k=3, name="odd")
    vars(game)["variants"] = frozenset({"odd"})
    with refuses(OptionError):
        search(game, form="compiled")
    with refuses(OptionError):
        search(game, "engine")
    with refuses(OptionError):
        generate(game)
    with refuses(OptionError):
        proof_of(game.start())
    for solver in (name for name, each in SOLVERS.items() if each.needs_lines):
        with pytest.raises(OptionError, match="expected"):
            solve(game, solver)
    assert search(game, depth=3).form == "reference"

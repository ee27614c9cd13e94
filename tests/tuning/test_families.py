"""Families of heuristics: their parameters, and that what they count is what they say."""

from __future__ import annotations

import random

import numpy as np
import pytest

import oracles
from plyscope import LineTable, TermSum, parse_game
from plyscope.errors import OptionError, PlyscopeError, UnknownNameError
from plyscope.evaluation.linetable import KindTable
from plyscope.rules.linegame import Line, LineGame
from plyscope.rules.lines import grid_lines
from plyscope.rules.position import Position
from plyscope.searching.score import MAX_PAIRED_SUM
from plyscope.tuning.family import families_of, find_family
from plyscope_fast.evaluation.features import evaluations
from rules_at_random import some_game
from sentences import refuses, says
from twins import FANO, some_position, some_terms

GAMES = ["tictactoe", "4,3,3", "connect4", "5,5,4", "misere-tictactoe", "4,4,3,torus", "qubic"]
GAMES += ["5,5,3,gravity,misere", "3x3x3,3,gravity", "9,8,4", "5,5,3,exactly", "5,4,4,stones=2"]
FLAT = ["tictactoe", "4,3,3", "connect4", "5,5,4", "misere-tictactoe", "5,5,3,gravity,misere"]


def oracle_board(position: Position) -> oracles.Board:
    owners = map(position.owner, range(position.game.size))
    return tuple("." if owner is None else "XO"[owner] for owner in owners)


def line_game(spec: str) -> LineGame:
    game = parse_game(spec)
    assert isinstance(game, LineGame)
    return game


@pytest.mark.parametrize("spec", GAMES)
def test_arrays_say_what_tables_evaluate(spec: str) -> None:
    draw, game = random.Random(spec), line_game(spec)
    positions = [some_position(game, draw) for _ in range(30)]
    sides = [draw.randrange(2) for _ in positions]
    tables = [some_terms(draw, game) for _ in range(6)]
    found = evaluations(tables, positions, sides)
    for at, table in enumerate(tables):
        for row, position, side in zip(found, positions, sides, strict=True):
            value = int(row[at])
            if table.clamp is not None:
                value = max(-table.clamp, min(table.clamp, value))
            assert value == table.evaluate(position, side)


TWO_LENGTHS = LineGame(
    "two-lengths", (3, 2), (*grid_lines((3, 2), 3), Line(0b1001, "column"), Line(0b10010, "column"))
)


@pytest.mark.parametrize("spec", [*GAMES, FANO, TWO_LENGTHS, *range(5)], ids=str)
def test_every_family_is_linear_in_its_numbers(spec: str | LineGame | int) -> None:
    """Numbers are games drawn at random."""
    draw = random.Random(str(spec))
    game = spec if isinstance(spec, LineGame) else None
    game = game or (some_game(draw) if isinstance(spec, int) else line_game(str(spec)))
    start = some_terms(draw, game)
    names = (
        *families_of(game),
        "table+to-move+ends",
        "lines+cells+threats",
        "kinds+to-move-kinds+lines",
    )
    around = [(name, table) for name in names for table in (start, "null")]
    for name, table in (*around, ("own", start)):
        family = find_family(name, table, game)
        weights = [draw.randint(-99, 99) for _ in family.parameters]
        heuristic = family.heuristic(weights, "drawn")
        positions = [some_position(game, draw) for _ in range(15)]
        sides = [draw.randrange(2) for _ in positions]
        sums = family.features(positions, sides) @ weights + family.offset(positions, sides)
        assert sums.dtype == np.int64
        for value, position, side in zip(sums, positions, sides, strict=True):
            longest = game.longest_line
            full = [
                (position.stones(own) & mask).bit_count() for own in (0, 1) for mask in game.masks
            ]
            if longest not in full:  # an overline is full, and the game goes on
                assert value == heuristic.evaluate(position, side), name


@pytest.mark.parametrize("spec", FLAT)
def test_every_number_multiplies_what_its_name_says(spec: str) -> None:
    draw, game = random.Random(spec), line_game(spec)
    positions = [some_position(game, draw) for _ in range(12)]
    sides = [draw.randrange(2) for _ in positions]
    boards = [oracle_board(position) for position in positions]
    oracle = oracles.Terms(game.shape, game.longest_line, {}, game.gravity, game.misere)
    cells = {f"cells.{game.format_cell(cell)}": f"cells.{cell}" for cell in range(game.size)}
    for name in families_of(game):
        family = find_family(name, "counted-lines", game)
        counted = family.features(positions, sides)
        for column, parameter in zip(counted.T, family.parameters, strict=True):
            asked = cells.get(parameter, parameter)
            for value, board, side, position in zip(column, boards, sides, positions, strict=True):
                whose = "XO"[side], "XO"[position.side]
                expected = oracle.number_of(asked, board, *whose)
                if name == "lines":
                    expected -= oracle.number_of(asked.replace("mine", "theirs"), board, *whose)
                assert value == expected, (name, parameter, str(position), side)


def test_reads_numbers_from_the_start_and_writes_them_back() -> None:
    game = line_game("connect4")
    start = TermSum(
        LineTable.one_sided("start", (0, 1, 3, 8, 21), weights={"diagonal": 2}),
        tempo={(3, 0): 12, (0, 3): -2},
        ends={(2, 2): 4},
        cells={"d1": 5, "d2": 6},
        threats={(0, 1): 9},
        mobility=2,
        kinds={"row": KindTable({(2, 0): 7, (0, 2): -7, (1, 1): 2}, {(1, 0): 3})},
    )
    draw = random.Random(1)
    positions = [some_position(game, draw) for _ in range(200)]
    for name in ("own", "all", "table", "lines", "kinds", "to-move", "to-move-kinds", "cells+ends"):
        family = find_family(name, start, game)
        same = family.heuristic(family.weights_of_start, "same")
        for position in positions:
            assert same.evaluate(position, 0) == start.evaluate(position, 0), name


def test_a_finished_line_outweighs_all_else_and_compiled_searches_have_room() -> None:
    for spec in ("tictactoe", "connect4", "misere-tictactoe", "gomoku15"):
        game = line_game(spec)
        for name in families_of(game):
            family = find_family(name, "counted-lines", game)
            table = family.heuristic([(-1) ** n * 40 for n in range(len(family.units))], "some")
            finished = table.value(game.longest_line, 0)
            rest = table.greatest_sum(game) - abs(finished) * len(game.lines)
            assert abs(finished) > 2 * rest
            assert (finished < 0) == game.misere
            assert table.greatest_sum(game) <= MAX_PAIRED_SUM


def test_rejects_numbers_without_room() -> None:
    family = find_family("table", "null", line_game("connect4"))
    with refuses(OptionError):
        family.heuristic([999_999_999] * 6, "huge")


@pytest.mark.parametrize(
    ("name", "spec", "free", "parameters"),
    [
        ("lines", "tictactoe", None, "mine[1] mine[2]"),
        ("to-move", "tictactoe", None, "to_move[1] to_move[2] not_to_move[1] not_to_move[2]"),
        ("cells", "tictactoe", None, "cells.b3 cells.b2"),
        ("cells", "connect4-5x4", ["cells.c2", "cells.c1"], "cells.c2 cells.c1"),
        ("threats", "connect4", None, "threats.x_odd threats.x_even threats.o_odd threats.o_even"),
        ("threats+mobility", "misere-tictactoe", None, "threats.x threats.o"),
        ("ends", "4,3,3", None, "ends.one[1] ends.one[2] ends.none[1] ends.none[2]"),
        ("ends+lines", "4,3,3", None, "ends.one[1] ends.one[2] ends.none[1] ends.none[2]"),
        ("lines+ends", "4,3,3", None, "mine[1] mine[2] ends.one[1] ends.one[2]"),
        ("lines+to-move", "4,3,3", ["mine", "to_move[2]"], "mine[1] mine[2] to_move[2]"),
        ("table+to-move", "2,6,2", None, "mine[1] theirs[1] to_move[1]"),
        ("own", "4,3,3", None, "mine[1] mine[2]"),
        (
            "kinds",
            "2,6,2",
            ["column", "row.theirs"],
            "row.theirs[1] column.mine[1] column.theirs[1]",
        ),
        ("to-move-kinds", "2,6,2", ["row.to_move"], "row.to_move[1]"),
        (
            "kinds",
            "tictactoe",
            ["mine"],
            "row.mine[1] row.mine[2] diagonal.mine[1] diagonal.mine[2]",
        ),
        (
            "to-move-kinds+to-move",
            "2,6,2",
            ["to_move"],
            "row.to_move[1] column.to_move[1] diagonal.to_move[1]",
        ),
    ],
)
def test_takes_effective_numbers_as_parameters(
    name: str, spec: str, free: list[str] | None, parameters: str
) -> None:
    family = find_family(name, "counted-lines", line_game(spec), free)
    assert " ".join(family.parameters) == parameters


@pytest.mark.parametrize(
    ("name", "spec", "start", "free"),
    [
        ("rows", "connect4", "null", None),
        ("table+", "connect4", "null", None),
        ("ends", "tictactoe", "null", None),
        ("own", "connect4", "null", None),
        ("all", "1,1,1", "null", None),
        ("table", "connect4", "random", None),
        ("table", "connect4", "null", ["mein"]),
    ],
)
def test_rejects_an_unknown_family(
    name: str, spec: str, start: str, free: list[str] | None
) -> None:
    with pytest.raises((OptionError, UnknownNameError)) as caught:
        find_family(name, start, line_game(spec), free)
    assert isinstance(caught.value, PlyscopeError)
    says(str(caught.value))

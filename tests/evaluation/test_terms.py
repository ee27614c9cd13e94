"""Heuristics of several terms: each by its definition, their files, their explanation, notes."""

from __future__ import annotations

import pickle
import random
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import oracles
from plyscope import LineTable, TermSum, evaluate, explain, parse, parse_game
from plyscope.errors import HeuristicError, NotationError, OptionError
from plyscope.evaluation.heuristics import find_heuristic
from plyscope.evaluation.linetable import KindTable
from plyscope.evaluation.notes import notes_on
from plyscope.evaluation.tablefile import read_table
from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position
from plyscope.rules.symmetry import symmetries, with_colours_swapped
from plyscope_web.tablecode import table_of_code
from sentences import refuses, says
from twins import some_position, some_terms

PLAIN = ["tictactoe", "connect4", "5,4,3", "misere-tictactoe", "5,5,3,gravity,misere", "3x3x3,3"]
PLAIN += ["3x4x2,3,gravity", "6,1,3", "2,6,2"]


def data_of(table: TermSum, game: LineGame) -> dict[str, Any]:
    """The terms as the oracle has them."""
    names = {game.format_cell(cell): cell for cell in range(game.size)}
    return {
        "lines": table.table.values,
        "weights": table.weights,
        "tempo": table.tempo,
        "ends": table.ends,
        "cells": {names[name]: value for name, value in table.cells.items()},
        "threats": {
            ("XO"[side], ("even", "odd")[row]): value
            for (side, row), value in table.threats.items()
        },
        "mobility": table.mobility,
        "kinds": {
            kind: {"lines": own.values, "tempo": own.tempo} for kind, own in table.kinds.items()
        },
    }


def clamped(value: int, clamp: int | None) -> int:
    return value if clamp is None else max(-clamp, min(clamp, value))


@pytest.mark.parametrize("spec", PLAIN)
def test_counts_every_term_by_its_definition(spec: str) -> None:
    draw, game = random.Random(spec), parse_game(spec)
    assert isinstance(game, LineGame)
    for _ in range(40):
        table, position = some_terms(draw, game), some_position(game, draw)
        if draw.random() < 0.3:
            position = position.play(draw.choice(position.moves))  # may be over
        oracle = oracles.Terms(
            game.shape, game.longest_line, data_of(table, game), game.gravity, game.misere
        )
        board = tuple(
            "XO."[2 if (o := position.owner(cell)) is None else o] for cell in range(game.size)
        )
        for side in (0, 1):
            expected = oracle.value(board, "XO"[side], "XO"[position.side])
            assert table.evaluate(position, side) == clamped(expected, table.clamp)
            explanation = table.explain(position, side)
            assert (explanation.total, explanation.sum) == (
                clamped(expected, table.clamp),
                expected,
            )
            assert abs(explanation.total) <= table.greatest(game)
            assert abs(expected) <= table.greatest_sum(game)


def test_sums_terms_of_lines_equally_by_term_and_by_line() -> None:
    draw, game = random.Random(5), parse_game("connect4")
    for _ in range(30):
        table, position = some_terms(draw, game), some_position(game, draw)
        explanation = table.explain(position, 0)
        by_term = {share.term: share.value for share in explanation.terms}
        assert tuple(by_term) == table.terms
        assert sum(share.value for share in explanation.lines or ()) == sum(
            by_term.get(term, 0) for term in ("lines", "tempo", "ends")
        )
        for share in explanation.terms:
            if share.term in ("cells", "threats", "mobility"):
                assert sum(part.value for part in share.parts) == share.value


def test_the_side_to_move_has_its_own_table() -> None:
    """Three in line: 50 to move against 8 for the opponent, in the view that is asked for."""
    table = TermSum(tempo={(3, 0): 50, (0, 3): -8})
    for moves, to_move in (("1 7 2 7 3 6", "x"), ("1 7 2 7 3", "o")):
        value = evaluate(f"connect4 {moves}", table, side="x")
        assert value == (50 if to_move == "x" else 8)
        assert evaluate(f"connect4 {moves}", table, side="o") == -value


@pytest.mark.parametrize(
    ("board", "value"),
    [("..XX..", 100), ("XX....", 10), ("OXX...", 10), ("OXXO..", 1), ("XXO...", 1), ("XOX...", 0)],
)
def test_a_line_of_one_side_is_open_at_both_ends_at_one_or_at_none(board: str, value: int) -> None:
    table, game = TermSum(ends={(2, 2): 100, (2, 1): 10, (2, 0): 1}), parse_game("6,1,2")
    x, o = (sum(1 << at for at, stone in enumerate(board) if stone == own) for own in "XO")
    position = Position(game, x, o, 0, None)  # type: ignore[arg-type]
    assert (table.evaluate(position, 0), table.evaluate(position, 1)) == (value, -value)


def test_counts_a_cell_that_completes_two_lines_as_one_threat() -> None:
    table = TermSum(threats={(0, 1): 10, (0, 0): 1, (1, 1): 1000, (1, 0): 100})
    fork = parse("tictactoe XX./.O./X.O")
    assert [fork.game.format_cell(cell) for cell in (2, 3)] == ["c3", "a2"]
    assert table.evaluate(fork, 0) == 10 + 1
    assert table.evaluate(parse("connect4 1 2 1 2 1 2"), 0) == 1 - 100


def test_calls_a_move_unsafe_if_the_reply_on_top_wins() -> None:
    table = TermSum(mobility=1)
    three = "......./......./......./......./OOO..../XXOX..X"
    position = parse(f"connect4 {three}")
    assert table.evaluate(position, position.side) == 0
    four = parse("connect4 ......./......./......./......./OOO..../XXO.XX.")
    assert [share.value for share in explain(four, table, side="x").terms[0].parts] == [6, -7]


@pytest.mark.parametrize("suffix", ["toml", "json"])
def test_reads_a_written_file_back_as_equal(tmp_path: Path, suffix: str) -> None:
    draw = random.Random(suffix)
    for number in range(60):
        game = parse_game(draw.choice(PLAIN))
        assert isinstance(game, LineGame)
        table = some_terms(draw, game)
        table = table if number % 3 else table.table
        path = tmp_path / f"{number}.{suffix}"
        table.write(path)
        again = read_table(path)
        assert again == table
        assert (again.as_dict(), again.summary) == (table.as_dict(), table.summary)
        position = some_position(game, draw)
        assert evaluate(position, str(path)) == evaluate(position, table)


@pytest.mark.parametrize(
    "values",
    [{}, {(0, 0): 3}, {(1, 0): 1}, {(0, 0): 1, (0, 1): 2}, {(0, 2): 5, (2, 0): 4, (0, 0): 0}],
)
def test_writes_and_reads_a_table_with_gaps(
    tmp_path: Path, values: dict[tuple[int, int], int]
) -> None:
    table = LineTable('odd "name"\n\x7f\\', values, {"space-diagonal": -2}, 7, "größer, 1 < 2")
    for path in (tmp_path / "gaps.toml", tmp_path / "gaps.json"):
        table.write(path)
        assert LineTable.read(path) == TermSum.read(path) == TermSum(table) == table


def test_makes_equal_tables_with_terms_in_every_way_and_by_pickle() -> None:
    terms: dict[str, Any] = {"ends": {(2, 2): 1}, "kinds": {"row": KindTable({(2, 0): 1})}}
    table = LineTable("mine", {(1, 0): 1}, tempo={(1, 0): 2}, **terms)
    assert TermSum(table.table, {(1, 0): 2}, **terms) == table
    old = "m = ps.TermSum(table=ps.LineTable('mine', {(1, 0): 1}), tempo={(1, 0): 2})"
    assert table_of_code(old) == replace(table, ends={}, kinds={})
    assert hash(table) == hash(TermSum(table))
    again = pickle.loads(pickle.dumps(table))
    assert again == table
    assert "_hash" not in vars(again)  # other processes hash texts otherwise


def test_reads_an_old_file_with_its_old_meaning(tmp_path: Path) -> None:
    old, new = tmp_path / "old.toml", tmp_path / "new.toml"
    old.write_text("mine = [0, 1, 3, 8]\n")
    new.write_text("mine = [0, 1, 3, 8]\ncells = { b2 = 4 }\n")
    assert read_table(old).is_of_lines
    assert evaluate("X../.X./..O", str(new)) == evaluate("X../.X./..O", str(old)) - 4
    assert LineTable.read(new).terms == ("lines", "cells")


def test_takes_cells_by_name_or_as_a_drawn_board(tmp_path: Path) -> None:
    named, drawn, levels = (tmp_path / f"{name}.toml" for name in ("named", "drawn", "levels"))
    named.write_text("cells = { a3 = 1, b3 = 2, a2 = 3, b2 = 4, A1 = 5, b1 = 6 }")
    drawn.write_text("cells = [[1, 2], [3, 4], [5, 6]]")
    levels.write_text("cells = [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]")
    assert TermSum.read(named).cells == TermSum.read(drawn).cells
    of_levels, cube = TermSum.read(levels), parse_game("2x2x2,2")
    assert isinstance(cube, LineGame)
    assert of_levels.cell_values(cube) == [1, 2, 3, 4, 5, 6, 7, 8]


@pytest.mark.parametrize(
    "text",
    [
        "to_move = 3",
        "not_to_move = [0, true]",
        'tempo = { "1" = 3 }',
        "ends = { half = [0, 1] }",
        "ends = { both = 3 }",
        "ends = { both = [1, 2] }",
        "threats = { odd = 1, left = 2 }",
        "threats = { odd = 1.5 }",
        "threats = 3",
        "mobility = [1]",
        "kinds = { rows = { mine = [1] } }",
        "kinds = 3",
        "[kinds]\nrow = 3",
        "[kinds.row]\nends = [1]",
        "[kinds.row]\nnot_to_move = 3",
        '[kinds.row.tempo]\n"1,1" = 0.5',
        '[kinds.row.values]\n"1" = 1',
        "mobility = 10000000000",
        "cells = [[1, 2], [3]]",
        "cells = [1, 2]",
        "cells = [[1, 2], 3]",
        "cells = []",
        "cells = [[]]",
        "cells = { b2 = 'x' }",
        "cells = { b2 = 1 }\nsize = 2",
    ],
)
def test_rejects_wrong_terms_with_the_key(tmp_path: Path, text: str) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(text)
    with pytest.raises(NotationError) as caught:
        read_table(path)
    says(f"table {text}", str(caught.value).replace(f"{tmp_path}/", ""))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "terms",
    [
        {"tempo": {(1, 0): 1.5}},
        {"tempo": {1: 3}},
        {"ends": {(1, 3): 1}},
        {"ends": {(0, 1): 1}},
        {"threats": {(2, 0): 1}},
        {"cells": {3: 1}},
        {"mobility": 10**10},
        {"kinds": {"row": KindTable({(1, 0): 1.5})}},
        {"kinds": {"row": 3}},
        {"cells": ["b2"]},
        {"kinds": {"row": KindTable(tempo={(1, -1): 1})}},
    ],
)
def test_rejects_wrong_terms_in_python(terms: dict[str, Any]) -> None:
    with refuses(HeuristicError):
        TermSum(**terms)


def test_adds_tables_for_kinds_of_lines_to_the_table_for_all() -> None:
    """Two in a row, two on a diagonal: each counts what all lines do and what its kind does."""
    table = TermSum(
        LineTable("mine", {(2, 0): 10}, weights={"diagonal": 2}),
        kinds={
            "row": KindTable(values={(2, 0): 1}, tempo={(2, 0): 100}),
            "diagonal": KindTable(values={(2, 0): 3}),
        },
    )
    row, diagonal = (parse(f"tictactoe {rows}") for rows in ("XX./O../O..", "X../.XO/O.."))
    assert table.evaluate(row, 0) == 10 + 1 + 100
    assert table.evaluate(diagonal, 0) == 2 * (10 + 3)
    shares = {share.term: share.value for share in table.explain(row, 0).terms}
    assert shares == {"lines": 11, "tempo": 100}
    assert TermSum(kinds=table.kinds).terms == ("lines", "tempo")
    assert hash(table) != hash(TermSum(table.table))


def test_a_table_needs_lines() -> None:
    for table in (LineTable("mine", {(1, 0): 1}), TermSum(LineTable("mine", {}), mobility=1)):
        with pytest.raises(OptionError, match="'mine' needs a line game and 'tree' is none"):
            evaluate("[[3,5],[6,9]]", table)


def test_rejects_a_table_that_no_file_can_hold(tmp_path: Path) -> None:
    for path in (tmp_path / "none" / "mine.toml", tmp_path / "mine.txt"):
        with pytest.raises(OptionError, match="expected a"):
            TermSum(mobility=1).write(path)


@pytest.mark.parametrize(
    ("table", "game", "said"),
    [
        (LineTable.one_sided("mine", (0, 1, 10, 100)), "4,4,4", "no value for 4 stones on a line"),
        (LineTable("mine", {(4, 0): 9, (0, 1): -1}), "4,4,4", "no value for 4 stones of theirs"),
        (TermSum(kinds={"pillar": KindTable({(3, 0): 1})}), "tictactoe", "tables for 'pillar'"),
        (
            TermSum(kinds={"row": KindTable({(1, 0): 1, (0, 1): 1})}),
            "tictactoe",
            "no value for 3 stones on a row: a finished row counts 0",
        ),
        (TermSum(tempo={(1, 0): 1}), "tictactoe", "a finished line counts 0 on 'tictactoe'"),
        (LineTable("mine", {(3, 0): 1}, {"pillar": 2}), "tictactoe", "weighs 'pillar'"),
        (TermSum(ends={(1, 2): 1}), "tictactoe", "no line of 'tictactoe' has a cell beyond"),
        (TermSum(cells={"b2": 1, "d4": 2}), "tictactoe", "a value for 'd4'"),
        (TermSum(threats={(0, 1): 1}), "tictactoe", "has no gravity"),
        (TermSum(mobility=2), "tictactoe", "no move on 'tictactoe' is unsafe"),
    ],
)
def test_notes_entries_of_a_table_that_never_apply(table: Any, game: str, said: str) -> None:
    notes = notes_on(table, parse_game(game))
    assert any(said in note for note in notes), notes
    assert explain(f"{game}", table).notes == notes


def test_writes_no_notes_for_tables_that_fit_their_game() -> None:
    for game in ("tictactoe", "connect4", "4,4,4", "4x4x4,4", "misere-tictactoe"):
        for name in (
            "open-lines",
            "weighted-lines",
            "counted-lines",
            "diagonal-lines",
            "result",
            "null",
        ):
            assert notes_on(find_heuristic(name, parse_game(game)), parse_game(game)) == ()
    fits = TermSum(
        LineTable.one_sided("fits", (0, 1, 3, 9, 0), weights={"diagonal": 2}),
        ends={(2, 2): 1},
        cells={"d1": 1},
        threats={(0, 1): 1},
        mobility=1,
    )
    assert notes_on(fits, parse_game("connect4")) == ()
    assert notes_on(lambda mine, theirs: 0, parse_game("connect4")) == ()


def test_negates_symmetric_terms_when_colours_are_swapped() -> None:
    draw = random.Random(8)
    game = parse_game("connect4")
    table = TermSum(
        LineTable.one_sided("fair", (0, 1, 3, 9, 20)),
        tempo={(2, 0): 5, (0, 2): -3},
        ends={(2, 2): 4},
        cells={"d1": 3, "d2": 2},
        threats={(0, 1): 6, (1, 1): 6, (0, 0): 2, (1, 0): 2},
        mobility=2,
    )
    mirror = next(image for image in symmetries(game) if image[0] != 0)
    for _ in range(200):
        position = some_position(game, draw)
        swapped = with_colours_swapped(position)
        value = table.evaluate(position, position.side)
        assert table.evaluate(swapped, swapped.side) == value
        first, second = (
            sum(1 << mirror[cell] for cell in range(42) if stones >> cell & 1)
            for stones in (position.first, position.second)
        )
        image = game.position(first, second, position.side)
        assert table.evaluate(image, position.side) == value


def test_files_in_the_documents_are_tables_of_their_games(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "your-heuristic.md").read_text(encoding="utf-8")
    for name, game in (("mine", "tictactoe"), ("connect4", "connect4")):
        (text,) = re.findall(rf"```toml\n(# {name}\.toml\n.*?)```", page, re.DOTALL)
        (tmp_path / f"{name}.toml").write_text(text, encoding="utf-8")
        table = read_table(tmp_path / f"{name}.toml")
        assert notes_on(table, parse_game(game)) == ()
    assert table.terms == ("lines", "tempo", "ends", "cells", "threats", "mobility")

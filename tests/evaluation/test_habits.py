"""Functions in the habits of public programs run with the option that the message names."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

import plyscope as ps
from plyscope.errors import OptionError, PlyscopeError
from plyscope.evaluation.boardform import BoardForm, form_of, written
from plyscope.evaluation.diagnosis import sample_of
from plyscope.evaluation.heuristics import find_heuristic
from plyscope.evaluation.notes import notes_on

FOLDER = Path(__file__).parents[1] / "corpus"
CASES = tomllib.loads((FOLDER / "heuristics.toml").read_text())


def said(text: str, game: str) -> str:
    """Return the notes on a heuristic, or the sentence that refuses it; "" if nothing is said."""
    rules = ps.parse_game(game)
    try:
        heuristic = find_heuristic(text, rules)
        notes = notes_on(heuristic, rules)
        for position in sample_of(rules).positions:
            for side in (0, 1):
                heuristic.evaluate(position, side)
    except PlyscopeError as error:
        return str(error)
    return " ".join(notes)


def test_every_heuristic_of_the_corpus_has_one_outcome() -> None:
    assert {file.stem for file in (FOLDER / "heuristics").glob("*.py")} == set(CASES)
    assert all(("option" in case) != ("refused" in case) for case in CASES.values())


@pytest.mark.parametrize("name", CASES)
def test_names_the_option_with_which_a_heuristic_runs_as_it_stands(name: str) -> None:
    case = CASES[name]
    game = case.get("game", "tictactoe")
    text = f"{FOLDER / 'heuristics' / name}.py" + (f":{case['name']}" if "name" in case else "")
    if case.get("needs_numpy") or "array" in case.get("option", ""):
        pytest.importorskip("numpy")
    if "refused" in case:
        assert [words for words in case["refused"] if words not in said(text, game)] == []
    elif option := case["option"]:
        assert option in said(text, game)
        assert said(f"{text} {option}", game) == ""
    else:
        assert said(text, game) == ""


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if "is_centre" in case])
def test_the_named_option_makes_the_values_right(name: str) -> None:
    def centre(board, player):
        stones = [(cell, at) for row in board for at, cell in enumerate(row) if cell]
        return sum((3 - abs(at - 3)) * (1 if cell == player else -1) for cell, at in stones)

    game, option = ps.parse_game(CASES[name]["game"]), CASES[name]["option"]
    if CASES[name].get("needs_numpy") or "array" in option:
        pytest.importorskip("numpy")
    given = find_heuristic(f"{FOLDER / 'heuristics' / name}.py {option}".rstrip(), game)
    right = find_heuristic(centre, game)
    for position in sample_of(game).positions:
        for side in (0, 1):
            assert given.evaluate(position, side) == right.evaluate(position, side)


def test_gives_the_values_of_the_same_function_in_the_usual_form() -> None:
    def usual(board, player):
        return sum(row.count(player) - row.count(3 - player) for row in board[:2])

    def of_letters(board, player):
        other = "O" if player == "X" else "X"
        return sum(board[at].count(player) - board[at].count(other) for at in (-1, -2))

    def of_o(board):
        return sum(row.count(2) - row.count(1) for row in board[:2])

    def flat(board, mine, other):
        return sum((cell == mine) - (cell == other) for cell in board[:6])

    forms = [
        ps.heuristic(of_letters, cells="XO_", rows="bottom"),
        ps.heuristic(of_letters, cells=("X", "O", None), rows="bottom"),
        ps.heuristic(of_o, for_="o"),
        ps.heuristic(flat, board="flat"),
        ps.heuristic(flat, board="flat", players="1,-1", cells="1,-1,0"),
    ]
    for position in sample_of(ps.parse_game("tictactoe")).positions:
        for side in ("x", "o"):
            expected = ps.evaluate(position, usual, side=side)
            assert [ps.evaluate(position, form, side=side) for form in forms] == [expected] * 5


def test_a_function_with_a_form_is_not_compiled_and_says_why() -> None:
    pytest.importorskip("numba")

    def rows(board):
        return sum(row.count("X") - row.count("O") for row in board)

    given = ps.heuristic(rows, cells="XO_")
    assert ps.search("4,4,4", heuristic=given, depth=2).form == "reference"
    with pytest.raises(OptionError, match="cannot be compiled: compiled code has no cells=XO_"):
        ps.search("4,4,4", heuristic=given, depth=2, form="compiled")


@pytest.mark.parametrize(
    ("text", "signs"),
    [
        ("XO_", ("X", "O", "_")),
        ("X,O,None", ("X", "O", None)),
        ("X,O,space", ("X", "O", " ")),
        ("X,O,' '", ("X", "O", " ")),
        ("X,O,empty", ("X", "O", "")),
        ("X,O,", ("X", "O", "")),
        ("1,-1,0", (1, -1, 0)),
        ("'1','2','0'", ("1", "2", "0")),
        ("True,False,None", (True, False, None)),
        ("red,yellow,0", ("red", "yellow", 0)),
    ],
)
def test_reads_the_values_of_cells(text: str, signs: tuple[object, ...]) -> None:
    assert form_of({"cells": text}).signs == signs
    assert form_of({"cells": signs}).signs == signs
    assert form_of({"cells": written(signs)}).signs == signs


@pytest.mark.parametrize(
    "given",
    [
        {"cells": "XO"},
        {"cells": "120"},
        {"cells": "X,O"},
        {"cells": "X,X,None"},
        {"players": "1"},
        {"rows": "down"},
        {"board": "square"},
        {"for": "me"},
        {"cells": (object(), 1, 2)},
    ],
)
def test_rejects_other_forms(given: dict[str, object]) -> None:
    with pytest.raises(OptionError, match="expected"):
        form_of(given)


@pytest.mark.parametrize("options", ["cell=XO_", "cells=XO_ cells=XO_", "moves=1", "for=o for=x"])
def test_rejects_options_of_a_file(options: str) -> None:
    text = f"{FOLDER / 'heuristics' / 'spaces'}.py {options}"
    with pytest.raises(PlyscopeError, match="expected"):
        find_heuristic(text, ps.parse_game("tictactoe"))


def test_a_form_is_part_of_a_heuristic() -> None:
    def rows(board):
        return sum(row.count("X") for row in board)

    first, second = ps.heuristic(rows, cells="XO_"), ps.heuristic(rows, cells="OX_")
    values = [ps.evaluate("X../.../...", each, side="x") for each in (first, second, first)]
    assert values == [1, 0, 1]
    assert str(first) == "rows: a function, cells=XO_"
    assert not BoardForm()

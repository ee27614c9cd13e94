"""Puzzles on the page, and tries at them: what is called the only move is, by brute force."""

from __future__ import annotations

import json
from time import process_time
from typing import Any

import pytest

import plyscope as ps
from plyscope.errors import PlyscopeError
from plyscope_web.endpoints import answer, read
from sentences import refuses, says


def ask(endpoint: str, **asked: Any) -> dict[str, Any]:
    return answer(endpoint, read(endpoint, json.dumps(asked).encode()), lambda told: None)


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give up no puzzle on a machine with much else to do."""
    monkeypatch.setattr("plyscope_web.endpoints.playing.PUZZLE_SECONDS", 600.0)


KNOWN: dict[tuple[str, int], int] = {}


def value_of(position: ps.Position) -> int:
    """Return what a position is worth to the side to move, by playing all that can be played."""
    if position.is_over:
        return 0 if position.winner is None else 1 if position.winner == position.side else -1
    key = str(position), position.side
    if key not in KNOWN:
        KNOWN[key] = max(-value_of(position.play(move)) for move in position.moves)
    return KNOWN[key]


@pytest.mark.parametrize(
    ("game", "goal"),
    [
        ("tictactoe", "draw"),
        ("tictactoe", "win"),
        ("4,3,3", "win"),
        ("connect4-5x4", "draw"),
        ("misere-tictactoe", None),
    ],
)
def test_accepts_only_the_solution_of_a_puzzle_and_marks_the_tries(
    game: str, goal: str | None
) -> None:
    for seed in (1, 2):
        found = ask("puzzle", game=game, seed=seed, goal=goal)
        assert "move" not in found
        position = ps.parse(found["position"])
        if game == "connect4-5x4" and len(position.moves) * found["depth"] > 40:
            continue  # too much for brute force
        values = {
            position.game.format_cell(move): -value_of(position.play(move))
            for move in position.moves
        }
        best = max(values.values())
        assert found["goal"] == {1: "win", 0: "draw"}[best]
        assert sum(value == best for value in values.values()) == 1
        for move, value in values.items():
            tried = ask("attempt", position=found["position"], move=move)
            assert tried["right"] == (value == best)
            assert tried["proved"]
        (only,) = (move for move, value in values.items() if value == best)
        assert tried["solution"][0] == only
        position.play(*tried["solution"])  # each move of which is legal


def test_finds_a_puzzle_of_the_wished_depth() -> None:
    for least, most in ((3, 5), (9, 15)):
        found = ask("puzzle", game="connect4", seed=4, goal="win", least=least, most=most)
        assert least <= found["depth"] <= most
        proof = ask("solve", position=found["position"])
        assert (proof["value"], proof["distance"]) == (1, found["depth"])


def test_proves_that_a_position_is_a_puzzle_or_rejects_it() -> None:
    assert ask("puzzle", position="connect4 44")["goal"] == "win"
    for text in ("connect4 4", "tictactoe", "tictactoe a1 b2 a2 b3 a3", "qubic"):
        with pytest.raises(PlyscopeError, match="is not a puzzle; expected"):
            ask("puzzle", position=text)
    with pytest.raises(PlyscopeError, match="expected gravity"):
        ask("puzzle", game="qubic")
    with pytest.raises(PlyscopeError, match="no such puzzle"):
        ask("puzzle", game="tictactoe", least=20)
    began = process_time()
    with refuses(PlyscopeError):
        ask("puzzle", game="tictactoe", least=9, most=3)
    assert process_time() - began < 5


def test_names_the_move_of_a_hint_and_the_reason() -> None:
    found = ask("suggest", position="connect4 44")
    assert (found["move"], found["cell"], found["proved"]) == ("d3", 24, True)
    says(found["sentence"])


def test_rejects_an_immediately_losing_try_judged_by_search() -> None:
    position = "6,6,4,misere XXX.../OO..../....../....../....../....O."
    found = ask("attempt", position=position, move="d6", seconds=0.2)
    assert not found["proved"]
    assert not found["right"]
    assert "loses in 1 ply" in found["sentence"]


def test_gives_hints_and_tries_for_turns_of_several_stones() -> None:
    hint = ask("suggest", position="connect6 j10", seconds=0.2)
    assert hint["move"]
    assert ask("attempt", position="connect6 j10", move=hint["move"], seconds=0.2)["move"]

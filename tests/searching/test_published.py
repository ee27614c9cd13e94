"""The published searches, to the digit."""

from __future__ import annotations

import pytest

from plyscope import search, trace
from plyscope.searching.events import Cutoff, Enter, Leaf, Return, WindowMoved
from plyscope.searching.score import Bound

PLACE = ".X./O../X.O"
TREE = "[[[3,5],[6,9]],[[1,2],[0,-1]]]"


def test_system_c_with_minimax() -> None:
    found = search(PLACE, "minimax", "counted-lines")
    assert (found.value, found.nodes, found.best_moves) == (5, 226, (2, 4))
    assert [(move.row + 1, move.column + 1, move.value, move.nodes) for move in found.moves] == [  # type: ignore[operator]
        (1, 1, 0, 47),
        (1, 3, 5, 35),
        (2, 2, 5, 39),
        (2, 3, 0, 61),
        (3, 2, -8, 43),
    ]


def test_system_c_with_an_open_window_for_each_move() -> None:
    found = search(PLACE, "alphabeta", "counted-lines", root="open")
    assert [(move.value, move.nodes, move.cutoffs) for move in found.moves] == [
        (0, 20, 6),
        (5, 17, 6),
        (5, 31, 6),
        (0, 42, 14),
        (-8, 34, 6),
    ]
    assert (found.nodes - 1, found.cutoffs, found.best_moves) == (144, 38, (2, 4))


def test_system_c_from_the_root() -> None:
    found = search(PLACE, "alphabeta", "counted-lines")
    assert (found.value, found.nodes, found.cutoffs) == (5, 98, 30)
    assert round(1 - found.nodes / 226, 2) == 0.57


def test_system_e_the_tree() -> None:
    traced = trace(TREE)
    game = traced.result.position.game
    names = {event.path: game.name_of(event.path) for event in traced}
    assert traced.result.value == 5
    returned = {
        names[event.path]: (event.score, event.bound)
        for event in traced
        if isinstance(event, Return)
    }
    assert returned == {
        "D": (5, Bound.EXACT),
        "E": (6, Bound.LOWER),
        "B": (5, Bound.EXACT),
        "F": (2, Bound.UPPER),
        "C": (2, Bound.UPPER),
        "A": (5, Bound.EXACT),
    }
    cuts = [
        (names[event.path], event.alpha, event.beta, event.skipped)
        for event in traced
        if isinstance(event, Cutoff)
    ]
    assert cuts == [("E", 6, 5, (1,)), ("C", 5, 2, (1,))]
    assert (1, 1) not in {event.path for event in traced}


def test_system_e_the_game() -> None:
    found = search("tictactoe", "alphabeta", "result", bound="hard")
    assert (found.value, found.nodes, found.best_move) == (0, 18_297, 0)


def test_full_minimax_of_the_empty_board() -> None:
    assert search("tictactoe", "minimax", "null").nodes == 549_946


@pytest.mark.parametrize(("text", "cell"), [("XO./.XO/O.X", 2), ("XO./.XO/...", 8)])
def test_system_d_chooses(text: str, cell: int) -> None:
    assert search(text, "accumulating").best_move == cell


def test_searches_system_d_to_its_depth_and_no_deeper() -> None:
    events = trace("tictactoe", "accumulating", depth=1)
    assert sum(event.kind == "enter" for event in events) == 1 + 9


def test_records_these_events_of_a_small_tree() -> None:
    kinds = [event.kind for event in trace("[[1,2],[0,5]]")]
    assert kinds == [
        *("enter", "enter", "enter", "leaf", "bound", "enter", "leaf", "return", "bound"),
        *("enter", "enter", "leaf", "bound", "cutoff", "return", "return"),
    ]
    events = trace("[[1,2],[0,5]]").events
    assert events[4] == WindowMoved((0,), "beta", 2_000_000_000, 1, 0)
    assert events[3] == Leaf((0, 0), 1, False)
    assert events[9] == Enter((1,), None, 1, 2_000_000_000, is_max=False)
    assert events[9].as_dict() == {
        "event": "enter",
        "path": [1],
        "depth": None,
        "alpha": 1,
        "beta": None,
        "is_max": False,
    }

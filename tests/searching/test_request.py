"""A request: options declared once, read and checked once, and carried to the result."""

from __future__ import annotations

from typing import Any

import pytest

import plyscope as ps
from plyscope import ALGORITHMS, parse, search
from plyscope.errors import PlyscopeError, UnknownNameError
from plyscope.searching.algorithm import FORMS
from plyscope.searching.conventions import CHOICES, CONVENTIONS, HELP, Conventions
from plyscope.searching.engine import ENGINE_OPTIONS
from plyscope.searching.limit import LIMITS
from plyscope.searching.request import (
    OPTIONS,
    check_options,
    make_request,
    read_option,
    written_options,
)
from plyscope_worlds import gymnasium_env
from sentences import says


def test_every_option_is_a_limit_a_convention_or_the_engines() -> None:
    more = {"clock", "form", "game"}
    assert {*LIMITS, *CONVENTIONS, *ENGINE_OPTIONS, *more} == set(OPTIONS)
    assert len(LIMITS) + len(CONVENTIONS) + len(ENGINE_OPTIONS) + len(more) == len(OPTIONS)


def test_declares_the_values_of_a_convention_once() -> None:
    default = Conventions()
    for name, choices in CHOICES.items():
        assert getattr(default, name) == choices[0]
        for choice in choices:
            assert read_option(name, choice) == choice
            said = Conventions(**{name: choice}).describe()
            assert (said == default.describe()) == (choice == choices[0])
    assert set(HELP) == set(CONVENTIONS)
    assert {key for algorithm in ALGORITHMS.values() for key in algorithm.takes} <= {*CONVENTIONS}
    assert "table" not in written_options()
    assert read_option("form", "compiled") in FORMS


def test_returns_the_request_with_the_result() -> None:
    request = make_request(".X./O../X.O", "pvs", "open-lines", depth=3, scoring="result")
    result = search(
        ".X./O../X.O", "pvs", "open-lines", depth=3, scoring="result", seed=None, nodes=None
    )
    assert result.request == request
    assert result.position == request.position == parse(".X./O../X.O")
    assert (result.algorithm, result.heuristic) == ("pvs", "open-lines")
    assert result.conventions is result.request.conventions
    assert result.limit.depth == 3


def test_spends_a_share_of_a_clock() -> None:
    assert make_request("connect4", clock=84).limit.seconds == pytest.approx(0.95 * 84 / 10.5)
    assert make_request("connect4", clock=84, seconds=1).limit.seconds == 1


@pytest.mark.parametrize(
    "options",
    [
        {"engine": "compiled"},
        {"deph": 3},
        {"form": "fast"},
        {"threads": 2},
    ],
)
def test_rejects_a_senseless_option(options: dict[str, Any]) -> None:
    for ask in (
        lambda: make_request("tictactoe", **options),
        lambda: check_options(ALGORITHMS["alphabeta"], options),
    ):
        with pytest.raises(PlyscopeError) as caught:
            ask()
        says(f"option {options}", str(caught.value))


@pytest.mark.parametrize(
    ("call", "meant"),
    [
        (lambda: ps.search("tictactoe", time=1), "seconds"),
        (lambda: ps.search("tictactoe", max_depth=1), "depth"),
        (lambda: ps.search("tictactoe", heuristik="null"), "heuristic"),
        (lambda: ps.solve("tictactoe", timeout=3), "seconds"),
        (lambda: ps.evaluate("tictactoe", color="x"), "side"),
        (lambda: ps.explain("tictactoe", heuristc="null"), "heuristic"),
        (lambda: ps.perft("tictactoe", max_depth=1), "depth"),
        (lambda: ps.certify("random", timeout=1), "seconds"),
        (lambda: ps.report_card("null", sample=3), "samples"),
        (lambda: ps.play_match("random", "random", n=2), "games"),
        (lambda: ps.tune("counted-lines", deph=1), "depth"),
        (lambda: ps.check_game("tictactoe", sed=1), "seed"),
        (lambda: gymnasium_env("tictactoe", oponent="random"), "opponent"),
    ],
)
def test_answers_an_unknown_keyword_with_the_nearest(call: Any, meant: str) -> None:
    with pytest.raises(UnknownNameError, match=f"expected perhaps {meant}"):
        call()


@pytest.mark.parametrize("side", [ps.SECOND, "o", "O"])
def test_accepts_a_side_as_a_number_or_a_letter(side: Any) -> None:
    assert ps.evaluate("tictactoe b2", "open-lines", side=side) == -4
    assert ps.explain("tictactoe b2", "open-lines", side=side).total == -4


def test_rejects_any_other_side() -> None:
    with pytest.raises(PlyscopeError, match="unknown side 2"):
        ps.evaluate("tictactoe b2", "open-lines", side=2)


def test_takes_the_depth_of_a_card_as_its_command_does() -> None:
    by_depth = ps.report_card("counted-lines", game="tictactoe", depth=2).depths
    assert len(by_depth) == 2
    with pytest.raises(PlyscopeError, match="depth 0"):
        ps.report_card("counted-lines", depth=0)


def test_parses_a_game_from_its_object_or_class() -> None:
    game = ps.parse_game("connect4")
    assert ps.parse_game(game) is game
    with pytest.raises(PlyscopeError, match="'Game' cannot be made"):
        ps.parse_game(ps.Game)

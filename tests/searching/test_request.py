"""A request: options declared once, read and checked once, and carried to the result."""

from __future__ import annotations

from typing import Any

import pytest

from plyscope import ALGORITHMS, parse, search
from plyscope.errors import PlyscopeError
from plyscope.searching.algorithm import FORMS
from plyscope.searching.compiled.run import entries, twin_of
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


def test_every_option_is_a_limit_a_convention_or_the_engines() -> None:
    more = {"clock", "form", "game"}
    assert {*LIMITS, *CONVENTIONS, *ENGINE_OPTIONS, *more} == set(OPTIONS)
    assert len(LIMITS) + len(CONVENTIONS) + len(ENGINE_OPTIONS) + len(more) == len(OPTIONS)


def test_what_a_convention_can_be_is_declared_once() -> None:
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


def test_a_result_carries_its_request() -> None:
    request = make_request(".X./O../X.O", "pvs", "open-lines", depth=3, scoring="result")
    result = search(
        ".X./O../X.O", "pvs", "open-lines", depth=3, scoring="result", seed=None, nodes=None
    )
    assert result.request == request
    assert result.position == request.position == parse(".X./O../X.O")
    assert (result.algorithm, result.heuristic) == ("pvs", "open-lines")
    assert result.conventions is result.request.conventions
    assert result.limit.depth == 3


def test_a_clock_is_a_share_of_its_seconds() -> None:
    assert make_request("connect4", clock=84).limit.seconds == pytest.approx(0.95 * 84 / 10.5)
    assert make_request("connect4", clock=84, seconds=1).limit.seconds == 1


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"engine": "compiled"}, "engine='compiled'; expected form='compiled'"),
        ({"deph": 3}, "unknown option 'deph'; expected perhaps depth"),
        ({"form": "fast"}, "form 'fast'; expected auto, reference, compiled"),
        ({"threads": 2}, "'alphabeta' takes no option 'threads'; 'engine' alone takes threads"),
    ],
)
def test_an_option_that_makes_no_sense_is_refused(options: dict[str, Any], said: str) -> None:
    for ask in (
        lambda: make_request("tictactoe", **options),
        lambda: check_options(ALGORITHMS["alphabeta"], options),
    ):
        with pytest.raises(PlyscopeError) as caught:
            ask()
        assert said in str(caught.value)


def test_the_engine_plays_line_games_alone_and_says_so() -> None:
    with pytest.raises(PlyscopeError, match="'tree' is no line game; expected one for .* 'engine'"):
        make_request("[[3,5],[6,9]]", "engine")


@pytest.mark.parametrize("algorithm", ALGORITHMS.values(), ids=list(ALGORITHMS))
def test_an_algorithm_has_both_forms_under_its_name(algorithm: Any) -> None:
    file = algorithm.name.replace("-", "_")
    assert algorithm.compiled == file
    assert callable(twin_of(algorithm).search)
    assert entries(algorithm)
    if not algorithm.is_engine:
        assert algorithm.reference.__module__ == f"plyscope.searching.reference.{file}"

"""Old names work, and warn where they are used."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest

import plyscope as ps
from plyscope.catalogue import checks_keywords
from plyscope.deprecation import RenamedAttribute, renamed
from plyscope.errors import OptionError, UnknownNameError
from plyscope.lab.tournament import tournament


@renamed(old="new")
@checks_keywords
def function(first: int, *, new: int = 0) -> tuple[int, int]:
    return first, new


@dataclass(frozen=True)
class Thing:
    new: int
    old = RenamedAttribute("new")


def test_an_old_keyword_works_and_warns_at_the_line_of_the_call() -> None:
    with pytest.warns(DeprecationWarning, match="old= .* new=") as caught:
        assert function(1, old=2) == (1, 2)  # type: ignore[call-arg]
    assert [each.filename for each in caught] == [__file__]
    assert function(1, new=2) == (1, 2)


def test_both_names_are_an_error_and_unknown_ones_stay_so() -> None:
    with pytest.raises(OptionError, match="expected new= alone"):
        function(1, old=2, new=3)  # type: ignore[call-arg]
    with pytest.raises(UnknownNameError, match="'news'; expected perhaps new"):
        function(1, news=2)  # type: ignore[call-arg]


def test_an_old_attribute_works_and_is_no_field() -> None:
    thing = Thing(3)
    with pytest.warns(DeprecationWarning, match=r"\.old .* \.new") as caught:
        assert thing.old == 3
    assert [each.filename for each in caught] == [__file__]
    assert repr(thing) == "Thing(new=3)"


@pytest.mark.parametrize(
    ("function", "old", "new"),
    [
        (partial(ps.play_match, "random", "random", 2), {"decide_at": 4}, {"adjudicate": 4}),
        (partial(ps.play_match, "random", "random", 2), {"sides": "pie"}, {"opening": "pie"}),
        (partial(ps.play_match, "random", "random", 2), {"is_balanced": True}, {"balanced": True}),
        (partial(tournament, ["random", "greedy"], 2), {"decide_at": 4}, {"adjudicate": 4}),
        (partial(ps.report_card, "null"), {"depths": 1}, {"depth": 1}),
        (partial(ps.solve, "3,3,3"), {"weak": True}, {"maker_breaker": True}),
        (partial(ps.certify, "random"), {"most": 99}, {"max_positions": 99}),
        (partial(ps.check_game, "3,3,3", games=1), {"most": 99}, {"max_positions": 99}),
        (partial(ps.trace, [3, 5]), {"most": 99}, {"max_events": 99}),
    ],
)
def test_public_functions_take_their_old_keywords(
    function: Callable[..., Any], old: dict[str, Any], new: dict[str, Any]
) -> None:
    with pytest.warns(DeprecationWarning, match=f"{next(iter(old))}= is called {next(iter(new))}="):
        found = function(**old)
    assert type(found) is type(function(**new))


def test_a_verdict_answers_to_its_old_attribute() -> None:
    verdict = ps.solve("3,3,3", maker_breaker=True)
    with pytest.warns(DeprecationWarning, match="weak"):
        assert verdict.weak
    assert verdict.as_dict()["weak"] is verdict.as_dict()["maker_breaker"] is True

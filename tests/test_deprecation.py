"""Old names work, and warn where they are used."""

from __future__ import annotations

import sys
from dataclasses import dataclass

import pytest

from plyscope.catalogue import checks_keywords
from plyscope.deprecation import RenamedAttribute, renamed, renamed_names
from plyscope.errors import OptionError, UnknownNameError


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


def test_an_old_name_of_a_module_works() -> None:
    get = renamed_names(__name__, Old="Thing")
    with pytest.warns(DeprecationWarning, match="Old .* Thing") as caught:
        assert get("Old") is sys.modules[__name__].Thing
    assert [each.filename for each in caught] == [__file__]
    with pytest.raises(AttributeError, match="'Other'"):
        get("Other")

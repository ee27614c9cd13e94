"""Old public names: they work for one release and raise a DeprecationWarning.

@renamed(decide_at="adjudicate")                      a keyword argument
weak = RenamedAttribute("maker_breaker")              an attribute, in the body of its class
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from plyscope.errors import OptionError

P = ParamSpec("P")
R = TypeVar("R")


def renamed(**names: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator that accepts keyword arguments by their old names, old="new".

    Calls raise OptionError where both names are given. Write it above `checks_keywords`.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def accepting(*args: P.args, **kwargs: P.kwargs) -> R:
            for old in kwargs.keys() & names.keys():
                new = names[old]
                if new in kwargs:
                    raise OptionError(f"{old}= and {new}=, its new name; expected {new}= alone")
                _warn(f"{old}=", f"{new}=")
                kwargs[new] = kwargs.pop(old)
            return function(*args, **kwargs)

        return accepting

    return decorate


class RenamedAttribute:
    """An attribute by its old name, read-only."""

    def __init__(self, new: str) -> None:
        self.new = new

    def __set_name__(self, owner: type, old: str) -> None:
        self.old = old

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        if instance is None:
            return self
        _warn(f".{self.old}", f".{self.new}")
        return getattr(instance, self.new)


def _warn(old: str, new: str) -> None:
    message = f"{old} is called {new} now; the old name will be removed in the next release"
    warnings.warn(message, DeprecationWarning, stacklevel=3)

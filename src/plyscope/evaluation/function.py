"""Heuristics that are Python functions, and heuristics that do not count lines."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from math import isinf, isnan
from pathlib import Path
from typing import Any, overload

from plyscope.errors import HeuristicError, OptionError, PlyscopeError
from plyscope.evaluation.heuristic import Explanation
from plyscope.evaluation.signatures import (
    OF_BOARD,
    OF_PLAYER,
    OF_PLAYERS,
    SIGNATURES,
    Signature,
    board_array,
    how_called,
    signature_of,
    takes_array,
)
from plyscope.identity import Identity
from plyscope.pythonfile import (
    INTERRUPTS,
    OF_FILE,
    in_one_line,
    load_callable,
    path_of,
    text_of,
    versions_of_file,
)
from plyscope.randomness import mix, position_key
from plyscope.rules.game import given as given_state
from plyscope.rules.position import Position
from plyscope.rules.tree import TreePosition

MAX_ERROR_CHARS = 200
"""The length at which a quoted error of a function is cut."""
MAX_VALUE = 1_000_000_000
"""The greatest absolute value of an evaluation."""


class WithoutLines:
    """The base class of heuristics whose explanation is only a total."""

    name: str

    def evaluate(self, position: Any, side: int) -> int:
        """Return the evaluation in the view of `side`."""
        raise NotImplementedError

    def explain(self, position: Any, side: int) -> Explanation:
        """Return an explanation that has only a total, no lines."""
        return Explanation(
            position=position,
            heuristic=self.name,
            side=side,
            lines=None,
            total=self.evaluate(position, side),
        )


@dataclass(frozen=True)
class FunctionHeuristic(WithoutLines):
    """A Python function, called by its signature (`evaluation/signatures.py`).

    On other games than line games it is called as `f(position)` with the state of the game, and
    returns values in FIRST's view.
    """

    name: str
    function: Callable[..., Any]
    summary: str = "a Python function"
    scale: float | None = None
    """The factor for its results, which are then rounded to whole numbers, halves to even. None if
    the function returns whole numbers."""

    @cached_property
    def signature(self) -> Signature:
        """The signature on line games; raises OptionError if it is none of SIGNATURES."""
        return signature_of(self.name, self.function)

    @cached_property
    def _takes_array(self) -> bool:
        is_of_board = self.signature in (OF_BOARD, OF_PLAYER, OF_PLAYERS)
        return is_of_board and takes_array(self.function)

    def evaluate(self, position: Any, side: int) -> int:
        """Return the evaluation for `side`; raise HeuristicError unless it is a number within
        ±10⁹."""
        is_of_x = True
        try:
            if isinstance(position, Position):
                is_of_x = self.signature.is_of_x
                given = self.signature.arguments(position, side)
                if self._takes_array:
                    given = board_array(position), *given[1:]
                answer = self.function(*given)
            else:
                answer = self.function(given_state(position))
        except (PlyscopeError, *INTERRUPTS):
            raise
        except BaseException as error:  # user code: reported by name, with the position
            how = "it was called as f(position) with a state of the game"
            if isinstance(position, Position):
                how = how_called(self.signature, self.function)
            raise HeuristicError(
                f"heuristic {self.name!r} raised {in_one_line(error)[:MAX_ERROR_CHARS]} "
                f"on '{position}'; expected a whole number ({how})"
            ) from error
        value = self.value_of(answer, lambda: f"on '{position}'")
        return -value if side and is_of_x else value

    def value_of(self, answer: Any, where: Callable[[], str]) -> int:
        """Return the result of the function as a whole number, ±MAX_VALUE if it is infinite.

        Raises HeuristicError, which contains `where()`, if it is no number.
        """
        if isinstance(answer, float) and isinf(answer):
            return MAX_VALUE if answer > 0 else -MAX_VALUE
        try:
            value = (
                int(operator.index(answer))
                if self.scale is None
                else round(float(+answer) * self.scale)  # unary + rejects a text
            )
        except INTERRUPTS:
            raise
        except BaseException:  # not only TypeError: the object is made by user code
            text, expected = text_of(answer)[:40], "a whole number"
            if isinstance(answer, float) and isnan(answer):
                expected = f"a number within ±{MAX_VALUE:,}"
            elif self.scale is not None:
                expected = "a number"
            elif isinstance(answer, float):
                expected += ", or a scale for fractions such as scale=100"
            raise HeuristicError(
                f"heuristic {self.name!r} answered {text!r} {where()}; expected {expected}"
            ) from None
        if abs(value) > MAX_VALUE:
            raise HeuristicError(
                f"heuristic {self.name!r} answered {str(value)[:40]} {where()}; "
                f"expected a whole number within ±{MAX_VALUE:,}"
            )
        return value


@dataclass(frozen=True)
class Declared:
    """A Python function with its declared name and scale."""

    function: Callable[..., Any]
    scale: float | None = None
    name: str = ""

    def __str__(self) -> str:
        name = self.name or getattr(self.function, "__name__", "a function")
        return f"{name}: a function" + (f", times {self.scale:g}" if self.scale else "")

    def __call__(self, *arguments: Any) -> Any:
        """Call the function."""
        return self.function(*arguments)


@overload
def heuristic(
    function: Callable[..., Any], /, *, scale: float | None = None, name: str = ""
) -> Declared: ...


@overload
def heuristic(
    *, scale: float | None = None, name: str = ""
) -> Callable[[Callable[..., Any]], Declared]: ...


def heuristic(
    function: Callable[..., Any] | None = None, /, *, scale: float | None = None, name: str = ""
) -> Declared | Callable[[Callable[..., Any]], Declared]:
    """Declare a function to be a heuristic, with a factor for its results and a name.

    Results times `scale` are rounded to whole numbers, halves to even. Without a function this
    returns a decorator. Raises OptionError for something that cannot be called, and if the scale is
    no positive number.

    >>> import plyscope as ps
    >>> ps.evaluate("X../.../...", ps.heuristic(lambda board, player: board[0][0] / 3, scale=100))
    33
    """
    check_scale(scale)
    if function is None:
        return partial(Declared, scale=scale, name=name)
    if not callable(function):
        raise OptionError(f"heuristic of {repr(function)[:40]}; expected a function")
    return Declared(function, scale, name)


def version_of_function(heuristic: object) -> str:
    """Return a text that changes when a heuristic that is a function does, "" if that cannot be
    known; other heuristics never change."""
    function = getattr(heuristic, "function", heuristic)
    return Identity([function]).digest if callable(function) else "fixed"


def check_scale(scale: object) -> None:
    """Raise OptionError unless `scale` is None or a positive number."""
    if scale is None or (isinstance(scale, int | float) and 0 < scale < float("inf")):
        return
    raise OptionError(f"scale {str(scale)[:40]!r} of a heuristic; expected a number above 0")


def check_signature(heuristic: object, name: str = "") -> None:
    """Raise OptionError for a function whose signature is none of SIGNATURES."""
    if callable(heuristic):
        made = of_function(heuristic)
        signature_of(name or made.name, made.function)


def of_function(function: Callable[..., Any], scale: float | None = None) -> FunctionHeuristic:
    """Return the heuristic of a function, with its declared name and scale.

    The scale is the argument, the declared one, or the attribute `scale` of the function.
    """
    declared = function if isinstance(function, Declared) else Declared(function)
    inner = declared.function
    named = getattr(inner, "func", inner)  # the function inside a partial
    name = declared.name or str(getattr(named, "__name__", type(inner).__name__))
    for found in (scale, declared.scale, getattr(inner, "scale", None)):
        if found is not None:
            check_scale(found)
            return FunctionHeuristic(name, inner, scale=found)
    return FunctionHeuristic(name, inner)


@dataclass(frozen=True)
class RandomHeuristic(WithoutLines):
    """A pseudorandom value from −100 to 100, made from the stones and a seed: the baseline to beat.

    A position always has the same value, negated for the other side.
    """

    seed: int = 0
    name: str = "random"
    summary: str = "a pseudorandom value of each position"

    def evaluate(self, position: Position, side: int) -> int:
        """Return the value for `side`."""
        value = (mix(position_key(position.first, position.second) ^ self.salt) >> 33) % 201 - 100
        return -value if side else value

    @property
    def salt(self) -> int:
        """The number that is combined with every position's key."""
        return mix(self.seed)


@dataclass(frozen=True)
class EstimateHeuristic(WithoutLines):
    """The estimate written on a node of an explicit tree, 0 if there is none."""

    name: str = "estimate"
    summary: str = "the value written on an inner node of a tree"

    def evaluate(self, position: TreePosition, side: int) -> int:
        """Return the node's value in the view of `side`; in the tree it is in MAX's view."""
        value = position.game.units(position.node)
        return -value if side else value


def load_function(text: str) -> FunctionHeuristic:
    """Return the heuristic of `file.py:name`; of `file.py` its only function.

    `file.py:name scale=100` declares a scale. The file is run again only if it has changed. Raises
    NotationError if the file cannot be used, OptionError for a bad scale.
    """
    path = path_of(text)
    return _loaded(text, Path(path).name, versions_of_file(path))


@lru_cache(maxsize=64)
def _loaded(text: str, file: str, version: object) -> FunctionHeuristic:
    match = OF_FILE.fullmatch(text)
    scale_text = match["scale"] if match else None
    try:
        scale = None if scale_text is None else float(scale_text)
    except ValueError:
        check_scale(scale_text)
        raise
    check_scale(scale)
    name, function = load_callable(
        text, "heuristic", "a function " + " or ".join(each.text for each in SIGNATURES)
    )
    check_signature(function, name)
    return replace(of_function(function, scale), name=name, summary=f"{name} of {file}")

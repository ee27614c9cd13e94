"""Heuristics that are Python functions, and those that need none of a position's lines."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from plyscope.errors import HeuristicError, PlyscopeError
from plyscope.evaluation.heuristic import Explanation
from plyscope.pythonfile import OURS, in_one_line, load_callable, text_of, version_of_file
from plyscope.randomness import mix, position_key
from plyscope.rules.position import Position
from plyscope.rules.tree import TreePosition

MAX_VALUE = 1_000_000_000
"""The greatest evaluation, whatever the sign."""


class WithoutLines:
    """Explains itself by its total alone."""

    name: str

    def evaluate(self, position: Any, side: int) -> int:
        """Return the total for `side`."""
        raise NotImplementedError

    def explain(self, position: Any, side: int) -> Explanation:
        """Return the total; there are no lines to show."""
        return Explanation(
            position=position,
            heuristic=self.name,
            side=side,
            lines=None,
            total=self.evaluate(position, side),
        )


@dataclass(frozen=True)
class FunctionHeuristic(WithoutLines):
    """A Python function `f(mine, theirs, lines)` over bitboards; greater is better for `mine`.

    On games that are not line games the function is called as `f(position)` and answers in FIRST's
    view.
    """

    name: str
    function: Callable[..., int]
    summary: str = "a Python function"

    def evaluate(self, position: Any, side: int) -> int:
        """Return the answer for `side`; raise HeuristicError unless it is whole, within ±10⁹."""
        try:
            if isinstance(position, Position):
                answer = self.function(
                    position.stones(side), position.stones(1 - side), position.game.masks
                )
            else:
                answer = self.function(position)
        except (PlyscopeError, *OURS):
            raise
        except BaseException as error:  # a stranger's: reported by name, with the position
            raise HeuristicError(
                f"heuristic {self.name!r} raised {in_one_line(error)} on '{position}'; "
                "expected a whole number"
            ) from error
        try:
            value = int(operator.index(answer))
        except OURS:
            raise
        except BaseException:  # not only TypeError: an odd object may do anything when asked
            text = text_of(answer)[:40]
            raise HeuristicError(
                f"heuristic {self.name!r} answered {text!r} on '{position}'; "
                "expected a whole number"
            ) from None
        if abs(value) > MAX_VALUE:
            raise HeuristicError(
                f"heuristic {self.name!r} answered {str(value)[:40]} on '{position}'; "
                f"expected a whole number within ±{MAX_VALUE:,}"
            )
        return -value if side and not isinstance(position, Position) else value


@dataclass(frozen=True)
class RandomHeuristic(WithoutLines):
    """A value from −100 to 100 by the stones and a seed alone: the baseline to beat.

    The same position always has the same value, and what is good for one side is as bad for the
    other.
    """

    seed: int = 0
    name: str = "random"
    summary: str = "a value drawn for each position, the same every time"

    def evaluate(self, position: Position, side: int) -> int:
        """Return the value for `side`."""
        value = (mix(position_key(position.first, position.second) ^ self.salt) >> 33) % 201 - 100
        return -value if side else value

    @property
    def salt(self) -> int:
        """What the seed makes of every key."""
        return mix(self.seed)


@dataclass(frozen=True)
class EstimateHeuristic(WithoutLines):
    """What is written on the node of an explicit tree, 0 where nothing is."""

    name: str = "estimate"
    summary: str = "the value written on an inner node of a tree"

    def evaluate(self, position: TreePosition, side: int) -> int:
        """Return the node's value for `side`; values are written in MAX's view."""
        value = position.node.value or 0
        return -value if side else value


def load_function(text: str) -> FunctionHeuristic:
    """Return the heuristic of `file.py:name`, running that file where it has changed.

    Raises NotationError when it cannot be had.
    """
    path = text.rpartition(":")[0]
    return _loaded(text, Path(path).name, version_of_file(path))


@lru_cache(maxsize=64)
def _loaded(text: str, file: str, version: object) -> FunctionHeuristic:
    name, function = load_callable(
        text, "heuristic", "a function f(mine, theirs, lines) or f(mine, theirs)"
    )
    return FunctionHeuristic(name, function, f"{name} of {file}")

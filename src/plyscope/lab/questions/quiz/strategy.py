"""Strategies to be completed: signs on the empty cells, of which some are missing.

`plyscope_fast.solving.signplay` plays by signs. Every completion by which the side reaches the
result is right.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from string import ascii_uppercase
from typing import TYPE_CHECKING, Any

from plyscope.errors import NotationError
from plyscope.extras import load
from plyscope.rules.position import Position

if TYPE_CHECKING:
    from plyscope_fast.solving.signplay import Failure

MAX_MISSING = 6
"""The greatest number of missing signs in a question."""


@dataclass(frozen=True, kw_only=True)
class Strategy:
    """Signs by which a side of a position reaches a result, and the cells where they are missing.

    A missing sign has the letter of its place among the missing ones, A first.
    """

    side: int
    least: int
    """1 for a win, 0 for a draw."""
    signs: tuple[tuple[int, int], ...]
    """Each empty cell with its sign, from 0 to 6."""
    missing: tuple[int, ...]
    """The cells whose signs are missing, in the order of their numbers."""

    def __str__(self) -> str:
        return self.format(self.key)

    @property
    def letters(self) -> dict[int, str]:
        """The letters of the missing signs, by cell."""
        return dict(zip(self.missing, ascii_uppercase, strict=False))

    @property
    def key(self) -> tuple[int, ...]:
        """The missing signs, one right answer."""
        signs = dict(self.signs)
        return tuple(signs[cell] for cell in self.missing)

    def marks(self, answer: tuple[int, ...] | None = None) -> dict[int, str]:
        """Return what is written on the cells: signs other than 0, and on the cells of missing ones
        their letters, or the signs of an answer."""
        given = dict(zip(self.missing, answer or (), strict=False))
        shown = {cell: f"{sign}" for cell, sign in self.signs if sign and cell not in self.missing}
        return shown | {
            cell: letter if answer is None else f"{given[cell]}"
            for cell, letter in self.letters.items()
        }

    def read(self, written: Any) -> tuple[int, ...]:
        """Return the signs in an answer such as `A3 B0` or `30`, or by letter.

        Raises NotationError unless there is one from 0 to 6 for each missing cell.
        """
        text = (
            " ".join(f"{letter}{sign}" for letter, sign in written.items())
            if isinstance(written, Mapping)
            else str(written)
        )
        wanted = [*self.letters.values()]
        compact = re.sub(r"[\s,;=:]+", "", text.upper())
        if re.fullmatch(rf"[0-6]{{{len(wanted)}}}", compact):
            return tuple(map(int, compact))
        found = dict(re.findall(r"([A-Z])([0-6])", compact))
        if sorted(found) != wanted or len(compact) != 2 * len(wanted):
            expected = " ".join(f"{letter}3" for letter in wanted)
            raise NotationError(
                f"signs {text[:40]!r} in the answer; expected a sign from 0 to 6 for each letter, "
                f"such as {expected!r}"
            )
        return tuple(int(found[letter]) for letter in wanted)

    def format(self, answer: tuple[int, ...]) -> str:
        """Return an answer as text, such as `A3 B0`."""
        return " ".join(
            f"{letter}{sign}" for letter, sign in zip(self.letters.values(), answer, strict=True)
        )


def failure_of(strategy: Strategy, position: Position, answer: tuple[int, ...]) -> Failure | None:
    """Return a game in which the signs with these missing ones fail; None if they hold."""
    signs = dict(strategy.signs) | dict(zip(strategy.missing, answer, strict=True))
    play = load("plyscope_fast.solving.signplay", "a question on signs", "fast")
    failure: Failure | None = play.refutation(position, strategy.side, strategy.least, signs)
    return failure


def end_of(strategy: Strategy, failure: Failure, name: Callable[[int], str]) -> str:
    """Return what happens at the end of a game in which the signs fail, in a sentence; `name`
    gives a cell's name."""
    mine, theirs = "XO"[strategy.side], "XO"[1 - strategy.side]
    cells = " and ".join(map(name, failure.asked))
    return {
        "line": f"{theirs} has completed a line.",
        "none": f"{mine} is to move, and the signs ask for no cell.",
        "several": f"{mine} is to move, and the signs ask for several cells: {cells}.",
        "threats": f"{mine} is to move, and would have to block several cells: {cells}.",
        "draw": f"The board is full, and {mine} has not won.",
    }[failure.reason]

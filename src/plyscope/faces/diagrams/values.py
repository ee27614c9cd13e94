"""The value written on each move of a board: the best known one, as on the page."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import Any, NamedTuple

from plyscope.searching.score import plies_text

MAX_TEXT_CELLS = 49
"""The number of cells above which faded moves and bounds are small marks without text."""
HALF_WEIGHT_PLIES = 40
"""Plies after which a proved end counts half."""
SLOWEST_LOSS_SHARE = 0.1
"""The absolute share of the move that loses last, if all moves lose."""


class CellValue(NamedTuple):
    """The best known value of a move, in the view of the side that plays it."""

    text: str
    share: float = 0.0
    """The value on a scale from −1 for a loss to 1 for a win."""
    knowledge: str = "heuristic"
    """`proved`, `searched`, or `heuristic` for a heuristic's value."""
    plies: float = inf
    """Plies to a proved end."""
    is_bound: bool = False
    """Whether only a bound of the value or of the plies is known."""
    is_faded: bool = False
    """Whether the move loses and others do not."""
    is_small: bool = False
    """Whether the mark is small and has no text."""

    @property
    def is_lost(self) -> bool:
        """Whether the move is proved to lose."""
        return self.knowledge == "proved" and self.share < 0


def proved_value(value: int, plies: int | None, sign: str = "") -> CellValue:
    """Return the value of a move with a proved result: `W5`, `D`, `L32`; early wins count more."""
    share = value * (1 - 0.5 * min(1, (plies or 0) / HALF_WEIGHT_PLIES))
    text = f"{sign}{'LDW'[value + 1]}{plies or ''}"
    return CellValue(text, share, "proved", plies or inf, bool(sign))


def shown_values(values: Mapping[Any, CellValue], position: Any) -> dict[Any, CellValue]:
    """Return the values of a board as they are drawn.

    Lost moves fade if another move is not lost. If all are lost, the darkest loses first.
    """
    moves, cells = len(position.moves), getattr(position.game, "size", 0)
    plies = [value.plies for value in values.values() if value.is_lost]
    is_all = len(plies) == moves
    most, least = max(plies, default=0), min(plies, default=0)
    shown = {}
    for move, value in values.items():
        if value.is_lost and is_all and least < most < inf:
            held = (most - value.plies) / (most - least)
            value = value._replace(share=-(SLOWEST_LOSS_SHARE + (1 - SLOWEST_LOSS_SHARE) * held))
        is_faded = value.is_lost and not is_all
        is_small = cells > MAX_TEXT_CELLS and (
            is_faded or (value.is_bound and value.knowledge != "proved")
        )
        shown[move] = value._replace(is_faded=is_faded, is_small=is_small)
    return shown


def losses_text(values: Mapping[Any, CellValue], moves: int) -> str:
    """Return how many moves lose and in how many plies, in a sentence; empty if none does."""
    lost = [value for value in values.values() if value.is_lost]
    if not lost:
        return ""
    most = max(value.plies for value in lost)
    is_alike = all(value.plies == most and not value.is_bound for value in lost)
    end = f" in {'' if is_alike else 'at most '}{plies_text(int(most))}" if most < inf else ""
    if len(lost) == moves:
        paler = "" if is_alike else "; the palest holds out longest"
        return f"every move loses{end}{paler}"
    others = "1 other move loses" if len(lost) == 1 else f"{len(lost):,} other moves lose"
    return f"{others}{end}"

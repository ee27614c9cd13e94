"""The error budget of a heuristic: its wrong moves by class of position, by ply, and per game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from plyscope.lab.judging.graph import Flags, Floats
from plyscope.lab.judging.population import Population, Positions
from plyscope.lab.judging.tactics import TACTICS
from plyscope.lab.share import Share, share_of
from plyscope.rules.game import FIRST, SECOND

MAX_PLY_GROUPS = 6
"""The most groups of plies on a card."""


@dataclass(frozen=True, kw_only=True)
class ErrorGroup:
    """The wrong moves in the critical positions of one class, or of some plies."""

    name: str
    """A class (`judging.tactics`), or plies such as `5–7`."""
    positions: int
    wrong: tuple[Share, ...]
    """By depth − 1, the share of wrong moves in these positions."""

    def __str__(self) -> str:
        shares = ", ".join(map(str, self.wrong))
        return f"{self.name}, {self.positions:,} positions: {shares} wrong moves by depth"


def by_tactic(critical: Positions, wrong: Sequence[Floats], is_whole: bool) -> list[ErrorGroup]:
    """Return the groups of the classes that occur.

    `wrong` holds, by depth − 1, the share of wrong moves of each position."""
    classes = np.array(critical.tactics)
    groups = ((tactic, classes == tactic) for tactic in TACTICS)
    return [_group(name, is_in, wrong, is_whole) for name, is_in in groups if is_in.any()]


def by_ply(critical: Positions, wrong: Sequence[Floats], is_whole: bool) -> list[ErrorGroup]:
    """Return at most MAX_PLY_GROUPS groups of plies, with similar numbers of positions."""
    plies = np.array(critical.played_plies)
    if not len(plies):
        return []
    quantiles = np.linspace(0, 1, MAX_PLY_GROUPS + 1)[:-1]
    starts = np.unique(np.quantile(plies, quantiles, method="lower")).tolist()
    found = []
    for begin, end in pairwise([*starts, int(plies.max()) + 1]):
        name = f"{begin}" if end == begin + 1 else f"{begin}–{end - 1}"
        found.append(_group(name, (plies >= begin) & (plies < end), wrong, is_whole))
    return found


def _group(name: str, is_in: Flags, wrong: Sequence[Floats], is_whole: bool) -> ErrorGroup:
    number = int(is_in.sum())
    shares = tuple(share_of(float(each[is_in].sum()), number, is_whole) for each in wrong)
    return ErrorGroup(name=name, positions=number, wrong=shares)


def wrong_a_game(population: Population, asked: Positions, played: Flags) -> float:
    """Return the mean number of wrong moves in a game against an opponent of random moves.

    The player takes any of its `played` moves at the `asked` positions, all unfinished ones of a
    whole game, with equal probability. It plays as many games as FIRST as it does as SECOND.
    """
    starts, children = asked.starts.tolist(), asked.children.tolist()
    wrong = asked.wrong_by(played).tolist()
    ranges = {at: (begin, end) for at, (begin, end) in zip(asked.at, pairwise(starts), strict=True)}
    order = list(_by_distance(population))
    total = 0.0
    for side in (FIRST, SECOND):
        reached = [0.0] * len(population.positions)
        reached[0] = 1.0
        for at in order:
            if not population.children[at] or not reached[at]:
                continue
            begin, end = ranges[at]
            own = population.sides[at] == side
            taken = [move for move in range(begin, end) if played[move] or not own]
            total += reached[at] * wrong[asked.index[at]] if own else 0.0
            for move in taken:
                reached[children[move]] += reached[at] / len(taken)
    return total / 2


def _by_distance(population: Population) -> Iterator[int]:
    """Yield the positions of a whole game, each after all positions from which it is reached."""
    parents = np.bincount(population.moves.to, minlength=len(population.positions)).tolist()
    ready: list[Any] = [at for at, number in enumerate(parents) if not number]
    while ready:
        at = ready.pop()
        yield at
        for child in population.children[at]:
            parents[child] -= 1
            if not parents[child]:
                ready.append(child)

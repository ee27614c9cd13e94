"""The error budget of a heuristic: its wrong moves by class of position, by ply, and by how often
it reaches the position."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import fsum
from typing import Any

from plyscope.lab.judging.arrays import Flags, Floats, np
from plyscope.lab.judging.population import Population, Positions
from plyscope.lab.judging.share import Share, share_of
from plyscope.lab.judging.tactics import TACTICS
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


@dataclass(frozen=True)
class Classes:
    """A name for each of some positions, and the names in order."""

    of: list[str]
    order: list[str]

    def groups(self, wrong: Sequence[Floats], is_whole: bool) -> tuple[ErrorGroup, ...]:
        """Return the groups that occur; `wrong` holds, by depth − 1, the share of wrong moves of
        each position."""
        return tuple(
            _group(name, np.array([of == name for of in self.of], np.bool_), wrong, is_whole)
            for name in self.order
            if name in self.of
        )


def one_of_each(
    kinds: Sequence[Classes], among: Sequence[int], rank: Callable[[int], Any]
) -> list[int]:
    """Return some positions of `among`, such that each class that occurs there has one of them.

    A position represents its class of each kind. Within a kind, the classes with the most
    positions come first. The position of a class is one of the greatest `rank`; of several, the one
    that represents the most classes that have no position yet.
    """
    chosen: list[int] = []
    missing = {kind.of[at] for kind in kinds for at in among}
    for kind in kinds:
        for name, _ in Counter(kind.of[at] for at in among).most_common():
            if name in missing:
                best = max(
                    (at for at in among if kind.of[at] == name),
                    key=lambda at: (rank(at), sum(each.of[at] in missing for each in kinds)),
                )
                missing -= {each.of[best] for each in kinds}
                chosen.append(best)
    return chosen


def tactics(critical: Positions) -> Classes:
    """Return what each position asks of the side to move."""
    return Classes(list(critical.tactics), list(TACTICS))


def plies(critical: Positions) -> Classes:
    """Return the plies of each position, in at most MAX_PLY_GROUPS groups of similar size."""
    played = critical.played_plies
    if not played:
        return Classes([], [])
    ordered, last = sorted(played), len(played) - 1
    starts = sorted({ordered[last * part // MAX_PLY_GROUPS] for part in range(MAX_PLY_GROUPS)})
    names = [
        f"{begin}" if end == begin + 1 else f"{begin}–{end - 1}"
        for begin, end in pairwise([*starts, ordered[-1] + 1])
    ]
    return Classes([names[bisect_right(starts, each) - 1] for each in played], names)


NEVER, SELDOM, OFTEN = (
    "never reached",
    "reached in less than 1 % of games",
    "reached in 1 % of games or more",
)
OFTEN_SHARE = 0.01
"""The share of games from which on a position counts as OFTEN."""


def reaches(population: Population, asked: Positions, played: Flags) -> Classes:
    """Return how often the player reaches each critical position of a whole game itself, against
    random moves; as `wrong_a_game`. What is never reached, no opponent can lead it to."""
    shares = _reached(population, asked, played)
    sides, names = population.sides, []
    for at in population.critical.at:
        share = shares[sides[at]][at]
        names.append(OFTEN if share >= OFTEN_SHARE else SELDOM if share else NEVER)
    return Classes(names, [OFTEN, SELDOM, NEVER])


def _group(name: str, is_in: Flags, wrong: Sequence[Floats], is_whole: bool) -> ErrorGroup:
    number = int(is_in.sum())
    shares = tuple(share_of(fsum(each[is_in]), number, is_whole) for each in wrong)
    return ErrorGroup(name=name, positions=number, wrong=shares)


def wrong_a_game(population: Population, asked: Positions, played: Flags) -> float:
    """Return the mean number of wrong moves in a game against an opponent of random moves.

    The player takes any of its `played` moves at the `asked` positions, all unfinished ones of a
    whole game, with equal probability. It plays as many games as FIRST as it does as SECOND.
    """
    wrong, sides = asked.wrong_by(played).tolist(), population.sides
    shares = _reached(population, asked, played)
    total: float = sum(shares[sides[at]][at] * wrong[asked.index[at]] for at in asked.at)
    return total / 2


def _reached(
    population: Population, asked: Positions, played: Flags
) -> tuple[list[float], list[float]]:
    """Return two lists with one entry per position: the share of games that reach it, with the
    player as FIRST and as SECOND, against random moves."""
    starts, children = asked.starts.tolist(), asked.children.tolist()
    ranges = {at: (begin, end) for at, (begin, end) in zip(asked.at, pairwise(starts), strict=True)}
    order = list(_by_distance(population))
    found = []
    for side in (FIRST, SECOND):
        reached = [0.0] * len(population.positions)
        reached[0] = 1.0
        for at in order:
            if not population.children[at] or not reached[at]:
                continue
            begin, end = ranges[at]
            own = population.sides[at] == side
            taken = [move for move in range(begin, end) if played[move] or not own]
            for move in taken:
                reached[children[move]] += reached[at] / len(taken)
        found.append(reached)
    return found[0], found[1]


def _by_distance(population: Population) -> Iterator[int]:
    """Yield the positions of a whole game, each after all positions from which it is reached."""
    parents = Counter(population.moves.to.tolist())
    ready: list[Any] = [at for at in range(len(population.positions)) if not parents[at]]
    while ready:
        at = ready.pop()
        yield at
        for child in population.children[at]:
            parents[child] -= 1
            if not parents[child]:
                ready.append(child)

"""The wrong moves of one heuristic after another, over the same positions.

These are all positions of a game in which the moves differ in value, or such positions of a sample.
They are found and solved once; a table is then judged in some milliseconds, so that its count can
follow while its numbers change. Of moves rated alike each counts in part, as on a report card.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from plyscope.evaluation.heuristic import Heuristic
from plyscope.lab.judging.graph import Flags, Floats
from plyscope.lab.judging.population import Population
from plyscope.lab.reportcard.measures import at_least
from plyscope.lab.share import Share, share_of
from plyscope.rules.position import Position
from plyscope.rules.symmetry import canonical


@dataclass(frozen=True, kw_only=True)
class Judged:
    """What a search of some plies plays with a heuristic."""

    plays: Flags
    """[moves] whether it may play them."""
    losses: Floats
    """[choices] the share of these that lose value."""
    wrong: float
    """Their sum: wrong moves, ties in parts."""
    share: Share
    """The same as a share of the choices, with the interval of a sample."""

    @property
    def faulty(self) -> int:
        """The choices at which it may play a wrong move, and be it one of several rated alike."""
        return int((self.losses > 0).sum())


class WrongMove(NamedTuple):
    """A position and what is played there, by moves of the position."""

    position: Position
    plays: tuple[int, ...]
    """The moves rated best."""
    right: tuple[int, ...]
    """The moves that lose nothing."""
    lost: int
    """What the worst move gives away: 1, or 2 for a win given up for a loss."""


class WrongMap:
    """The positions of a population whose moves differ in value."""

    def __init__(self, population: Population, is_whole: bool) -> None:
        self.population, self.is_whole = population, is_whole
        self.game: Any = population.game
        self.critical = population.critical

    def __len__(self) -> int:
        return len(self.critical)

    def judge(self, heuristic: Heuristic, depth: int) -> Judged:
        """Return what a search of `depth` plies with a heuristic gives away."""
        plays = self.critical.played(heuristic, depth)
        losses = self.critical.wrong_by(plays)
        wrong = float(losses.sum())
        share = share_of(wrong, len(self), self.is_whole)
        return Judged(plays=plays, losses=losses, wrong=wrong, share=share)

    def shown(
        self, is_in: Flags, wrong: Judged, most: int, now: Judged | None = None
    ) -> tuple[WrongMove, ...]:
        """Return choices that `is_in` names, one of each mirror class, with what is played there
        `now`: those first that lose most in the `wrong` one."""
        starts, lost = self.critical.starts, self.critical.lost
        worst = np.maximum.reduceat(wrong.plays * lost, starts[:-1]) if len(self) else lost
        plays = (now or wrong).plays
        found: list[WrongMove] = []
        seen: set[Position] = set()
        for at in sorted(np.flatnonzero(is_in).tolist(), key=lambda at: (-worst[at], at)):
            position: Position = self.population.positions[self.critical.at[at]]
            image = canonical(position)
            if image in seen:
                continue
            seen.add(image)
            begin, end = starts[at : at + 2].tolist()
            moves = list(position.moves)
            played = (
                move for move, is_best in zip(moves, plays[begin:end], strict=True) if is_best
            )
            right = (move for move, loss in zip(moves, lost[begin:end], strict=True) if not loss)
            found.append(WrongMove(position, tuple(played), tuple(right), int(worst[at])))
            if len(found) == most:
                break
        return tuple(found)


@dataclass(frozen=True)
class Compared:
    """Two heuristics at the same choices."""

    before: Judged
    after: Judged

    @cached_property
    def fixed(self) -> Flags:
        """[choices] wrong before, at least in part, and right now."""
        flags: Flags = (self.before.losses > 0) & (self.after.losses == 0)
        return flags

    @cached_property
    def regressed(self) -> Flags:
        """[choices] right before, and wrong now at least in part."""
        flags: Flags = (self.before.losses == 0) & (self.after.losses > 0)
        return flags

    @property
    def chance(self) -> float:
        """The chance of so many fixed, or more, among those that changed if there were no
        difference (McNemar 1947, one-sided and exact)."""
        fixed, regressed = int(self.fixed.sum()), int(self.regressed.sum())
        return at_least(fixed, fixed + regressed)

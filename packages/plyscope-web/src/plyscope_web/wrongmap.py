"""The wrong moves of several heuristics over the same critical positions.

The positions of a game or a sample are solved once. Counting the wrong moves of a heuristic then
takes milliseconds, fast enough to update the count while a table is edited. If several moves are
rated best, each counts in proportion, as on a report card.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import fsum
from typing import Any, NamedTuple

from plyscope.evaluation.heuristic import Heuristic
from plyscope.lab.judging.arrays import Flags, Floats, np
from plyscope.lab.judging.population import Population
from plyscope.lab.judging.reportcard.measures import at_least
from plyscope.lab.judging.share import Share, share_of
from plyscope.rules.position import Position
from plyscope.rules.symmetry import canonical


@dataclass(frozen=True, kw_only=True)
class Judged:
    """The moves of searches with one heuristic at the critical positions."""

    plays: Flags
    """[moves] whether a search rates them best."""
    losses: Floats
    """[critical positions] the share of wrong moves among the moves rated best."""
    wrong: float
    """The number of wrong moves, with ties in proportion."""
    share: Share
    """The share of wrong moves, with an interval for a sample."""

    @property
    def faulty(self) -> int:
        """The number of positions where some best-rated move loses value."""
        return int((self.losses > 0).sum())


class WrongMove(NamedTuple):
    """A critical position, with the moves played there."""

    position: Position
    plays: tuple[int, ...]
    """The moves rated best."""
    right: tuple[int, ...]
    """The moves that lose no value."""
    lost: int
    """The loss of the worst move: 1, or 2 if a win becomes a loss."""


class WrongMap:
    """The critical positions of a population."""

    def __init__(self, population: Population, is_whole: bool) -> None:
        self.population, self.is_whole = population, is_whole
        self.game: Any = population.game
        self.critical = population.critical

    def __len__(self) -> int:
        return len(self.critical)

    def judge(self, heuristic: Heuristic, depth: int) -> Judged:
        """Return the moves and losses of searches of `depth` plies with a heuristic."""
        plays = self.critical.played(heuristic, depth)
        losses = self.critical.wrong_by(plays)
        wrong = fsum(losses)
        share = share_of(wrong, len(self), self.is_whole)
        return Judged(plays=plays, losses=losses, wrong=wrong, share=share)

    def shown(
        self, is_in: Flags, wrong: Judged, most: int, now: Judged | None = None
    ) -> tuple[WrongMove, ...]:
        """Return up to `most` of the flagged positions, by decreasing loss in `wrong`.

        The moves shown there are those of `now`, by default those of `wrong`. Symmetric positions
        count once."""
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
    """The moves of two heuristics at the same critical positions."""

    before: Judged
    after: Judged

    @cached_property
    def fixed(self) -> Flags:
        """[critical positions] whether some best-rated move was wrong before, and none is after."""
        flags: Flags = (self.before.losses > 0) & (self.after.losses == 0)
        return flags

    @cached_property
    def regressed(self) -> Flags:
        """[critical positions] whether no best-rated move was wrong before, and some is after."""
        flags: Flags = (self.before.losses == 0) & (self.after.losses > 0)
        return flags

    @property
    def chance(self) -> float:
        """The p-value: how likely at least this number of the changed positions would be fixed if
        there were no difference (McNemar 1947, one-sided, exact)."""
        fixed, regressed = int(self.fixed.sum()), int(self.regressed.sum())
        return at_least(fixed, fixed + regressed)

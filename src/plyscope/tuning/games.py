"""Positions of recorded games, labelled by the results: for games without a solver.

The label of a position is the mean result of the games that reach it. Labels are noisy, and all
positions of a game share its result. So no game is used both for learning and for testing. Games
seldom contain two moves of one position, except in the opening. So siblings are not compared; a
logistic regression predicts the result of each position, as in Texel's tuning (Österlund 2014).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import fsum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plyscope.errors import OptionError
from plyscope.lab.game import PLY_LIMIT, GameRecord
from plyscope.lab.judging.orbits import Keys, orbit_keys
from plyscope.rules.game import FIRST
from plyscope.rules.linegame import LineGame
from plyscope.rules.position import Position
from plyscope.tuning.family import Family
from plyscope.tuning.featured import Featured
from plyscope.tuning.split import Groups

MIN_GROUPS = 5
"""A group of games connected by shared positions has at most the fraction 1 / MIN_GROUPS of the
games."""
RESULTS = {"x": 1, None: 0, "o": -1}
"""Results for X, by winner."""


class GamesPopulation:
    """The positions of recorded games of one line game; symmetric positions count once.

    A game that was played several times counts several times. Forfeited games, and games that a
    limit of plies ended, do not count. Finished positions and those of the opening are omitted.
    Unlike in Texel's tuning, positions in which a line can be completed at once are included,
    because the searches here have no quiescence. Raises OptionError if no position remains.

    game       LineGame
    positions  [positions] Position
    sides      [positions] the side to move
    results    [positions] float, the mean result for the side to move, −1 to 1
    counts     [positions] whole, the number of games that reach the position
    groups     [positions] group numbers from 0; games that share a position are in one group, so
               `split.folds` never splits a game between learning and testing
    games      the number of different games
    opening    the least number of stones of the positions, chosen so that no group has more than a
               fifth of the games
    """

    def __init__(self, records: Iterable[GameRecord], game: LineGame) -> None:
        self.game = game
        times: Counter[Game] = Counter(
            (record.start, record.moves, RESULTS[record.winner])
            for record in records
            if _counts(record, game)
        )
        self.games = len(times)
        passed = _passed(times, game)
        parts, self.opening = _groups(passed, self.games)
        seen: dict[int, list[_Passed]] = defaultdict(list)
        for each in passed:
            if _stones(each.position) >= self.opening:
                seen[each.key].append(each)
        if not seen:
            raise OptionError(
                f"{self.games} finished games of {game.name!r} have no position after the "
                "opening; expected more games, from different openings"
            )
        firsts = [each[0] for each in seen.values()]
        self.positions = [first.position for first in firsts]
        self.sides = [position.side for position in self.positions]
        self.results = np.array([_mean(each) for each in seen.values()])
        self.counts = np.array([sum(one.times for one in each) for each in seen.values()])
        self.groups = np.array(parts.numbers(first.game for first in firsts))

    @property
    def decided_groups(self) -> NDArray[np.int64]:
        """The groups of the decided positions: those whose mean result is not 0."""
        decided: NDArray[np.int64] = self.groups[self.results != 0]
        return decided

    @property
    def orbits(self) -> Keys:
        """[positions] their keys, equal for symmetric positions (`judging/orbits`)."""
        return orbit_keys(self.game, self.positions)

    def __len__(self) -> int:
        return len(self.positions)

    def featured(self, depth: int, family: Family) -> Featured:
        """Return each decided position as a choice between it and a position of value 0.

        Evaluations are from the view of the side to move `depth` plies earlier, as for the leaves
        of a search of that depth.
        """
        is_other, decided = depth % 2, np.flatnonzero(self.results)
        positions = [self.positions[at] for at in decided]
        sides = [self.sides[at] ^ is_other for at in decided]
        count = len(decided)
        features = np.zeros((2 * count, len(family.parameters)))
        offsets, values = np.zeros(2 * count), np.zeros(2 * count)
        features[::2] = family.features(positions, sides)
        offsets[::2] = family.offset(positions, sides)
        values[::2] = -self.results[decided] if is_other else self.results[decided]
        return Featured(
            starts=np.arange(0, 2 * count + 1, 2),
            move_values=values,
            features=features,
            offsets=offsets,
            results=np.zeros(2 * count),
            groups=self.groups[decided],
        )


def _counts(record: GameRecord, game: LineGame) -> bool:
    is_of_game = isinstance(record.start, Position) and record.start.game.rules == game.rules
    return is_of_game and not record.is_forfeit and record.ending != PLY_LIMIT


class _Passed(NamedTuple):
    game: int
    """The number of the game."""
    position: Position
    key: int
    """The key shared by symmetric positions."""
    result: int
    """The game's result for the side to move."""
    times: int
    """Number of times that the game was played."""


Game = tuple[Position, tuple[str, ...], int]
"""Start position, moves, and result for X."""


def _passed(times: Mapping[Game, int], game: LineGame) -> list[_Passed]:
    """Return the positions of all games, without the last position of each game."""
    passed = []
    for number, ((start, moves, result), count) in enumerate(times.items()):
        position = start._replace(game=game)
        for move in moves:
            own = result if position.side == FIRST else -result
            passed.append(_Passed(number, position, 0, own, count))
            position = position.play(move)
    keys = orbit_keys(game, [each.position for each in passed]).tolist()
    return [each._replace(key=key) for each, key in zip(passed, keys, strict=True)]


def _groups(passed: Sequence[_Passed], games: int) -> tuple[Groups, int]:
    """Return groups of games that share no position, and the number of stones where this begins.

    Positions are visited from the last ones back, until a group would be too large.
    """
    by_stones: dict[int, list[_Passed]] = defaultdict(list)
    for each in passed:
        by_stones[_stones(each.position)].append(each)
    groups, opening = Groups(), 0
    for stones in sorted(by_stones, reverse=True):
        wider, first = groups.copy(), dict[int, int]()
        for each in by_stones[stones]:
            wider.join(first.setdefault(each.key, each.game), each.game)
        sizes = Counter(map(wider.find, range(games)))
        if max(sizes.values()) > max(1, games // MIN_GROUPS):
            return groups, stones + 1
        groups = wider
    return groups, opening


def _stones(position: Position) -> int:
    return (position.first | position.second).bit_count()


def _mean(passed: Sequence[_Passed]) -> float:
    return fsum(each.result * each.times for each in passed) / sum(each.times for each in passed)

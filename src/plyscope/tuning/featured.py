"""`Featured`: critical positions as arrays, so that weights are tested on all of them at once.

    leaf          the end of a move's principal variation, in a search of the depth of use
    move_values   the exact value after the move, for the side that chooses

A leaf's score is features · weights + offset, or the result of a finished game. A search plays one
of the moves with the greatest score.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plyscope.lab.judging.arrays import Flags, Floats, Integers
from plyscope.lab.judging.population import best_of, mean_of

WON_SCORE = 1e15
"""The score of a won game, above any evaluation."""


class Pairs(NamedTuple):
    """Pairs of siblings of different exact value, a row each: the better one minus the worse."""

    differences: Floats
    offsets: Floats
    weights: Floats
    groups: Integers

    def only(self, is_in: Flags) -> Pairs:
        """Return the flagged rows."""
        return Pairs(
            self.differences[is_in], self.offsets[is_in], self.weights[is_in], self.groups[is_in]
        )

    def merged(self, groups: Integers) -> Pairs:
        """Return the rows, those that are equal and in the same group merged; `groups` is
        [rows]."""
        keys = np.column_stack([self.differences, self.offsets, groups]).astype(np.int64)
        random = np.random.default_rng(0)
        mixers = random.integers(-(1 << 62), 1 << 62, keys.shape[1]) | 1
        _, first, number = np.unique(keys @ mixers, return_index=True, return_inverse=True)
        weights = np.bincount(number, self.weights, len(first)).astype(np.float64)
        return Pairs(self.differences[first], self.offsets[first], weights, groups[first])

    def with_offsets_free(self) -> Pairs:
        """Return the pairs with an additional feature, the offset, so that it has a weight."""
        both = np.column_stack([self.differences, self.offsets])
        return self._replace(differences=both, offsets=np.zeros(len(self.offsets)))


@dataclass(frozen=True, kw_only=True)
class Featured:
    """Critical positions with the features of their leaves.

    The leaves of position i are those from starts[i] up to, not including, starts[i + 1]."""

    starts: Integers
    """[positions + 1]"""
    move_values: Floats
    """[leaves]"""
    features: Floats
    """[leaves, parameters] the features; zero if the game is over."""
    offsets: Floats
    """[leaves] the sum of the terms that are not tuned; zero if the game is over."""
    results: Floats
    """[leaves] 1 if the game is won there, −1 if it is lost, else 0."""
    groups: Integers
    """[positions] group numbers: positions that share a child or a mirror image are in one
    group."""

    def __len__(self) -> int:
        return len(self.starts) - 1

    @cached_property
    def counts(self) -> Integers:
        """[positions] the number of leaves."""
        return np.diff(self.starts)

    @cached_property
    def lost(self) -> Floats:
        """[leaves] the loss of the move."""
        best = np.maximum.reduceat(self.move_values, self.starts[:-1])
        lost: Floats = np.repeat(best, self.counts) - self.move_values
        return lost

    def only(self, is_in: Flags) -> Featured:
        """Return the flagged positions."""
        return self.only_moves(np.repeat(is_in, self.counts))

    def only_moves(self, is_kept: Flags) -> Featured:
        """Return the flagged leaves, without positions that have fewer than two."""
        counts = np.add.reduceat(is_kept.astype(np.int64), self.starts[:-1])
        is_kept = is_kept & np.repeat(counts > 1, self.counts)
        return replace(
            self,
            starts=np.concatenate([[0], np.cumsum(counts[counts > 1])]),
            move_values=self.move_values[is_kept],
            features=self.features[is_kept],
            offsets=self.offsets[is_kept],
            results=self.results[is_kept],
            groups=self.groups[counts > 1],
        )

    def without(self, *parameters: int) -> Featured:
        """Return the positions without the features of these parameters."""
        return replace(self, features=np.delete(self.features, parameters, axis=1))

    def scores(self, weights: NDArray[np.generic]) -> Floats:
        """Return [leaves] the scores."""
        scores: Floats = self.features @ weights.astype(np.float64) + self.offsets
        return scores + WON_SCORE * self.results

    def wrong_by(self, weights: NDArray[np.generic]) -> Floats:
        """Return [positions] the share of wrong moves among the best-rated ones."""
        return share_of_wrong(self, self.scores(weights))

    def wrong(self, weights: NDArray[np.generic]) -> float:
        """Return the number of wrong moves, with ties in proportion."""
        return float(self.wrong_by(weights).sum())

    def pairs(self) -> tuple[Pairs, Integers]:
        """Return the pairs of siblings whose order depends on the weights, and [rows] their
        positions.

        The weight of a pair is its difference in value divided by the number of pairs of the
        position, so that positions with many siblings do not weigh more. If a leaf is won or lost,
        its order is fixed, and its pairs are omitted.
        """
        most = int(self.counts.max(initial=0))
        places = self.starts[:-1, None] + np.arange(most)
        is_leaf = np.arange(most) < self.counts[:, None]
        places = np.where(is_leaf, places, 0)
        is_open = is_leaf & (self.results[places] == 0)
        values = self.move_values[places]
        gained = values[:, :, None] - values[:, None, :]
        is_pair = (gained > 0) & is_open[:, :, None] & is_open[:, None, :]
        at, better, worse = np.nonzero(is_pair)
        one, other = places[at, better], places[at, worse]
        number = np.bincount(at, minlength=len(self))
        rows = Pairs(
            self.features[one] - self.features[other],
            self.offsets[one] - self.offsets[other],
            gained[at, better, worse] / number[at],
            self.groups[at],
        )
        return rows, at


def joined(parts: Sequence[Featured]) -> Featured:
    """Return the positions of several parts as one, such as the same positions at several
    depths."""
    if len(parts) == 1:
        return parts[0]
    ends = np.cumsum([0, *(part.starts[-1] for part in parts)])
    starts = [part.starts[:-1] + end for part, end in zip(parts, ends, strict=False)]
    names = "move_values", "features", "offsets", "results", "groups"
    arrays = {name: np.concatenate([getattr(part, name) for part in parts]) for name in names}
    return Featured(starts=np.concatenate([*starts, ends[-1:]]), **arrays)


def share_of_wrong(featured: Featured, scores: Floats) -> Floats:
    """Return [positions] the share of wrong moves among those with the greatest score.

    `scores` has one entry per leaf."""
    return mean_of(featured.lost > 0, best_of(scores, featured.starts), featured.starts)

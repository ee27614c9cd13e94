"""`Featured`: critical positions as arrays, so that weights are judged for all of them at once.

    leaf     where a move leads: the position that a search of the depth of use would evaluate
    worth    the exact value after the move, in the view of the side that chooses

A leaf's score is features · weights + offset; that of a finished game is its result, whatever the
weights. A search plays one of the moves of the greatest score.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plyscope.lab.judging.graph import Flags, Floats, Integers
from plyscope.lab.judging.population import best_of, mean_of

WON_SCORE = 1e15
"""The score of a game that is won: more than any evaluation."""


class Pairs(NamedTuple):
    """Siblings that differ in value, the better less the worse, as rows for `fit`."""

    differences: Floats
    offsets: Floats
    weights: Floats
    groups: Integers

    def only(self, is_in: Flags) -> Pairs:
        """Return those rows that `is_in` names."""
        return Pairs(
            self.differences[is_in], self.offsets[is_in], self.weights[is_in], self.groups[is_in]
        )

    def merged(self, groups: Integers) -> Pairs:
        """Return rows that are alike, and of one of the `groups` [rows], as one."""
        keys = np.column_stack([self.differences, self.offsets, groups]).astype(np.int64)
        random = np.random.default_rng(0)
        mixers = random.integers(-(1 << 62), 1 << 62, keys.shape[1]) | 1
        _, first, number = np.unique(keys @ mixers, return_index=True, return_inverse=True)
        weights = np.bincount(number, self.weights, len(first)).astype(np.float64)
        return Pairs(self.differences[first], self.offsets[first], weights, groups[first])

    def with_offsets_free(self) -> Pairs:
        """Return the offsets as one more feature."""
        both = np.column_stack([self.differences, self.offsets])
        return self._replace(differences=both, offsets=np.zeros(len(self.offsets)))


@dataclass(frozen=True, kw_only=True)
class Featured:
    """Critical positions with the features of their leaves; those of position i are numbered
    starts[i] to starts[i + 1]."""

    starts: Integers
    """[positions + 1]"""
    move_values: Floats
    """[leaves]"""
    features: Floats
    """[leaves, parameters], zero where the game is over."""
    offsets: Floats
    """[leaves] what is not tuned, zero where the game is over."""
    results: Floats
    """[leaves] 1 or −1 where the game is won or lost: no weights change the order. Else 0."""
    groups: Integers
    """[positions] those with one number share a position, a child or a mirror image."""

    def __len__(self) -> int:
        return len(self.starts) - 1

    @cached_property
    def counts(self) -> Integers:
        """[positions] their leaves."""
        return np.diff(self.starts)

    @cached_property
    def lost(self) -> Floats:
        """[leaves] what the move gives away."""
        best = np.maximum.reduceat(self.move_values, self.starts[:-1])
        lost: Floats = np.repeat(best, self.counts) - self.move_values
        return lost

    def only(self, is_in: Flags) -> Featured:
        """Return those positions that `is_in` names."""
        return self.only_moves(np.repeat(is_in, self.counts))

    def only_moves(self, is_kept: Flags) -> Featured:
        """Return the positions with those [leaves] alone, without positions of fewer than two."""
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
        """Return the positions without some of the features."""
        return replace(self, features=np.delete(self.features, parameters, axis=1))

    def scores(self, weights: NDArray[np.generic]) -> Floats:
        """Return [leaves] the scores."""
        scores: Floats = self.features @ weights.astype(np.float64) + self.offsets
        return scores + WON_SCORE * self.results

    def wrong_by(self, weights: NDArray[np.generic]) -> Floats:
        """Return [positions] the share of the best-rated moves that give value away."""
        return share_of_wrong(self, self.scores(weights))

    def wrong(self, weights: NDArray[np.generic]) -> float:
        """Return the wrong moves, of moves rated alike their share."""
        return float(self.wrong_by(weights).sum())

    def pairs(self) -> tuple[Pairs, Integers]:
        """Return the pairs of siblings that weights can put in order, and [rows] their positions.

        A pair counts by what the worse one loses, over the number of pairs of its position: so many
        siblings make no position weigh more than another. Where one has won or lost at the leaf
        the order is what it is.
        """
        most = int(self.counts.max(initial=0))
        places = self.starts[:-1, None] + np.arange(most)
        is_leaf = np.arange(most) < self.counts[:, None]
        places = np.where(is_leaf, places, 0)
        is_open = is_leaf & (self.results[places] == 0)
        worth = self.move_values[places]
        gained = worth[:, :, None] - worth[:, None, :]
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


def share_of_wrong(featured: Featured, scores: Floats) -> Floats:
    """Return [positions] the share of the moves of the greatest of [leaves] scores that lose."""
    return mean_of(featured.lost > 0, best_of(scores, featured.starts), featured.starts)

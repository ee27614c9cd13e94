"""`fit`: the weights under which the better of two siblings is rated higher, as far as they can be.

Siblings are the positions after the moves of one position. For each pair of different exact value
let d be the better one's features less the worse one's, o the same difference of what is not tuned,
and c what is lost by taking the worse one. The weights w minimise the logistic loss

    L(w) = mean of log(1 + exp(−(d·w + o))) + ridge / 2 · sum over features of (s w)^2

where means are weighted by c and s is a feature's root mean square, the root of the mean of d^2, so
that the ridge means the same whatever the features are counted in. L is convex, strictly with a
ridge; Newton's method with a halved step finds its minimum. Siblings are compared as in comparison
training (Tesauro 2001) and in minimax tree optimisation (Hoki & Kaneko 2014), here without the
noise of experts' moves. Of the results of games a row is one position and d its features, in the
view of the side that did better: the logistic regression of Texel's tuning (Österlund 2014).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

MAX_STEPS = 200
BLOCK_ROWS = 128
"""Rows whose products are summed at a time."""
MIN_GAIN = 1e-10
"""What a step may still gain, at most, when Newton's method ends with it."""


@dataclass(frozen=True, kw_only=True)
class Fit:
    """The minimum of the loss, and how well the rows determine it."""

    weights: Floats
    """[features]"""
    covariance: Floats
    """[features, features] of the weights, as groups of rows are drawn (`sandwich`)."""
    value: float
    """The loss, ridge included."""
    gradient: Floats
    """[features] of the loss there."""

    @property
    def errors(self) -> Floats:
        """The standard error of each weight."""
        return np.sqrt(np.maximum(0.0, np.diag(self.covariance)))


@dataclass(frozen=True, kw_only=True)
class Loss:
    """The loss of weights, over rows that stay the same."""

    differences: Floats
    """[rows, features]"""
    offsets: Floats
    """[rows]"""
    weights: Floats
    """[rows] how much each counts; their sum is 1."""
    penalty: Floats
    """[features] ridge · s²"""

    def scores(self, at: Floats) -> Floats:
        """Return [rows] the scores."""
        scores: Floats = np.einsum("rf,f->r", self.differences, at) + self.offsets
        return scores

    def value(self, at: Floats) -> float:
        """Return the loss of weights."""
        rows = np.logaddexp(0.0, -self.scores(at))
        return float(self.weights @ rows + 0.5 * self.penalty @ at**2)

    def gradients(self, at: Floats) -> Floats:
        """Return [rows] the derivative of the loss by each row's score."""
        slopes: Floats = self.weights * (_sigmoid(self.scores(at)) - 1)
        return slopes

    def gradient(self, at: Floats) -> Floats:
        """Return [features] the derivative of the loss by each weight."""
        slopes: Floats = np.einsum("rf,r->f", self.differences, self.gradients(at))
        return slopes + self.penalty * at

    def curvature(self, at: Floats) -> Floats:
        """Return [features, features] the second derivatives of the loss."""
        chances = _sigmoid(self.scores(at))
        bent = self.weights * chances * (1 - chances)
        return _products(self.differences, bent) + np.diag(self.penalty)


def loss_of(differences: Floats, offsets: Floats, weights: Floats, ridge: float) -> Loss:
    """Return the loss over these rows, each feature penalised in proportion to its size."""
    shares = weights / weights.sum()
    squares = shares @ differences**2
    return Loss(
        differences=differences,
        offsets=offsets,
        weights=shares,
        penalty=ridge * np.where(squares > 0, squares, 1.0),
    )


def fit(
    differences: Floats,
    offsets: Floats,
    weights: Floats,
    groups: NDArray[np.int64],
    ridge: float,
    begin: Floats | None = None,
) -> Fit:
    """Return the minimum of the loss over [rows]; `ridge` is above 0. `begin` is near it, if known.

    `groups` are numbers of what the rows are drawn by: the pairs of one position, and of those that
    share a child with it, are no independent witnesses.
    """
    loss = loss_of(differences, offsets, weights, ridge)
    at = np.zeros(differences.shape[1]) if begin is None else begin
    for _ in range(MAX_STEPS):
        gradient = loss.gradient(at)
        step = np.linalg.solve(loss.curvature(at), gradient)
        downhill = float(gradient @ step)
        if downhill < MIN_GAIN:  # from here on steps square the distance: one more is all there is
            at = at - step
            break
        value, size = loss.value(at), 1.0
        while loss.value(at - size * step) > value - 1e-4 * size * downhill:
            size /= 2
        at = at - size * step
    value, gradient = loss.value(at), loss.gradient(at)
    return Fit(weights=at, covariance=sandwich(loss, at, groups), value=value, gradient=gradient)


def sandwich(loss: Loss, at: Floats, groups: NDArray[np.int64]) -> Floats:
    """Return the covariance of the weights at the minimum, as groups are drawn.

    That is the inverse curvature on both sides of the covariance of the groups' gradients (Huber
    1967), which holds whatever the rows of a group have to do with each other.
    """
    order = np.argsort(groups, kind="stable")
    begins = np.flatnonzero(np.diff(groups[order], prepend=np.nan))
    count = len(begins)
    rows = loss.differences * loss.gradients(at)[:, None]
    sums = np.add.reduceat(rows[order], begins)
    inverse = np.linalg.inv(loss.curvature(at))
    covariance: Floats = inverse @ (sums.T @ sums) @ inverse * (count / max(1, count - 1))
    return covariance


def _products(rows: Floats, weights: Floats) -> Floats:
    """Return [features, features] the weighted sum of the products of features.

    In blocks so small that no library shares them out to threads: the same sum on every machine,
    and no time lost where other processes have the cores.
    """
    blocks, features = len(rows) // BLOCK_ROWS, rows.shape[1]
    whole = rows[: blocks * BLOCK_ROWS].reshape(blocks, BLOCK_ROWS, features)
    weighted = whole * weights[: blocks * BLOCK_ROWS].reshape(blocks, BLOCK_ROWS, 1)
    rest = rows[blocks * BLOCK_ROWS :]
    total: Floats = (weighted.transpose(0, 2, 1) @ whole).sum(axis=0)
    return total + (rest.T * weights[blocks * BLOCK_ROWS :]) @ rest


def _sigmoid(scores: Floats) -> Floats:
    """Return 1 / (1 + exp(−score)), whatever the score."""
    chances: Floats = 0.5 * (1 + np.tanh(0.5 * scores))
    return chances

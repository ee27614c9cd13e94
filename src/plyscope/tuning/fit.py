"""`fit`: logistic regression of the weights that rate the better of two siblings higher.

Siblings are the positions after the moves of one position. Each pair of siblings with different
exact values makes a row: d is the better one's features minus the worse one's, o the same
difference of the terms that are not tuned, and c the loss of choosing the worse one, divided by the
position's number of pairs. The weights w minimise the logistic loss

    L(w) = mean of log(1 + exp(−(d·w + o))) + ridge / 2 · sum over features of (s w)^2

where means are weighted by c, and s is the root mean square of a feature's differences d. Because
of s, the ridge does not depend on the units of the features. L is convex, strictly with a ridge;
Newton's method with step halving finds its minimum.

Siblings are compared as in comparison training (Tesauro 2001) and in minimax tree optimisation
(Hoki & Kaneko 2014), here without the noise of experts' moves. With results of games, a row is one
position and d its features, from the view of the side that did better. This is the logistic
regression of Texel's tuning (Österlund 2014).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

MAX_STEPS = 200
BLOCK_ROWS = 128
"""Rows whose products are summed in one block."""
MIN_GAIN = 1e-10
"""Newton's method takes a last step if gradient · step, twice the expected gain, is below this."""


@dataclass(frozen=True, kw_only=True)
class Fit:
    """The minimum of the loss, and how well the rows determine it."""

    weights: Floats
    """An array with one entry per feature."""
    covariance: Floats
    """The covariance matrix of the weights (`sandwich`)."""
    value: float
    """The loss at the minimum, including the ridge."""
    gradient: Floats
    """An array with one entry per feature: the derivative of the loss at `weights`."""

    @property
    def errors(self) -> Floats:
        """The standard error of each weight."""
        return np.sqrt(np.maximum(0.0, np.diag(self.covariance)))


@dataclass(frozen=True, kw_only=True)
class Loss:
    """The loss as a function of the weights, for fixed rows. `at` is an array of weights."""

    differences: Floats
    """The matrix of d, with a row per pair and a column per feature."""
    offsets: Floats
    """An array with o of each row."""
    weights: Floats
    """An array with the share of each row in the mean; the sum is 1."""
    penalty: Floats
    """An array with ridge · s² of each feature."""

    def scores(self, at: Floats) -> Floats:
        """Return d·w + o of each row."""
        scores: Floats = np.einsum("rf,f->r", self.differences, at) + self.offsets
        return scores

    def value(self, at: Floats) -> float:
        """Return the loss, including the ridge."""
        rows = np.logaddexp(0.0, -self.scores(at))
        return float(self.weights @ rows + 0.5 * self.penalty @ at**2)

    def gradients(self, at: Floats) -> Floats:
        """Return the derivative of the loss with respect to the score of each row."""
        slopes: Floats = self.weights * (_sigmoid(self.scores(at)) - 1)
        return slopes

    def gradient(self, at: Floats) -> Floats:
        """Return the derivative of the loss with respect to each weight."""
        slopes: Floats = np.einsum("rf,r->f", self.differences, self.gradients(at))
        return slopes + self.penalty * at

    def curvature(self, at: Floats) -> Floats:
        """Return the matrix of second derivatives of the loss."""
        chances = _sigmoid(self.scores(at))
        bent = self.weights * chances * (1 - chances)
        return _products(self.differences, bent) + np.diag(self.penalty)


def loss_of(differences: Floats, offsets: Floats, weights: Floats, ridge: float) -> Loss:
    """Return the loss over rows, with a penalty of each feature proportional to its mean square."""
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
    """Return the minimum of the loss; `ridge` must be positive.

    `begin` are weights to start from, best near the minimum. `groups` has one entry per row: equal
    numbers for rows that are not independent, such as the pairs of one position and of positions
    that share a child with it.
    """
    loss = loss_of(differences, offsets, weights, ridge)
    at = np.zeros(differences.shape[1]) if begin is None else begin
    for _ in range(MAX_STEPS):
        gradient = loss.gradient(at)
        step = np.linalg.solve(loss.curvature(at), gradient)
        downhill = float(gradient @ step)
        if downhill < MIN_GAIN:  # each step now squares the distance, so one more is enough
            at = at - step
            break
        value, size = loss.value(at), 1.0
        while loss.value(at - size * step) > value - 1e-4 * size * downhill:
            size /= 2
        at = at - size * step
    value, gradient = loss.value(at), loss.gradient(at)
    return Fit(weights=at, covariance=sandwich(loss, at, groups), value=value, gradient=gradient)


def sandwich(loss: Loss, at: Floats, groups: NDArray[np.int64]) -> Floats:
    """Return the covariance of the weights at the minimum, by the sandwich estimator (Huber 1967).

    It is the inverse curvature times the covariance of the groups' gradients times the inverse
    curvature. It allows any dependence between the rows of a group.
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
    """Return the matrix of the weighted sums of products of two features.

    The blocks are so small that no library splits them between threads. So the sum is the same on
    every machine, and no time is lost if other processes use the cores.
    """
    blocks, features = len(rows) // BLOCK_ROWS, rows.shape[1]
    whole = rows[: blocks * BLOCK_ROWS].reshape(blocks, BLOCK_ROWS, features)
    weighted = whole * weights[: blocks * BLOCK_ROWS].reshape(blocks, BLOCK_ROWS, 1)
    rest = rows[blocks * BLOCK_ROWS :]
    total: Floats = (weighted.transpose(0, 2, 1) @ whole).sum(axis=0)
    return total + (rest.T * weights[blocks * BLOCK_ROWS :]) @ rest


def _sigmoid(scores: Floats) -> Floats:
    """Return 1 / (1 + exp(−score)) without overflow."""
    chances: Floats = 0.5 * (1 + np.tanh(0.5 * scores))
    return chances

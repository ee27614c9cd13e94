"""Weights of siblings: derivatives against finite differences, the minimum against scipy's."""

import numpy as np
import pytest

from plyscope.tuning.fit import fit, loss_of, sandwich

RIDGE = 1e-3


def rows(seed, number=300, features=5):
    random = np.random.default_rng(seed)
    differences = random.integers(-4, 5, (number, features)).astype(float)
    offsets = random.normal(size=number)
    weights = random.uniform(0.5, 2, number)
    return differences, offsets, weights


@pytest.mark.parametrize("seed", range(5))
def test_computes_the_derivatives_of_finite_differences(seed):
    differences, offsets, weights = rows(seed)
    loss = loss_of(differences, offsets, weights, RIDGE)
    at = np.random.default_rng(seed + 100).normal(size=5)
    step = 1e-5
    moved = [(at + step * unit, at - step * unit) for unit in np.eye(5)]
    slopes = [(loss.value(up) - loss.value(down)) / (2 * step) for up, down in moved]
    bent = [(loss.gradient(up) - loss.gradient(down)) / (2 * step) for up, down in moved]
    assert np.allclose(loss.gradient(at), slopes, atol=1e-8)
    assert np.allclose(loss.curvature(at), bent, atol=1e-7)


@pytest.mark.parametrize("seed", range(5))
def test_finds_the_minimum_that_scipy_finds(seed):
    optimize = pytest.importorskip("scipy.optimize")
    differences, offsets, weights = rows(seed)
    found = fit(differences, offsets, weights, np.arange(300), RIDGE)
    loss = loss_of(differences, offsets, weights, RIDGE)
    theirs = optimize.minimize(loss.value, np.zeros(5), method="Nelder-Mead", tol=1e-12)
    assert found.value <= theirs.fun + 1e-12
    assert np.abs(found.gradient).max() < 1e-9
    precise = optimize.minimize(
        loss.value,
        np.zeros(5),
        jac=loss.gradient,
        hess=loss.curvature,
        method="trust-exact",
        options={"gtol": 1e-9},
    )
    assert np.allclose(found.weights, precise.x, atol=1e-5)


def test_applies_the_same_ridge_in_other_units():
    differences, offsets, weights = rows(1)
    units = np.array([1, 10, 0.1, 1000, 3.0])
    one = fit(differences, offsets, weights, np.arange(300), 0.1)
    other = fit(differences * units, offsets, weights, np.arange(300), 0.1)
    assert np.allclose(one.weights, other.weights * units)


def test_finds_a_minimum_for_separable_rows_and_an_empty_feature():
    differences = np.column_stack([np.arange(1.0, 50), np.zeros(49)])
    found = fit(differences, np.zeros(49), np.ones(49), np.arange(49), 1e-5)
    assert found.weights[0] > 0
    assert found.weights[1] == 0


def test_covers_the_truth_as_often_as_intervals_say():
    random = np.random.default_rng(3)
    truth, held, tries = np.array([0.8, -0.3]), 0, 200
    for _ in range(tries):
        groups = np.repeat(np.arange(150), 2)
        differences = random.normal(size=(150, 2))[groups]  # twice the same: no two witnesses
        chances = 1 / (1 + np.exp(-differences @ truth))
        is_better = random.uniform(size=150)[groups] < chances
        differences[~is_better] *= -1
        found = fit(differences, np.zeros(300), np.ones(300), groups, 1e-9)
        errors = np.sqrt(np.diag(found.covariance))
        held += np.sum(np.abs(found.weights - truth) < 1.96 * errors)
    assert 0.91 < held / (2 * tries) < 0.98


def test_counts_rows_by_weight_in_any_order():
    differences, offsets, weights = rows(2)
    twice = [np.concatenate([each, each[:100]]) for each in (differences, offsets)]
    one = fit(differences, offsets, np.where(np.arange(300) < 100, 2.0, 1.0), np.arange(300), 0.01)
    other = fit(twice[0], twice[1], np.ones(400), np.arange(400) % 300, 0.01)
    assert np.allclose(one.weights, other.weights)
    assert np.allclose(one.covariance, other.covariance)
    order = np.random.default_rng(0).permutation(300)
    loss = loss_of(differences, offsets, weights, 0.01)
    mixed = loss_of(differences[order], offsets[order], weights[order], 0.01)
    at = one.weights
    groups = np.arange(300) // 7
    assert np.allclose(sandwich(loss, at, groups), sandwich(mixed, at, groups[order]))

"""Scores of free runs on known cases."""

import warnings

import numpy as np
import pytest

from ngrc.study.dynamics.scores import normalised_errors, nrmse, pooled_variance, total_variance, valid_steps
from ngrc.study.dynamics.settings import THRESHOLD


def test_a_run_that_drifts_away_at_a_known_rate_is_valid_for_a_known_time() -> None:
    truth = np.tile([1.0, -1.0], (20, 1))
    # Both channels drift by 0.03 per step; in a size of 1 that is 0.03 sqrt(2) per step, 0.4 after 9.4 steps.
    run = truth + 0.03 * np.arange(1, 21)[:, None]
    errors = normalised_errors(run, truth, variance=1.0)
    np.testing.assert_allclose(errors, 0.03 * np.sqrt(2.0) * np.arange(1, 21))
    assert valid_steps(errors, THRESHOLD) == 9
    assert valid_steps(errors[:9], THRESHOLD) == 9
    # Twice the size, a quarter more than twice the variance: half the error.
    assert valid_steps(normalised_errors(run, truth, variance=4.0), THRESHOLD) == 18


def test_a_diverged_run_is_not_valid_and_has_no_finite_error() -> None:
    truth = np.zeros((4, 3))
    run = np.array([[0.1, 0.0, 0.0], [1e200, 1e200, 0.0], [np.nan] * 3, [np.inf, 0.0, 0.0]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        errors = normalised_errors(run, truth, 1.0)
        assert errors[1] == pytest.approx(np.sqrt(2.0) * 1e200)
        assert np.all(np.isinf(errors[2:]))
        assert valid_steps(errors, THRESHOLD) == 1
        assert nrmse(run, 1.0) == np.inf
        assert nrmse(run[:2], 1.0) == pytest.approx(1e200 / np.sqrt(3.0))
    assert nrmse(np.zeros((3, 3)), 2.0) == 0.0
    np.testing.assert_array_equal(normalised_errors(truth, truth, 1.0), 0.0)


def test_variances_are_pooled_or_summed() -> None:
    states = np.array([[0.0, 10.0], [2.0, 10.0]])
    assert total_variance(states) == 1.0
    assert pooled_variance(states) == pytest.approx(np.var([0.0, 10.0, 2.0, 10.0]))

"""Ridge readouts of log |e| and the choice among them, against ridges solved by numpy."""

import numpy as np
import pytest

from ngrc._kernels.local import SIZE_PENALTIES, size_learn, size_of, size_refit
from ngrc._types import FloatArray
from ngrc.intervals.local.size import start_size

FITS = (20, 25, 32, 40, 50, 63, 79, 99, 124, 155)
"""Rows at which the readout fits: from 20 on by a quarter, rounded up."""


def rows_and_errors(count: int, columns: int, slope: float) -> tuple[FloatArray, FloatArray]:
    rng = np.random.default_rng([count, columns])
    rows = np.column_stack([np.ones(count), rng.normal(size=(count, columns - 1))])
    return rows, np.exp(slope * rows[:, 1]) * rng.normal(size=count)


def ridge(rows: FloatArray, outcomes: FloatArray, penalty: float) -> FloatArray:
    diagonal = np.full(rows.shape[1], penalty)
    diagonal[0] = 1e-9
    return np.asarray(np.linalg.solve(rows.T @ rows + np.diag(diagonal), rows.T @ outcomes), dtype=np.float64)


@pytest.mark.parametrize("slope", [0.0, 1.0])
def test_coefficients_and_choice_are_those_of_ridges_on_known_rows(slope: float) -> None:
    rows, errors = rows_and_errors(160, 8, slope)
    errors[7], errors[90] = 0.0, 1e9
    outcomes = np.log(np.minimum(np.abs(errors), 1e12) + 1e-3)
    state = start_size(8, errors[:50])
    said = np.zeros((160, 5))
    twins, chosen = np.zeros((5, 8)), 4
    twins[:, 0] = outcomes[:50].mean()
    for place in range(160):
        said[place] = np.clip(twins @ rows[place], -7.0, 27.0)
        assert size_of(state, rows[place]) == pytest.approx(np.exp(said[place, chosen]), rel=1e-6)
        size_learn(state, rows[place], errors[place])
        if place + 1 in FITS:
            size_refit(state)
            known = slice(0, place + 1)
            fading = 0.999 ** np.arange(place, -1.0, -1.0)
            losses = fading @ (outcomes[known, None] - said[known]) ** 2
            np.testing.assert_allclose(state.errors, losses, rtol=1e-8)
            # On ties, as before the first fit, the largest penalty.
            chosen = 4 - int(np.argmin(np.round(losses, 9)[::-1]))
            assert state.chosen.tolist() == [chosen, place + 1]
            twins = np.array([ridge(rows[known], outcomes[known], penalty) for penalty in SIZE_PENALTIES])
            np.testing.assert_allclose(state.weights, twins, rtol=1e-7, atol=1e-9)
    assert (chosen < 3) == (slope > 0.0)


def test_before_any_fit_a_size_is_the_mean_of_the_history() -> None:
    errors = np.array([1.0, -4.0, 0.0])
    expected = np.exp(np.mean(np.log(np.abs(errors) + 1e-3)))
    assert size_of(start_size(3, errors), np.ones(3)) == pytest.approx(expected)


def test_sizes_keep_to_their_bounds() -> None:
    state = start_size(2, np.ones(1))
    state.weights[:, 1] = 100.0
    assert size_of(state, np.array([1.0, 1.0])) == np.exp(27.0)
    assert size_of(state, np.array([1.0, -1.0])) == np.exp(-7.0)


def on_noise(seed: int) -> tuple[float, float]:
    """Variance of what the chosen readout and the one of the least penalty say of log |e|, on columns of noise."""
    rng = np.random.default_rng(seed)
    rows = np.column_stack([np.ones(800), rng.normal(size=(800, 10))])
    state = start_size(11, rng.normal(size=50))
    for place, row in enumerate(rows[:400]):
        size_learn(state, row, rng.normal())
        if place + 1 in (*FITS, 194, 243, 304, 380):
            size_refit(state)
    chosen = np.log([size_of(state, row) for row in rows[400:]])
    return float(chosen.var()), float((rows[400:] @ state.weights[0]).var())


def test_on_noise_the_columns_are_left_out() -> None:
    """All that a readout says of noise is harm. Of that of ten all but free coefficients 8 % are left.

    The error of that share over 20 streams is 2.3 points: the margin is five of them.
    """
    chosen, free = np.mean([on_noise(seed) for seed in range(20)], axis=0)
    # 1.1^2, the variance of log |e| of Gaussian errors, times ten coefficients over 400 rows.
    assert free == pytest.approx(0.031, rel=0.2)
    assert chosen < 0.2 * free

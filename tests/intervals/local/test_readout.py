"""The readout as a whole: when it fits, on which rows, and what it finds."""

import numpy as np
import pytest

from ngrc._kernels.local import (
    SIZE_PENALTIES,
    columns_learn,
    columns_look,
    readout_learn,
    readout_look,
    readout_quantiles,
)
from ngrc._types import FloatArray
from ngrc.intervals.context import Context
from ngrc.intervals.local import columns as seen
from ngrc.intervals.local.readout import NO_QUANTILES, Readout, start_readout, width

DAY = (24.0,)


def walked(
    residuals: FloatArray, forecasts: FloatArray, horizon: int, probabilities: FloatArray, history: int
) -> tuple[Readout, FloatArray, FloatArray]:
    """The readout after all positions, with the row and the size said of each."""
    context = Context(forecasts[: history + horizon - 1], DAY, 5)
    readout = start_readout(residuals[:history], context, horizon, probabilities)
    rows, sizes = np.zeros((residuals.size, width(readout))), np.zeros(residuals.size)
    for target in range(residuals.size):
        if target >= horizon:
            known = target - horizon
            readout_learn(readout, rows[known], sizes[known], residuals[known], forecasts[known], 5 + known)
        sizes[target] = readout_look(readout, forecasts[target], 5 + target, rows[target])
    return readout, rows, sizes


def series(count: int, seed: int = 0) -> tuple[FloatArray, FloatArray]:
    rng = np.random.default_rng(seed)
    scale = np.where(np.arange(5, 5 + count) % 24 < 12, 1.0, 4.0)
    return scale * rng.normal(size=count), 10 + rng.normal(size=count)


def fit_counts(first: int, most: int) -> list[int]:
    found = [first]
    while (after := int(np.ceil(1.25 * found[-1]))) <= most:
        found.append(after)
    return found


@pytest.mark.parametrize("horizon", [1, 3])
def test_sizes_are_fitted_to_the_rows_known_at_each_fit(horizon: int) -> None:
    residuals, forecasts = series(400)
    readout, rows, _ = walked(residuals, forecasts, horizon, NO_QUANTILES, 200)
    count = fit_counts(20, 400 - horizon)[-1]
    known = rows[:count]
    unit = np.median(np.abs(residuals[:200]))
    outcomes = np.log(np.abs(residuals[:count]) / unit + 1e-3)
    for place, penalty in enumerate(SIZE_PENALTIES):
        diagonal = np.r_[1e-9, np.full(known.shape[1] - 1, penalty)]
        wanted = np.linalg.solve(known.T @ known + np.diag(diagonal), known.T @ outcomes)
        np.testing.assert_allclose(readout.size.weights[place], wanted, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("horizon", [1, 3])
def test_rows_are_standardised_over_the_known_history(horizon: int) -> None:
    residuals, forecasts = series(300)
    history = 250
    readout, rows, sizes = walked(residuals, forecasts, horizon, np.array([0.1]), history)
    state = seen.start_columns(residuals[:history], Context(forecasts[:history], DAY, 5))
    raw, signs = (np.zeros((300, count)) for count in seen.counts(state))
    for target in range(300):
        if target >= horizon:
            known = target - horizon
            columns_learn(state, residuals[known], forecasts[known], 5 + known)
        columns_look(state, forecasts[target], 5 + target, raw[target], signs[target])
    standard = (raw - raw[:history].mean(axis=0)) / raw[:history].std(axis=0)
    wide = 1 + raw.shape[1]
    np.testing.assert_allclose(rows[:, 1:wide], np.clip(standard, -6, 6), rtol=1e-7, atol=1e-8)
    unit = readout.columns.constants[0]
    np.testing.assert_allclose(rows[:, wide:], np.clip(signs / (sizes / unit)[:, None], -8, 8), rtol=1e-7)
    assert (rows[:, 0] == 1.0).all()


def test_a_size_that_follows_the_clock_is_found() -> None:
    """Errors four times as large in one half of the day: said to within a factor of 1.25 after 50 days."""
    residuals, forecasts = series(1500)
    _, _, sizes = walked(residuals, forecasts, 1, NO_QUANTILES, 1200)
    late = (np.arange(5, 1505) % 24)[1200:]
    # Six hours away from where the halves meet.
    small, large = sizes[1200:][(late >= 3) & (late < 9)], sizes[1200:][(late >= 15) & (late < 21)]
    assert 4.0 / 1.25 < np.exp(np.log(large).mean() - np.log(small).mean()) < 4.0 * 1.25


def test_quantiles_wait_for_150_residuals_and_scale_with_the_size() -> None:
    residuals, forecasts = series(400)
    probabilities = np.array([0.05, 0.95])
    ends = np.zeros((2, 2))
    early, rows, sizes = walked(residuals[:150], forecasts[:150], 1, probabilities, 100)
    assert not readout_quantiles(early, rows[-1], sizes[-1], ends)
    late, rows, sizes = walked(residuals[:152], forecasts[:152], 1, probabilities, 100)
    assert late.counters[3] == 1.0
    assert readout_quantiles(late, rows[-1], sizes[-1], ends)
    np.testing.assert_allclose(ends, sizes[-1] * (late.weights @ rows[-1]), rtol=1e-10)


def test_scores_are_residuals_over_the_size_said_of_them() -> None:
    residuals, forecasts = series(300)
    residuals[40] = 1e5
    readout, rows, sizes = walked(residuals, forecasts, 3, np.array([0.5]), 200)
    scores = np.clip(residuals[:297] / sizes[:297], -1e6, 1e6)
    np.testing.assert_allclose(readout.scores[:297], scores, rtol=1e-12)
    np.testing.assert_array_equal(readout.rows[:297], rows[:297])

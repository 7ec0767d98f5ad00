"""Columns of a target, against sums over all that is known at its origin."""

import numpy as np
import pytest

from ngrc._kernels.local import columns_learn, columns_look
from ngrc._types import FloatArray, IntArray
from ngrc.intervals.context import Context
from ngrc.intervals.local import columns as seen

PERIODS = (24.0, 168.0, 365.25)
SIZE, PHASE = 420, 1000


def series(seed: int = 0) -> tuple[FloatArray, FloatArray]:
    rng = np.random.default_rng(seed)
    forecasts = 20 + 5 * np.sin(2 * np.pi * np.arange(SIZE) / 24) + rng.normal(size=SIZE)
    return rng.standard_t(4, SIZE) * 2, forecasts


def fading(values: FloatArray, decay: float) -> float:
    return float(np.sum(values * decay ** np.arange(values.size)[::-1]))


def size_columns(
    errors: FloatArray,
    values: FloatArray,
    forecast: float,
    constants: FloatArray,
    indices: IntArray,
    index: int,
) -> list[float]:
    """Columns of the size from errors and values in units, oldest first, and their places on the clock."""
    unit, mean, deviation = constants
    level = (forecast - mean) / deviation
    ahead = (forecast - mean) / unit - values[-1] if values.size else 0.0
    change = values[-1] - values[-2] if values.size > 1 else 0.0
    sizes, last = np.abs(errors), errors[-1] if errors.size else 0.0
    means = [
        fading(sizes, decay) / max(fading(np.ones(sizes.size), decay), 1e-300) for decay in (0.5, 0.9, 0.99)
    ]
    rest = [
        level,
        level**2,
        abs(ahead) * unit / deviation,
        np.log(abs(change) + 0.03),
        np.log(abs(ahead) + 0.03),
    ]
    turns = [2 * np.pi * wave * index / period for period in PERIODS for wave in (1, 2)]
    clock = [wave(turn) for turn in turns for wave in (np.sin, np.cos)]
    found = [*np.log(np.array(means) + 1e-3), *rest, np.tanh(last / 3), ahead / (1 + abs(ahead))]
    found += [*clock, *(level * np.array(clock[:4]))]
    for period in (24, 168):
        usual = [
            one
            for beside in (-1, 0, 1)
            if (one := place_mean(sizes[indices % period == (index + beside) % period], 0.8)) >= 0
        ]
        low, high = place_range(values[indices % period == index % period])
        found += [np.log((np.mean(usual) if usual else recent(sizes)) + 1e-3), np.log(high - low + 0.03)]
    return found


def place_mean(sizes: FloatArray, decay: float) -> float:
    """Mean that begins with the first error and fades; below zero where there is none."""
    if not sizes.size:
        return -1.0
    weights = (1 - decay) * decay ** np.arange(sizes.size)[::-1]
    weights[0] /= 1 - decay
    return float(weights @ sizes)


def place_range(values: FloatArray) -> tuple[float, float]:
    """Least and largest, each of which gives way by a fiftieth to every later one."""
    if not values.size:
        return 0.0, 0.0
    low = high = values[0]
    for value in values[1:]:
        low, high = min(value, 0.98 * low + 0.02 * value), max(value, 0.98 * high + 0.02 * value)
    return low, high


def recent(sizes: FloatArray) -> float:
    """The mean of the first hundred, and a fading one of a hundredth per error from there on."""
    total = float(np.mean(sizes[:100])) if sizes.size else 0.0
    for size in sizes[100:]:
        total += (size - total) / 100
    return total


def sign_columns(
    errors: FloatArray,
    values: FloatArray,
    forecast: float,
    constants: FloatArray,
    indices: IntArray,
    index: int,
) -> list[float]:
    unit, mean, _ = constants
    centred = (forecast - mean) / unit
    found = [errors[-lag] if errors.size >= lag else 0.0 for lag in range(1, 7)]
    found += [(1 - decay) * fading(errors, decay) for decay in (0.9, 0.99)]
    found.append(centred - values[-1] if values.size else 0.0)
    for period in (24, 168):
        here = indices % period == index % period
        low, high = place_range(values[here])
        known = bool(here.any())
        found += [
            0.3 * fading(errors[here], 0.7),
            low - centred if known else 0.0,
            high - centred if known else 0.0,
        ]
    return found


@pytest.mark.parametrize("horizon", [1, 3])
def test_every_column_is_that_of_the_whole_past(horizon: int) -> None:
    residuals, forecasts = series()
    history = 300
    state = seen.start_columns(residuals[:history], Context(forecasts[:history], PERIODS, PHASE))
    unit = float(np.median(np.abs(residuals[:history])))
    outcomes = forecasts + residuals
    constants = np.array([unit, outcomes[:history].mean(), outcomes[:history].std()])
    np.testing.assert_allclose(state.constants, constants, rtol=1e-12)
    sizes, signs = (np.full(count, np.nan) for count in seen.counts(state))
    for target in range(SIZE):
        if target >= horizon:
            known = target - horizon
            columns_learn(state, residuals[known], forecasts[known], PHASE + known)
        columns_look(state, forecasts[target], PHASE + target, sizes, signs)
        past = max(target - horizon + 1, 0)
        errors, values = residuals[:past] / unit, (outcomes[:past] - constants[1]) / unit
        indices = PHASE + np.arange(past, dtype=np.int64)
        arguments = errors, values, float(forecasts[target]), constants, indices, PHASE + target
        np.testing.assert_allclose(sizes, np.array(size_columns(*arguments)), rtol=1e-8, atol=1e-9)
        np.testing.assert_allclose(signs, np.array(sign_columns(*arguments)), rtol=1e-8, atol=1e-9)


def test_which_periods_have_tables_and_waves() -> None:
    residuals, forecasts = series()
    state = seen.start_columns(residuals, Context(forecasts, (2.0, 3.0, 24.0, 365.25, 5000.0)))
    assert state.lengths.tolist() == [3, 24]
    # Two waves each, but one where it is the longest that steps can tell, or the period longer than a table.
    assert state.waves.tolist() == [1 / 3, 1 / 24, 2 / 24, 1 / 365.25, 2 / 365.25, 1 / 5000]


def test_without_context_there_is_no_clock() -> None:
    residuals, _ = series()
    state = seen.start_columns(residuals, None)
    assert (state.lengths.size, state.waves.size) == (0, 0)
    assert seen.counts(state) == (10, 9)


def test_residuals_of_zero_leave_a_unit_of_one_and_finite_columns() -> None:
    state = seen.start_columns(np.zeros(50), Context(np.zeros(50), (24.0,)))
    assert state.constants.tolist() == [1.0, 0.0, 1.0]
    sizes, signs = (np.full(count, np.nan) for count in seen.counts(state))
    for index in range(30):
        columns_look(state, 0.0, index, sizes, signs)
        assert np.isfinite(sizes).all()
        assert np.isfinite(signs).all()
        columns_learn(state, 0.0, 0.0, index)


def test_a_huge_error_stays_finite() -> None:
    residuals, forecasts = series()
    state = seen.start_columns(residuals, Context(forecasts, PERIODS))
    sizes, signs = (np.full(count, np.nan) for count in seen.counts(state))
    columns_learn(state, 1e300, -1e300, 0)
    columns_learn(state, -1e300, 1e300, 1)
    columns_look(state, 1e300, 2, sizes, signs)
    assert np.isfinite(sizes).all()
    assert state.memory[0] <= 1e12

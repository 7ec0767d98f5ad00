"""Forecasts at every step of a path: seasons at whole periods, and no step beyond what past changes support."""

import numpy as np
import pytest

from ngrc import AutoNGRC, look_ahead
from ngrc._types import FloatArray
from ngrc.archive import dumps, loads
from ngrc.auto.bands import SHORT, anchors, bands
from ngrc.auto.limits import FACTOR, change_limits
from ngrc.auto.moves import stationary


def drifting(period: int, cycles: int, seed: int) -> FloatArray:
    """A season each of whose phases moves by a random walk of its own, and noise."""
    rng = np.random.default_rng(seed)
    phase = 2 * np.pi * np.arange(period) / period
    walks = np.cumsum(rng.normal(0, 0.02, (cycles, period)), axis=0)
    season = np.sin(phase) + 0.5 * np.cos(2 * phase) + walks
    return np.asarray(season.ravel() + rng.normal(0, 0.03, cycles * period))


@pytest.mark.parametrize("cycles", [1, 2, 3])
def test_no_period_has_all_horizons_of_a_comparison_among_its_multiples(cycles: int) -> None:
    for period in range(4, 337):
        for band in bands(cycles * period, True, SHORT + 1):
            tried = anchors(band, SHORT + 1, (float(period),))
            assert band[-1] in tried
            assert set(tried) <= set(band)
            assert len(band) == 1 or any(step % period for step in tried)
    # The middle of a band where every period of several has the end among its multiples.
    for band in bands(168, True, SHORT + 1):
        tried = anchors(band, SHORT + 1, (4.0, 24.0, 168.0))
        assert len(band) == 1 or all(any(step % period for step in tried) for period in (4, 24, 168))


def test_a_drifting_day_is_forecast_at_whole_days_as_well_as_between_them() -> None:
    steps = np.array([23, 24, 47, 48]) - 1
    errors, naive = [], []
    for seed in range(8):
        y = drifting(24, 22, seed)
        past, coming = y[:-48], y[-48:]
        forecast = AutoNGRC(48, path=True).fit(past).forecast(past)
        errors.append(np.abs(coming - forecast)[steps])
        naive.append(np.abs(coming - np.tile(past[-24:], 2))[steps])
    differences = np.asarray(errors) - 1.2 * np.asarray(naive)
    # Means over 32 absolute errors, each within three of its Monte-Carlo errors; a flat line is off by 50 of them.
    assert differences.mean() <= 3 * differences.std(ddof=1) / np.sqrt(differences.size)
    by_step = differences.mean(axis=0)
    assert np.all(by_step <= 3 * differences.std(axis=0, ddof=1) / np.sqrt(len(differences)))


@pytest.mark.parametrize("period", [4, 5, 7, 12, 24, 52, 96, 168, 336])
def test_three_periods_ahead_are_no_worse_than_the_last_cycle(period: int) -> None:
    cycles = max(-(-420 // period), 9)
    y = drifting(period, cycles + 3, period)
    past, coming = y[: cycles * period], y[cycles * period :]
    forecast = AutoNGRC(3 * period, path=True).fit(past).forecast(past)
    errors = np.abs(coming - forecast)
    naive = np.abs(coming - np.tile(past[-period:], 3))
    difference = errors - 1.2 * naive
    assert difference.mean() <= 3 * difference.std(ddof=1) / np.sqrt(difference.size)
    # Flat lines are off by the season's own size, about one.
    assert np.abs(coming - forecast).max() < 0.6


def test_no_penalty_comes_from_a_whole_number_of_seasons() -> None:
    y = drifting(24, 40, 1)
    for selection in AutoNGRC(48, path=True, periods=(24,)).fit(y).selections_:
        for member in selection.members:
            assert not any(horizon % 24 == 0 for horizon in member.penalties)
    alone = AutoNGRC(24, periods=(24,)).fit(y).selections_[0].members
    assert all(list(member.penalties) == [24] for member in alone)


def test_limits_are_the_largest_past_changes_over_as_many_steps() -> None:
    y = np.random.default_rng(0).normal(size=60).cumsum()
    ends, horizon = (1, 5, 20, 60), 12
    found = change_limits(y, ends, horizon)
    for row, end in zip(found, ends, strict=True):
        largest = 0.0
        for step in range(1, horizon + 1):
            changes = [abs(y[t + step] - y[t]) for t in range(end - step)]
            if changes:
                largest, longest = max(largest, *changes), step
                expected = FACTOR * largest
            else:
                expected = np.inf if end == 1 else FACTOR * largest * step / longest
            assert row[step - 1] == pytest.approx(expected, rel=1e-12)


def test_no_forecast_leaves_the_last_value_by_more_than_past_changes_support() -> None:
    rng = np.random.default_rng(3)
    # An explosion at the end, which a smoothing with a slope carries on.
    burst = np.concatenate([rng.normal(10, 1, 80), 10 + 2.0 ** np.arange(9)])
    for y in (burst, np.exp(0.3 * np.arange(40.0)), rng.normal(size=400).cumsum() ** 3):
        model = AutoNGRC(12, path=True).fit(y)
        limits = change_limits(y, (y.size,), 12)[0] * (1 + 1e-12)
        forecast, path = model.forecast(y), model.predict_path(y)
        for step in range(1, 13):
            found = np.append(path[step:, step - 1], forecast[step - 1])
            last = np.append(y[:-step], y[-1])
            inside = (y.min() <= found) & (found <= y.max())
            assert np.all(inside | (np.abs(found - last) <= limits[step - 1]) | np.isnan(found))


def test_a_forecast_after_a_spike_returns_to_the_range_of_the_series() -> None:
    y = np.random.default_rng(0).normal(size=400)
    model = AutoNGRC().fit(y)
    spiked = np.append(y, 60.0)
    # The largest past change is about seven.
    assert abs(model.forecast(spiked)[0]) < 4.0


def test_products_need_a_stationary_level() -> None:
    rng = np.random.default_rng(0)
    chaos = [0.3]
    while len(chaos) < 600:
        chaos.append(3.9 * chaos[-1] * (1.0 - chaos[-1]))
    level = np.array(chaos)
    trend = level + 0.01 * np.arange(600)
    assert stationary(level)
    assert not stationary(trend)
    assert not stationary(rng.normal(size=600).cumsum())
    tried = [
        [one.words for one in AutoNGRC(transform=None).fit(y).selections_[0].attempts] for y in (level, trend)
    ]
    assert any("products" in words for words in tried[0])
    assert not any("products" in words for words in tried[1])


def test_a_saved_model_has_its_limits() -> None:
    y = drifting(12, 12, 0)
    model = AutoNGRC(3, path=True).fit(y)
    again = loads(dumps(model))
    assert again.fitted_[0].change_limits == model.fitted_[0].change_limits
    assert again.fitted_[0].value_range == model.fitted_[0].value_range
    np.testing.assert_array_equal(again.forecast(y), model.forecast(y))


def test_a_path_of_a_clean_day_is_no_flat_line() -> None:
    time = np.arange(24 * 22)
    y = 10 + np.sin(2 * np.pi * time / 24) + 0.01 * np.random.default_rng(0).normal(size=time.size)
    outlook = look_ahead(y, steps=48)
    truth = 10 + np.sin(2 * np.pi * (time.size + np.arange(48)) / 24)
    assert np.abs(outlook.forecast - truth).max() < 0.1

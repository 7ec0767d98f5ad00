"""Widths of `student` over all steps together: limits, responses of known models, and transforms."""

from typing import Any

import numpy as np
import polars as pl
import pytest

from ngrc import NGRC, AutoNGRC, look_ahead
from ngrc.ahead.paths import path_model
from ngrc.ahead.pooled import CHOSEN, FARTHEST, Pool, growth, pooled_radius, relative_scales, responses
from ngrc.features.link import IDENTITY, Link
from ngrc.features.transforms import Log
from ngrc.intervals import Student
from ngrc.intervals.base import Stream
from tests.test_ahead_walk import NaivePath


def drawn(count: int, steps: int, seed: int = 0) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    return [rng.normal(size=max(count - step, 0)) for step in range(steps)]


def test_one_step_is_the_method_itself() -> None:
    (residuals,) = drawn(9, 1)
    stream = Stream(np.append(residuals, 0.0), start=9)
    (expected,) = Student().run(stream, 0.9).upper
    np.testing.assert_allclose(pooled_radius([residuals], np.ones(1), 30, 0.9), expected)


def test_many_residuals_outweigh_the_growth() -> None:
    """Of 20,000 residuals each step has its own scale, whatever the growth says; without any it has the growth's."""
    residuals = [scale * own for scale, own in zip((1.0, 2.0, 3.0), drawn(20_000, 3), strict=True)]
    radius = pooled_radius(residuals, np.array([1.0, 1.1, 1.2]), 30_000, 0.9)
    own = [1.645 * np.sqrt(np.mean(one**2)) for one in residuals]
    np.testing.assert_allclose(radius, own, rtol=2e-3)
    far = pooled_radius([residuals[0], *[np.empty(0)] * 2], np.array([1.0, 4.0, 9.0]), 30_000, 0.9)
    # Five degrees of freedom are left of the first step's.
    np.testing.assert_allclose(
        far / radius[0], np.array([1.0, 2 * 2.015 / 1.645, 3 * 2.015 / 1.645]), rtol=2e-3
    )


def test_responses_are_those_of_the_model() -> None:
    y = np.cumsum(np.random.default_rng(3).normal(size=60))
    model = NaivePath(horizon=4, path=True).fit(y)
    np.testing.assert_allclose(responses(model, y, {}, 0, IDENTITY, 1.0), np.ones(4), rtol=1e-9)
    linear: Any = path_model(NGRC(lags=1, degree=1, ridge=0.0), 4).fit(y)
    # A line through the last value, fitted at the origins from which the farthest target is observed.
    slopes = [np.polyfit(y[:56], y[step : 56 + step], 1)[0] for step in range(1, 5)]
    np.testing.assert_allclose(responses(linear, y, {}, 0, IDENTITY, 1.0), slopes, rtol=1e-6)


def test_growth_is_bounded_and_finite() -> None:
    wild = growth(np.array([np.nan, 1e9, -1e9, np.inf]))
    # 1 for what is no number, then a trend that follows the last change.
    np.testing.assert_allclose(wild, [1.0, 2.0, 11.0, 27.0])


def test_an_end_behind_a_logarithm_keeps_to_the_errors_in_own_units() -> None:
    """Residuals of factors of a hundred at values near zero, and of a few percent at the level of today."""
    link = Link(Log())
    factors, levels = np.array([4.0, -4.0, 0.05, -0.05] * 3), np.array([0.01, 0.01, 5.0, 5.0] * 3)
    plain = levels * (np.exp(factors) - 1.0)
    pool = Pool(np.ones(1), 40, (plain,), float(np.sqrt(np.mean(levels**2))), np.ones(1))
    forecasts = np.array([5.0])
    _, upper = pool.offsets([factors], forecasts, link, 0.9)
    own = pooled_radius([plain], np.ones(1), 40, 0.9)
    larger = 5.0 / pool.typical
    np.testing.assert_allclose(link.moved(forecasts, upper), 5.0 + FARTHEST * larger * own)
    (alone,) = pooled_radius([factors], np.ones(1), 40, 0.9)
    assert 5.0 * np.exp(alone) > 10 * link.moved(forecasts, upper)[0]
    # Equal errors in logarithms keep their own ends.
    small = 0.05 * factors[2:4]
    steady = Pool(np.ones(1), 40, (5.0 * small,), 5.0, np.ones(1))
    (_, kept), radius = (
        steady.offsets([small], forecasts, link, 0.9),
        pooled_radius([small], np.ones(1), 40, 0.9),
    )
    np.testing.assert_array_equal(kept, radius)


def test_constants_chosen_on_the_outcomes_cost_degrees_of_freedom() -> None:
    """The mean square of m residuals with k constants fitted to them falls short of the variance by (m - k) / m."""
    residuals = drawn(12, 3)
    plain, fitted = (Pool(np.ones(3), 30, tuple(residuals), 1.0, np.ones(3), chosen) for chosen in (0, 2))
    expected = plain.variances(residuals) * 12 / 10
    np.testing.assert_allclose(fitted.variances(residuals), expected)
    (_, narrow), (_, wide) = (one.offsets(residuals, np.zeros(3), IDENTITY, 0.9) for one in (plain, fitted))
    np.testing.assert_allclose(wide, narrow * np.sqrt(12 / 10))


def test_smoothings_without_a_season_have_such_constants() -> None:
    rng = np.random.default_rng(4)
    walk, months = np.cumsum(rng.normal(size=40)), 10 * np.sin(np.arange(40) * np.pi / 6)
    chosen = []
    for y, periods in ((walk, ()), (months + rng.normal(size=40), (12.0,))):
        calibrated = look_ahead(y, AutoNGRC(periods=periods), steps=3)._calibrated
        assert calibrated is not None
        assert calibrated.pool is not None
        chosen.append(calibrated.pool.chosen)
    assert chosen == [CHOSEN, 0]


@pytest.mark.parametrize("levels", [(0.5, 0.8, 0.95)])
def test_several_levels_are_nested(levels: tuple[float, ...]) -> None:
    y = np.exp(np.cumsum(0.2 * np.random.default_rng(5).normal(size=40)))
    outlook = look_ahead(y, NGRC(lags=1, degree=1, transform="log"), steps=6, level=levels)
    widths = [upper - lower for lower, upper in outlook.bands.values()]
    assert outlook.method == "student"
    assert np.all(widths[0] < widths[1])
    assert np.all(widths[1] < widths[2])


def test_equal_variances_have_no_season() -> None:
    """One series in twenty is taken to have one: exp(-3), the chance of three times the mean of a squared amplitude."""
    rng = np.random.default_rng(5)
    many = 2000
    found = [np.any(relative_scales(rng.normal(size=60), 12, 3) != 1.0) for _ in range(many)]
    share = np.exp(-3.0)
    # Amplitudes of 60 log squares are not quite Gaussian: as much again as their share, and four errors.
    assert np.mean(found) < 2 * share + 4 * np.sqrt(share / many)


@pytest.mark.parametrize("period", [12, 24, 36.5])
def test_a_season_of_the_variance_is_found(period: float) -> None:
    """Of 2,000 residuals the scales are those of the simulation; missing ones count for nothing."""
    time = np.arange(2004)
    deviations = 1.0 + 0.3 * np.cos(2 * np.pi * time / period + 1.0)
    residuals = deviations[:2000] * np.random.default_rng(2).normal(size=2000)
    residuals[::9] = np.nan
    ideal = deviations[2000:] / np.sqrt(np.mean(deviations[:2000] ** 2))
    # A fifth of 1,777 squares count for a phase; nearby phases and the shrinkage change the scale by a twelfth at most.
    error = 4 * np.sqrt(1 / (2 * 0.2 * 1777)) + 1 / 12
    np.testing.assert_allclose(relative_scales(residuals, period, 4), ideal, rtol=error)


def test_less_than_two_cycles_of_residuals_tell_no_season_of_the_variance() -> None:
    wave = np.exp(3 * np.cos(2 * np.pi * np.arange(23) / 12))
    assert relative_scales(wave, 12, 5).tolist() == [1.0] * 5
    assert relative_scales(np.zeros(40), 12, 2).tolist() == [1.0, 1.0]
    assert relative_scales(np.full(40, np.nan), 12, 2).tolist() == [1.0, 1.0]


@pytest.mark.parametrize("night", [0.0, 1e-300, 1e-17])
def test_exact_forecasts_at_night_are_no_forecasts_without_error(night: float) -> None:
    """Half of the day has residuals of nothing or nearly so: widths there are small, and neither zero nor NaN."""
    day = np.sin(2 * np.pi * np.arange(240) / 24) > 0.0
    residuals = np.where(day, np.random.default_rng(1).normal(size=240), night)
    scales = relative_scales(residuals, 24, 24)
    assert 0.1 < scales.min() < 0.7
    # No day-time phase is narrower than if all variances were equal, but for the hours beside the night.
    assert np.all(scales[2:10] > 1.0)
    assert scales.max() < 2.0


def test_intervals_follow_the_season_of_the_variance() -> None:
    """Months with noise of 1 + .8 cos: wide where it is large and narrow half a year on."""
    time = np.arange(120)
    noise = (1 + 0.8 * np.cos(2 * np.pi * time / 12)) * np.random.default_rng(0).normal(size=120)
    times = np.datetime64("2010-01") + time
    table = pl.DataFrame({"time": times.astype("M8[D]"), "y": 10 * np.sin(2 * np.pi * time / 12) + noise})
    outlook = look_ahead(table, steps=12)
    widths = outlook.upper - outlook.lower
    assert widths[0] > 2 * widths[6] < widths[11]

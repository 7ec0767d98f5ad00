"""Widths over the steps: against a loop, even where noise is, and true to what is not noise."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest

from ngrc import NGRC, look_ahead
from ngrc._types import FloatArray
from ngrc.ahead.smooth import ALIKE, roughness, smoothed
from ngrc.intervals.base import Offsets, Stream
from tests.ahead.probe import Probe


def twin(lower: FloatArray, upper: FloatArray) -> tuple[list[float], list[float]]:
    """One step at a time, from the formula."""
    steps, rows = lower.size, {0: [1], 1: [1, 2, 1], 2: [1, 4, 6, 4, 1]}
    lows, highs = [], []
    for i in range(steps):
        reach = min(2, i, steps - 1 - i)
        if not np.isfinite(upper[i] - lower[i]) or upper[i] <= lower[i]:
            lows.append(float(lower[i]))
            highs.append(float(upper[i]))
            continue
        total = centre = log_width = 0.0
        for j, binomial in zip(range(i - reach, i + reach + 1), rows[reach], strict=True):
            if not np.isfinite(upper[j] - lower[j]) or upper[j] <= lower[j]:
                continue
            mine, other = upper[i] - lower[i], upper[j] - lower[j]
            apart = np.log(mine / other) ** 2
            apart += (upper[i] + lower[i] - upper[j] - lower[j]) ** 2 / 4 / (mine * other)
            weight = binomial * np.exp(-apart / (2 * ALIKE**2))
            total += weight
            centre += weight * (upper[j] + lower[j]) / 2
            log_width += weight * np.log(other)
        lows.append(centre / total - np.exp(log_width / total) / 2)
        highs.append(centre / total + np.exp(log_width / total) / 2)
    return lows, highs


@pytest.mark.parametrize("steps", [1, 2, 3, 4, 5, 12])
def test_against_a_loop_over_the_steps(steps: int) -> None:
    rng = np.random.default_rng(steps)
    lower, upper = -rng.lognormal(0, 0.6, (4, steps)), rng.lognormal(0, 0.6, (4, steps))
    upper[1, steps // 2] = np.inf
    lower[2, 0], upper[2, 0] = 0.3, 0.3
    lower[3] += 2 * np.arange(steps)
    upper[3] += 2 * np.arange(steps)
    lows, highs = smoothed(lower, upper)
    for row in range(4):
        expected = twin(lower[row], upper[row])
        np.testing.assert_allclose(lows[row], expected[0], rtol=1e-12)
        np.testing.assert_allclose(highs[row], expected[1], rtol=1e-12)


def test_noise_goes_and_what_is_not_noise_stays() -> None:
    rng = np.random.default_rng(0)
    steps = np.arange(1, 49)
    noisy = np.sqrt(steps) * np.exp(rng.normal(0, 0.15, (200, 48)))
    _, even = smoothed(-noisy, noisy)
    assert roughness(even) < 0.4 * roughness(noisy)
    # On average as wide as before: four errors of the mean log width.
    moved = np.log(even / noisy).mean(axis=0)
    error = 0.15 / np.sqrt(200)
    assert np.abs(moved[4:]).max() < 4 * error
    # Growth from the first step on is curved, and costs the second and third a few per cent of width at most.
    assert np.abs(moved).max() < 4 * error + 0.04
    # Night and day: a factor of fifty from one step to the next.
    day = np.where(np.arange(24) % 12 < 6, 0.1, 5.0)
    np.testing.assert_allclose(smoothed(-day, day)[1], day, rtol=1e-6)
    trend = np.exp(0.1 * steps)
    np.testing.assert_allclose(smoothed(-trend, trend)[1], trend, rtol=1e-9)


def test_infinite_ends_stay_and_tell_their_neighbours_nothing() -> None:
    upper = np.array([1.0, 2.0, np.inf, 2.0, 1.0])
    low, high = smoothed(-upper, upper)
    assert np.isposinf(high[2])
    assert np.isneginf(low[2])
    assert np.isfinite(high[[0, 1, 3, 4]]).all()


def test_levels_stay_nested_and_named_methods_of_residuals_keep_their_quantiles() -> None:
    y = np.cumsum(np.random.default_rng(2).normal(size=700))
    model, levels = NGRC(lags=3, degree=1), [0.5, 0.52, 0.8, 0.82]
    named = look_ahead(y, model, steps=12, level=levels, method="adaptive")
    even = look_ahead(y, model, steps=12, level=levels, method="adaptive", smooth=True)
    for level in levels:
        assert not np.array_equal(even.bands[level][1], named.bands[level][1])
    bands = [even.bands[level] for level in levels]
    for (inner_low, inner_high), (outer_low, outer_high) in pairwise(bands):
        assert (outer_low <= inner_low).all()
        assert (inner_high <= outer_high).all()
    rough = [roughness(one.upper - one.lower) for one in (named, even)]
    assert rough[1] < 0.7 * rough[0]


def test_what_the_library_chooses_is_smooth_unless_told_otherwise() -> None:
    y = np.cumsum(np.random.default_rng(2).normal(size=260))
    model = NGRC(lags=3, degree=1)
    chosen = look_ahead(y, model, steps=4, level=0.8)
    assert chosen.method != "student"
    told, rough = (
        look_ahead(y, model, steps=4, level=0.8, method=chosen.method, smooth=smooth)
        for smooth in (True, False)
    )
    np.testing.assert_array_equal(chosen.upper, told.upper)
    assert not np.array_equal(chosen.upper, rough.upper)


class AtTheFloor(Probe):
    """Ends cut to zero by forecast and residual, as a method does that keeps to bounds."""

    bounded = True

    def run_each(self, stream: Stream, levels: Sequence[float]) -> tuple[Offsets, ...]:
        assert stream.context is not None
        forecasts = stream.context.forecasts[stream.start :]
        width = 0.4 + 0.2 * np.sin(7.0 * np.arange(forecasts.size) + stream.horizon)
        return tuple(Offsets(np.maximum(-width, 1e-17 - forecasts), width) for _ in levels)


def test_an_end_on_a_bound_stays_on_it() -> None:
    """Outcomes of exactly zero: an end that smoothing lifted by a trifle would miss every one of them."""
    hours = np.arange(600 + 7)
    rng = np.random.default_rng(0)
    y = np.maximum(np.sin(2 * np.pi * hours / 24) * 3 + rng.normal(0, 0.2, hours.size), 0.0)
    outlook = look_ahead(y, NGRC(lags=3, degree=1), steps=12, method=AtTheFloor(), level=0.9)
    rough = look_ahead(y, NGRC(lags=3, degree=1), steps=12, method=AtTheFloor(), level=0.9, smooth=False)
    floor = rough.lower < 1e-12
    assert 2 <= floor.sum() < 12
    assert (outlook.lower[floor] == 0.0).all()
    assert not np.allclose(outlook.upper, rough.upper)

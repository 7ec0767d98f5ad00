"""Exponential smoothings against a plain loop over their equations."""

from typing import Any

import numpy as np
import pytest

from ngrc._types import FloatArray
from ngrc.features import Inputs
from ngrc.features.smoothing import Smoothing
from ngrc.features.smoothings import Gains, forecasts, smooth, start
from tests.auto.twin import HoltWinters

GAINS = (
    Gains(1.0),
    Gains(0.3),
    Gains(0.5, 0.0, 1.0, 0.5),
    Gains(0.2, 0.1, 0.9),
    Gains(1.0, 0.5, 0.95, 1.0, 0.3),
    Gains(0.1, None, 1.0, 1.0, 0.0),
    Gains(0.4, 0.05, 0.97, 1.0, 0.6),
)


def series(size: int = 70, seed: int = 1) -> FloatArray:
    rng = np.random.default_rng(seed)
    time = np.arange(size)
    return np.asarray(0.05 * time + np.sin(2 * np.pi * time / 4) + rng.normal(0, 0.3, size))


@pytest.mark.parametrize("horizon", [1, 3, 4, 5, 9])
@pytest.mark.parametrize("period", [1, 2, 4, 7])
def test_states_and_forecasts_are_those_of_the_loop(period: int, horizon: int) -> None:
    x = series()
    states = smooth(x, period, GAINS)
    first = start(period) - 1
    assert states.first == first
    told = forecasts(states, GAINS, period, horizon, range(first, x.size))
    for place, gain in enumerate(GAINS):
        slow = HoltWinters(x, gain, period)
        assert slow.first == first
        for time in range(first, x.size):
            level, slope, terms = slow.states[time]
            assert states.level[time, place] == pytest.approx(level, abs=1e-12)
            assert states.slope[time, place] == pytest.approx(slope, abs=1e-12)
            own = states.season[time, place] - states.offset[time, place]
            if gain.season is not None or period == 1:
                assert own == pytest.approx(terms[time % period], abs=1e-12)
            assert told[time - first, place] == pytest.approx(slow.forecast(time, horizon), abs=1e-11)


@pytest.mark.parametrize("period", [1, 4])
def test_a_state_comes_from_its_past_alone(period: int) -> None:
    x = series()
    changed = x.copy()
    changed[40:] = np.random.default_rng(0).normal(1e6, 1e5, x.size - 40)
    before, after = smooth(x, period, GAINS), smooth(changed, period, GAINS)
    for name in ("level", "slope", "season", "offset"):
        np.testing.assert_array_equal(getattr(before, name)[:40], getattr(after, name)[:40])
        if name in ("level", "slope"):
            assert not np.array_equal(getattr(before, name)[40:], getattr(after, name)[40:])


def test_known_forecasts() -> None:
    line = 3.0 + 2.0 * np.arange(30.0)
    whole = Gains(0.3, 0.1)
    for horizon in (1, 5):
        told = forecasts(smooth(line, 1, (whole, Gains(1.0))), (whole, Gains(1.0)), 1, horizon, range(2, 30))
        np.testing.assert_allclose(told[:, 0], line[2:] + 2.0 * horizon)
        np.testing.assert_allclose(told[:, 1], line[2:])
    # A line with a season is continued exactly.
    shape = np.array([1.0, -2.0, 4.0, -3.0])
    both = line + np.tile(shape, 8)[:30]
    gain = Gains(0.3, 0.1, 1.0, 1.0, 0.5)
    for horizon in (1, 4, 6):
        told = forecasts(smooth(both, 4, (gain,)), (gain,), 4, horizon, range(7, 30))[:, 0]
        times = np.arange(7, 30) + horizon
        np.testing.assert_allclose(told, 3.0 + 2.0 * times + shape[times % 4], atol=1e-9)


def test_columns_are_the_forecasts_of_every_target() -> None:
    x = series()
    group = Smoothing(GAINS, 4)
    inputs = Inputs({"x": x})
    for horizon in (1, 6):
        first = group.reach(horizon) + horizon
        columns = group.columns(inputs, horizon, first, x.size + horizon)
        expected = [
            [HoltWinters(x, gain, 4).forecast(target - horizon, horizon) for gain in GAINS]
            for target in (first, x.size - 1, x.size + horizon - 1)
        ]
        np.testing.assert_allclose(columns[[0, x.size - 1 - first, -1]], expected, atol=1e-11)
        assert columns.shape == (x.size + horizon - first, group.count(horizon))
        assert len(set(group.names(horizon))) == group.count(horizon)
        np.testing.assert_array_equal(columns[5:9], group.columns(inputs, horizon, first + 5, first + 9))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (((),), "Smoothing needs at least one set of gains, got none"),
        (((Gains(0.5),), 0), "period must be at least 1, got 0"),
        (((Gains(0.5),), 2.5), "period must be"),
    ],
)
def test_bad_arguments(arguments: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Smoothing(*arguments)

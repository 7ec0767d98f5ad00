"""A forecaster in service says at its start what `look_ahead` says, and goes on from a file as if never stopped."""

import numpy as np
import pytest

from ngrc import NGRC, OnlineForecaster, look_ahead
from ngrc.archive import dumps, loads
from ngrc.intervals import METHODS

SERIES = np.sin(np.arange(330) / 5) + np.random.default_rng(0).normal(0, 0.2, 330) + 3.0
LEVELS = (0.5, 0.9)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("horizon", [1, 3])
def test_the_start_is_look_ahead_and_a_file_goes_on(method: str, horizon: int) -> None:
    live = OnlineForecaster(NGRC(lags=3), method, LEVELS, horizon=horizon).start(SERIES[:240])
    coming = live.next()
    outlook = look_ahead(
        SERIES[:240], NGRC(lags=3), steps=horizon, method=method, level=LEVELS, smooth=False
    )
    np.testing.assert_array_equal(coming.mean, outlook.forecast)
    for level in LEVELS:
        np.testing.assert_array_equal(coming.lower[level], outlook.bands[level][0])
        np.testing.assert_array_equal(coming.upper[level], outlook.bands[level][1])
    for value in SERIES[240:280]:
        live.observe(value)
    other = loads(dumps(live))
    for value in SERIES[280:]:
        assert live.observe(value) == other.observe(value)
    assert dumps(live) == dumps(other)

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ngrc.forecasters import SeasonalNaive


@settings(deadline=None, max_examples=60)
@given(size=st.integers(1, 40), period=st.integers(1, 9), horizon=st.integers(1, 20))
def test_equals_a_search_for_the_newest_value_of_the_season(size: int, period: int, horizon: int) -> None:
    y = np.random.default_rng(size).normal(size=size)
    forecasts = SeasonalNaive(period, horizon=horizon).fit(y).predict(y)
    for target in range(size):
        known = [time for time in range(target - horizon + 1) if (target - time) % period == 0]
        assert forecasts[target] == y[known[-1]] if known else np.isnan(forecasts[target])


def test_a_periodic_series_is_forecast_without_error() -> None:
    y = np.tile([1.0, 5.0, 2.0, 8.0], 6)
    model = SeasonalNaive(4, horizon=6).fit(y[:12])
    assert model.first_target == 8
    assert np.array_equal(model.predict(y)[8:], y[8:])


@pytest.mark.parametrize("period", [0, -3, 2.5, "a"])
def test_bad_periods_are_refused_when_fitted(period: Any) -> None:
    with pytest.raises(ValueError, match="period must be"):
        SeasonalNaive(period).fit(np.arange(5.0))

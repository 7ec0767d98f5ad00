"""Scheduled refits: on what is known then, by count, with residuals that stay those of what was issued."""

import numpy as np
import pytest

from ngrc import NGRC, OnlineForecaster
from ngrc.forecasters import SeasonalNaive
from tests.live.starts import SERIES, service_of

MODEL = NGRC(lags=3, ridge=0.1)


@pytest.mark.parametrize("window", [None, 60])
def test_a_refit_is_a_fit_of_the_values_known_then(window: int | None) -> None:
    live = OnlineForecaster(MODEL, "split", horizon=2, refit_every=7, window=window).start(SERIES[:100])
    values = SERIES[:130].copy()
    values[103] = np.nan
    filled = values.copy()
    filled[103] = values[102]
    first = service_of(live).point.model
    for count, value in enumerate(values[100:], start=1):
        live.observe(value)
        size = 100 + count
        fitted = first
        if count >= 7:
            end = 100 + count - count % 7
            begin = 0 if window is None else end - window
            fitted = NGRC(lags=3, ridge=0.1, horizon=2, path=True).fit(filled[:end], first=begin)
            if window is not None:
                # Its scale is that of the values it is given, which are fewer: forecasts agree, and not to the bit.
                assert service_of(live).inputs.size <= 2 * (window + 64)
        expected = fitted.forecast(filled[:size])
        np.testing.assert_allclose(live.next().mean, expected, rtol=1e-9 if window is None else 0.02)


def test_the_transform_of_the_start_stays() -> None:
    live = OnlineForecaster(NGRC(lags=3, ridge=0.1, transform="boxcox"), "adaptive", refit_every=5).start(
        SERIES[:100]
    )
    service = service_of(live)
    link = service.calibration.link
    for value in SERIES[100:150]:
        live.observe(4.0 * value)
    assert service.point.model.link() == link


def test_the_schedule_counts_missing_and_skipped_times() -> None:
    one = OnlineForecaster(MODEL, "adaptive", refit_every=6).start(SERIES[:100])
    other = OnlineForecaster(MODEL, "adaptive", refit_every=6).start(SERIES[:100])
    one.observe(SERIES[108], 108)
    for _ in range(8):
        other.observe(None)
    other.observe(SERIES[108])
    assert one.next().mean.tolist() == other.next().mean.tolist()
    assert service_of(one).point.model.n_rows_ == 106 - 3


def test_any_forecaster_is_refitted() -> None:
    live = OnlineForecaster(SeasonalNaive(), "adaptive", 0.9, horizon=2, refit_every=3).start(SERIES[:100])
    for value in SERIES[100:110]:
        live.observe(value)
    assert live.next().mean.tolist() == [SERIES[109], SERIES[109]]

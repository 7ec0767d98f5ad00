"""Nothing that was said depends on what came after it."""

import numpy as np
import pytest

from ngrc import NGRC, OnlineForecaster
from ngrc.intervals import METHODS
from tests.live.starts import BEGIN, LEVELS, SERIES, fresh, said


@pytest.mark.parametrize("horizon", [1, 3])
@pytest.mark.parametrize("method", METHODS)
def test_another_future_leaves_the_past(method: str, horizon: int) -> None:
    streams = []
    for future in (1.0, -40.0):
        live = fresh(method, horizon)
        values = SERIES[BEGIN : BEGIN + 20].copy()
        values[10:] += future
        past = []
        for value in values:
            past.append(said(live))
            live.observe(value)
        streams.append(past)
    # The 10th forecasts are made before the first value that differs.
    assert streams[0][:11] == streams[1][:11]
    assert streams[0][11:] != streams[1][11:]


def test_the_start_sees_the_history_alone() -> None:
    longer = SERIES.copy()
    longer[BEGIN:] = 1e6
    starts = [
        OnlineForecaster(NGRC(lags=3), "adaptive", LEVELS, horizon=2).start(values[:BEGIN])
        for values in (SERIES, longer)
    ]
    assert said(starts[0]) == said(starts[1])


def test_refits_use_what_is_known_then() -> None:
    streams = []
    for future in (0.0, 5.0):
        live = OnlineForecaster(NGRC(lags=3, ridge=0.1), "adaptive", horizon=2, refit_every=4)
        live.start(SERIES[:100])
        values = SERIES[100:120].copy()
        values[13:] += future
        past = []
        for value in values:
            past.append(said(live))
            live.observe(value)
        streams.append(past)
    assert streams[0][:14] == streams[1][:14]
    assert streams[0][14:] != streams[1][14:]
    assert np.isfinite(streams[0][-1][3]).all()

"""The probe over the online forecaster: every method, at every horizon that the probe is asked for elsewhere."""

import numpy as np
import pytest

from ngrc import NGRC, OnlineForecaster
from ngrc.intervals import METHODS
from ngrc.testing import assert_no_lookahead

WALK = np.random.default_rng(5).normal(size=260).cumsum()


@pytest.mark.parametrize("horizon", [1, 3, 7, 24])
@pytest.mark.parametrize("method", ["rolling", "adaptive", "auto"])
def test_no_horizon_lets_an_online_forecaster_see_ahead(method: str, horizon: int) -> None:
    model = NGRC(lags=2, degree=1, ridge=1e-3)
    assert_no_lookahead(OnlineForecaster(model, method, 0.8, horizon=horizon), WALK, horizon=horizon)


@pytest.mark.parametrize("method", [name for name in METHODS if name != "rescp"])
def test_no_method_in_service_sees_ahead(method: str) -> None:
    model = NGRC(lags=2, degree=1, ridge=1e-3)
    assert_no_lookahead(OnlineForecaster(model, method, 0.8, horizon=3), WALK[:160], horizon=3)


def test_a_refit_sees_what_is_known_by_then() -> None:
    model = NGRC(lags=2, degree=1, ridge=1e-3)
    live = OnlineForecaster(model, "rolling", 0.8, horizon=2, refit_every=7, window=60)
    assert_no_lookahead(live, WALK, horizon=2)

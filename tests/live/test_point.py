"""The compiled forecasts are the model's own, whatever the map, the target and the units."""

from typing import Any

import numpy as np
import pytest

from ngrc import NGRC, OnlineForecaster
from ngrc.features import Delays, Memory
from ngrc.live.kernel import packed
from ngrc.live.refit import values_read
from tests.live.starts import SERIES, service_of


@pytest.mark.parametrize(
    ("parameters", "compiled"),
    [
        ({"lags": 12}, True),
        ({"lags": 4, "spacing": 3}, True),
        ({"lags": 6, "product_lags": 2}, True),
        ({"lags": 5, "degree": 1}, True),
        ({"lags": 1}, True),
        ({"lags": 4, "target": "increment"}, True),
        ({"lags": 4, "target": "seasonal", "periods": (7,), "harmonics": 0}, False),
        ({"lags": 4, "clip": 0.1}, True),
        ({"lags": 4, "transform": "log"}, True),
        ({"lags": 4, "transform": "root", "target": "increment"}, True),
        ({"lags": 4, "lower": 2.5, "upper": 4.5}, None),
        ({"lags": 4, "ridge": np.inf}, True),
        ({"lags": 4, "intercept": "none"}, True),
        ({"lags": (1, 3, 9)}, False),
        ({"lags": 3, "degree": 3}, False),
        ({"lags": 3, "periods": (31.4,)}, False),
        ({"lags": 3, "periods": (12,), "seasonal": 2}, False),
        ({"lags": 3, "periods": (12,), "clock_lags": 2}, False),
        ({"lags": 3, "half_lives": (2, 8)}, False),
        ({"lags": 3, "solver": "dual"}, False),
    ],
)
def test_forecasts_are_the_models_own(parameters: dict[str, Any], compiled: bool | None) -> None:
    if parameters.get("harmonics") == 0:
        parameters = {**parameters, "harmonics": 1}
    values = SERIES if "upper" not in parameters else np.clip(SERIES, 2.5, 4.5)
    live = OnlineForecaster(NGRC(**parameters), "split", horizon=3).start(values[:200])
    model = service_of(live).point.model
    if compiled is not None:
        assert (packed(model.fitted_) is not None) == compiled
    for size in range(201, 400):
        live.observe(values[size - 1])
        if size % 20 == 1:
            np.testing.assert_allclose(live.next().mean, model.forecast(values[:size]), rtol=1e-12)


def test_only_what_is_read_is_kept() -> None:
    model = NGRC(lags=3, ridge=0.1, path=True)
    assert values_read(model.fit(SERIES)) == 3
    assert values_read(NGRC(map=(Delays(2), Memory((5.0,))), ridge=0.1).fit(SERIES)) == 301
    live = OnlineForecaster(model, "split").start(SERIES)
    inputs = service_of(live).inputs
    for _ in range(1000):
        live.observe(3.0)
    assert inputs.values.size <= 3 + 64
    assert inputs.count == live.count == 1400


class Own(NGRC):
    """A class made from NGRC, which forecasts in a way of its own."""

    def forecast(self, y: Any, **arguments: Any) -> Any:
        return super().forecast(y, **arguments) + 1.0


def test_a_class_made_from_ngrc_is_asked_itself() -> None:
    plain = OnlineForecaster(NGRC(lags=3, ridge=0.1), "split").start(SERIES[:200])
    own = OnlineForecaster(Own(lags=3, ridge=0.1), "split").start(SERIES[:200])
    for value in SERIES[200:210]:
        plain.observe(value)
        own.observe(value)
    np.testing.assert_allclose(own.next().mean, plain.next().mean + 1.0, rtol=1e-12)

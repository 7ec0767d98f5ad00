"""No forecast reads the future: what comes after its origin may change, and not a bit of it moves.

Everything after time c becomes something else: the series, inputs that are only observed, and after c + H also those
that are known ahead. Forecasts made at c or before must be the very same numbers, over every group of columns, target,
kind of channel, horizon, and for all horizons at once.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from ngrc import NGRC
from ngrc._types import FloatArray
from ngrc.features import Clock, ClockProducts, Delays, Group, Inputs, Known, Memory, Products, Seasonal
from ngrc.features.calendar import Calendar
from ngrc.features.constant import Constant

SIZE, FIT, NOW, AHEAD = 190, 140, 150, 30
TIME = np.arange(SIZE + AHEAD)
TIMES = np.datetime64("2024-03-01T00") + TIME.astype("m8[h]")

GROUPS: dict[str, Callable[[str], Group]] = {
    "delays": lambda name: Delays(3, 2, name),
    "lag set": lambda name: Delays((2, 9), channel=name),
    "products": lambda name: Products((Delays((1, 3), channel=name),), 3),
    "products across": lambda name: Products((Delays(2, channel=name), Delays((1,), channel=name))),
    "seasonal": lambda name: Seasonal((12,), channel=name),
    "seasonal, wide, half a step": lambda name: Seasonal((7.5,), 1, 2, Delays(2, channel=name), name),
    "clock products": lambda name: ClockProducts(Delays(2, channel=name), Clock((12,))),
    "memory": lambda name: Memory((4, 25), name),
}
BLIND: dict[str, Group] = {
    "clock": Clock((12, 7.5)),
    "calendar": Calendar(("hour", "weekday")),
    "constant": Constant(),
    "known": Known(("sun", "rain"), 2),
}
CHANNELS = {"scalar": "x", "observed": "wind", "vector": "x1"}


@dataclass(frozen=True)
class Data:
    """A series and what stands beside it."""

    y: FloatArray
    wind: FloatArray
    sun: FloatArray
    rain: FloatArray

    @classmethod
    def drawn(cls, seed: int, vector: bool) -> "Data":
        rng = np.random.default_rng(seed)
        y = 100.0 + 9.0 * np.sin(2 * np.pi * TIME[:SIZE] / 12)[:, None] + rng.normal(0.0, 2.0, (SIZE, 2))
        inputs = rng.standard_normal((3, SIZE + AHEAD))
        return cls(y if vector else y[:, 0], *inputs)

    def changed(self, now: int, horizon: int) -> "Data":
        """Other values after `now`, and after `now + horizon` where they are known so far."""
        rng = np.random.default_rng(99)
        y, wind, sun, rain = self.y.copy(), self.wind.copy(), self.sun.copy(), self.rain.copy()
        y[now + 1 :] = rng.uniform(1.0, 400.0, y[now + 1 :].shape)
        wind[now + 1 :] = rng.normal(50.0, 30.0, wind[now + 1 :].shape)
        for known in (sun, rain):
            known[now + horizon + 1 :] = rng.normal(-80.0, 30.0, known[now + horizon + 1 :].shape)
        return Data(y, wind, sun, rain)

    def given(self, size: int, beside: tuple[str, ...]) -> tuple[FloatArray, dict[str, Any]]:
        """The first `size` observations and times; inputs as far as they go where some are known ahead."""
        rows = SIZE + AHEAD if "sun" in beside else size
        exog = {name: getattr(self, name)[:rows] for name in beside}
        return self.y[:size], {"exog": exog or None, "times": TIMES[:size]}


def probe(settings: dict[str, Any], kind: str, horizon: int, path: bool) -> None:
    """Forecasts of a model, before and after the future has become another."""
    known = settings.pop("known", ())
    beside = (("wind",) if kind == "observed" else ()) + known
    data = Data.drawn(5, kind == "vector")
    other = data.changed(NOW, horizon)
    observed = tuple(name for name in beside if name not in known)
    model = NGRC(**settings, exog=observed, known=known, horizon=horizon, path=path)
    y, more = data.given(FIT, beside)
    model.fit(y, **more)
    before, after = data.given(SIZE, beside), other.given(SIZE, beside)
    made = NOW + horizon + 1
    forecasts = [model.predict(values, **options) for values, options in (before, after)]
    np.testing.assert_array_equal(forecasts[0][:made], forecasts[1][:made])
    assert np.isfinite(forecasts[0][made - 1]).all()
    leverages = [model.leverage(values, **options) for values, options in (before, after)]
    np.testing.assert_array_equal(leverages[0][:made], leverages[1][:made])
    if path:
        paths = [model.predict_path(values, **options) for values, options in (before, after)]
        for steps in range(1, horizon + 1):
            seen = NOW + steps + 1
            np.testing.assert_array_equal(paths[0][:seen, steps - 1], paths[1][:seen, steps - 1])
            assert np.isfinite(paths[0][seen - 1, steps - 1]).all()
    # From the last observation there is no later one to look at; it is the same forecast.
    coming = [source.given(NOW + 1, beside) for source in (data, other)]
    ahead = [model.forecast(values, **options) for values, options in coming]
    np.testing.assert_array_equal(ahead[0], ahead[1])
    np.testing.assert_allclose(ahead[0][-1], forecasts[0][made - 1], rtol=1e-9)
    if path:
        stepwise = [paths[0][NOW + steps, steps - 1] for steps in range(1, horizon + 1)]
        np.testing.assert_allclose(ahead[0], stepwise, rtol=1e-9)


def fitted_alike(settings: dict[str, Any], kind: str, horizon: int, path: bool) -> None:
    """A fit on a prefix, whatever the rows of the inputs say that come after it."""
    known = settings.pop("known", ())
    beside = (("wind",) if kind == "observed" else ()) + known
    data = Data.drawn(6, kind == "vector")
    # Known inputs too: fit rows have their targets inside the fit block.
    other = data.changed(FIT - 1, 0)
    observed = tuple(name for name in beside if name not in known)
    models = []
    for source in (data, other):
        y, more = source.given(FIT, beside)
        models.append(NGRC(**settings, exog=observed, known=known, horizon=horizon, path=path).fit(y, **more))
    y, more = data.given(SIZE, beside)
    np.testing.assert_array_equal(models[0].predict(y, **more), models[1].predict(y, **more))
    np.testing.assert_array_equal(models[0].ridge_, models[1].ridge_)
    np.testing.assert_array_equal(models[0].fit_scale_, models[1].fit_scale_)


@pytest.mark.parametrize("path", [False, True], ids=["alone", "path"])
@pytest.mark.parametrize("horizon", [1, 3, 30])
@pytest.mark.parametrize("kind", CHANNELS)
@pytest.mark.parametrize("target", ["level", "increment", "seasonal"])
@pytest.mark.parametrize("name", GROUPS)
def test_groups_that_read_a_channel(name: str, target: str, kind: str, horizon: int, path: bool) -> None:
    settings = {"map": (GROUPS[name](CHANNELS[kind]),), "target": target, "periods": (12,), "ridge": 0.1}
    probe(settings, kind, horizon, path)


@pytest.mark.parametrize("path", [False, True], ids=["alone", "path"])
@pytest.mark.parametrize("horizon", [1, 3, 30])
@pytest.mark.parametrize("kind", CHANNELS)
@pytest.mark.parametrize("target", ["level", "increment", "seasonal"])
@pytest.mark.parametrize("name", BLIND)
def test_groups_that_read_none(name: str, target: str, kind: str, horizon: int, path: bool) -> None:
    groups = (Delays(2, channel=CHANNELS[kind]), BLIND[name])
    settings: dict[str, Any] = {"map": groups, "target": target, "periods": (12,), "ridge": 0.1}
    probe({**settings, "known": ("sun", "rain") if name == "known" else ()}, kind, horizon, path)


WHOLE: dict[str, dict[str, Any]] = {
    "everything": {
        "lags": (1, 2, 5), "product_lags": 2, "periods": (12, 7.5), "seasonal": 2, "clock_lags": 1,
        "half_lives": (6,), "calendar": ("hour",), "known": ("sun", "rain"), "clip": 0.1, "ridges": (0.01, 1.0),
    },
    "the paper's": {"lags": 4, "periods": (12,), "half_lives": (6,), "ridges": (0.01, 1.0)},
    "raw cubic": {"lags": 2, "degree": 3, "columns": "raw", "intercept": "none", "ridge": 0.1},
    "logarithm": {"lags": 3, "transform": "log", "lower": 0.5, "clip": 0.5, "ridge": 0.1},
    "dual": {"lags": 5, "solver": "dual", "ridge": 0.1},
}  # fmt: skip


@pytest.mark.parametrize("path", [False, True], ids=["alone", "path"])
@pytest.mark.parametrize("horizon", [1, 3, 14])
@pytest.mark.parametrize("kind", CHANNELS)
@pytest.mark.parametrize("target", ["level", "seasonal"])
@pytest.mark.parametrize("name", WHOLE)
def test_whole_models(name: str, target: str, kind: str, horizon: int, path: bool) -> None:
    settings = {"periods": (12,), "target": target, **WHOLE[name]}
    probe(dict(settings), kind, horizon, path)
    fitted_alike(dict(settings), kind, horizon, path)


@dataclass(frozen=True)
class Peeking:
    """Reads the value `ahead` steps after the origin: what the probe must find."""

    ahead: int

    moving = False

    def names(self, horizon: int) -> tuple[str, ...]:
        return ("x",)

    def count(self, horizon: int) -> int:
        return 1

    def reach(self, horizon: int) -> int:
        return 0

    def columns(self, inputs: Inputs, horizon: int, first: int, stop: int) -> FloatArray:
        places = np.arange(first, stop) - horizon + self.ahead
        return inputs.channel("x")[np.minimum(places, inputs.size - 1)][:, None]


@pytest.mark.parametrize("path", [False, True], ids=["alone", "path"])
@pytest.mark.parametrize("horizon", [1, 3])
def test_the_probe_finds_a_look_of_one_step(horizon: int, path: bool) -> None:
    probe({"map": (Delays(2), Peeking(0)), "ridge": 0.1}, "scalar", horizon, path)
    with pytest.raises(AssertionError):
        probe({"map": (Delays(2), Peeking(1)), "ridge": 0.1}, "scalar", horizon, path)

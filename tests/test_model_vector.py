"""A vector series: every channel is the scalar problem that has the others as explicit columns."""

from itertools import combinations_with_replacement
from math import cos, pi, prod, sin
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from ngrc import NGRC
from ngrc._types import FloatArray
from ngrc.features import Delays, Memory
from ngrc.readout import PAPER_RIDGES
from tests.readout.twins import slow_ridge

SIZE, FIT = 220, 180
RNG = np.random.default_rng(41)
STEPS = RNG.standard_normal((SIZE, 3)) @ np.array([[1.0, 0.4, 0.0], [0.0, 1.0, -0.6], [0.2, 0.0, 1.0]])
SERIES = np.array([10.0, -300.0, 0.01]) + np.array([2.0, 50.0, 1e-3]) * (
    np.sin(0.3 * np.arange(SIZE))[:, None] + 0.3 * STEPS
)
SETTINGS: list[dict[str, Any]] = [
    {"lags": 2},
    {"lags": 3, "degree": 1},
    {"lags": 2, "across": False},
    {"lags": 3, "product_lags": 1, "spacing": 2},
    {"lags": (1, 4), "periods": (12,), "harmonics": 1, "half_lives": (5,)},
    {"lags": 2, "degree": 3, "product_lags": 1},
]


def slow_rows(settings: dict[str, Any], x: FloatArray, horizon: int) -> tuple[int, FloatArray]:
    """First target, and the columns one number at a time: delays and products of all channels, then the thin ones."""
    shape = {"spacing": 1, "degree": 2, "across": True, "periods": (), "half_lives": (), **settings}
    lags = range(1, shape["lags"] + 1) if isinstance(shape["lags"], int) else shape["lags"]
    steps = [(lag - 1) * shape["spacing"] for lag in lags]
    many = len(steps) if "product_lags" not in shape else shape["product_lags"]
    first, rows = max(steps) + horizon, []
    for target in range(first, len(x)):
        origin = target - horizon
        delays = [[float(x[origin - step, channel]) for step in steps] for channel in range(x.shape[1])]
        factors = [own[:many] for own in delays]
        row = [value for own in delays for value in own]
        for group in [[value for own in factors for value in own]] if shape["across"] else factors:
            for power in range(2, shape["degree"] + 1):
                row += [prod(chosen) for chosen in combinations_with_replacement(group, power)]
        for period in shape["periods"]:
            row += [sin(2 * pi * target / period), cos(2 * pi * target / period)]
        for channel in range(x.shape[1]):
            for half_life in shape["half_lives"]:
                keep, mean = 0.5 ** (1.0 / half_life), float(x[0, channel])
                for value in x[1 : origin + 1, channel]:
                    mean = keep * mean + (1.0 - keep) * float(value)
                row.append(mean)
        rows.append(row)
    return first, np.array(rows)


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("horizon", [1, 3])
def test_every_channel_is_a_scalar_ridge_on_all_channels_columns(
    settings: dict[str, Any], horizon: int
) -> None:
    model = NGRC(**settings, horizon=horizon, ridge=0.01).fit(SERIES[:FIT])
    means, stds = SERIES[:FIT].mean(axis=0), SERIES[:FIT].std(axis=0)
    x = (SERIES - means) / stds
    first, design = slow_rows(settings, x, horizon)
    forecasts, leverages = model.predict(SERIES), model.leverage(SERIES)
    assert forecasts.shape == SERIES.shape
    assert np.isnan(forecasts[:first]).all()
    for channel in range(3):
        twin = slow_ridge(design[: FIT - first], x[first:FIT, channel], 0.01)
        wanted = means[channel] + stds[channel] * twin.predict(design)
        np.testing.assert_allclose(forecasts[first:, channel], wanted, atol=1e-8 * stds[channel], rtol=0)
        np.testing.assert_allclose(leverages[first:, channel], twin.leverage(design), rtol=1e-7)
        assert model.d_eff_[channel] == pytest.approx(twin.d_eff, rel=1e-8)
        residuals = x[first:FIT, channel] - twin.predict(design[: FIT - first])
        assert model.fit_scale_[channel] == pytest.approx(
            stds[channel] * np.sqrt(np.mean(residuals**2)), rel=1e-8
        )
    assert model.n_features_ == design.shape[1] + 1
    np.testing.assert_allclose(
        model.forecast(SERIES[:200]), model.predict(SERIES)[200 : 200 + horizon], rtol=1e-10, atol=1e-12
    )


@pytest.mark.parametrize("target", ["level", "increment", "seasonal"])
def test_all_horizons_of_all_channels(target: Any) -> None:
    settings: dict[str, Any] = {
        "lags": 2, "periods": (5,), "seasonal": 1, "clock_lags": 1, "target": target, "ridges": PAPER_RIDGES
    }  # fmt: skip
    model = NGRC(**settings, horizon=6, path=True).fit(SERIES[:FIT])
    paths = model.predict_path(SERIES)
    assert paths.shape == (SIZE, 6, 3)
    assert model.ridge_.shape == model.d_eff_.shape == model.fit_scale_.shape == (6, 3)
    for horizon in range(1, 7):
        late = 6 - horizon
        alone = NGRC(**settings, horizon=horizon).fit(
            SERIES[: FIT - late], first=model.first_target - late if late else 0, scale=model.scale_
        )
        scaled = (paths[:, horizon - 1] - alone.predict(SERIES)) / SERIES.std(axis=0)
        assert np.nanmax(np.abs(scaled)) < 1e-8
        np.testing.assert_array_equal(np.isnan(paths[:, horizon - 1]), np.isnan(alone.predict(SERIES)))
        np.testing.assert_array_equal(model.ridge_[horizon - 1], alone.ridge_)
        np.testing.assert_allclose(model.d_eff_[horizon - 1], alone.d_eff_, rtol=1e-7)
        np.testing.assert_allclose(model.fit_scale_[horizon - 1], alone.fit_scale_, rtol=1e-8)
        coming = (model.forecast(SERIES)[horizon - 1] - alone.forecast(SERIES)[-1]) / SERIES.std(axis=0)
        assert np.abs(coming).max() < 1e-8


def test_one_channel_of_a_vector_is_the_scalar_series() -> None:
    for settings in ({"lags": 3}, {"lags": 3, "horizon": 4, "path": True, "periods": (12,), "seasonal": 1}):
        vector = NGRC(**settings, ridge=0.01).fit(SERIES[:, :1])
        scalar = NGRC(**settings, ridge=0.01).fit(SERIES[:, 0])
        np.testing.assert_allclose(
            vector.predict(SERIES[:, :1])[:, 0], scalar.predict(SERIES[:, 0]), rtol=1e-12
        )
        assert vector.forecast(SERIES[:, :1]).shape == (vector.horizon, 1)


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_frames_name_their_channels(frame: Any) -> None:
    y = frame({"u": SERIES[:, 0], "v": SERIES[:, 1]})
    model = NGRC(2, ridge=0.1).fit(y)
    np.testing.assert_array_equal(
        model.predict(y), NGRC(2, ridge=0.1).fit(SERIES[:, :2]).predict(SERIES[:, :2])
    )
    assert model.fitted_.channels == ("u", "v")
    assert "u[t]*v[t-1]" in model.coefficients(channel=1).names
    assert model.coefficients(channel=1).equation().startswith("v[t+1] = ")
    with pytest.raises(
        ValueError, match="fitted to the channels u, v, got the channels v, u; give the same channels"
    ):
        model.predict(frame({"v": SERIES[:, 1], "u": SERIES[:, 0]}))


def test_a_map_may_name_channels() -> None:
    y = pd.DataFrame({"u": SERIES[:, 0], "v": SERIES[:, 1]})
    model = NGRC(map=(Delays(2, channel="u"), Memory((3,), "v")), ridge=0.1).fit(y)
    assert model.coefficients().names == ("1", "u[t]", "u[t-1]", "ema of v(half-life 3)")
    with pytest.raises(ValueError, match="reads the channel 'w', and the data has u, v"):
        NGRC(map=(Delays(2, channel="w"),), ridge=0.1).fit(y)


def test_scales_for_all_or_for_each() -> None:
    pairs = [(0.0, 1.0), (-300.0, 50.0), (0.0, 0.01)]
    each = NGRC(2, ridge=0.1).fit(SERIES, scale=pairs)
    assert [(scale.mean, scale.std) for scale in each.scale_] == pairs
    same = NGRC(2, ridge=0.1).fit(SERIES, scale=(1.0, 2.0))
    assert [(scale.mean, scale.std) for scale in same.scale_] == [(1.0, 2.0)] * 3
    two = NGRC(2, ridge=0.1).fit(SERIES[:, :2], scale=(1.0, 2.0))
    assert [(scale.mean, scale.std) for scale in two.scale_] == [(1.0, 2.0)] * 2


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (np.ones((40, 0)), "at least one channel"),
        (np.where(np.arange(40)[:, None] == 7, np.nan, np.ones((40, 2))), "finite, got nan at position 7"),
        (np.full((40, 2), "a"), "must hold numbers"),
        (pd.DataFrame(), "at least one column"),
        (pd.DataFrame({"u": [1.0, np.inf] * 20}), "finite, got inf at position 1"),
    ],
)
def test_bad_vectors_are_refused(y: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        NGRC(2).fit(y)


def test_other_shapes_than_those_of_the_fit_are_refused() -> None:
    vector, scalar = NGRC(2, ridge=0.1).fit(SERIES), NGRC(2, ridge=0.1).fit(SERIES[:, 0])
    with pytest.raises(ValueError, match="fitted to the channels x0, x1, x2, got the channels x0, x1"):
        vector.predict(SERIES[:, :2])
    with pytest.raises(ValueError, match="fitted to the channels x0, x1, x2, got one scalar series"):
        vector.predict(SERIES[:, 0])
    with pytest.raises(ValueError, match="fitted to one scalar series, got the channels x0, x1, x2"):
        scalar.predict(SERIES)
    with pytest.raises(ValueError, match="fitted to one scalar series, got the channel x0; give the same"):
        scalar.predict(SERIES[:, :1])

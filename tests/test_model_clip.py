"""Inputs that cannot explode: clipped to the fit block's range widened by a share, targets never."""

from typing import Any

import numpy as np
import pytest

from ngrc import NGRC
from tests.readout.twins import slow_design, slow_ridge

SIZE, FIT = 260, 200
SERIES = 50.0 + 10.0 * np.sin(0.4 * np.arange(SIZE)) + np.random.default_rng(33).standard_normal(SIZE)
SERIES[10], SERIES[20] = 75.0, 25.0
MAPS: list[dict[str, Any]] = [
    {"lags": 4},
    {"lags": 3, "degree": 3, "half_lives": (5,)},
    {"lags": (1, 2, 9), "periods": (12,), "seasonal": 1, "clock_lags": 2},
]


@pytest.mark.parametrize("settings", MAPS)
@pytest.mark.parametrize("path", [False, True])
def test_in_range_nothing_changes_by_a_bit(settings: dict[str, Any], path: bool) -> None:
    plain, clipped = (
        NGRC(**settings, horizon=3, path=path, clip=clip, ridge=0.01).fit(SERIES[:FIT])
        for clip in (None, 0.0)
    )
    np.testing.assert_array_equal(plain.predict(SERIES), clipped.predict(SERIES))
    np.testing.assert_array_equal(plain.forecast(SERIES), clipped.forecast(SERIES))
    np.testing.assert_array_equal(plain.leverage(SERIES), clipped.leverage(SERIES))
    if path:
        np.testing.assert_array_equal(plain.predict_path(SERIES), clipped.predict_path(SERIES))


@pytest.mark.parametrize("settings", MAPS)
@pytest.mark.parametrize("clip", [0.0, 0.25])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_spike_counts_as_the_limit_and_no_more(settings: dict[str, Any], clip: float, sign: float) -> None:
    model = NGRC(**settings, clip=clip, ridge=0.01).fit(SERIES[:FIT])
    limit = 75.0 + clip * 50.0 if sign > 0 else 25.0 - clip * 50.0
    spiked, limited = SERIES.copy(), SERIES.copy()
    spiked[[210, 230]], limited[[210, 230]] = sign * 1e9, limit
    found = model.predict(spiked)
    np.testing.assert_allclose(found, model.predict(limited), rtol=1e-10)
    assert not np.array_equal(found[211:], model.predict(SERIES)[211:])
    free = NGRC(**settings, ridge=0.01).fit(SERIES[:FIT]).predict(spiked)
    assert np.nanmax(np.abs(free)) > 1e6 * np.nanmax(np.abs(found))


def test_the_limits_are_those_of_the_fit_block() -> None:
    late = SERIES.copy()
    late[FIT:] *= 3.0
    model = NGRC(3, clip=0.1, ridge=0.01)
    before = model.fit(late[:FIT]).predict(late[:FIT])
    np.testing.assert_array_equal(before, model.fit(SERIES[:FIT]).predict(SERIES[:FIT]))
    column = model.fitted_.preparation.series["x"]
    mean, std = SERIES[:FIT].mean(), SERIES[:FIT].std()
    assert column.high == pytest.approx((75.0 + 5.0 - mean) / std)
    assert column.low == pytest.approx((25.0 - 5.0 - mean) / std)


@pytest.mark.parametrize("target", ["level", "increment"])
@pytest.mark.parametrize("first", [0, 60])
def test_targets_are_not_clipped(target: Any, first: int) -> None:
    """A scale given from outside narrows nothing: limits are the block's own, and the whole block is fitted to."""
    y = SERIES.copy()
    y[FIT + 5 :] += 500.0
    model = NGRC(2, clip=0.0, target=target, ridge=1e-3).fit(y[:FIT], first=first, scale=(50.0, 10.0))
    x = (y - 50.0) / 10.0
    seen = np.clip(x, x[:FIT].min(), x[:FIT].max())
    design = slow_design(model, seen, 1)
    goal = x[2:] - (x[1:-1] if target == "increment" else 0.0)
    begin = max(first - 2, 0)
    twin = slow_ridge(design[begin : FIT - 2], goal[begin : FIT - 2], 1e-3)
    base = y[1:-1] if target == "increment" else 50.0
    np.testing.assert_allclose(model.predict(y)[2:], base + 10.0 * twin.predict(design), atol=1e-8)


def test_channels_have_limits_of_their_own() -> None:
    rng = np.random.default_rng(34)
    y = np.stack((SERIES, 1e3 * rng.standard_normal(SIZE)), axis=1)
    wind = rng.standard_normal(SIZE)
    model = NGRC(2, clip=0.0, ridge=0.01).fit(y[:FIT], exog={"wind": wind[:FIT]})
    for place, source in enumerate((y[:FIT, 0], y[:FIT, 1], wind[:FIT])):
        spiked, limited = [y.copy(), wind.copy()], [y.copy(), wind.copy()]
        for data, value in ((spiked, 1e12), (limited, source.max())):
            if place < 2:
                data[0][220, place] = value
            else:
                data[1][220] = value
        found, wanted = (model.predict(data[0], exog={"wind": data[1]}) for data in (spiked, limited))
        np.testing.assert_allclose(found, wanted, rtol=1e-9)


@pytest.mark.parametrize("clip", [-0.1, float("nan"), float("inf"), "wide", True])
def test_bad_shares_are_refused_in_fit(clip: Any) -> None:
    with pytest.raises(
        ValueError, match="clip must be the share of the fit block's range by which inputs may exceed"
    ):
        NGRC(3, clip=clip).fit(SERIES)

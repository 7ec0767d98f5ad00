"""Whatever comes in, the forecaster says what a twin says that goes through everything anew."""

import numpy as np
import pytest

from ngrc import NGRC
from ngrc.intervals import METHODS
from tests.live.starts import BEGIN, LEVELS, SERIES, fresh, service_of
from tests.live.twin import Twin

# `bayes` reads leverages, which blocks are given by the model: its stream is compared below.
TWINNED = [name for name in METHODS if name != "bayes"]


def _stream(seed: int, count: int) -> list[float]:
    """Observations, some of them missing."""
    rng = np.random.default_rng(seed)
    values = SERIES[BEGIN : BEGIN + count].copy()
    values[rng.random(count) < 0.25] = np.nan
    return [float(value) for value in values]


@pytest.mark.parametrize("horizon", [1, 3])
@pytest.mark.parametrize("method", TWINNED)
def test_every_step_is_what_the_twin_says(method: str, horizon: int) -> None:
    live = fresh(method, horizon)
    twin = Twin(SERIES[:BEGIN], NGRC(lags=3), method, LEVELS, horizon)
    observed = _stream(seed=horizon, count=24)
    for count, value in enumerate(observed, start=1):
        live.observe(value)
        if count % 6:
            continue
        mean, ends = twin.ends(observed[:count])
        coming = live.next()
        # Sums of the same products in another order, and residuals that differ as little.
        np.testing.assert_allclose(coming.mean, mean, rtol=1e-12)
        for level, (lower, upper) in zip(LEVELS, ends, strict=True):
            np.testing.assert_allclose(coming.lower[level], lower, rtol=1e-9)
            np.testing.assert_allclose(coming.upper[level], upper, rtol=1e-9)


def test_with_a_transform_residuals_are_in_its_units() -> None:
    live = fresh("adaptive", 2, transform="log")
    twin = Twin(SERIES[:BEGIN], NGRC(lags=3, transform="log"), "adaptive", LEVELS, 2)
    observed = _stream(seed=5, count=20)
    for value in observed:
        live.observe(value)
    mean, ends = twin.ends(observed)
    np.testing.assert_allclose(live.next().mean, mean, rtol=1e-12)
    for level, (lower, upper) in zip(LEVELS, ends, strict=True):
        np.testing.assert_allclose(live.next().lower[level], lower, rtol=1e-9)
        np.testing.assert_allclose(live.next().upper[level], upper, rtol=1e-9)


def test_bayes_widens_with_the_leverage_of_each_origin() -> None:
    live = fresh("bayes", 2)
    service = service_of(live)
    for value in SERIES[BEGIN : BEGIN + 20]:
        live.observe(value)
    leverage = service.point.model.forecast_leverage(SERIES[: BEGIN + 20])
    scale = service.point.model.fit_scale_
    expected = 1.6448536269514722 * scale * np.sqrt(1.0 + leverage)
    np.testing.assert_allclose(live.next().upper[0.9] - live.next().mean, expected, rtol=1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_what_matures_is_what_was_said(method: str) -> None:
    live = fresh(method, 3)
    said = {}
    for index in range(BEGIN, BEGIN + 12):
        coming = live.next()
        for step in (1, 2, 3):
            said[step, index + step - 1] = (coming, step - 1)
        for one in live.observe(SERIES[index]):
            assert (one.target, one.value) == (index, SERIES[index])
            assert one.origin == index - one.step
            if one.origin < BEGIN - 1:
                assert one.lower is one.upper is one.covered is None
                continue
            then, place = said[one.step, index]
            assert one.lower is not None
            assert one.upper is not None
            assert one.covered is not None
            assert one.mean == then.mean[place]
            for level in LEVELS:
                assert (one.lower[level], one.upper[level]) == (
                    then.lower[level][place],
                    then.upper[level][place],
                )
                assert one.covered[level] == (one.lower[level] <= SERIES[index] <= one.upper[level])


@pytest.mark.parametrize("method", ["adaptive", "dtaci", "rescp", "auto"])
def test_times_that_are_passed_over_are_missing_one_by_one(method: str) -> None:
    at_once, singly = fresh(method, 3), fresh(method, 3)
    at_once.observe(SERIES[BEGIN + 4], time=BEGIN + 4)
    for _ in range(4):
        assert singly.observe(None) == ()
    singly.observe(SERIES[BEGIN + 4])
    assert at_once.next().mean.tolist() == singly.next().mean.tolist()
    for value in SERIES[BEGIN + 5 : BEGIN + 12]:
        assert at_once.observe(value) == singly.observe(value)

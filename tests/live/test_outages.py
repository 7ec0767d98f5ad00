"""After an outage: outcomes that come late, and refits over what was carried forward."""

import numpy as np
import pytest

from ngrc import NGRC, OnlineForecaster
from ngrc._types import FloatArray
from ngrc.archive import dumps, loads

GAP = range(300, 340)


def walk(seed: int) -> FloatArray:
    return np.random.default_rng(seed).normal(size=420).cumsum()


def widths(method: str, *, late: bool, seed: int) -> float:
    """Mean width after an outage over that before it, outcomes of the outage given afterwards or never."""
    y = walk(seed)
    live = OnlineForecaster(NGRC(lags=2, degree=1, ridge=1e-3), method, 0.9, late="accept").start(y[:260])
    before, after = list[float](), list[float]()
    for time in range(260, 420):
        live.observe(None if time in GAP else y[time])
        if time == GAP.stop and late:
            for gone in GAP:
                (matured,) = live.observe(y[gone], time=gone)
                assert matured.covered is not None
        coming = live.next()
        width = float(coming.upper[0.9][0] - coming.lower[0.9][0])
        (before if time < GAP.start else after if time > GAP.stop else []).append(width)
    return float(np.mean(after) / np.mean(before))


@pytest.mark.parametrize("method", ["rolling", "adaptive"])
def test_outcomes_of_an_outage_do_not_widen_what_follows(method: str) -> None:
    """Forecasts made on the way through a gap miss by what a random walk does in forty steps."""
    ratios = np.array([[widths(method, late=late, seed=seed) for late in (False, True)] for seed in range(4)])
    # One forecast of the gap was made at an observation, and teaches; its error is one like any other.
    assert np.all(ratios[:, 1] < 1.15 * ratios[:, 0])


def test_what_a_missing_target_teaches_is_kept() -> None:
    y = walk(9)
    live = OnlineForecaster(NGRC(lags=2, degree=1, ridge=1e-3), "rolling", 0.9, horizon=3, late="accept")
    live.start(y[:260])
    for time in range(260, 270):
        live.observe(None if 262 <= time < 266 else y[time])
    other = loads(dumps(live))
    for one in (live, other):
        for gone in range(262, 266):
            one.observe(y[gone], time=gone)
        one.observe(y[270])
    assert dumps(live) == dumps(other)


@pytest.mark.parametrize("window", [60, None])
def test_a_refit_over_a_gap_is_left_out(window: int | None) -> None:
    """A model that was fitted to a flat line would say that nothing moves."""
    y = np.sin(np.arange(420) / 3.0) + np.random.default_rng(2).normal(0, 0.05, 420)
    model = NGRC(lags=3, degree=1, ridge=1e-3)
    live = OnlineForecaster(model, "rolling", 0.9, refit_every=20, window=window).start(y[:260])
    errors = []
    for time in range(260, 420):
        said = live.next().mean[0]
        live.observe(None if 280 <= time < 340 else y[time])
        if time >= 345:
            errors.append(y[time] - said)
    assert np.sqrt(np.mean(np.square(errors))) < 0.15

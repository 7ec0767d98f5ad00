"""The automatic model walked forward: on short series, and blind to what comes after."""

import numpy as np
import pytest

from ngrc import AutoNGRC, backtest, look_ahead
from ngrc._types import FloatArray
from ngrc.ahead.paths import ManyFits, path_model
from ngrc.forecasters.beside import Beside


def series(n: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return 50 + 6 * np.sin(np.arange(n) * 2 * np.pi / 12) + np.cumsum(rng.normal(0, 0.5, n))


@pytest.mark.parametrize("n", [7, 9, 12, 20, 40])
def test_short_series_have_a_forecast_with_an_interval(n: int) -> None:
    for steps in (1, max(1, min(6, n - 6))):
        outlook = look_ahead(series(n), steps=steps, level=0.8)
        assert np.isfinite(outlook.forecast).all()
        assert (outlook.lower < outlook.upper).all()


@pytest.mark.parametrize(("n", "horizon"), [(8, 1), (9, 1), (16, 3), (20, 3), (34, 6)])
def test_short_series_are_walked(n: int, horizon: int) -> None:
    run = backtest(series(n), horizon=horizon, methods=["split", "adaptive"], level=0.6).runs[0]
    assert np.isfinite(run.rmse)
    assert run.refits > 0


@pytest.mark.parametrize("horizon", [1, 3])
def test_the_future_changes_nothing_before_it(horizon: int) -> None:
    y, methods = series(160), ["bayes", "split", "adaptive"]
    run = backtest(y, AutoNGRC(horizon), methods=methods).runs[0]
    for cut in (run.blocks.ends[3] + 1, run.blocks.ends[9] - 1):
        changed = y.copy()
        changed[cut:] += np.random.default_rng(cut).normal(0, 30, y.size - cut)
        after = backtest(changed, AutoNGRC(horizon), methods=methods).runs[0]
        same = cut + horizon
        np.testing.assert_array_equal(run.forecasts[:same], after.forecasts[:same])
        issued = same - run.blocks.test.start
        for method in methods if issued > 0 else ():
            np.testing.assert_array_equal(run.band(method).upper[:issued], after.band(method).upper[:issued])
            np.testing.assert_array_equal(run.band(method).lower[:issued], after.band(method).lower[:issued])


def test_what_was_said_on_the_way_does_not_know_what_came_after() -> None:
    y, steps, plan = series(150), 7, ManyFits()

    def walked(values: FloatArray) -> FloatArray:
        paths = plan.paths(values, path_model(AutoNGRC(), steps), Beside())
        return (paths.said if paths.walked is None else paths.walked)[:, :, 0]

    before = walked(y)
    cut = 101
    changed = y.copy()
    changed[cut:] += np.random.default_rng(2).uniform(5, 9, y.size - cut)
    after = walked(changed)
    for step in (1, 3, 7):
        np.testing.assert_array_equal(before[: cut + step, step - 1], after[: cut + step, step - 1])

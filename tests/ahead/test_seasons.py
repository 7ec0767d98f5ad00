"""Short series: residuals of fits without the season or trend do not calibrate a fit that has it."""

import numpy as np
import polars as pl
import pytest

from ngrc import AutoNGRC, look_ahead
from ngrc._types import FloatArray
from ngrc.ahead.paths import ManyFits, Paths, path_model
from ngrc.forecasters.beside import Beside


def months(size: int, seed: int = 0) -> tuple[pl.DataFrame, FloatArray]:
    """A yearly cycle ten times as high as the noise, and the twelve values after it."""
    rng = np.random.default_rng(seed)
    y = 10 * np.sin(2 * np.pi * np.arange(size + 12) / 12) + rng.normal(size=size + 12)
    times = (np.datetime64("2000-01") + np.arange(size)).astype("M8[D]")
    return pl.DataFrame({"time": times, "y": y[:size]}), y[size:]


@pytest.mark.parametrize("size", [30, 36, 60])
def test_widths_are_near_those_of_the_noise(size: int) -> None:
    """Residuals of fits without the season are ten times as large: widths were 5 to 17 times the noise's."""
    ratios = []
    for seed in range(6):
        frame, _ = months(size, seed)
        outlook = look_ahead(frame, steps=12, level=0.9)
        assert 12.0 in outlook.model.selections_[0].seasons
        ratios.append((outlook.upper - outlook.lower) / (2 * 1.645))
    # Between 1.4 and 2.2 over 200 series, one series' mean within a third of that.
    assert 1.0 < np.mean(ratios) < 2.2 + 3 * 0.7 / np.sqrt(6)


def walked(y: FloatArray, steps: int, periods: tuple[float, ...]) -> tuple[Paths, tuple[int, ...]]:
    model = path_model(AutoNGRC(periods=periods), steps)
    return ManyFits().paths(y, model, Beside()), tuple(ManyFits().ends(y.size, model))


def test_smoothings_calibrate_by_their_own_forecasts() -> None:
    y = months(40)[0]["y"].to_numpy()
    paths, _ = walked(y, 5, (12.0,))
    (selection,) = paths.model.selections_
    assert selection.causal
    assert (paths.end, selection.reach) == (24, 23)
    own = paths.model.predict_path(y)
    for step in range(1, 6):
        assert np.isnan(paths.said[: 24 + step - 1, step - 1]).all()
        # The same sums over other numbers of rows, whose order is the processor's own.
        np.testing.assert_allclose(
            paths.said[24 + step - 1 :, step - 1, 0], own[24 + step - 1 :, step - 1], rtol=1e-12
        )
    # A causal filter: later values do not change what it forecasts of earlier targets.
    changed = y.copy()
    changed[35:] += 50.0
    np.testing.assert_allclose(paths.model.predict_path(changed)[:35], own[:35], rtol=1e-12)


def test_smoothings_without_a_season_calibrate_by_their_own_forecasts_from_the_first_end_on() -> None:
    """A search on the first third of a rising line finds no trend."""
    y = 50.0 + 0.5 * np.arange(40) + np.random.default_rng(2).normal(size=40)
    paths, ends = walked(y, 5, ())
    (selection,) = paths.model.selections_
    assert selection.causal
    assert not selection.seasons
    assert paths.end == ends[0]
    own = paths.model.predict_path(y)
    for step in range(1, 6):
        first = paths.end + step - 1
        np.testing.assert_allclose(paths.said[first:, step - 1, 0], own[first:, step - 1], rtol=1e-12)
    assert paths.walked is not None
    assert np.nanstd(y[:, None] - paths.walked[:, 4]) > np.nanstd(y[:, None] - paths.said[:, 4])


def test_too_few_residuals_leave_the_walk_as_it_is() -> None:
    """16 observations: half of the last cycle's shape is known after 12, and three residuals calibrate nothing."""
    y = months(16)[0]["y"].to_numpy()
    paths, ends = walked(y, 3, (12.0,))
    assert paths.model.selections_[0].seasons == {12.0}
    assert paths.end == ends[0]

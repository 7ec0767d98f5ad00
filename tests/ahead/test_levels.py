"""Several levels, quantiles, and what the table calls them."""

from itertools import pairwise

import numpy as np
import pandas as pd
import polars as pl
import pytest

from ngrc import NGRC, look_ahead
from ngrc._types import FloatArray
from ngrc.ahead.quantiles import MIDDLE, quantile_columns
from ngrc.intervals import METHODS
from ngrc.intervals.base import Offsets
from tests.ahead.probe import Probe

LEVELS = (0.8, 0.5, 0.95, 0.9)


def wave(n: int = 300, seed: int = 0) -> FloatArray:
    rng = np.random.default_rng(seed)
    return 20 + 3 * np.sin(2 * np.pi * np.arange(n) / 12) + rng.normal(0, 0.5, n)


@pytest.mark.parametrize("method", [name for name in METHODS if name != "rescp"])
def test_levels_are_nested_and_those_of_one_level_alone(method: str) -> None:
    y, model = wave(), NGRC(lags=3, ridge=0.1)
    outlook = look_ahead(y, model, steps=3, method=method, level=LEVELS)
    assert outlook.levels == tuple(outlook.bands) == LEVELS
    assert outlook.level == 0.8
    np.testing.assert_array_equal(outlook.lower, outlook.bands[0.8][0])
    ordered = [outlook.bands[level] for level in sorted(LEVELS)]
    for (inner_low, inner_high), (outer_low, outer_high) in pairwise(ordered):
        assert (outer_low <= inner_low).all()
        assert (inner_high <= outer_high).all()
    # The lowest level holds no other, and is what it is alone.
    alone = look_ahead(y, model, steps=3, method=method, level=0.5)
    np.testing.assert_array_equal(alone.lower, outlook.bands[0.5][0])
    np.testing.assert_array_equal(alone.upper, outlook.bands[0.5][1])
    for level in LEVELS:
        low, high = outlook.bands[level]
        one = look_ahead(y, model, steps=3, method=method, level=level)
        # Wider only as far as a lower level's reached beyond it; where that happened, smoothing over the steps passes a
        # little of it on, by far less than a width.
        slack = 1e-3 * (one.upper - one.lower)
        assert (low <= one.lower + slack).all()
        assert (high >= one.upper - slack).all()


def test_columns_of_one_level_and_of_several() -> None:
    y, model = wave(), NGRC(lags=3)
    one = look_ahead(y, model, steps=2, method="split", level=[0.9])
    assert one.table.columns == ["step", "forecast", "lower", "upper"]
    two = look_ahead(pd.Series(y), model, steps=2, method="split", level=[0.8, 0.975])
    assert [*two.table.columns] == [
        "step", "forecast", "lower_80", "upper_80", "lower_97.5", "upper_97.5",
    ]  # fmt: skip
    assert isinstance(two.quantiles([0.1, 0.5]), pd.DataFrame)
    assert isinstance(one.quantiles([0.1, 0.5]), pl.DataFrame)


def test_bad_levels_bands_and_probabilities() -> None:
    y, model = wave(), NGRC(lags=3)
    with pytest.raises(ValueError, match=r"level 0\.9 is given twice"):
        look_ahead(y, model, method="split", level=[0.9, 0.9])
    with pytest.raises(ValueError, match="at least one level"):
        look_ahead(y, model, method="split", level=[])
    with pytest.raises(ValueError, match="level must be in"):
        look_ahead(y, model, method="split", level=[0.9, 1.5])
    with pytest.raises(ValueError, match="band must be 'pointwise' or 'path', got 'whole'"):
        look_ahead(y, model, method="split", band="whole")  # type: ignore[arg-type]
    outlook = look_ahead(y, model, method="split")
    for wrong in ([], [0.5, 0.1], [0.0], [1.0]):
        with pytest.raises(ValueError, match="probabilit"):
            outlook.quantiles(wrong)


@pytest.mark.parametrize("model", [NGRC(lags=3), NGRC(lags=3, transform="log", ridge=0.1, upper=24.5)])
@pytest.mark.parametrize("method", ["split", "asymmetric", "adaptive", "gaussian", "rescp"])
def test_quantiles_are_the_ends_of_levels_and_never_cross(model: NGRC, method: str) -> None:
    y = np.minimum(wave(), 24.4)
    outlook = look_ahead(y, model, steps=4, method=method, level=[0.5, 0.8, 0.9])
    probabilities = [0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95]
    table = outlook.quantiles(probabilities)
    assert table.columns == ["q5", "q10", "q25", "q50", "q75", "q90", "q95"]
    values = table.to_numpy()
    assert (np.diff(values, axis=1) >= 0).all()
    # Ends of each level alone, which cross at one step of rescp and are exchanged there.
    alone = [outlook._calibrated.ends([level])[0] for level in (0.9, 0.8, 0.5)]  # type: ignore[union-attr]
    ends = np.sort([*(one.lower for one in alone), *(one.upper for one in alone)], axis=0)
    np.testing.assert_allclose(np.delete(values, 3, axis=1), ends.T, rtol=1e-12)
    if method != "asymmetric" and method != "rescp":
        np.testing.assert_allclose(table["q50"], outlook.forecast, rtol=1e-12)


def test_one_pass_per_step_serves_all_levels_and_all_quantiles() -> None:
    probe = Probe()
    outlook = look_ahead(wave(), NGRC(lags=3), steps=3, method=probe, level=LEVELS)
    assert len(probe.streams) == 3
    values = outlook.quantiles([0.05, 0.1, 0.5, 0.9]).to_numpy() - outlook.forecast[:, None]
    assert len(probe.streams) == 6
    np.testing.assert_allclose(values, np.tile([-0.9, -0.8, 0.0, 1.6], (3, 1)), atol=1e-5)


@pytest.mark.parametrize("seed", range(3))
def test_a_quantile_does_not_depend_on_which_others_are_asked_for(seed: int) -> None:
    """The median's own ends lie beyond those of a level of 10 % here, which they must not move."""
    outlook = look_ahead(wave(500, seed), NGRC(lags=2, ridge=0.1), steps=4, method="auto")
    probabilities = [0.05, 0.25, 0.45, 0.55, 0.75, 0.95]
    alone = np.column_stack([outlook.quantiles([one]).to_numpy() for one in probabilities])
    assert (np.diff(alone, axis=1) >= 0).all()
    np.testing.assert_array_equal(outlook.quantiles(probabilities).to_numpy(), alone)
    three = outlook.quantiles([0.45, 0.5, 0.55]).to_numpy()
    np.testing.assert_array_equal(three[:, [0, 2]], alone[:, 2:4])
    assert (np.diff(three, axis=1) >= 0).all()


def test_quantiles_that_cross_are_exchanged_and_the_median_stays_between_them() -> None:
    ends = {0.9: (-3.0, 1.0), 0.8: (-4.0, 2.0), 0.1: (-1.0, 0.0), MIDDLE: (4.0, 6.0)}
    offsets = {level: Offsets(np.array([[low]]), np.array([[high]])) for level, (low, high) in ends.items()}
    probabilities = [0.05, 0.1, 0.45, 0.5, 0.55, 0.9, 0.95]
    assert quantile_columns(probabilities, offsets).tolist() == [[-4.0, -3.0, -1.0, 0.0, 0.0, 1.0, 2.0]]
    assert quantile_columns([0.5], offsets).tolist() == [[5.0]]
    assert quantile_columns([0.1, 0.5], offsets).tolist() == [[-4.0, 5.0]]

"""What the shared shell promises beyond the contract, on a forecaster simple enough to know by heart."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ngrc._types import FloatArray
from ngrc.forecasters.standardised import StandardisedForecaster


class MeanOfTargets(StandardisedForecaster):
    """Forecasts the mean of the fit targets, and remembers what it was shown."""

    def __init__(self, reach: int = 2, *, horizon: int = 1) -> None:
        self.reach = reach
        self.horizon = horizon

    @property
    def first_target(self) -> int:
        return self.reach + self.horizon

    def _learn(self, z: FloatArray, targets: range) -> None:
        self.targets_ = targets
        self.mean_ = float(z[targets.start : targets.stop].mean())

    def _forecast(self, z: FloatArray, targets: range) -> FloatArray:
        return np.full(len(targets), self.mean_)


@settings(deadline=None, max_examples=50)
@given(
    size=st.integers(8, 40),
    first=st.integers(0, 7),
    reach=st.integers(0, 3),
    horizon=st.integers(1, 3),
    mean=st.floats(-5, 5),
    std=st.floats(0.1, 5),
)
def test_fit_rows_are_those_whose_targets_lie_in_the_block(
    size: int, first: int, reach: int, horizon: int, mean: float, std: float
) -> None:
    y = np.random.default_rng(size).normal(size=size)
    model = MeanOfTargets(reach, horizon=horizon).fit(y, first=first, scale=(mean, std))
    begin = max(first, reach + horizon)
    assert model.targets_ == range(begin, size)
    assert np.allclose(model.predict(y)[reach + horizon :], y[begin:].mean())


def test_a_constant_series_is_forecast_as_it_is() -> None:
    assert np.array_equal(MeanOfTargets().fit(np.full(9, 4.0)).predict(np.full(9, 4.0))[3:], np.full(6, 4.0))


def test_too_few_observations_are_refused() -> None:
    with pytest.raises(ValueError, match=r"at least 4 observations .* target 3 on, got 3"):
        MeanOfTargets().fit([1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match="from target 9 on, got 9"):
        MeanOfTargets().fit(np.arange(9.0), first=9)
    assert MeanOfTargets().fit(np.arange(10.0), first=9).mean_ == pytest.approx(
        (9 - 4.5) / np.arange(10.0).std()
    )


@pytest.mark.parametrize(
    ("scale", "words"),
    [
        ((0.0, 0.0), "std above zero, got std 0; a constant series has std 1"),
        ((0.0, -1.0), "above zero"),
        ((np.nan, 1.0), "scale must be finite"),
        ((1.0, 2.0, 3.0), "pair .mean, std., got 3 values"),
    ],
)
def test_bad_scales_are_refused(scale: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        MeanOfTargets().fit(np.arange(9.0), scale=scale)


def test_predict_needs_a_fit_with_the_same_parameters() -> None:
    model = MeanOfTargets()
    with pytest.raises(ValueError, match="this MeanOfTargets is not fitted yet; call fit first"):
        model.predict(np.arange(9.0))
    model.fit(np.arange(9.0)).set_params(horizon=2)
    with pytest.raises(ValueError, match="horizon of this MeanOfTargets changed after fit; call fit again"):
        model.predict(np.arange(9.0))

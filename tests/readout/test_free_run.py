from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from ngrc._types import FloatArray
from ngrc.features import FeatureMap, Inputs
from ngrc.readout.free_run import free_run
from tests.readout.twins import example_series, paper_map, rows_of

MAPS = [
    paper_map(1),
    paper_map(4, spacing=3),
    paper_map(2, degree=1),
    paper_map(2, spacing=2, degree=3),
    paper_map(3, periods=(12.0,), half_lives=(2.0, 8.0)),
]


def weights(intercept: float, coefficients: FloatArray) -> Any:
    return SimpleNamespace(intercept=intercept, coefficients=coefficients)


def run(
    feature_map: FeatureMap,
    x: FloatArray,
    intercept: float,
    coefficients: FloatArray,
    steps: int,
    offset: int = 0,
) -> FloatArray:
    """A scalar series with one readout."""
    inputs = Inputs({"x": x}, offset=offset)
    return free_run(feature_map, inputs, x[:, None], [weights(intercept, coefficients)], steps)[:, 0]


@pytest.mark.parametrize("feature_map", MAPS)
@pytest.mark.parametrize("offset", [0, 5])
def test_every_step_is_the_forecast_from_the_steps_before(feature_map: FeatureMap, offset: int) -> None:
    x = example_series("walk", 40)
    coefficients = 0.05 * np.random.default_rng(3).standard_normal(feature_map.count(1) - 1)
    values = run(feature_map, x, 0.1, coefficients, 25, offset)
    grown = x
    for step in range(25):
        row = rows_of(feature_map, grown, 1, first=grown.size, stop=grown.size + 1, offset=offset).design
        value = 0.1 + float(row[0] @ coefficients)
        assert values[step] == pytest.approx(value, rel=1e-10)
        grown = np.append(grown, value)


def test_history_is_not_changed() -> None:
    x = example_series("walk", 20)
    before = x.copy()
    run(paper_map(3, half_lives=(2.0,)), x, 0.0, np.full(10, 0.01), 5)
    assert np.array_equal(x, before)


def test_divergence_is_left_as_nan() -> None:
    values = run(paper_map(1), np.array([10.0]), 0.0, np.array([0.0, 5.0]), 30)
    finite = np.isfinite(values)
    assert finite[0]
    assert not finite[-1]
    assert np.array_equal(finite, np.sort(finite)[::-1])


def test_the_shortest_history_is_enough() -> None:
    feature_map = paper_map(3, spacing=2, degree=1)
    values = run(feature_map, np.array([1.0, 0.0, 2.0, 0.0, 4.0]), 0.0, np.array([1.0, 10.0, 100.0]), 1)
    assert values.tolist() == [124.0]

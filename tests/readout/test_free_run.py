import numpy as np
import pytest

from ngrc.features import FeatureMap
from ngrc.readout.free_run import free_run
from tests.readout.twins import example_series

MAPS = [
    FeatureMap(1),
    FeatureMap(4, spacing=3),
    FeatureMap(2, degree=1),
    FeatureMap(2, spacing=2, degree=3),
    FeatureMap(3, periods=(12.0,), half_lives=(2.0, 8.0)),
]


@pytest.mark.parametrize("feature_map", MAPS)
@pytest.mark.parametrize("offset", [0, 5])
def test_every_step_is_the_forecast_from_the_steps_before(feature_map: FeatureMap, offset: int) -> None:
    x = example_series("walk", 40)
    coefficients = 0.05 * np.random.default_rng(3).standard_normal(feature_map.count - 1)
    values = free_run(feature_map, x, 0.1, coefficients, 25, offset)
    grown = x
    for step in range(25):
        row = feature_map.design(grown, 1, first=grown.size, stop=grown.size + 1, offset=offset)
        value = 0.1 + float(row[0] @ coefficients)
        assert values[step] == pytest.approx(value, rel=1e-10)
        grown = np.append(grown, value)


def test_history_is_not_changed() -> None:
    x = example_series("walk", 20)
    before = x.copy()
    free_run(FeatureMap(3, half_lives=(2.0,)), x, 0.0, np.full(10, 0.01), 5)
    assert np.array_equal(x, before)


def test_divergence_is_left_as_nan() -> None:
    values = free_run(FeatureMap(1), np.array([10.0]), 0.0, np.array([0.0, 5.0]), 30)
    finite = np.isfinite(values)
    assert finite[0]
    assert not finite[-1]
    assert np.array_equal(finite, np.sort(finite)[::-1])


def test_the_shortest_history_is_enough() -> None:
    feature_map = FeatureMap(3, spacing=2, degree=1)
    values = free_run(feature_map, np.array([1.0, 0.0, 2.0, 0.0, 4.0]), 0.0, np.array([1.0, 10.0, 100.0]), 1)
    assert values.tolist() == [124.0]

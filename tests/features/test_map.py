from typing import Any

import numpy as np
import pytest

from ngrc.features import FeatureMap
from tests.readout.twins import slow_design

MAPS = [
    FeatureMap(1),
    FeatureMap(3),
    FeatureMap(4, spacing=3, degree=1),
    FeatureMap(3, spacing=2, degree=3),
    FeatureMap(2, periods=(12.0, 5.0), harmonics=3),
    FeatureMap(3, half_lives=(2.0, 9.0)),
    FeatureMap(2, spacing=5, degree=2, periods=(7.0,), harmonics=1, half_lives=(4.0,)),
]


@pytest.mark.parametrize("feature_map", MAPS)
@pytest.mark.parametrize(("horizon", "offset"), [(1, 0), (4, 0), (2, 17)])
def test_design_equals_the_definition_row_by_row(feature_map: FeatureMap, horizon: int, offset: int) -> None:
    x = np.random.default_rng(1).standard_normal(40)
    design = feature_map.design(x, horizon, offset=offset)
    assert design.shape == (40 - feature_map.first_target(horizon), feature_map.count - 1)
    np.testing.assert_allclose(design, slow_design(feature_map, x, horizon, offset), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("feature_map", MAPS)
def test_one_name_a_column(feature_map: FeatureMap) -> None:
    assert len(feature_map.names) == feature_map.count == len(set(feature_map.names))
    assert feature_map.names[0] == "1"


def test_names_in_the_designs_order() -> None:
    names = FeatureMap(2, periods=(144,), harmonics=1, half_lives=(12,)).names
    assert names == (
        *("1", "x[t]", "x[t-1]", "x[t]^2", "x[t]*x[t-1]", "x[t-1]^2"),
        *("sin(2π·1·t'/144)", "cos(2π·1·t'/144)", "ema(half-life 12)"),
    )


def test_the_papers_counts() -> None:
    assert FeatureMap(14).count == 120
    assert FeatureMap(24, periods=(24, 168)).count == 333
    assert FeatureMap(36, periods=(144, 1008)).count == 711


def test_rows_ahead_of_the_last_observation() -> None:
    feature_map, x = FeatureMap(2, spacing=2), np.arange(10.0)
    ahead = feature_map.design(x, 3, first=10, stop=13)
    assert ahead[:, :2].tolist() == [[7.0, 5.0], [8.0, 6.0], [9.0, 7.0]]


def test_a_series_too_short_for_any_row_gives_none() -> None:
    assert FeatureMap(5).design(np.ones(3), 1).shape == (0, 20)


def test_first_target() -> None:
    assert FeatureMap(4, spacing=3).first_target(7) == 16
    assert FeatureMap(1).first_target(1) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"lags": 0}, "lags must be at least 1"),
        ({"lags": 2.5}, "lags must be a whole number"),
        ({"lags": 2, "spacing": 0}, "spacing"),
        ({"lags": 2, "degree": 0}, "degree"),
        ({"lags": 2, "harmonics": 0}, "harmonics"),
        ({"lags": 2, "periods": (0,)}, "each value of periods"),
        ({"lags": 2, "periods": 24}, "periods must be a sequence"),
        ({"lags": 2, "periods": (24, 24.0)}, "periods must all differ"),
        ({"lags": 2, "half_lives": (-1.0,)}, "each value of half_lives"),
    ],
)
def test_bad_specifications_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        FeatureMap(**arguments)


def test_a_map_is_a_value() -> None:
    assert FeatureMap(3, periods=[24]) == FeatureMap(3, periods=(24.0,))
    assert hash(FeatureMap(3)) == hash(FeatureMap(3))


@pytest.mark.parametrize("period", [1e-300, 0.5, 1.0, 1.999])
def test_a_period_under_two_steps_is_refused(period: float) -> None:
    with pytest.raises(ValueError, match=rf"a period must be at least 2 steps, got {period:g}; give it in"):
        FeatureMap(2, periods=(24.0, period))
    assert FeatureMap(2, periods=(2.0,)).periods == (2.0,)

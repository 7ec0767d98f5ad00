from typing import Any

import numpy as np
import pytest

from ngrc.features import Clock, Delays, FeatureMap
from ngrc.features.standard import Shape, standard_map
from tests.readout.twins import paper_map, rows_of, slow_design

SHAPES = [
    Shape(1),
    Shape(3),
    Shape(4, spacing=3, degree=1),
    Shape(3, spacing=2, degree=3),
    Shape(2, periods=(12.0, 5.0), harmonics=3),
    Shape(3, half_lives=(2.0, 9.0)),
    Shape(2, spacing=5, degree=2, periods=(7.0,), harmonics=1, half_lives=(4.0,)),
]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("horizon", "offset"), [(1, 0), (4, 0), (2, 17)])
def test_design_equals_the_definition_row_by_row(shape: Shape, horizon: int, offset: int) -> None:
    x = np.random.default_rng(1).standard_normal(40)
    feature_map = standard_map(shape)
    design = rows_of(feature_map, x, horizon, offset=offset).design
    assert design.shape == (40 - feature_map.first_target(horizon), feature_map.count(horizon) - 1)
    np.testing.assert_allclose(design, slow_design(shape, x, horizon, offset), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("horizon", [1, 4])
def test_one_name_a_column(shape: Shape, horizon: int) -> None:
    feature_map = standard_map(shape)
    names = feature_map.names(horizon)
    assert len(names) == feature_map.count(horizon) == len(set(names))
    assert names[0] == "1"


def test_names_in_the_designs_order() -> None:
    names = paper_map(2, periods=(144,), harmonics=1, half_lives=(12,)).names(1)
    assert names == (
        *("1", "x[t]", "x[t-1]", "x[t]^2", "x[t]*x[t-1]", "x[t-1]^2"),
        *("sin(2π·1·t'/144)", "cos(2π·1·t'/144)", "ema(half-life 12)"),
    )


def test_the_papers_counts() -> None:
    assert paper_map(14).count(1) == 120
    assert paper_map(24, periods=(24, 168)).count(1) == 333
    assert paper_map(36, periods=(144, 1008)).count(1) == 711


def test_rows_ahead_of_the_last_observation() -> None:
    feature_map, x = paper_map(2, spacing=2), np.arange(10.0)
    ahead = rows_of(feature_map, x, 3, first=10, stop=13).design
    assert ahead[:, :2].tolist() == [[7.0, 5.0], [8.0, 6.0], [9.0, 7.0]]


def test_a_series_too_short_for_any_row_gives_none() -> None:
    assert rows_of(paper_map(5), np.ones(3), 1).design.shape == (0, 20)


def test_first_target() -> None:
    assert paper_map(4, spacing=3).first_target(7) == 16
    assert paper_map(1).first_target(1) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"lags": 0}, "lags must be at least 1"),
        ({"lags": 2.5}, "lags must be a whole number"),
        ({"lags": 2, "spacing": 0}, "spacing"),
        ({"lags": 2, "degree": 0}, "degree"),
        ({"lags": 2, "harmonics": -1}, "harmonics"),
        ({"lags": 2, "periods": (0,)}, "each value of periods"),
        ({"lags": 2, "periods": 24}, "periods must be a sequence"),
        ({"lags": 2, "periods": (24, 24.0)}, "periods must all differ"),
        ({"lags": 2, "half_lives": (-1.0,)}, "each value of half_lives"),
    ],
)
def test_bad_specifications_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        paper_map(**arguments)


def test_a_clock_without_harmonics_is_refused_and_a_map_may_leave_it_out() -> None:
    with pytest.raises(ValueError, match="harmonics must be at least 1"):
        Clock((24.0,), harmonics=0)
    assert paper_map(2, periods=(24.0,), harmonics=0) == paper_map(2)


def test_a_map_is_a_value() -> None:
    assert paper_map(3, periods=[24]) == paper_map(3, periods=(24.0,))
    assert hash(paper_map(3)) == hash(paper_map(3))


@pytest.mark.parametrize("period", [1e-300, 0.5, 1.0, 1.999])
def test_a_period_under_two_steps_is_refused(period: float) -> None:
    with pytest.raises(ValueError, match=rf"a period must be at least 2 steps, got {period:g}; give it in"):
        paper_map(2, periods=(24.0, period))
    assert Clock((2.0,)).periods == (2.0,)


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ((), "at least one group"),
        ((Delays,), "made of groups such as"),
        (("x",), "made of groups such as"),
        (24, "made of groups such as"),
    ],
)
def test_what_is_no_group_is_refused(groups: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        FeatureMap(groups)

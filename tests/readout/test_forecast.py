import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ngrc.readout.forecast import forecast_columns, forecast_rows
from tests.readout.twins import example_rows, paper_map, rows_of


@settings(deadline=None, max_examples=40)
@given(st.integers(1, 5), st.integers(1, 3), st.integers(1, 3), st.booleans(), st.booleans())
def test_forecasts_without_features_equal_those_with(
    lags: int, spacing: int, degree: int, seasonal: bool, remembering: bool
) -> None:
    feature_map = paper_map(
        lags, spacing, degree, (24.0,) if seasonal else (), 1, (4.0, 9.0) if remembering else ()
    )
    rows = example_rows(feature_map, "season", 90, horizon=2)
    coefficients = np.random.default_rng(0).standard_normal((feature_map.count(2) - 1, 2))
    expected = np.array([0.7, -0.1]) + rows.design @ coefficients
    np.testing.assert_allclose(forecast_rows(rows, 0.7, coefficients[:, 0]), expected[:, 0], atol=1e-11)
    both = forecast_columns(rows, np.array([0.7, -0.1]), coefficients)
    np.testing.assert_allclose(both, expected, atol=1e-11)


def test_many_blocks() -> None:
    rows = example_rows(paper_map(3), "walk", 7000)
    coefficients = np.arange(9.0)
    np.testing.assert_allclose(
        forecast_rows(rows, 1.0, coefficients), 1.0 + rows.design @ coefficients, rtol=1e-12, atol=1e-12
    )


@pytest.mark.parametrize("degree", [1, 2, 3])
def test_no_rows_no_forecasts(degree: int) -> None:
    feature_map = paper_map(4, degree=degree)
    rows = rows_of(feature_map, np.ones(3), 1)
    assert forecast_rows(rows, 1.0, np.ones(feature_map.count(1) - 1)).shape == (0,)

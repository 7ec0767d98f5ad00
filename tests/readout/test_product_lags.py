"""The structured moments where only the first of the delays are multiplied, against explicit columns."""

from itertools import combinations_with_replacement

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ngrc.features import Clock, Delays, FeatureMap, Memory, Products
from ngrc.features.standard import Shape, standard_map
from ngrc.readout.convention import Columns, Convention, Intercept
from ngrc.readout.forecast import forecast_columns, forecast_rows
from ngrc.readout.gram import explicit_gram
from ngrc.readout.moments import design_gram, nested_grams
from ngrc.readout.refine import centred_products
from tests.readout.test_structured import assert_same
from tests.readout.twins import example_rows, rows_of


@st.composite
def shapes(draw: st.DrawFn) -> Shape:
    lags = draw(st.integers(1, 7))
    extras = draw(st.booleans())
    return Shape(
        lags,
        draw(st.integers(1, 4)),
        product_lags=draw(st.integers(0, lags)),
        periods=(24.0,) if extras else (),
        half_lives=(3.0,) if extras else (),
    )


@settings(deadline=None, max_examples=60)
@given(shapes(), st.integers(1, 4), st.integers(60, 300), st.sampled_from(["noise", "walk", "season"]))
def test_moments_equal_those_of_the_explicit_design(
    shape: Shape, horizon: int, count: int, kind: str
) -> None:
    rows = example_rows(standard_map(shape), kind, count, horizon)
    assert rows.feature_map.core is not None
    assert_same(design_gram(rows), explicit_gram(rows), 1e-10)


@settings(deadline=None, max_examples=40)
@given(shapes(), st.integers(1, 3))
def test_design_forecasts_and_products_know_which_delays_are_multiplied(shape: Shape, horizon: int) -> None:
    rows = example_rows(standard_map(shape), "season", 150, horizon)
    assert isinstance(shape.lags, int)
    assert shape.product_lags is not None
    many, count = (
        shape.lags + shape.product_lags * (shape.product_lags + 1) // 2,
        rows.feature_map.count(horizon) - 1,
    )
    for row in (0, rows.count - 1):
        origin = rows.first + row - horizon
        delays = [float(rows.series[origin - lag * shape.spacing]) for lag in range(shape.lags)]
        pairs = combinations_with_replacement(delays[: shape.product_lags], 2)
        np.testing.assert_allclose(rows.design[row, :many], [*delays, *(a * b for a, b in pairs)], rtol=1e-13)
    rng = np.random.default_rng(0)
    coefficients = rng.standard_normal((count, 2))
    expected = 0.5 + rows.design @ coefficients
    np.testing.assert_allclose(forecast_rows(rows, 0.5, coefficients[:, 0]), expected[:, 0], atol=1e-11)
    np.testing.assert_allclose(
        forecast_columns(rows, np.array([0.5, 0.5]), coefficients), expected, atol=1e-11
    )
    means, residuals = rng.standard_normal(count), rng.standard_normal((rows.count, 2))
    np.testing.assert_allclose(
        centred_products(rows, means, residuals), (rows.design - means).T @ residuals, atol=1e-10
    )


@pytest.mark.parametrize("intercept", ["free", "penalised", "none"])
@pytest.mark.parametrize("columns", ["standardised", "raw"])
def test_every_convention(intercept: Intercept, columns: Columns) -> None:
    rows = example_rows(standard_map(Shape(6, 2, product_lags=3, periods=(24.0,))), "season", 400, 2)
    convention = Convention(intercept, columns)
    gram = design_gram(rows, convention)
    assert_same(gram, explicit_gram(rows, convention), 1e-11)
    design, target = rows.design, rows.target
    centre = 0.0 if intercept == "none" else 1.0
    scales = (
        np.sqrt(np.mean((design - centre * design.mean(axis=0)) ** 2, axis=0)) if columns != "raw" else 1.0
    )
    Z = (design - centre * design.mean(axis=0)) / scales
    np.testing.assert_allclose(gram.matrix, Z.T @ Z / len(Z), atol=1e-11)
    np.testing.assert_allclose(gram.cross, Z.T @ (target - centre * target.mean()) / len(Z), atol=1e-11)
    first, full = nested_grams(rows, 250, convention)
    assert_same(first, explicit_gram(rows.part(0, 250), convention), 1e-10)
    assert_same(full, gram, 1e-10)


def test_products_of_other_delays_are_no_part_of_the_core() -> None:
    x = np.random.default_rng(1).standard_normal(200)
    for factor in (Delays((2, 3)), Delays(4, 2), Delays(9), Delays(2, channel="x2")):
        feature_map = FeatureMap((Delays(5), Products((factor,)), Clock((12.0,)), Memory((4.0,))))
        assert feature_map.core is not None
        assert feature_map.core.product_lags == 0
        if factor.channel == "x":
            rows = rows_of(feature_map, x, 2)
            assert_same(design_gram(rows), explicit_gram(rows), 1e-12)

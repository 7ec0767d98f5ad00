import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ngrc.features import FeatureMap, Rows
from ngrc.readout.gram import Gram, explicit_gram
from ngrc.readout.lagged import column_sources, core_of
from ngrc.readout.moments import design_gram, nested_grams
from ngrc.readout.structured import Shift, row_sums, shifted_products, structured_gram
from tests.readout.twins import example_rows, example_series, paper_map, rows_of


def assert_same(actual: Gram, expected: Gram, tolerance: float = 1e-12) -> None:
    assert actual.count == expected.count
    np.testing.assert_allclose(actual.means, expected.means, atol=tolerance)
    np.testing.assert_allclose(actual.scales, expected.scales, rtol=tolerance)
    np.testing.assert_allclose(actual.matrix, expected.matrix, atol=tolerance)
    np.testing.assert_allclose(actual.cross, expected.cross, atol=tolerance)
    assert actual.target_mean == pytest.approx(expected.target_mean, abs=tolerance)


@settings(deadline=None, max_examples=40)
@given(
    lags=st.integers(1, 6),
    spacing=st.integers(1, 5),
    degree=st.integers(1, 2),
    count=st.integers(2, 400),
    horizon=st.integers(1, 5),
    extras=st.booleans(),
    kind=st.sampled_from(["noise", "walk", "season"]),
)
def test_moments_equal_those_of_the_explicit_design(
    lags: int, spacing: int, degree: int, count: int, horizon: int, extras: bool, kind: str
) -> None:
    periods, half_lives = ((24.0,), (3.0, 30.0)) if extras else ((), ())
    feature_map = paper_map(lags, spacing, degree, periods, 2, half_lives)
    rows = rows_of(feature_map, example_series(kind, feature_map.first_target(horizon) + count), horizon)
    # A few rows of a smooth series are nearly constant, and correlations of small differences lose digits.
    assert_same(design_gram(rows), explicit_gram(rows), 1e-9 if count < 50 else 1e-11)


@pytest.mark.parametrize("kind", ["sine", "zeros", "spike", "signs", "late"])
@pytest.mark.parametrize("feature_map", [paper_map(5), paper_map(3, 7, periods=(24.0,))])
def test_awkward_series(kind: str, feature_map: FeatureMap) -> None:
    rows = example_rows(feature_map, kind, 600, horizon=3)
    assert_same(design_gram(rows), explicit_gram(rows), 1e-11)


def test_the_papers_largest_design() -> None:
    rows = example_rows(paper_map(36, periods=(144.0, 1008.0)), "season", 3000)
    assert_same(design_gram(rows), explicit_gram(rows), 1e-12)


@pytest.mark.parametrize("inner", [1, 57, 300])
def test_nested_moments_are_those_of_each_range(inner: int) -> None:
    rows = example_rows(paper_map(4, 2, periods=(12.0,)), "walk", 400, horizon=2)
    first, full = nested_grams(rows, inner)
    assert_same(first, explicit_gram(rows.part(0, inner)), 1e-11)
    assert_same(full, explicit_gram(rows), 1e-11)


def test_nested_moments_at_degree_three() -> None:
    rows = example_rows(paper_map(2, degree=3), "walk", 100)
    first, full = nested_grams(rows, 60)
    assert_same(first, explicit_gram(rows.part(0, 60)))
    assert_same(full, explicit_gram(rows))


def test_the_window_moves_back_exactly() -> None:
    rows = example_rows(paper_map(4, 3), "noise", 100)
    shift = Shift.of(rows)
    sums = row_sums(rows, shift)
    _, signal = column_sources(core_of(rows))
    columns = rows.design - shift.signals[signal]
    products = shifted_products(rows, sums.lagged[:, : shift.signals.size], shift.signals)
    np.testing.assert_allclose(products, columns.T @ columns, atol=1e-11)


def test_a_spike_that_left_the_window_sends_us_to_the_design() -> None:
    x = np.random.default_rng(0).standard_normal(300)
    x[-2] = 1e7
    rows = rows_of(paper_map(3), x, 1)
    shift = Shift.of(rows)
    assert structured_gram(rows, row_sums(rows, shift), shift) is None
    assert_same(design_gram(rows), explicit_gram(rows))


def test_an_offset_that_drowns_the_spread_sends_us_to_the_design() -> None:
    rows = example_rows(paper_map(3), "noise", 300)
    shift = Shift.of(rows)
    far = Shift(shift.signals + 1e4, shift.target, shift.extras)
    assert structured_gram(rows, row_sums(rows, far), far) is None
    near = Shift(shift.signals + 1.0, shift.target - 2.0, shift.extras)
    gram = structured_gram(rows, row_sums(rows, near), near)
    assert gram is not None
    assert_same(gram, explicit_gram(rows), 1e-12)


def test_no_design_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = example_rows(paper_map(6, periods=(24.0,)), "season", 500)
    expected = explicit_gram(rows)

    def refuse(self: Rows) -> None:
        raise AssertionError("the design was asked for")

    monkeypatch.setattr(Rows, "design", property(refuse))
    assert_same(design_gram(rows), expected, 1e-12)


@pytest.mark.parametrize("degree", [1, 2])
def test_lagged_sums_stay_as_they_are(degree: int) -> None:
    rows = example_rows(paper_map(5, 3, degree), "noise", 120)
    shift = Shift.of(rows)
    sums = row_sums(rows, shift)
    before = sums.lagged.copy()
    structured_gram(rows, sums, shift)
    np.testing.assert_array_equal(sums.lagged, before)

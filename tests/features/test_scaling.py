import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from ngrc.features.scaling import Scale, as_scale, column_scales


@settings(deadline=None, max_examples=50)
@given(
    arrays(
        np.float64, st.integers(2, 30), elements=st.integers(-(10**6), 10**6).map(lambda value: value / 7.0)
    )
)
def test_standardise_and_restore_are_inverse(values: np.ndarray) -> None:
    scale = Scale.of(values)
    restored = scale.restore(scale.standardise(values))
    np.testing.assert_allclose(restored, values, atol=1e-9 * max(1.0, float(np.abs(values).max())))


def test_population_convention() -> None:
    values = np.array([1.0, 2.0, 6.0])
    assert Scale.of(values) == Scale(3.0, float(np.sqrt(14.0 / 3.0)))


@pytest.mark.parametrize("value", [0.0, 0.1, -1e12, 1e-300])
def test_a_constant_series_becomes_exact_zeros(value: float) -> None:
    values = np.full(1000, value)
    scale = Scale.of(values)
    assert scale.std == 1.0
    assert not scale.standardise(values).any()


def test_constant_up_to_rounding_counts_as_constant() -> None:
    assert Scale.of(np.array([0.1 + 0.2, 0.3] * 10)).std == 1.0


def test_a_small_but_real_spread_does_not() -> None:
    assert Scale.of(np.array([1e9, 1e9 + 1.0])).std == 0.5


@pytest.mark.parametrize("size", [1e308, 1e-280])
def test_values_whose_squares_overflow_or_vanish_are_refused(size: float) -> None:
    with pytest.raises(ValueError, match="rescale"):
        Scale.of(np.array([-size, size, 0.0]))


def test_column_scales_leave_constant_columns_alone() -> None:
    means = np.array([0.0, 5.0, 5.0, 0.0, 1e-17])
    variances = np.array([4.0, 1e-24, 1e-4, 0.0, 1e-34])
    np.testing.assert_allclose(column_scales(means, variances), [2.0, 1.0, 0.01, 1.0, 1.0])


def test_a_variance_that_rounding_made_negative_is_constant() -> None:
    assert column_scales(np.array([1.0]), np.array([-1e-18])).tolist() == [1.0]


def test_a_scale_is_a_pair_that_can_be_taken_apart() -> None:
    mean, std = Scale.of(np.array([1.0, 3.0]))
    assert (mean, std) == (2.0, 1.0) == Scale(2.0, 1.0)
    assert as_scale(Scale(2.0, 0.5)) == as_scale([2, 0.5]) == Scale(2.0, 0.5)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("pair", "words"),
    [
        ((0.0, 0.0), "std above zero, got std 0"),
        (Scale(0.0, -2.0), "std above zero, got std -2"),
        ((0.0, float("inf")), "must be finite"),
        ((float("nan"), 1.0), "must be finite"),
        ((1.0,), "got 1 values"),
        ("ab", "must hold numbers"),
    ],
)
def test_what_cannot_standardise_is_refused(pair: tuple[float, float], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        as_scale(pair)


def test_why_zero_is_not_read_as_constant() -> None:
    """The deviation of a constant stretch is not zero by rule; its spread is what `Scale.of` looks at."""
    constant = np.full(7, 0.1)
    assert 0.0 < constant.std() < 1e-16
    assert Scale.of(constant) == Scale(0.1, 1.0)

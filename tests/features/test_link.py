"""The link: residuals in its units, ends mapped back within the bounds, plain sums where there is none."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ngrc.features.bounds import Bounds
from ngrc.features.box_cox import BoxCox
from ngrc.features.link import IDENTITY, Link
from ngrc.features.transforms import Identity, Log, Root, Transform

TRANSFORMS: tuple[Transform, ...] = (
    Identity(), Log(), Log(1.0), Root(), BoxCox(0.3), BoxCox(0.0), BoxCox(2.0), BoxCox(-0.7),
)  # fmt: skip
DOMAIN = {"none": -1e6, "root": -1e6, "log(x + 1)": -1.0 + 1e-12}
"""Where the values begin that a transform takes; just above zero for the others."""
BOUNDS = (Bounds(), Bounds(lower=0.5), Bounds(upper=60.0), Bounds(0.5, 60.0))
LEVELS = st.integers(1, 59).map(float)
OFFSETS = st.one_of(
    st.floats(-50.0, 50.0), st.just(0.0), st.just(-0.0), st.just(np.inf), st.just(-np.inf), st.floats(-1e-15, 1e-15)
)  # fmt: skip


@settings(deadline=None, max_examples=400)
@given(
    transform=st.sampled_from(TRANSFORMS), bounds=st.sampled_from(BOUNDS), level=LEVELS,
    pair=st.tuples(OFFSETS, OFFSETS),
)  # fmt: skip
def test_ends_are_ordered_within_the_bounds_and_never_nan(
    transform: Transform, bounds: Bounds, level: float, pair: tuple[float, float]
) -> None:
    forecast, (low, high) = np.array([level]), sorted(pair)
    assume(low < np.inf and high > -np.inf)
    lower, upper = Link(transform, bounds).ends(forecast, np.array([low]), np.array([high]))
    assert lower[0] <= upper[0]
    # On its own side of the forecast, and the forecast itself at an offset of zero, whatever the rounding.
    for end, offset in ((lower[0], low), (upper[0], high)):
        assert offset > 0 or end <= level
        assert offset < 0 or end >= level
        assert bounds.lower is None or end >= bounds.lower
        assert bounds.upper is None or end <= bounds.upper
    with np.errstate(over="ignore"):
        assert not np.isnan(upper - lower).any()


@pytest.mark.parametrize("transform", TRANSFORMS, ids=lambda transform: transform.name)
@pytest.mark.parametrize("bounds", BOUNDS, ids=str)
def test_ends_against_a_search_for_the_value_of_that_residual(transform: Transform, bounds: Bounds) -> None:
    """The twin inverts nothing: it halves the way to the largest value whose residual does not exceed the offset."""
    link, forecasts = Link(transform, bounds), np.random.default_rng(0).uniform(1.0, 50.0, 20)
    for offset in (-0.9, -0.3, 0.2, 1.1):
        low = np.full_like(forecasts, DOMAIN.get(transform.name, 1e-12))
        high = np.full_like(forecasts, 1e12)
        for _ in range(200):
            middle = 0.5 * (low + high)
            within = transform.forward(middle) - transform.forward(forecasts) <= offset
            low, high = np.where(within, middle, low), np.where(within, high, middle)
        expected = np.clip(low, bounds.lower, bounds.upper)
        # A power of two squeezes small values together at the beginning of its range; infinity is out of reach of
        # the search, which ends at 1e12.
        ends = np.minimum(link.moved(forecasts, offset), 1e12)
        np.testing.assert_allclose(ends, expected, rtol=1e-8, atol=1e-5)


@settings(deadline=None, max_examples=200)
@given(transform=st.sampled_from(TRANSFORMS), outcome=LEVELS, forecast=LEVELS)
def test_a_residual_as_offset_leads_back_to_the_outcome(
    transform: Transform, outcome: float, forecast: float
) -> None:
    link = Link(transform, Bounds(lower=0))
    residual = link.residuals(np.array([outcome]), np.array([forecast]))
    assert link.moved(np.array([forecast]), residual)[0] == pytest.approx(outcome, rel=1e-11)


@settings(deadline=None, max_examples=200)
@given(
    forecasts=st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=2),
    offsets=st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=2),
)
def test_without_link_ends_are_sums_and_residuals_differences(
    forecasts: list[float], offsets: list[float]
) -> None:
    f, e = np.array(forecasts), np.array(offsets)
    lower, upper = IDENTITY.ends(f, -e, e)
    np.testing.assert_array_equal(lower, f - e)
    np.testing.assert_array_equal(upper, f + e)
    np.testing.assert_array_equal(IDENTITY.residuals(e, f), e - f)
    assert np.array_equal(np.signbit(upper), np.signbit(f + e))


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        (IDENTITY, (-np.inf, np.inf)),
        (Link(bounds=Bounds(lower=0.0)), (0.0, np.inf)),
        (Link(Log()), (0.0, np.inf)),
        (Link(Log(2.0)), (-2.0, np.inf)),
        (Link(Log(), Bounds(1.0, 9.0)), (1.0, 9.0)),
        (Link(Root()), (-np.inf, np.inf)),
        (Link(BoxCox(-0.5)), (0.0, np.inf)),
        (Link(BoxCox(0.5)), (0.0, np.inf)),
    ],
)  # fmt: skip
def test_infinite_offsets_lead_to_the_bound_the_domain_or_infinity(
    link: Link, expected: tuple[float, float]
) -> None:
    lower, upper = link.ends(np.array([4.0]), -np.inf, np.inf)
    assert (lower[0], upper[0]) == expected


def test_two_ends_beyond_the_numbers_have_an_infinite_width() -> None:
    lower, upper = Link(BoxCox(-0.5)).ends(np.array([4.0]), 5.0, 6.0)
    assert np.isfinite(lower[0])
    assert upper[0] - lower[0] == np.inf


def test_numbers_are_taken_like_arrays() -> None:
    lower, upper = Link(Log(), Bounds(lower=0)).ends(10.0, -np.log(2.0), np.log(3.0))
    assert [float(lower), float(upper)] == pytest.approx([5.0, 30.0])
    assert [float(end) for end in IDENTITY.ends(10.0, -1.0, 2.0)] == [9.0, 12.0]


def test_a_forecast_that_does_not_exist_stays_away() -> None:
    link = Link(Log(), Bounds(lower=0))
    np.testing.assert_array_equal(
        np.isnan(link.residuals(np.array([1.0, 2.0]), np.array([np.nan, 2.0]))), [True, False]
    )
    assert np.isnan(link.forecasts(np.array([np.nan]))).all()


def test_forecasts_come_back_within_the_bounds_or_not_at_all() -> None:
    assert Link(Log(), Bounds(upper=50.0)).forecasts(np.array([0.0, 900.0])).tolist() == [1.0, 50.0]
    assert Link(BoxCox(0.5)).forecasts(np.array([-7.0])).tolist() == [0.0]
    assert Link(bounds=Bounds(lower=0.0)).forecasts(np.array([-7.0, 7.0])).tolist() == [0.0, 7.0]
    words = (
        r"2 of 3 forecasts are infinite after the inverse of boxcox\(-0.5\), the first at position 1; give"
    )
    with pytest.raises(ValueError, match=words):
        Link(BoxCox(-0.5)).forecasts(np.array([1.0, 2.5, 3.0]))
    with pytest.raises(ValueError, match=r"1 of 1 forecasts are infinite after the inverse of log"):
        Link(Log()).forecasts(np.array([710.0]))
    with pytest.raises(ValueError, match=r"1 of 1 forecasts are infinite, the first at position 0; give"):
        IDENTITY.forecasts(np.array([-np.inf]))


def test_outcomes_that_contradict_the_link_are_one_line() -> None:
    forecasts = np.ones(3)
    with pytest.raises(
        ValueError, match=r"lower=0, but 1 of the 3 values of the series is below it, the smallest -1"
    ):
        Link(bounds=Bounds(lower=0)).residuals(np.array([1.0, -1.0, 2.0]), forecasts)
    with pytest.raises(ValueError, match=r"transform 'log' needs values above 0, got 1 of 3"):
        Link(Log()).residuals(np.array([1.0, 0.0, 2.0]), forecasts)


def test_what_a_link_says_of_itself() -> None:
    assert IDENTITY.identity
    assert IDENTITY.linear
    assert IDENTITY.remark == ""
    bounded = Link(bounds=Bounds(lower=0))
    assert (bounded.identity, bounded.linear, bounded.remark) == (False, True, "")
    logged = Link(Log())
    assert (logged.identity, logged.linear) == (False, False)
    assert logged.remark.startswith("the model works on the log of the series")

"""Transforms: there and back, increasing, never NaN, and one line for what they cannot take."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special, stats

from ngrc.features.box_cox import HIGHEST, LOWEST, NO_POWER, BoxCox, likeliest_power
from ngrc.features.transforms import Identity, Log, Root, Transform, fit_transform_of

# Steps of a thousandth: far enough apart for every transform here to keep them apart.
POSITIVE = st.lists(st.integers(1, 10**6), min_size=1, max_size=20).map(
    lambda whole: np.array(whole) / 1000.0
)
SIGNED = st.lists(st.integers(-(10**6), 10**6), min_size=1, max_size=20).map(
    lambda whole: np.array(whole) / 1000.0
)
POWERS = st.one_of(st.just(0.0), st.just(1e-25), st.just(1e-310), st.just(-1e-9), st.floats(LOWEST, HIGHEST))
ALL: tuple[Transform, ...] = (
    Identity(), Log(), Log(1.0), Root(), BoxCox(0.0), BoxCox(0.3), BoxCox(2.0), BoxCox(-0.4), BoxCox(-1.0),
)  # fmt: skip


@settings(deadline=None, max_examples=100)
@given(values=SIGNED)
def test_root_there_and_back(values: np.ndarray) -> None:
    root = Root()
    np.testing.assert_allclose(root.inverse(root.forward(values)), values, rtol=1e-15)
    np.testing.assert_array_equal(root.forward(-values), -root.forward(values))


@settings(deadline=None, max_examples=100)
@given(values=POSITIVE, shift=st.sampled_from([0.0, 1.0, 7.5]))
def test_log_there_and_back(values: np.ndarray, shift: float) -> None:
    log = Log(shift)
    np.testing.assert_allclose(log.forward(values), np.log(values + shift), rtol=1e-15)
    np.testing.assert_allclose(log.inverse(log.forward(values)), values, rtol=1e-14, atol=1e-14 * shift)


@settings(deadline=None, max_examples=300)
@given(values=POSITIVE, power=POWERS)
def test_box_cox_there_and_back_and_as_scipy_has_it(values: np.ndarray, power: float) -> None:
    transform = BoxCox(power)
    forward = transform.forward(values)
    np.testing.assert_allclose(forward, special.boxcox(values, power), rtol=1e-12, atol=1e-14)
    # A thousandth squared is 1e-6 beside the one half where the range of lambda 2 begins, which costs six digits.
    np.testing.assert_allclose(transform.inverse(forward), values, rtol=1e-8)
    # The inverse of scipy loses lambda z to underflow where lambda is as good as none.
    theirs = special.inv_boxcox(forward, power if abs(power) >= NO_POWER else 0.0)
    np.testing.assert_allclose(transform.inverse(forward), theirs, rtol=1e-12)


@pytest.mark.parametrize("transform", ALL, ids=lambda transform: transform.name)
def test_every_transform_increases(transform: Transform) -> None:
    values = np.geomspace(1e-3, 1e3, 400)
    assert (np.diff(transform.forward(values)) > 0).all()
    everywhere = np.concatenate(([-np.inf], np.linspace(-800.0, 800.0, 3201), [np.inf]))
    back = transform.inverse(everywhere)
    assert not np.isnan(back).any()
    assert (np.diff(back[np.isfinite(back)]) >= 0).all()
    # Infinite on the two outer stretches alone.
    finite = np.flatnonzero(np.isfinite(back))
    assert np.isfinite(back[finite[0] : finite[-1] + 1]).all()


@pytest.mark.parametrize("transform", ALL, ids=lambda transform: transform.name)
def test_nan_stays_nan_and_shapes_stay(transform: Transform) -> None:
    values = np.array([[1.0, np.nan], [2.0, 3.0]])
    for result in (transform.forward(values), transform.inverse(values * 0.1)):
        np.testing.assert_array_equal(np.isnan(result), np.isnan(values))
        assert result.shape == values.shape


@pytest.mark.parametrize(
    ("transform", "low", "high"),
    [
        (Identity(), -np.inf, np.inf),
        (Root(), -np.inf, np.inf),
        (Log(), 0.0, np.inf),
        (Log(2.5), -2.5, np.inf),
        (BoxCox(0.0), 0.0, np.inf),
        (BoxCox(0.4), 0.0, np.inf),
        (BoxCox(-0.4), 0.0, np.inf),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_beyond_the_range_the_inverse_gives_the_end_of_the_domain(
    transform: Transform, low: float, high: float
) -> None:
    assert transform.inverse(np.array([-np.inf, np.inf])).tolist() == [low, high]


def test_beyond_the_range_of_box_cox() -> None:
    assert BoxCox(0.5).inverse(np.array([-2.0, -2.1, -900.0])).tolist() == [0.0, 0.0, 0.0]
    assert BoxCox(-0.5).inverse(np.array([2.0, 2.1, 900.0])).tolist() == [np.inf] * 3
    assert np.isfinite(BoxCox(-0.5).inverse(np.array([1.999])))


def test_zero_is_in_the_domain_of_a_power_above_zero() -> None:
    assert BoxCox(0.5).forward(np.array([0.0])).tolist() == [-2.0]
    assert BoxCox(0.5).inverse(np.array([-2.0])).tolist() == [0.0]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("law", ["gamma", "lognormal", "squares"])
def test_lambda_is_the_one_of_scipy(law: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    values = {
        "gamma": rng.gamma(2.0, 50.0, 400),
        "lognormal": np.exp(rng.normal(3.0, 0.5, 400)),
        "squares": rng.normal(10.0, 1.0, 400) ** 2,
    }[law]
    found = likeliest_power(values)
    expected = float(stats.boxcox(values)[1])
    # Of a lognormal sample the likeliest power lies on either side of zero, the end of our range.
    expected = float(np.clip(expected, LOWEST, HIGHEST))
    # Brent's method of scipy stops at a relative 1.5e-8 of lambda, and the likelihood is flat at its top.
    assert found == pytest.approx(expected, abs=1e-6)
    assert stats.boxcox_llf(found, values) >= stats.boxcox_llf(expected, values) - 1e-9
    # The unit of the series decides nothing.
    assert likeliest_power(values * 1e6) == pytest.approx(found, abs=1e-6)


def test_lambda_keeps_to_its_range() -> None:
    rng = np.random.default_rng(0)
    assert likeliest_power(rng.beta(9.0, 1.0, 500)) == HIGHEST
    assert likeliest_power(1.0 / rng.beta(9.0, 1.0, 500) ** 3) == LOWEST
    # Values six hundred orders of magnitude apart overflow at most powers, and still have one.
    assert abs(likeliest_power(10.0 ** rng.uniform(-300, 300, 200))) < 0.1


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        (None, Identity()),
        ("log", Log()),
        ("root", Root()),
        (("log", 2), Log(2.0)),
        (["boxcox", 0.3], BoxCox(0.3)),
        (("boxcox", np.float64(-0.5)), BoxCox(-0.5)),
        (("log", None), Log()),
    ],
)
def test_specifications(spec: Any, expected: Transform) -> None:
    assert fit_transform_of(spec, np.array([1.0, 2.0, 5.0])) == expected


def test_a_fitted_lambda_is_that_of_the_values() -> None:
    values = np.random.default_rng(1).gamma(3.0, size=300)
    assert fit_transform_of("boxcox", values) == BoxCox(likeliest_power(values))


@pytest.mark.parametrize(
    ("spec", "values", "words"),
    [
        ("sqrt", [1.0], r"transform must be None, 'log', 'root', 'boxcox' or 'asinh', .* got 'sqrt'"),
        (0.3, [1.0], r"transform must be .* got 0.3"),
        (("boxcox", 0.3, 1), [1.0], r"transform must be .* got \('boxcox', 0.3, 1\)"),
        (("power", 0.3), [1.0], r"transform must be"),
        (("boxcox", np.nan), [1.0], r"the lambda of transform 'boxcox' must be a finite number, got nan"),
        (("boxcox", True), [1.0], r"the lambda of .* got True"),
        (("log", "1"), [1.0], r"the shift of transform 'log' must be a finite number, got '1'"),
        (("root", 3.0), [1.0], r"'root' takes no number"),
        ("log", [3.0, 0.0, 1.0, -2.0], r"'log' needs values above 0, got 2 of 4 that are not, the first 0 at pos"),
        (("log", 1), [3.0, -1.0], r"'log\(x \+ 1\)' needs values above -1, got 1 of 2 that is not, the first -1"),
        (("log", -2), [1.0], r"'log\(x - 2\)' needs values above 2"),
        ("boxcox", [3.0, 1.0, -2.0], r"'boxcox' needs values above 0 to choose its lambda, got 1 of 3 that is not.*-2"),
        (("boxcox", -0.5), [3.0, 0.0], r"'boxcox\(-0.5\)' needs values above 0, got 1 of 2"),
        (("boxcox", 0.5), [3.0, -0.1], r"'boxcox\(0.5\)' needs values of at least 0, got 1 of 2"),
        (("boxcox", 2.0), [1.0, 1e200], r"whose power does not overflow, got 1 of 2 that is not, the first 1e\+200"),
        ("boxcox", [4.0, 4.0, 4.0], r"cannot choose a lambda for a constant series of 4; give one"),
    ],
)  # fmt: skip
def test_what_cannot_be_taken_is_one_line(spec: Any, values: list[float], words: str) -> None:
    with pytest.raises(ValueError, match=words) as error:
        fit_transform_of(spec, np.array(values))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("spec", ["log", "root", ("boxcox", 0.5), ("log", 1), None])
def test_a_constant_series_needs_no_fitted_number(spec: Any) -> None:
    values = np.full(5, 4.0)
    transform = fit_transform_of(spec, values)
    np.testing.assert_allclose(transform.inverse(transform.forward(values)), values, rtol=1e-15)

"""Quantiles and tails of the kernels against mpmath, with forty digits, and against SciPy."""

import mpmath  # type: ignore[import-untyped]
import numpy as np
import pytest
from scipy import special

from ngrc._kernels.distributions import normal_quantiles, student_quantiles, student_upper_tail
from ngrc._normal import gaussian_probabilities, gaussian_quantiles

FREEDOMS = [0.5, 0.7, 1.0, 1.3, 2.0, 2.5, 3.0, 7.0, 11.4, 30.0, 57.3, 300.0, 4999.0, 5001.0, 1e4, 1e6]
TAILS = [0.4999, 0.45, 0.3, 0.2, 0.1, 0.04, 0.025, 0.005, 1e-4, 1e-6, 1e-9, 1e-12]


def exact_tail(t: float, freedom: float) -> mpmath.mpf:
    """P(T > t) of t >= 0 to forty digits, by the incomplete beta function."""
    with mpmath.workdps(40):
        nu, square = mpmath.mpf(freedom), mpmath.mpf(t) ** 2
        return mpmath.betainc(nu / 2, mpmath.mpf(1) / 2, 0, nu / (nu + square), regularized=True) / 2


def exact_density(t: float, freedom: float) -> mpmath.mpf:
    with mpmath.workdps(40):
        nu, square = mpmath.mpf(freedom), mpmath.mpf(t) ** 2
        height = mpmath.exp(mpmath.loggamma((nu + 1) / 2) - mpmath.loggamma(nu / 2)) / mpmath.sqrt(
            nu * mpmath.pi
        )
        return height * (1 + square / nu) ** (-(nu + 1) / 2)


@pytest.mark.parametrize("tail", TAILS)
@pytest.mark.parametrize("freedom", FREEDOMS)
def test_a_student_quantile_has_thirteen_digits(freedom: float, tail: float) -> None:
    (t,) = -student_quantiles(np.array([freedom]), tail)
    # One step of Newton's method with forty digits is the distance to the quantile.
    with mpmath.workdps(40):
        error = (exact_tail(t, freedom) - mpmath.mpf(tail)) / exact_density(t, freedom) / mpmath.mpf(t)
    assert abs(error) < 1e-13
    assert student_upper_tail(freedom, float(t)) == pytest.approx(float(exact_tail(t, freedom)), rel=1e-12)


@pytest.mark.parametrize("freedom", [0.05, 1.0, 2.0, 4.4, 80.0, 1e5])
def test_student_is_symmetric_and_ends_at_infinity(freedom: float) -> None:
    one = np.array([freedom])
    assert student_quantiles(one, 0.25) == -student_quantiles(one, 0.75)
    assert student_quantiles(one, 0.5) == 0.0
    assert student_quantiles(one, 0.0) == -np.inf
    assert student_quantiles(one, 1.0) == np.inf
    assert student_upper_tail(freedom, -2.0) == pytest.approx(
        1.0 - student_upper_tail(freedom, 2.0), rel=1e-15
    )
    assert student_upper_tail(freedom, 0.0) == 0.5
    assert (student_upper_tail(freedom, np.inf), student_upper_tail(freedom, -np.inf)) == (0.0, 1.0)


def test_student_closed_forms() -> None:
    """Of one degree of freedom Cauchy's law, of two t = 2 (p - 1/2) sqrt(2 / (4 p (1 - p)))."""
    for p in (1e-10, 0.01, 0.2, 0.4, 0.9):
        cauchy, two = (float(student_quantiles(np.array([freedom]), p)[0]) for freedom in (1.0, 2.0))
        assert cauchy == pytest.approx(-1.0 / np.tan(np.pi * p), rel=1e-13)
        assert two == pytest.approx(2.0 * (p - 0.5) * np.sqrt(2.0 / (4.0 * p * (1.0 - p))), rel=1e-13)


def test_few_degrees_of_freedom_reach_very_far() -> None:
    ours = student_quantiles(np.array([0.05, 0.05, 0.01]), 1e-12)
    tails = [student_upper_tail(0.05, -float(t)) for t in ours[:2]]
    assert tails == pytest.approx([1e-12, 1e-12], rel=1e-12)
    assert ours[2] == -np.inf


@pytest.mark.parametrize("bad", [0.0, -1.0, np.nan])
def test_no_law_has_no_quantile(bad: float) -> None:
    assert np.isnan(student_quantiles(np.array([bad]), 0.1)).all()
    assert np.isnan(student_upper_tail(bad, 1.0))
    assert np.isnan(student_upper_tail(3.0, np.nan))
    assert np.isnan(student_quantiles(np.array([3.0]), bad - 1.0)).all()
    assert np.isnan(normal_quantiles(np.array([bad - 1.0]))).all()


def test_student_is_that_of_scipy() -> None:
    freedoms = np.concatenate([np.arange(1.0, 200.0), np.geomspace(200.0, 1e6, 50)])
    for p in (0.4, 0.1, 0.025, 1e-5):
        np.testing.assert_allclose(student_quantiles(freedoms, p), special.stdtrit(freedoms, p), rtol=1e-9)


@pytest.mark.parametrize(
    "p", [1e-300, 1e-50, 1e-12, 1e-3, 0.074, 0.076, 0.3, 0.499999, 0.6, 0.95, 1.0 - 1e-12]
)
def test_a_normal_quantile_has_fifteen_digits(p: float) -> None:
    z = float(normal_quantiles(np.array([p]))[0])
    with mpmath.workdps(40):
        density = mpmath.exp(-(mpmath.mpf(z) ** 2) / 2) / mpmath.sqrt(2 * mpmath.pi)
        error = (mpmath.erfc(-mpmath.mpf(z) / mpmath.sqrt(2)) / 2 - mpmath.mpf(p)) / density / mpmath.mpf(z)
    assert abs(error) < 2e-15


def test_normal_arrays_keep_their_shape_and_agree_with_scipy() -> None:
    ranks = np.random.default_rng(0).random((30, 4))
    np.testing.assert_allclose(gaussian_quantiles(ranks), special.ndtri(ranks), rtol=1e-13)
    assert gaussian_quantiles(np.array([0.0, 0.5, 1.0])).tolist() == [-np.inf, 0.0, np.inf]
    values = np.linspace(-30.0, 9.0, 200)
    np.testing.assert_allclose(gaussian_probabilities(values), special.ndtr(values), rtol=1e-13)

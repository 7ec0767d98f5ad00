from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

from ngrc.theory import (
    CentredExponential,
    Empirical,
    Gaussian,
    Laplace,
    ResidualLaw,
    StudentT,
    residual_law,
)

LAWS: list[tuple[ResidualLaw, Any]] = [
    (Gaussian(1.7), stats.norm(scale=1.7)),
    (Laplace(0.4), stats.laplace(scale=0.4 / np.sqrt(2))),
    (StudentT(5.0, 2.0), stats.t(5, scale=2.0 * np.sqrt(3 / 5))),
    (StudentT(2.5, 1.0), stats.t(2.5, scale=np.sqrt(0.2))),
    (CentredExponential(1.3), stats.expon(loc=-1.3, scale=1.3)),
]
IDS = [repr(law) for law, _ in LAWS]


@pytest.mark.parametrize(("law", "twin"), LAWS, ids=IDS)
@pytest.mark.parametrize("value", [0.0, 0.05, 0.7, 1.29, 1.31, 2.5, 6.0])
def test_absolute_cdf_is_the_mass_between_minus_and_plus(law: ResidualLaw, twin: Any, value: float) -> None:
    assert law.absolute_cdf(value) == pytest.approx(twin.cdf(value) - twin.cdf(-value), rel=1e-12, abs=1e-14)


@pytest.mark.parametrize(("law", "twin"), LAWS, ids=IDS)
def test_rms_is_the_root_of_the_second_moment(law: ResidualLaw, twin: Any) -> None:
    assert law.rms**2 == pytest.approx(twin.var(), rel=1e-12)
    assert abs(twin.mean()) < 1e-12
    if not isinstance(law, StudentT) or law.df > 4:
        second = integrate.quad(lambda x: x * x * twin.pdf(x), -np.inf, np.inf, limit=400)[0]
        assert second == pytest.approx(law.rms**2, rel=1e-4)


@pytest.mark.parametrize(("law", "twin"), LAWS, ids=IDS)
@given(level=st.floats(0.001, 0.9999))
@settings(deadline=None, max_examples=40)
def test_quantile_inverts_cdf(law: ResidualLaw, twin: Any, level: float) -> None:
    assert law.absolute_cdf(law.absolute_quantile(level)) == pytest.approx(level, rel=1e-10)


@pytest.mark.parametrize(("law", "twin"), LAWS, ids=IDS)
def test_draws_follow_the_law(law: ResidualLaw, twin: Any) -> None:
    draws = law.sample(4000, rng=np.random.default_rng(5))
    # 1.95/sqrt(n) is exceeded with probability 0.001 under the law
    assert stats.kstest(draws, twin.cdf).statistic < 1.95 / np.sqrt(4000)
    assert law.sample((3, 2), rng=np.random.default_rng(0)).shape == (3, 2)


def test_exponential_quantile_is_continuous_where_the_lower_tail_ends() -> None:
    law, edge = CentredExponential(), 1 - np.exp(-2)
    assert law.absolute_quantile(edge - 1e-12) == pytest.approx(1.0, abs=1e-10)
    assert law.absolute_quantile(edge + 1e-12) == pytest.approx(1.0, abs=1e-10)


@given(values=st.lists(st.floats(-50, 50), min_size=1, max_size=60), level=st.floats(0.01, 0.99))
@settings(deadline=None, max_examples=60)
def test_sample_quantile_is_the_smallest_value_that_reaches_the_level(
    values: list[float], level: float
) -> None:
    if not any(values):
        values = [*values, 1.0]
    law = Empirical(np.array(values))
    found = law.absolute_quantile(level)
    sizes = np.sort(np.abs(values))
    assert law.absolute_cdf(found) >= level - 1e-9
    below = sizes[sizes < found]
    assert below.size == 0 or law.absolute_cdf(float(below[-1])) < level


def test_sample_quantile_is_not_moved_by_rounding_of_the_rank() -> None:
    # 0.55 * 100 rounds to just above 55
    assert Empirical(np.arange(1.0, 101.0)).absolute_quantile(0.55) == 55.0


def test_sample_law_counts_bias_and_resamples_itself() -> None:
    law = Empirical(np.array([3.0, 4.0, 5.0]))
    assert law.rms == pytest.approx(np.sqrt(50 / 3))
    assert set(law.sample(50, rng=np.random.default_rng(1))) == {3.0, 4.0, 5.0}


@pytest.mark.parametrize(
    ("name", "law"),
    [
        ("gaussian", Gaussian()),
        (" Laplace", Laplace()),
        ("exponential", CentredExponential()),
        ("t5", StudentT(5.0)),
        ("t2.5", StudentT(2.5)),
    ],
)
def test_names(name: str, law: ResidualLaw) -> None:
    assert residual_law(name) == law
    assert residual_law(law) is law


@pytest.mark.parametrize("bad", ["t2", "t", "tnan", "cauchy", ""])
def test_unknown_names_are_refused(bad: str) -> None:
    with pytest.raises(ValueError, match="unknown residual law"):
        residual_law(bad)


def test_bad_laws_are_refused() -> None:
    with pytest.raises(ValueError, match="above 2"):
        StudentT(2.0)
    with pytest.raises(ValueError, match="rms must be"):
        Gaussian(0.0)
    with pytest.raises(ValueError, match="other than zero"):
        Empirical(np.zeros(3))
    with pytest.raises(ValueError, match="finite"):
        Empirical(np.array([1.0, np.nan]))
    with pytest.raises(ValueError, match="at least zero"):
        Laplace().absolute_cdf(-1.0)

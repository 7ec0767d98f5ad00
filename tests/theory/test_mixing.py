from math import pi

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

from ngrc.theory import (
    beta_mixing_ar1,
    beta_mixing_ar1_asymptotic,
    exponential_separation,
    required_separation,
    sample_cost,
    transfer_bound,
)
from tests.theory.twins import total_variation


@pytest.mark.parametrize("correlation", [0.02, 0.1, 0.5, 0.8, 0.95, 0.995])
def test_beta_is_the_mean_distance_of_transition_and_stationary_law(correlation: float) -> None:
    def distance(x: float) -> float:
        return total_variation(correlation * x, 1 - correlation**2) * float(stats.norm.pdf(x))

    mean = 2 * integrate.quad(distance, 0.0, 9.0, epsrel=1e-9, limit=200)[0]
    assert beta_mixing_ar1(correlation, 1) == pytest.approx(mean, rel=1e-7)


def test_beta_is_half_the_mean_gap_of_the_density_ratio() -> None:
    r, draws = 0.64, 400_000
    x, y = np.random.default_rng(0).standard_normal((2, draws))
    ratio = np.exp((2 * r * x * y - r**2 * (x**2 + y**2)) / (2 * (1 - r**2))) / np.sqrt(1 - r**2)
    gaps = np.abs(ratio - 1) / 2
    assert beta_mixing_ar1(0.8, 2) == pytest.approx(gaps.mean(), abs=4 * gaps.std() / np.sqrt(draws))


@pytest.mark.parametrize(
    ("lag", "value", "digits"),
    [(1, 0.38556, 5e-6), (10, 0.03447, 5e-6), (20, 3.6704e-3, 5e-8), (45, 1.3864e-5, 5e-10)],
)
def test_reference_values(lag: int, value: float, digits: float) -> None:
    assert beta_mixing_ar1(0.8, lag) == pytest.approx(value, abs=digits)


def test_paper_prints_beta_45() -> None:
    assert f"{beta_mixing_ar1(0.8, 45):.2e}" == "1.39e-05"


@given(rho=st.floats(0.05, 0.999), lag=st.integers(1, 200))
@settings(deadline=None, max_examples=80)
def test_beta_is_a_decreasing_probability_with_its_asymptotic_form(rho: float, lag: int) -> None:
    found = beta_mixing_ar1(rho, lag)
    assert 0.0 < found < 1.0
    assert beta_mixing_ar1(-rho, lag) == found
    assert beta_mixing_ar1(rho, lag + 1) < found
    correlation = rho**lag
    limit = beta_mixing_ar1_asymptotic(rho, lag)
    assert limit == pytest.approx(correlation / pi)
    if correlation < 0.05:
        assert found == pytest.approx(limit, rel=3 * correlation**2 * (1 - np.log(correlation)) + 1e-11)


def test_beta_is_smooth_across_the_asymptotic_switch() -> None:
    low, high = beta_mixing_ar1(0.999e-9, 1), beta_mixing_ar1(1.001e-9, 1)
    assert high / low == pytest.approx(1.001 / 0.999, rel=1e-11)


def test_ends_of_the_range() -> None:
    assert beta_mixing_ar1(0.0, 1) == 0.0
    assert beta_mixing_ar1(0.5, 5000) == 0.0
    near_one = [beta_mixing_ar1(1 - 10.0**-power, 1) for power in (2, 4, 8, 15)]
    assert np.all(np.diff(near_one) > 0)
    assert near_one[-1] == pytest.approx(1.0, abs=1e-6)


def test_printed_corrections_of_the_transfer_experiment() -> None:
    """The prints .0117 and .0617 carry beta(45) rounded to 1.39e-5; unrounded they are .01163 and .06165."""
    beta = beta_mixing_ar1(0.8, 45)
    width, coverage = transfer_bound(840, beta), transfer_bound(841, beta, 0.05)
    assert width.correction == pytest.approx(839 * beta)
    assert width.correction == pytest.approx(0.0117, abs=1e-4)
    assert coverage.failure == pytest.approx(0.0617, abs=1e-4)
    assert round(transfer_bound(840, 1.39e-5).correction, 4) == 0.0117
    assert round(transfer_bound(841, 1.39e-5, 0.05).failure, 4) == 0.0617


@pytest.mark.parametrize("windows", [840, 841])
def test_printed_separation_below_which_the_bound_is_vacuous(windows: int) -> None:
    found = required_separation(0.8, windows, error=1.0, reach=19)
    assert (found.lag, found.origins) == (26, 45)
    assert not transfer_bound(windows, beta_mixing_ar1(0.8, 26)).vacuous
    assert transfer_bound(windows, beta_mixing_ar1(0.8, 25)).vacuous


@given(
    rho=st.floats(-0.98, 0.98),
    windows=st.integers(2, 10**6),
    error=st.floats(1e-8, 0.9),
    reach=st.integers(0, 50),
)
@settings(deadline=None, max_examples=40)
def test_required_separation_is_the_smallest(rho: float, windows: int, error: float, reach: int) -> None:
    found = required_separation(rho, windows, error, reach)
    assert found.origins == found.lag + reach
    assert found.correction == (windows - 1) * beta_mixing_ar1(rho, found.lag) <= error
    if found.lag > 1:
        assert (windows - 1) * beta_mixing_ar1(rho, found.lag - 1) > error


def test_transfer_bound_is_cut_at_one() -> None:
    found = transfer_bound(101, 0.02, 0.1)
    assert (found.correction, found.failure, found.vacuous) == (2.0, 1.0, True)
    assert transfer_bound(1, 0.5).correction == 0.0
    # a total failure above one is cut even where the correction alone says something
    assert transfer_bound(91, 0.01, 0.2).failure == 1.0
    assert not transfer_bound(91, 0.01, 0.2).vacuous


@given(
    constant=st.floats(0.1, 10),
    rate=st.floats(0.05, 3),
    windows=st.integers(2, 10_000),
    error=st.floats(1e-6, 0.5),
)
@settings(deadline=None, max_examples=40)
def test_exponential_separation(constant: float, rate: float, windows: int, error: float) -> None:
    lag = exponential_separation(constant, rate, windows, error)
    assert (windows - 1) * constant * np.exp(-rate * lag) <= error * (1 + 1e-9)
    assert lag == 1 or (windows - 1) * constant * np.exp(-rate * (lag - 1)) > error * (1 - 1e-9)


@given(windows=st.integers(1, 40), span=st.integers(0, 10), horizon=st.integers(0, 5), lag=st.integers(1, 9))
@settings(deadline=None, max_examples=40)
def test_sample_cost_counts_the_observations(windows: int, span: int, horizon: int, lag: int) -> None:
    origins = span + np.arange(windows) * (span + horizon + lag)
    first, last = origins - span, origins + horizon
    assert np.all(first[1:] - last[:-1] == lag)
    assert sample_cost(windows, span + horizon, lag) == last[-1] - first[0] + 1


def test_sample_cost_of_a_proportional_quadratic_map_grows_as_n_to_three_halves() -> None:
    sizes = np.array([10**4, 10**6, 10**8])
    # p = k(k+3)/2 = n/2 delays k ~ sqrt(n), spacing one, horizon one
    costs = [sample_cost(int(n), reach=int(np.sqrt(n)), lag=1) for n in sizes]
    slopes = np.diff(np.log(costs)) / np.diff(np.log(sizes))
    np.testing.assert_allclose(slopes, 1.5, atol=0.01)


def test_bad_input_is_refused() -> None:
    for rho in (1.0, -1.0, np.nan, True, "0.8"):
        with pytest.raises(ValueError, match="rho"):
            beta_mixing_ar1(rho, 1)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="lag"):
        beta_mixing_ar1(0.5, 0)
    with pytest.raises(ValueError, match="probabilities"):
        transfer_bound(10, 1.5)
    with pytest.raises(ValueError, match="probabilities"):
        transfer_bound(10, 0.5, 1.5)
    with pytest.raises(ValueError, match="windows"):
        required_separation(0.5, 1, 0.1, 0)
    with pytest.raises(ValueError, match="error"):
        exponential_separation(1.0, 1.0, 5, 0.0)
    with pytest.raises(ValueError, match="reach"):
        sample_cost(5, -1, 1)

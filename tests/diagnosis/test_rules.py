"""Every threshold of the table from both sides, on facts made by hand and free of sampling error."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from ngrc import NGRC
from ngrc.backtesting.diagnostics import Diagnostics
from ngrc.diagnosis import advise, diagnose
from ngrc.diagnosis.advice import DEPARTURES, OTHERWISE, RULES, Facts
from ngrc.diagnosis.entry import _expected_scale
from ngrc.diagnosis.shape import ResidualShape

SHAPE = ResidualShape(10**6, 1e6, 0.0, 0.0, 1e-6, 0.0, 0.0, 1.0, 1e-6, 1e-6)
PLAIN = Diagnostics(0.01, 0.01, 1.0, 1.0, 1.0, 1.96, 1.0, 1.0, 1.0)
FACTS = Facts(0.95, 10**6, PLAIN, SHAPE, 1.0, None, 0.95)


def with_shape(**changes: Any) -> Facts:
    return replace(FACTS, shape=replace(SHAPE, **changes))


def with_blocks(**changes: float) -> Facts:
    return replace(FACTS, diagnostics=replace(PLAIN, **changes))


CASES = {
    "clustered scale": (with_shape(clustering=0.149), with_shape(clustering=0.151), "adaptive"),
    "drifting scale": (with_shape(drift=1.32), with_shape(drift=1.33), "adaptive"),
    "skew": (with_shape(skew=-0.149), with_shape(skew=-0.151), "asymmetric"),
    "heavy tails": (with_shape(excess_kurtosis=0.99), with_shape(excess_kurtosis=1.01), "split"),
    "other shape": (with_blocks(shape=0.951), with_blocks(shape=0.949), "split"),
    "changed scale": (with_blocks(scale=1.149), with_blocks(scale=1.151), "adaptive"),
    "high dimension": (
        with_blocks(p_over_n=0.099, d_eff_over_n=0.06),
        with_blocks(p_over_n=0.101, d_eff_over_n=0.06),
        "split",
    ),
    "unsettled": (with_blocks(rho_q=1.149), with_blocks(rho_q=1.151), "adaptive"),
    "no errors": (FACTS, with_blocks(tau_cal=0.0), "split"),
    "too little calibration": (replace(FACTS, usable=19), replace(FACTS, usable=18), "student"),
}


@pytest.mark.parametrize("rule", CASES)
def test_each_rule_holds_on_one_side_of_its_threshold(rule: str) -> None:
    below, above, method = CASES[rule]
    assert rule not in advise(below).rules
    assert rule in advise(above).rules
    assert advise(above).method == method


def test_few_independent_residuals_are_those_that_a_forecast_calls_few() -> None:
    few, enough = (with_shape(independent=count) for count in (29.9, 30.0))
    assert advise(few).rules[0] == "too little calibration"
    assert "too little calibration" not in advise(enough).rules


def test_what_remains_speaks_only_where_no_departure_does() -> None:
    assert (*DEPARTURES, *OTHERWISE) == RULES
    unsettled = with_blocks(rho_q=1.3)
    assert advise(unsettled).rules == ("unsettled",)
    assert advise(FACTS).rules == ("Gaussian and steady",)
    departs = replace(unsettled, shape=replace(SHAPE, skew=0.3, excess_kurtosis=5.0))
    assert advise(departs).rules == ("skew", "heavy tails")
    assert advise(departs).method == "asymmetric"
    assert all(OTHERWISE[-1].holds(facts) for facts in (FACTS, unsettled, departs))


def test_the_error_of_a_changed_scale_has_twice_the_variance_of_one_block() -> None:
    """Two blocks of eight stretches: three errors are 3 sqrt(2 / 8) = 1.5 errors of one stretch."""
    noisy = replace(SHAPE, drift_error=0.2)
    below, above = (replace(with_blocks(scale=np.exp(factor * 0.2)), shape=noisy) for factor in (1.49, 1.51))
    assert "changed scale" not in advise(below).rules
    assert "changed scale" in advise(above).rules


def test_many_features_that_are_shrunk_away_are_not_high_dimension() -> None:
    assert "high dimension" not in advise(with_blocks(p_over_n=0.5, d_eff_over_n=0.049)).rules


@pytest.mark.parametrize("change", ["clustering", "skew", "excess_kurtosis"])
def test_a_finding_within_three_errors_is_no_finding(change: str) -> None:
    found: dict[str, Any] = {change: 1.4}
    noisy = replace(SHAPE, independent=30.0, skew_error=0.5, correlation_error=0.5, **found)
    assert advise(replace(FACTS, shape=noisy)).rules == ("Gaussian and steady",)


def test_asymmetric_is_not_advised_where_it_would_be_infinite() -> None:
    skewed = replace(with_shape(skew=0.4), usable=38)
    assert "skew" not in advise(skewed).rules
    assert "skew" in advise(replace(skewed, usable=39)).rules


def test_overfitting_explains_its_share_of_a_larger_scale() -> None:
    shown = replace(PLAIN, d_eff_over_n=0.25)
    assert _expected_scale(shown) == pytest.approx(np.sqrt(1.25 / 0.75))
    facts = replace(FACTS, diagnostics=replace(shown, scale=1.29), expected_scale=_expected_scale(shown))
    assert "changed scale" not in advise(facts).rules


def test_overlapping_errors_of_many_steps_are_not_taken_for_storms() -> None:
    rng, advised = np.random.default_rng(0), []
    for _ in range(6):
        y = np.zeros(3000)
        for t in range(1, 3000):
            y[t] = 0.95 * y[t - 1] + rng.normal()
        advised.append(diagnose(y, NGRC(lags=3, degree=1), horizon=7).advice.by_rules)
    assert advised.count("bayes") >= 5


def test_the_noise_is_the_consistent_estimate_and_not_the_raw_one() -> None:
    rng = np.random.default_rng(1)
    y = rng.normal(size=700)
    found = diagnose(y, NGRC(lags=60, degree=1, ridge=0.01))
    assert found.dimension is not None
    noise, raw = (value * found.run.scale[1] for value in (found.dimension.noise, found.dimension.raw_noise))
    # 258 rows, 60 columns: the raw scale of pure noise is sqrt(1 - 60/258) = 0.88 of it.
    assert abs(noise - 1.0) < 3 / np.sqrt(2 * 258)
    assert raw < 0.95
    assert "holds" in found.advice.reasons[0]

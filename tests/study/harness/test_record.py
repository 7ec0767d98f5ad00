"""Verdicts: what counts as equal, near or different, and how wide the tolerance is."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ngrc.study.harness.estimate import Estimate, estimate, standard_error
from ngrc.study.harness.printed import formula, printed
from ngrc.study.harness.record import (
    VERDICTS,
    Cell,
    count,
    errors_allowed,
    exact,
    incomparable,
    monte_carlo,
    rows,
    seeded,
    tally,
)

CELL = Cell("phase", "tab:x", "row, column")
KEYS = ["target", "table", "cell", "ours", "paper", "tolerance", "kind", "verdict", "reason"]


@pytest.mark.parametrize(
    ("ours", "paper", "verdict"),
    [
        (0.9504, "0.950", "match"),
        (0.9512, "0.950", "match"),
        (0.9488, "0.950", "match"),
        (0.95151, "0.950", "different"),
        (0.9484, "0.950", "different"),
        (0.011632, "0.0117", "match"),
        (1.3864e-5, "1.39e-5", "match"),
        (45.0, "45", "match"),
        (47.0, "45", "different"),
    ],
)
def test_exact_allows_one_unit_in_the_last_place(ours: float, paper: str, verdict: str) -> None:
    found = exact(CELL, ours, printed(paper))
    assert found.verdict == verdict
    assert found.kind == "exact"
    assert found.tolerance == pytest.approx(printed(paper).unit)


def test_exact_against_a_formula_demands_equality() -> None:
    assert exact(CELL, 0.5, formula(0.5)).verdict == "match"
    assert exact(CELL, 0.5 + 1e-12, formula(0.5)).verdict == "different"


def test_counts_have_no_unit_to_spare() -> None:
    assert count(CELL, 45, 45).verdict == "match"
    assert count(CELL, 44, 45).verdict == "different"


def test_tolerance_is_three_combined_errors_and_half_a_unit() -> None:
    found = monte_carlo(CELL, Estimate(1.0, 0.03, 150), printed("1.100±0.040"), 150)
    assert found.tolerance == pytest.approx(3 * 0.05 + 0.0005)
    assert found.verdict == "within"
    far = monte_carlo(CELL, Estimate(1.0, 0.03, 150), printed("1.151±0.040"), 150)
    assert far.verdict == "different"


def test_without_a_printed_error_ours_stands_in_at_the_papers_replications() -> None:
    found = monte_carlo(CELL, Estimate(1.0, 0.01, 400), printed("1.00"), 100)
    assert found.tolerance == pytest.approx(3 * np.hypot(0.01, 0.02) + 0.005)


def test_a_printed_error_of_zero_is_a_rounded_one() -> None:
    small = monte_carlo(CELL, Estimate(1.0, 0.0002, 150), printed("1.000±0.000"), 150)
    assert small.tolerance == pytest.approx(3 * 0.0002 * np.sqrt(2) + 0.0005)
    large = monte_carlo(CELL, Estimate(1.0, 0.004, 150), printed("1.000±0.000"), 150)
    assert large.tolerance == pytest.approx(3 * np.hypot(0.004, 0.0005) + 0.0005)


def test_allowance_widens_and_a_formula_has_no_error() -> None:
    found = monte_carlo(CELL, Estimate(1.0, 0.1, 50), formula(1.35), 50, allowance=0.06)
    assert found.tolerance == pytest.approx(0.36)
    assert found.verdict == "within"
    assert monte_carlo(CELL, Estimate(1.0, 0.1, 50), formula(1.35), 50).verdict == "different"


def test_equal_digits_are_a_match_for_every_kind() -> None:
    assert monte_carlo(CELL, Estimate(0.9501, 1e-6, 150), printed("0.950±0.001"), 150).verdict == "match"
    assert seeded(CELL, 0.9403, printed("0.94"), 0.03).verdict == "match"
    assert seeded(CELL, 0.96, printed("0.94"), 0.03).verdict == "within"
    assert seeded(CELL, 0.98, printed("0.94"), 0.03).verdict == "different"
    assert seeded(CELL, 0.96, printed("0.94"), 0.03).kind == "seed"


def test_few_replications_allow_as_many_errors_as_students_law_says() -> None:
    assert errors_allowed(150, 150) == errors_allowed(300, 150) == 3.0
    rng = np.random.default_rng(1)
    samples = rng.standard_normal((4, 200_000))
    ratio = np.abs(samples.mean(axis=0)) / standard_error(samples)
    # Beyond 3 errors of a normal law lies 0.27 %; the standard error of that share is 0.012 %.
    assert np.mean(ratio > errors_allowed(4, 150)) == pytest.approx(0.0027, abs=4 * 0.00012)
    assert np.mean(ratio > 3.0) > 0.05


@settings(deadline=None, max_examples=100)
@given(st.floats(-5, 5), st.floats(0, 1), st.integers(-5000, 5000))
def test_verdict_follows_from_the_recorded_numbers(ours: float, error: float, thousandths: int) -> None:
    found = monte_carlo(CELL, Estimate(ours, error, 150), printed(f"{thousandths / 1000:.3f}±0.010"), 150)
    assert found.ours is not None
    assert found.paper is not None
    assert found.tolerance is not None
    inside = abs(found.ours - found.paper) <= found.tolerance
    assert (found.verdict != "different") == inside


def test_what_cannot_be_compared_is_shown_with_a_reason() -> None:
    found = incomparable(CELL, 0.9, "exact", "a stand-in dataset", 0.8)
    assert (found.verdict, found.ours, found.tolerance) == ("not comparable", 0.8, None)


def test_not_a_number_is_refused() -> None:
    with pytest.raises(ValueError, match="must be finite"):
        monte_carlo(CELL, Estimate(float("nan"), 0.1, 10), printed("1.0"), 10)
    with pytest.raises(ValueError, match="must be finite"):
        seeded(CELL, float("inf"), printed("1.0"), 0.1)


def test_rows_have_the_agreed_keys_and_pass_through_json() -> None:
    checks = [exact(CELL, 1.0, printed("1.0")), incomparable(CELL, None, "seed", "no such number")]
    found = json.loads(json.dumps(rows(checks), allow_nan=False))
    assert [list(row) for row in found] == [KEYS, KEYS]
    assert tally(checks) == {"match": 1, "within": 0, "different": 0, "not comparable": 1}
    assert tuple(tally([])) == VERDICTS


def test_estimate_is_the_mean_and_its_error() -> None:
    samples = np.array([1.0, 2.0, 4.0, 7.0])
    found = estimate(samples)
    assert found.mean == 3.5
    assert found.error == pytest.approx(np.sqrt(np.sum((samples - 3.5) ** 2) / 3 / 4))
    assert found.error_at(16) == pytest.approx(found.error / 2)
    with pytest.raises(ValueError, match="at least 2"):
        estimate(samples[:1])
    with pytest.raises(ValueError, match="one-dimensional"):
        estimate(samples[None])

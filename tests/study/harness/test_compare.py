"""Verdicts: what counts as equal, near or different, how wide the tolerance is, and what it would find."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ngrc.study.harness.compare import (
    against_formula,
    distance,
    equal,
    errors_allowed,
    exact,
    holds,
    incomparable,
    monte_carlo,
    nominal,
)
from ngrc.study.harness.estimate import Estimate, estimate, standard_error
from ngrc.study.harness.printed import printed
from ngrc.study.harness.record import Cell

CELL = Cell("phase", "tab:x", "row, column")


@pytest.mark.parametrize(
    ("ours", "paper", "verdict"),
    [
        (0.9504, "0.950", "match"),
        (0.9512, "0.950", "within"),
        (0.9488, "0.950", "within"),
        (0.95151, "0.950", "different"),
        (0.9484, "0.950", "different"),
        (0.011632, "0.0117", "within"),
        (1.3864e-5, "1.39e-5", "match"),
        (45.0, "45", "match"),
        (47.0, "45", "different"),
    ],
)
def test_a_match_has_the_same_digits_and_one_unit_off_is_called_so(
    ours: float, paper: str, verdict: str
) -> None:
    check = exact(CELL, ours, printed(paper))
    assert (check.verdict, check.kind, check.rule) == (verdict, "printed", "digits")
    assert check.tolerance == pytest.approx(printed(paper).unit)


@given(st.integers(-5000, 5000), st.floats(-0.49, 0.49), st.sampled_from((-1.0, 1.0)))
def test_a_digit_row_finds_the_shift_that_it_names(units: int, part: float, sign: float) -> None:
    # A correct number may lie anywhere in the half unit around its print, and is then moved by `detects`.
    paper = printed(f"{units / 1000:.3f}")
    honest = (units + part) / 1000
    check = exact(CELL, honest, paper)
    assert check.verdict == "match"
    assert check.detects is not None
    assert exact(CELL, honest + sign * 1.001 * check.detects, paper).verdict == "different"


def test_counts_and_choices_have_no_unit_to_spare() -> None:
    assert equal(CELL, 45, 45, kind="printed").verdict == "match"
    assert equal(CELL, 44, 45, kind="printed").verdict == "different"
    assert equal(CELL, 0.15, 0.25, kind="printed").verdict == "different"
    assert (holds(CELL, 4, 4).verdict, holds(CELL, 3, 4).verdict) == ("match", "different")
    assert holds(CELL, 4, 4).kind == "claim"


def test_tolerance_is_three_combined_errors_and_half_a_unit() -> None:
    near = monte_carlo(CELL, Estimate(1.0, 0.03, 150), printed("1.100±0.040"), 150)
    assert near.tolerance == pytest.approx(3 * 0.05 + 0.0005)
    assert near.verdict == "within"
    far = monte_carlo(CELL, Estimate(1.0, 0.03, 150), printed("1.151±0.040"), 150)
    assert far.verdict == "different"


def test_without_a_printed_error_ours_stands_in_at_the_papers_replications() -> None:
    check = monte_carlo(CELL, Estimate(1.0, 0.01, 400), printed("1.00"), 100)
    assert check.tolerance == pytest.approx(3 * np.hypot(0.01, 0.02) + 0.005)


def test_a_printed_error_of_zero_is_a_rounded_one() -> None:
    small = monte_carlo(CELL, Estimate(1.0, 0.0002, 150), printed("1.000±0.000"), 150)
    assert small.tolerance == pytest.approx(3 * 0.0002 * np.sqrt(2) + 0.0005)
    large = monte_carlo(CELL, Estimate(1.0, 0.004, 150), printed("1.000±0.000"), 150)
    assert large.tolerance == pytest.approx(3 * np.hypot(0.004, 0.0005) + 0.0005)


@pytest.mark.parametrize("compare", [against_formula, nominal])
def test_formulas_and_nominal_levels_are_judged_by_our_error_alone(compare: Any) -> None:
    check = compare(CELL, Estimate(0.948, 0.001, 100), 0.95)
    assert (check.tolerance, check.verdict) == (pytest.approx(0.003), "within")
    # The digits of 0.95 are no shelter: they round alike, and it is four errors away.
    assert compare(CELL, Estimate(0.9516, 0.0004, 100), 0.95).verdict == "different"


def test_equal_digits_are_a_match() -> None:
    assert monte_carlo(CELL, Estimate(0.9501, 1e-6, 150), printed("0.950±0.001"), 150).verdict == "match"


def test_nine_of_ten_runs_find_the_shift_that_a_row_names() -> None:
    rng = np.random.default_rng(0)
    runs, error = 20_000, 0.02
    detects = against_formula(CELL, Estimate(1.0, error, 100), 1.0).detects
    assert detects is not None
    verdicts = [
        against_formula(CELL, Estimate(1.0 + detects + error * noise, error, 100), 1.0).verdict
        for noise in rng.standard_normal(runs)
    ]
    # A share of 0.9 over 20,000 runs has a standard error of 0.0021.
    assert np.mean([verdict == "different" for verdict in verdicts]) == pytest.approx(0.9, abs=4 * 0.0021)


@pytest.mark.parametrize("error", [0.0001, 0.0005, 0.005])
def test_a_printed_mean_hides_no_shift_in_its_own_rounding(error: float) -> None:
    """The worst truth behind a print of 0.950 lies half a unit off, on the side of the shift."""
    rng = np.random.default_rng(0)
    runs, paper = 20_000, printed(f"0.950±{error:.4f}")
    detects = monte_carlo(CELL, Estimate(0.95, error, 100), paper, 100).detects
    assert detects is not None
    shifted = 0.9495 + detects + np.hypot(error, error) * rng.standard_normal(runs)
    verdicts = [monte_carlo(CELL, Estimate(mean, error, 100), paper, 100).verdict for mean in shifted]
    share = np.mean([verdict == "different" for verdict in verdicts])
    assert share == pytest.approx(0.9, abs=4 * 0.0021)


def test_the_distance_has_the_verdict_of_the_row() -> None:
    rng = np.random.default_rng(0)
    paper = printed("0.950±0.002")
    for mean, error, count in zip(
        rng.normal(0.95, 0.01, 200), rng.uniform(1e-4, 4e-3, 200), [5, 150] * 100, strict=True
    ):
        ours = Estimate(float(mean), float(error), count)
        row = monte_carlo(CELL, ours, paper, 100)
        beyond = abs(distance(ours, paper, 100)) > errors_allowed(count)
        assert (row.verdict == "different") == beyond


def test_without_an_error_only_the_same_digits_are_near() -> None:
    assert distance(Estimate(0.9504, 0.0, 100), printed("0.950"), 100) == 0.0
    assert distance(Estimate(0.952, 0.0, 100), printed("0.950"), 100) == np.inf
    assert distance(Estimate(0.948, 0.0, 100), printed("0.950"), 100) == -np.inf


def test_few_replications_allow_as_many_errors_as_students_law_says() -> None:
    assert errors_allowed(150) == errors_allowed(300) == 3.0
    rng = np.random.default_rng(1)
    samples = rng.standard_normal((4, 200_000))
    ratio = np.abs(samples.mean(axis=0)) / standard_error(samples)
    # Beyond 3 errors of a normal law lies 0.27 %; the standard error of that share is 0.012 %.
    assert np.mean(ratio > errors_allowed(4)) == pytest.approx(0.0027, abs=4 * 0.00012)
    assert np.mean(ratio > 3.0) > 0.05


@settings(deadline=None, max_examples=100)
@given(st.floats(-5, 5), st.floats(0, 1), st.integers(-5000, 5000))
def test_verdict_follows_from_the_recorded_numbers(ours: float, error: float, thousandths: int) -> None:
    check = monte_carlo(CELL, Estimate(ours, error, 150), printed(f"{thousandths / 1000:.3f}±0.010"), 150)
    assert check.ours is not None
    assert check.expected is not None
    assert check.tolerance is not None
    inside = abs(check.ours - check.expected) <= check.tolerance
    assert (check.verdict != "different") == inside


def test_what_cannot_be_compared_is_shown_with_a_reason() -> None:
    check = incomparable(CELL, 0.9, "a stand-in dataset", 0.8)
    assert (check.verdict, check.ours, check.tolerance, check.detects) == ("not comparable", 0.8, None, None)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_what_is_not_a_number_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match="must be finite"):
        monte_carlo(CELL, Estimate(value, 0.1, 10), printed("1.0"), 10)
    with pytest.raises(ValueError, match="must be finite"):
        against_formula(CELL, Estimate(1.0, value, 10), 1.0)
    with pytest.raises(ValueError, match="must be finite"):
        exact(CELL, value, printed("1.0"))
    with pytest.raises(ValueError, match="must be finite"):
        equal(CELL, value, 1, kind="claim")


def test_estimate_is_the_mean_and_its_error() -> None:
    samples = np.array([1.0, 2.0, 4.0, 7.0])
    mean = estimate(samples)
    assert mean.mean == 3.5
    assert mean.error == pytest.approx(np.sqrt(np.sum((samples - 3.5) ** 2) / 3 / 4))
    assert mean.error_at(16) == pytest.approx(mean.error / 2)
    with pytest.raises(ValueError, match="at least 2"):
        estimate(samples[:1])
    with pytest.raises(ValueError, match="one-dimensional"):
        estimate(samples[None])

"""Verdicts: by digits, by equality, by standard errors over seeds, and never for a stand-in."""

from math import sqrt

import numpy as np
import pytest

from ngrc.series import Series
from ngrc.study.harness.compare import errors_allowed
from ngrc.study.harness.estimate import Estimate
from ngrc.study.harness.printed import Printed, printed
from ngrc.study.real.compare import Sheet, deviation_error, five_seeds, one_seed
from ngrc.study.real.sources import Source

SHEET = Sheet("real-main", "tab:x")
OURS = Source("solar", "Solar", Series(np.zeros(2)))
OTHER = Source("ozone", "LA ozone (EPA stand-in)", Series(np.zeros(2)), "not the paper's file")


@pytest.mark.parametrize(
    ("ours", "verdict"), [(0.9504, "match"), (0.9514, "within"), (0.9516, "different"), (0.9486, "within")]
)
def test_digits_match_or_are_one_unit_off(ours: float, verdict: str) -> None:
    check = SHEET.exact(OURS, "split, coverage", ours, printed("0.950"), "because")
    assert (check.verdict, check.kind, check.rule) == (verdict, "printed", "digits")
    assert check.cell == "Solar, split, coverage"
    assert check.reason == ("" if verdict == "match" else "because")


def test_a_choice_must_be_equal() -> None:
    assert SHEET.equal(OURS, "ridge", 0.003, 0.003).verdict == "match"
    assert SHEET.equal(OURS, "ridge", 0.001, 0.003, "why").reason == "why"
    assert SHEET.equal(OURS, "rows", 6, 5).verdict == "different"


def test_a_printed_mean_over_five_seeds_has_its_own_error() -> None:
    """0.937 +- 0.003 over five: an error of 0.00134, with ours of 0.001 over many seeds a tolerance of 0.0055."""
    paper = five_seeds(printed("0.937±0.003"))
    assert paper.spread == pytest.approx(0.003 / sqrt(5))
    tolerance = 3 * np.hypot(0.001, 0.003 / sqrt(5)) + 0.0005
    for shift, verdict in ((0.99, "within"), (1.01, "different")):
        check = SHEET.seeds(OURS, "a", Estimate(0.937 + shift * tolerance, 0.001, 100), paper)
        assert check.verdict == verdict
        assert check.tolerance == pytest.approx(tolerance)


def test_one_seed_has_the_deviation_of_one() -> None:
    paper, ours = printed("3.793"), Estimate(3.7, 0.02, 100)
    assert one_seed(paper, 0.07, ours).spread == 0.07
    # Where the paper prints none it is ours: the error of the mean times the root of the seeds.
    assert one_seed(paper, None, ours).spread == pytest.approx(0.2)
    check = SHEET.seeds(OURS, "a", ours, one_seed(paper, 0.07, ours))
    assert check.tolerance == pytest.approx(3 * np.hypot(0.02, 0.07) + 0.0005)


def test_wrong_code_no_longer_passes() -> None:
    """Width 3.6 against 3.830 was within a tenth of it; it is four errors away."""
    paper = five_seeds(printed("3.830±0.070"))
    assert SHEET.seeds(OURS, "width", Estimate(3.6, 0.04, 10), paper).verdict == "different"


def test_few_seeds_allow_more_errors() -> None:
    paper = five_seeds(printed("0.937±0.003"))
    few = SHEET.seeds(OURS, "a", Estimate(0.95, 0.001, 3), paper)
    many = SHEET.seeds(OURS, "a", Estimate(0.95, 0.001, 10), paper)
    assert (few.verdict, many.verdict) == ("within", "different")


def test_a_deviation_is_judged_by_the_error_of_one() -> None:
    ours = Estimate(3.8, 0.05 / sqrt(10), 10)
    near = SHEET.deviation(OURS, "H=1, width", ours, Printed(3.8, 0.001, 0.09))
    far = SHEET.deviation(OURS, "H=1, width", ours, Printed(3.8, 0.001, 0.2))
    assert (near.verdict, far.verdict) == ("within", "different")
    assert near.ours == pytest.approx(0.05)
    assert near.cell == "Solar, H=1, width, deviation"
    error = 0.05 * np.hypot(deviation_error(10), deviation_error(5))
    assert near.tolerance == pytest.approx(errors_allowed(10) * error + 0.0005)


def test_the_error_of_a_deviation_is_that_of_normal_values() -> None:
    """Within 4 Monte-Carlo errors, and the first order's own 4 % at five values."""
    rng = np.random.default_rng(0)
    for count in (5, 10, 40):
        deviations = rng.normal(size=(20_000, count)).std(axis=1, ddof=1)
        spread = deviations.std() / deviations.mean()
        assert spread == pytest.approx(deviation_error(count), rel=4 / sqrt(2 * 20_000) + 0.16 / count)


def test_a_reason_is_tried_only_where_a_cell_is_off() -> None:
    asked = []

    def reason() -> str:
        asked.append(1)
        return "tried"

    assert SHEET.exact(OURS, "a", 0.95, printed("0.950"), reason).reason == ""
    assert asked == []
    assert SHEET.exact(OURS, "a", 0.951, printed("0.950"), reason).reason == "tried"
    assert (
        SHEET.seeds(OURS, "a", Estimate(0.96, 1e-4, 9), printed("0.950±0.0001"), reason=reason).reason
        == "tried"
    )
    assert len(asked) == 2


def test_a_stand_in_is_shown_and_never_counted() -> None:
    paper, ours = printed("0.950±0.002"), Estimate(0.9, 0.001, 10)
    checks = [
        SHEET.exact(OTHER, "a", 0.95, paper),
        SHEET.exact(OTHER, "a", 0.10, paper, "reason"),
        SHEET.equal(OTHER, "a", 5, 5),
        SHEET.seeds(OTHER, "a", ours, paper, reason="seeds"),
        SHEET.deviation(OTHER, "a", ours, paper),
        SHEET.shown(OTHER, "a", 0.95, paper, reason="another machine"),
    ]
    for check in checks:
        assert (check.verdict, check.rule, check.kind) == ("not comparable", "shown", "printed")
        assert check.reason == "not the paper's file"
        assert check.tolerance is check.detects is None
        assert check.ours is not None
        assert check.expected is not None
    assert SHEET.shown(OURS, "a", None, paper, reason="another machine").reason == "another machine"

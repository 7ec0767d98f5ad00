"""Verdicts: exact, within a tolerance, and never for a stand-in."""

import numpy as np
import pytest

from ngrc.series import Series
from ngrc.study.harness.printed import formula, printed
from ngrc.study.real.compare import Sheet
from ngrc.study.real.sources import Source

SHEET = Sheet("real-main", "tab:x")
OURS = Source("solar", "Solar", Series(np.zeros(2)))
OTHER = Source("ozone", "LA ozone (EPA stand-in)", Series(np.zeros(2)), "not the paper's file")


@pytest.mark.parametrize(("ours", "verdict"), [(0.9504, "match"), (0.9514, "match"), (0.9516, "different")])
def test_exact_allows_one_unit_and_gives_the_reason_only_where_it_differs(ours: float, verdict: str) -> None:
    check = SHEET.exact(OURS, "split, coverage", ours, printed("0.950"), "because")
    assert (check.verdict, check.kind, check.cell) == (verdict, "exact", "Solar, split, coverage")
    assert check.reason == ("because" if verdict == "different" else "")


def test_a_formula_must_be_met_exactly() -> None:
    assert SHEET.exact(OURS, "ridge", 0.003, formula(0.003)).verdict == "match"
    assert SHEET.exact(OURS, "ridge", 0.001, formula(0.003)).verdict == "different"
    assert SHEET.count(OURS, "rows", 5, 5).verdict == "match"
    assert SHEET.count(OURS, "rows", 6, 5).verdict == "different"


@pytest.mark.parametrize(
    ("measure", "ours", "paper", "verdict"),
    [
        ("coverage", 0.934, "0.934", "match"),
        ("coverage", 0.949, "0.934", "within"),
        ("coverage", 0.9496, "0.934", "different"),
        ("winkler", 6.97, "6.640", "within"),
        ("winkler", 6.98, "6.640", "different"),
        ("width", 4.17, "3.793", "within"),
        ("width", 4.18, "3.793", "different"),
    ],
)
def test_rescp_has_one_tolerance_per_measure(measure: str, ours: float, paper: str, verdict: str) -> None:
    check = SHEET.rescp(OURS, "rescp", measure, ours, printed(paper), reason="seeds")
    assert (check.verdict, check.kind) == (verdict, "seed")


@pytest.mark.parametrize(("ours", "verdict"), [(0.9434, "within"), (0.9436, "different"), (0.915, "match")])
def test_one_seed_may_lie_off_the_paper_s_own_mean(ours: float, verdict: str) -> None:
    """Solar at H = 3: printed 0.915 for one seed, 0.928 over five; 0.015 and half a unit beyond that."""
    check = SHEET.one_seed(
        OURS, "H=3, rescp", "coverage", ours, printed("0.915"), mean=printed("0.928±0.010")
    )
    assert check.verdict == verdict
    assert check.tolerance == pytest.approx(0.015 + 0.0005 + 0.013)
    assert "0.928±0.010" in check.reason
    assert "distance of 0.013" in check.reason


@pytest.mark.parametrize(("ours", "verdict"), [(1.276, "match"), (1.288, "within"), (1.25, "different")])
def test_near_is_a_share_of_the_printed(ours: float, verdict: str) -> None:
    check = SHEET.near(OURS, "arima", ours, printed("1.276"), share=0.02, reason="why")
    assert (check.verdict, check.kind, check.reason) == (verdict, "exact", "why")
    assert (
        SHEET.near(OURS, "gru", ours, printed("1.276"), share=0.02, reason="why", kind="seed").kind == "seed"
    )
    # A share of a small number may be below what its digits can tell.
    assert SHEET.near(OURS, "short", 0.0319, printed("0.031"), share=0.01, reason="why").verdict == "within"


def test_a_stand_in_is_shown_and_never_counted() -> None:
    paper = printed("0.950")
    checks = [
        SHEET.exact(OTHER, "a", 0.95, paper),
        SHEET.exact(OTHER, "a", 0.10, paper, "reason"),
        SHEET.count(OTHER, "a", 5, 5),
        SHEET.rescp(OTHER, "a", "coverage", 0.95, paper, reason="seeds"),
        SHEET.one_seed(OTHER, "a", "coverage", 0.95, paper, mean=printed("0.928±0.010")),
        SHEET.near(OTHER, "a", 0.95, paper, share=0.01, reason="why"),
        SHEET.shown(OTHER, "a", 0.95, paper, reason="another machine"),
    ]
    for check in checks:
        assert check.verdict == "not comparable"
        assert check.reason == "not the paper's file"
        assert check.ours is not None
        assert check.paper is not None
    assert SHEET.shown(OURS, "a", None, paper, reason="another machine").reason == "another machine"

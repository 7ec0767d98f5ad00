"""Which method the evidence names: the reference, unless a simpler one is as good."""

from dataclasses import replace
from math import isfinite

from ngrc.diagnosis.advice import Advice
from ngrc.diagnosis.evidence import Evidence, Trial
from ngrc.intervals import METHODS

REFERENCE_ERRORS = 1.0
"""Standard errors by which a simpler method's Winkler score may lie above the reference's, as in the choice of models
by the one-standard-error rule."""
BEST_ERRORS = 2.0
"""Standard errors by which it may lie above the best of all, which chance exceeds once in forty (with five blocks once
in sixteen): what is shown to be worse than another is not advised, even where the reference is no better."""
COVERAGE_ERRORS = 2.0
"""Standard errors by which its coverage may lie off the level, which chance exceeds once in twenty."""


def as_good(row: Trial, level: float) -> bool:
    """Whether a method is within one standard error of the reference's score and two of the best, and covers.

    Its coverage must lie within two standard errors of the level.

    Examples
    --------
    >>> row = Trial("split", 4.1, 0.94, 0.006, 0.1, 0.12, 0.1, 0.12)
    >>> as_good(row, 0.95), as_good(row, 0.96)
    (True, False)
    """
    # Where the reference has no bound, any score that exists is better; the best always exists if this one does.
    near = row.behind <= REFERENCE_ERRORS * row.behind_error if isfinite(row.behind) else row.behind < 0.0
    return (
        isfinite(row.winkler)
        and near
        and row.difference <= BEST_ERRORS * row.error
        and abs(row.coverage - level) <= COVERAGE_ERRORS * row.coverage_error
    )


def simplest(evidence: Evidence, level: float) -> str:
    """The first method of `METHODS` before the reference that is as good; the reference where none is."""
    order = list(METHODS)
    simpler = [row for row in evidence.rows if order.index(row.method) < order.index(evidence.reference)]
    good = [row.method for row in simpler if as_good(row, level)]
    return min(good, key=order.index, default=evidence.reference)


def decide(rules: Advice, evidence: Evidence, level: float) -> Advice:
    """Advice of the rules with the method that the evidence names; unchanged where there is none, which it says."""
    if not evidence.rows:
        return replace(rules, evidence=f"{evidence.why}: the rules decide")
    method = simplest(evidence, level)
    return replace(rules, method=method, evidence=_words(evidence, method))


def _words(evidence: Evidence, method: str) -> str:
    reference, chosen = evidence.row(evidence.reference), evidence.row(method)
    assert reference is not None
    assert chosen is not None
    tried = f"tried on the later {evidence.judged:,} calibration residuals"
    if method == evidence.reference:
        return f"{tried}, no simpler method is as good: {_scored(reference)}"
    gap = "which has no bound"
    if isfinite(chosen.behind):
        gap = f"{chosen.behind:+.2g} with a standard error of {chosen.behind_error:.2g}"
    return f"{tried}, it is the simplest that is as good as {reference.method} ({gap}): {_scored(chosen)}"


def _scored(row: Trial) -> str:
    score = f"Winkler score {row.winkler:.4g}" if isfinite(row.winkler) else "no bound"
    return f"{score}, coverage {row.coverage:.3f}"

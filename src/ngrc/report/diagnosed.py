"""The diagnosis as plain words and rows."""

from dataclasses import asdict, dataclass

from ngrc.diagnosis import Diagnosis
from ngrc.diagnosis.evidence import Trial


@dataclass(frozen=True, slots=True)
class FindingWords:
    """One thing that the forecast leaves undone, and what to try."""

    kind: str
    words: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Diagnosed:
    """Which interval to trust and why, from fit and calibration block alone.

    Parameters
    ----------
    method, evidence
        The method to use, and what the calibration block says of it.
    by_rules, reasons, changes
        What the table of rules names, why, and what would change it.
    trials, judged, left_out
        What each method would have scored on the calibration block, the best first; on how many residuals; and methods
        that were not tried.
    facts
        Names and numbers of the theory.
    comparisons, findings, looked
        The forecast beside naive ones, what it leaves undone, and on how many residuals anything was looked for.
    """

    method: str
    evidence: str
    by_rules: str
    reasons: tuple[str, ...]
    changes: tuple[str, ...]
    trials: tuple[Trial, ...]
    judged: int
    left_out: tuple[str, ...]
    facts: tuple[tuple[str, float, str], ...]
    comparisons: tuple[str, ...]
    findings: tuple[FindingWords, ...]
    looked: int
    enough: bool


def diagnosed(diagnosis: Diagnosis) -> Diagnosed:
    """The words and rows of a diagnosis."""
    advice, check = diagnosis.advice, diagnosis.forecast
    return Diagnosed(
        method=advice.method,
        evidence=advice.evidence,
        by_rules=advice.by_rules,
        reasons=advice.reasons,
        changes=advice.changes,
        trials=diagnosis.evidence.ranked,
        judged=diagnosis.evidence.judged,
        left_out=diagnosis.evidence.left_out,
        facts=_facts(diagnosis),
        comparisons=tuple(comparison.words for comparison in check.comparisons),
        findings=tuple(FindingWords(one.kind, one.words, one.remedy) for one in check.findings),
        looked=check.count,
        enough=check.lags is not None,
    )


_MEANINGS = {
    "p_over_n": ("columns per fit row, p/n", "above 0.10 the fit's own scale is too small"),
    "d_eff_over_n": ("effective dimension per fit row", "what the penalty leaves of p/n"),
    "tau_fit": ("error scale, fit", "root mean square in sample"),
    "tau_cal": ("error scale, calibration", "root mean square out of sample"),
    "tau_test": ("error scale, test", "no advice rests on it"),
    "shape": ("shape", "calibration quantile over the Gaussian radius; 1 for Gaussian errors"),
    "scale": ("scale", "calibration scale over fit scale; 1 where nothing changed"),
    "rho_q": ("rho_q = shape x scale", "conformal over Bayesian radius"),
    "excess_kurtosis": ("excess kurtosis", "0 for Gaussian errors, above for heavy tails"),
    "skew": ("skew", "0 where both tails are alike"),
    "autocorrelation": ("correlation of errors", "one horizon apart; 0 where nothing is left"),
    "clustering": ("correlation of sizes", "above 0 where calm and stormy stretches alternate"),
    "drift": ("drift of scale", "largest over smallest of eight stretches"),
}


def _facts(diagnosis: Diagnosis) -> tuple[tuple[str, float, str], ...]:
    """Name, number and meaning of what the theory looks at; NaN where a number does not exist."""
    numbers = {
        **asdict(diagnosis.diagnostics),
        **{k: v for k, v in asdict(diagnosis.shape).items() if k in _MEANINGS},
    }
    rows = [(name, float(numbers[key]), meaning) for key, (name, meaning) in _MEANINGS.items()]
    rows.append(
        ("Bayesian coverage, predicted", diagnosis.predicted_coverage, "share of calibration errors inside")
    )
    rows.append(("Bayesian coverage, observed", diagnosis.observed_coverage, "over the test block"))
    return tuple(rows)

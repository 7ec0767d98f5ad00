"""Advice as a table: each rule a name, a threshold, a method, a reason and what would change it.

`DEPARTURES` are tried in order: the first that holds names the method, and all that hold are given as reasons. A
departure must exceed both its threshold and three standard errors of what chance alone would show. Where none holds,
the first of `OTHERWISE` that holds decides alone. What the rules name is used where there is no evidence (`choice`).

The thresholds are judgements, not estimates: the smallest effect worth another method. The tests hold them against
simulated series whose right answer is known.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import exp

import numpy as np

from ngrc.backtesting.diagnostics import Diagnostics
from ngrc.diagnosis.dimension import HighDimension
from ngrc.diagnosis.shape import BLOCKS, ResidualShape
from ngrc.intervals.auto.walk import FEW

SMALL_DIMENSION = 0.10
"""p/n above this, together with `SMALL_EFFECTIVE`, calls for the proportional theory: there the fit residuals' scale is
5 % below the noise's, as sqrt(1 - 0.1) = 0.95, which is the smallest bias worth a word."""
SMALL_EFFECTIVE = 0.05
"""d_eff/n that must be exceeded too: heavy shrinkage makes many features few."""
STEADY = 1.15
"""Ratio of residual scales that still counts as the same: 15 % off, a 95 % Gaussian interval holds 91 % or 98 %."""
CLUSTERED = 0.15
"""Correlation of |e| above which calm and stormy stretches alternate."""
SKEWED = 0.15
"""Quantile skew above which one side of a symmetric interval is wasted (an exponential law has 0.64 at 95 %)."""
HEAVY = 1.0
"""Excess kurtosis above which tails are called heavy (Laplace has 3, Gaussian 0)."""
GAUSSIAN_SHAPE = 0.05
"""Distance of q_cal / (z tau_cal) from one below which the Gaussian radius is right at this level."""
ERRORS = 3.0
"""Standard errors that a finding must exceed besides its threshold."""


@dataclass(frozen=True, slots=True)
class Facts:
    """All that the rules look at; everything is known before the first test interval is issued."""

    level: float
    usable: int
    """Calibration residuals known when the first test interval is issued."""
    diagnostics: Diagnostics
    shape: ResidualShape
    expected_scale: float
    """tau_cal / tau_fit that overfitting alone explains, sqrt((1 + d/n) / (1 - d/n))."""
    dimension: HighDimension | None
    """None in small dimension, and where the noise cannot be estimated."""
    predicted_coverage: float
    """Share of the usable calibration residuals inside the Bayesian interval."""

    @property
    def scale_change(self) -> float:
        """tau_cal / tau_fit beyond what overfitting explains."""
        return self.diagnostics.scale / self.expected_scale


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of the table: `holds` decides, `threshold` and `why` say it in words, `change` what would undo it."""

    name: str
    threshold: str
    holds: Callable[[Facts], bool]
    method: str
    why: Callable[[Facts], str]
    change: str


@dataclass(frozen=True, slots=True)
class Advice:
    """The method to use, and what speaks for it.

    Parameters
    ----------
    method
        The method to use: what the evidence names, or the rules where there is none.
    reasons, changes
        Of the rules: why, and what would change what they name.
    rules
        Those that held, the first of which names `by_rules`.
    by_rules
        The method that the rules name.
    evidence
        In words, what the calibration block says of the method, or why it says nothing; empty where it was not asked.
    """

    method: str
    reasons: tuple[str, ...]
    changes: tuple[str, ...]
    rules: tuple[str, ...]
    by_rules: str
    evidence: str = ""


def _too_few(facts: Facts) -> bool:
    # Split conformal takes the residual of rank ceil((m + 1)(1 - alpha)), which exceeds m if m + 1 < 1 / alpha. A
    # forecast counts fewer than so many independent residuals as few, and no shape shows in them.
    return facts.usable + 1 < 1.0 / (1.0 - facts.level) or facts.shape.independent < FEW


def _high_dimension(facts: Facts) -> bool:
    return facts.diagnostics.p_over_n > SMALL_DIMENSION and facts.diagnostics.d_eff_over_n > SMALL_EFFECTIVE


def _scale_changes(facts: Facts) -> bool:
    # Twice the variance of one block's log scale, as two blocks are compared; a block is BLOCKS stretches long, so that
    # its variance is that of one stretch over BLOCKS. Either direction counts; a ratio of zero or NaN (no errors in one
    # of the blocks) is no change of scale and has a rule of its own.
    error = facts.shape.drift_error * float(np.sqrt(2.0 / BLOCKS))
    ratio = max(facts.scale_change, 1.0 / facts.scale_change) if facts.scale_change > 0 else 1.0
    return ratio > max(STEADY, exp(ERRORS * error))


def drifts(shape: ResidualShape) -> bool:
    """Whether eight stretches differ in scale by more than a threshold and more than chance."""
    # The range of eight independent log scales is about 2.85 errors wide on average, with deviation 0.8.
    # Squared, as the largest of eight may be above the usual scale by as much as the smallest is below it.
    return shape.drift > max(STEADY**2, exp((2.85 + 0.8 * ERRORS) * shape.drift_error))


def _clusters(facts: Facts) -> bool:
    return facts.shape.clustering > max(CLUSTERED, ERRORS * facts.shape.correlation_error)


def _skewed(facts: Facts) -> bool:
    # Each tail needs a residual of its own, or the asymmetric interval is infinite.
    enough = facts.usable + 1 >= 2.0 / (1.0 - facts.level)
    return enough and abs(facts.shape.skew) > max(SKEWED, ERRORS * facts.shape.skew_error)


def _heavy(facts: Facts) -> bool:
    # The kurtosis of m Gaussian values has error sqrt(24 / m).
    return facts.shape.excess_kurtosis > max(HEAVY, ERRORS * float(np.sqrt(24.0 / facts.shape.independent)))


def _other_shape(facts: Facts) -> bool:
    # The ratio q / tau of a Gaussian sample has error close to that of the tail quantile.
    return abs(facts.diagnostics.shape - 1.0) > max(GAUSSIAN_SHAPE, ERRORS * facts.shape.skew_error)


def _no_errors(facts: Facts) -> bool:
    return facts.diagnostics.tau_cal == 0.0


def _unsettled(facts: Facts) -> bool:
    # Negated, so that NaN counts as unsettled.
    return not 1.0 / STEADY <= facts.diagnostics.rho_q <= STEADY


def _phase_words(facts: Facts) -> str:
    words = (
        f"p/n is {facts.diagnostics.p_over_n:.2f}, where the fit residuals' scale is no longer the noise's: the "
        f"Bayesian interval, which plugs it in, holds {facts.predicted_coverage:.1%} of the calibration residuals"
    )
    if facts.dimension is None:
        return words
    side = "narrower" if facts.dimension.ordering == "conformal wider" else "wider"
    return (
        f"{words} (raw scale {facts.dimension.raw_noise:.3g}, noise about {facts.dimension.noise:.3g}); with known "
        f"noise and uncorrelated features it would be {side} than the conformal one, as signal and penalty put the "
        f"model at {facts.dimension.boundary:.2g} times the phase boundary"
    )


# The order is that of harm: first what leaves nothing to calibrate on, then what a frozen interval cannot follow
# (drift, clusters), then what makes the Bayesian radius wrong. A changed scale comes after high dimension, which
# explains it where both hold; skew comes before heavy tails, as a skewed law has a large kurtosis too.
DEPARTURES: tuple[Rule, ...] = (
    Rule(
        "no errors",
        "every usable calibration residual is zero",
        _no_errors,
        "split",
        lambda f: "every calibration residual is zero: all intervals have width zero until an error comes",
        "a first error",
    ),
    Rule(
        "too little calibration",
        f"usable residuals + 1 < 1 / (1 - level), or fewer than {FEW} per step of the horizon",
        _too_few,
        "student",
        lambda f: (
            f"{f.usable} calibration residuals are too few to bound level {f.level:g} or to show a shape"
        ),
        "more calibration residuals, or a lower level",
    ),
    Rule(
        "drifting scale",
        f"eight stretches of the calibration residuals differ in scale by more than {STEADY**2:.2f}",
        lambda f: drifts(f.shape),
        "adaptive",
        lambda f: (
            f"the residual scale moves within the calibration block (largest over smallest stretch {f.shape.drift:.2f})"
        ),
        "a stretch of steady scale as long as the calibration block",
    ),
    Rule(
        "clustered scale",
        f"mean correlation of |e| at five lags from the horizon on above {CLUSTERED}",
        _clusters,
        "adaptive",
        lambda f: f"large errors follow large errors (correlation of |e| {f.shape.clustering:.2f})",
        "a model whose residuals come in even sizes",
    ),
    Rule(
        "high dimension",
        f"p/n > {SMALL_DIMENSION} and d_eff/n > {SMALL_EFFECTIVE}",
        _high_dimension,
        "split",
        _phase_words,
        "fewer lags, a lower degree, or a longer fit block",
    ),
    Rule(
        "changed scale",
        f"tau_cal / tau_fit differs by more than {STEADY} from what overfitting explains",
        _scale_changes,
        "adaptive",
        lambda f: (
            f"the residual scale changed by a factor {f.scale_change:.2f} between the fit and calibration blocks"
        ),
        "a fit block that looks like the recent past",
    ),
    Rule(
        "skew",
        f"quantile skew above {SKEWED}",
        _skewed,
        "asymmetric",
        lambda f: f"residuals are skewed ({f.shape.skew:+.2f}): a symmetric interval wastes one side",
        "a transform, such as a logarithm, that evens the two tails",
    ),
    Rule(
        "heavy tails",
        f"excess kurtosis above {HEAVY:g}",
        _heavy,
        "split",
        lambda f: (
            f"tails are heavy (excess kurtosis {f.shape.excess_kurtosis:.1f}): a Gaussian radius is right "
            "at one level at most"
        ),
        "residuals closer to Gaussian",
    ),
    Rule(
        "other shape",
        f"q_cal / (z tau_cal) further than {GAUSSIAN_SHAPE} from one",
        _other_shape,
        "split",
        lambda f: f"the calibration quantile is {f.diagnostics.shape:.2f} times the Gaussian radius",
        "residuals closer to Gaussian",
    ),
)
"""Ways in which residuals differ from Gaussian and steady, most urgent first."""

OTHERWISE: tuple[Rule, ...] = (
    Rule(
        "unsettled",
        f"rho_q outside 1/{STEADY} to {STEADY} although no single departure can be shown",
        _unsettled,
        "adaptive",
        lambda f: (
            f"the conformal radius is {f.diagnostics.rho_q:.2f} times the Gaussian one, and {f.usable} residuals "
            "are too few to say whether scale or shape is why"
        ),
        "more residuals, which would name the reason",
    ),
    Rule(
        "Gaussian and steady",
        "no other rule holds",
        lambda f: True,
        "bayes",
        lambda f: (
            f"no departure from Gaussian and steady shows in {f.usable} residuals and p/n is "
            f"{f.diagnostics.p_over_n:.3f}: Bayesian and conformal widths agree "
            f"(rho_q {f.diagnostics.rho_q:.2f}), and the Bayesian interval needs no calibration block"
        ),
        "skew, heavy tails, a change of scale, or many more features",
    ),
)
"""What remains where no departure shows; the last rule always holds."""

RULES: tuple[Rule, ...] = (*DEPARTURES, *OTHERWISE)
"""The whole table."""


def advise(facts: Facts) -> Advice:
    """Advice from the departures that hold, the first of which names the method; else from `OTHERWISE`."""
    rules = [rule for rule in DEPARTURES if rule.holds(facts)]
    if not rules:
        rules = [next(rule for rule in OTHERWISE if rule.holds(facts))]
    return Advice(
        method=rules[0].method,
        reasons=tuple(rule.why(facts) for rule in rules),
        # Two rules may change with the same thing, which is said once.
        changes=tuple(dict.fromkeys(rule.change for rule in rules)),
        rules=tuple(rule.name for rule in rules),
        by_rules=rules[0].method,
    )

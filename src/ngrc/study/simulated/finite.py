"""How far a finite sample is known to lie from the limit it is compared with."""

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt

import numpy as np
from scipy import special

from ngrc._normal import gaussian_radius
from ngrc._types import FloatArray
from ngrc.order import conformal_rank
from ngrc.theory import ResidualLaw

NODES, DRAWS = 1000, 1_000_000
"""A hundred times the nodes moves E[q] by 3e-6; a share of a million draws has a standard error of at most 0.0005."""
Quantile = Callable[[FloatArray], FloatArray]


def absolute_normal(shares: FloatArray) -> FloatArray:
    """Quantiles of |Z|, Z standard normal."""
    quantiles: FloatArray = -special.ndtri((1.0 - shares) / 2.0)
    return quantiles


def expected_score(quantile: Quantile, count: int, level: float, power: int = 1) -> float:
    """E[q^power] of the corrected quantile q of `count` independent scores.

    The k-th of m uniform order statistics is Beta(k, m + 1 - k), so q is the scores' quantile at such a draw; the
    mean is taken over equally likely nodes. It exceeds the population quantile where the tail is convex.

    Parameters
    ----------
    quantile
        Quantile function of one score.
    count
        m, the number of scores.
    level
        Nominal coverage.
    power
        1 for the mean, 2 for the mean square.

    Examples
    --------
    >>> round(expected_score(absolute_normal, 400, 0.95), 4)
    1.9696
    """
    rank = conformal_rank(count, level)
    if rank > count:
        raise ValueError(f"level {level} needs more than {count} scores: the corrected quantile is infinite")
    # Midpoints of equally likely slices: no node at zero or one, where a quantile may be infinite.
    nodes = special.betaincinv(rank, count + 1 - rank, (np.arange(NODES) + 0.5) / NODES)
    return float(np.mean(quantile(nodes) ** power))


@dataclass(frozen=True, slots=True)
class FixedShift:
    """Expected finite-sample value minus the fixed-dimensional limit."""

    width: float
    """of W_B - W_C"""
    coverage: float
    """of the Bayesian interval"""


class FixedShifts:
    """Known shifts of Experiment 1 from its limits, for one residual law.

    With x = p/n three things move. The training RMS is low by sqrt(1 - x), which the posterior spread sqrt(1 + x)
    nearly makes good. A new residual is e plus an independent estimation error of variance x; it is drawn and added,
    as it blunts the edges of a law in a way that no rescaling describes. And the conformal quantile has the mean of
    its order statistic.

    Parameters
    ----------
    law
        The residuals.
    rows, columns
        n and p of the fit.
    scores
        Calibration scores.
    """

    def __init__(self, law: ResidualLaw, *, rows: int, columns: int, scores: int) -> None:
        self.law, self.ratio, self.scores = law, columns / rows, scores
        # A seed of its own: the tolerance must not move with the seed of the run that it judges.
        rng = np.random.default_rng(0)
        smooth = sqrt(self.ratio) * law.rms * rng.standard_normal(DRAWS)
        self._sorted = np.sort(np.abs(law.sample(DRAWS, rng=rng) + smooth))

    def at(self, level: float) -> FixedShift:
        """Shift of the width difference and of Bayesian coverage at one level."""
        radius = gaussian_radius(level) * self.law.rms
        # sqrt(1 - x) sqrt(1 + x), training scale times posterior spread.
        finite = radius * sqrt(1.0 - self.ratio**2)
        score = expected_score(self._quantile, self.scores, level)
        share = np.searchsorted(self._sorted, finite, side="right") / DRAWS
        return FixedShift(
            width=2.0 * (finite - radius) - 2.0 * (score - self.law.absolute_quantile(level)),
            coverage=float(share) - self.law.absolute_cdf(radius),
        )

    def _quantile(self, shares: FloatArray) -> FloatArray:
        return self._sorted[(shares * DRAWS).astype(np.int64)]

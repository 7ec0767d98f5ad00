"""A finding about a forecast, and the evidence that a correction would have helped."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from ngrc._kernels.distributions import student_upper_tail
from ngrc._types import FloatArray

Kind = Literal["autocorrelation", "seasonality", "level", "scale", "drift", "scale drift", "naive", "spikes"]

CHANCE = 0.01
"""Largest p at which something counts as found: eight kinds are looked for, and few false ones may pass together."""
WORTH = 0.01
"""Smallest share of the squared error that is worth another column: half a per cent of the RMSE."""
STRONG = 1e-6
"""A p below this is reported even where the correction removed less than `WORTH`, with both numbers."""
MOST_FREEDOM = 64
"""Cosines of the long-run error at most: Student's law with 64 degrees is Gaussian to 2 % of its quantiles."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that the forecast leaves undone, and what would do it.

    Parameters
    ----------
    kind
        What was looked for.
    statistic
        Its size: a correlation, a ratio, a share, a skill; `words` say which.
    p
        Chance of as much or more where nothing is wrong; None where a stated threshold decides.
    removed
        Share of the squared error (for `scale`: of the variance of |e|, in ranks) of the later calibration residuals
        that the correction, fitted on the earlier ones, would have removed; None where no correction is tried.
    words, remedy
        The finding as a sentence, and the arguments to try.
    """

    kind: Kind
    statistic: float
    p: float | None
    removed: float | None
    words: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Gain:
    """What a correction known at the origin does to residuals it was not fitted on."""

    p: float
    removed: float

    @property
    def counts(self) -> bool:
        """Whether it is beyond chance, and worth it or beyond all doubt."""
        return self.p <= CHANCE and (self.removed >= WORTH or self.p <= STRONG)

    def words(self, of: str = "the squared error of the later half") -> str:
        """Both numbers."""
        share = f"{100.0 * self.removed:.1f} %" if self.removed > 0.0 else "nothing"
        return f"would have removed {share} of {of} (p = {self.p:.1g})"


def gain(residuals: FloatArray, correction: FloatArray, horizon: int, inflation: float) -> Gain:
    """Test whether `correction`, known at each origin, goes with the residuals that it is to correct; both (m,).

    Where nothing is wrong the mean of e * correction is zero: e is unforeseeable at the origin. That is the test of
    Clark and West (2007, doi 10.1016/j.jeconom.2006.05.023), one-sided. What the model's coefficients miss by chance
    stays the same from target to target, which multiplies the variance of the mean by `inflation` at most.
    """
    products = residuals * correction
    error, freedom = long_run_error(products, horizon)
    total = float(residuals @ residuals)
    if error == 0.0 or total == 0.0:
        return Gain(1.0, 0.0)
    error *= float(np.sqrt(inflation))
    left = residuals - correction
    return Gain(upper_tail(float(np.mean(products)) / error, freedom), 1.0 - float(left @ left) / total)


def long_run_error(values: FloatArray, horizon: int) -> tuple[float, int]:
    """Standard error of the mean of correlated values, and its degrees of freedom.

    Equal-weighted cosines (Lazarus, Lewis, Stock and Watson 2018, doi 10.1080/07350015.2018.1506926): the long-run
    variance is the mean of B squared projections on cos(pi j (t + 1/2) / m), j = 1..B, and the ratio of mean and error
    follows Student's law with B degrees of freedom.

    Examples
    --------
    >>> error, freedom = long_run_error(np.random.default_rng(0).normal(size=1000), 1)
    >>> 0.7 < error * 1000**0.5 < 1.3, freedom
    (True, 39)
    """
    m = values.size
    # 0.4 m^(2/3) is their choice. The spectrum must be flat over the cosines used, whose frequencies go up to
    # B / (2 m): errors that overlap over H steps have a spectrum about 1 / H wide, of which an eighth is used.
    freedom = int(max(4, min(0.4 * m ** (2.0 / 3.0), m / (4.0 * horizon), MOST_FREEDOM)))
    projections = np.sqrt(2.0 / m) * cosine_sums(values, freedom)
    return float(np.sqrt(np.mean(projections**2) / m)), freedom


def cosine_sums(values: FloatArray, count: int) -> FloatArray:
    """Sums of values[t] cos(pi j (t + 1/2) / m) for j = 1..count, by one transform of the mirrored values."""
    m = values.size
    # The mirror image makes the series even about its ends, so that its transform, turned by half a step, is real.
    waves = np.fft.rfft(np.concatenate([values, values[::-1]]))[1 : count + 1]
    turns = np.exp(-0.5j * np.pi * np.arange(1, count + 1) / m)
    sums: FloatArray = 0.5 * np.real(turns * waves)
    return sums


def upper_tail(ratio: float, freedom: int) -> float:
    """Probability that Student's t exceeds `ratio`."""
    return student_upper_tail(float(freedom), float(ratio))

"""The exact law of the mean square of n independent residuals, by an n-fold convolution."""

from dataclasses import dataclass

import numpy as np

from ngrc._types import FloatArray
from ngrc.theory import ResidualLaw

STEP, BINS = 0.02, 2**18
"""Bins of one square over its mean. They end at 5,243; a sum of 800 squares lies beyond once in 100,000 draws of a
Student law of 5 degrees, and never else."""
FINE, NODES = 64.0, 2000
"""Up to here the distribution is taken at every bin; beyond, at this many points in geometric progression."""
NEGLIGIBLE = 1e-12
"""Masses below are rounding of the transform."""


@dataclass(frozen=True, slots=True)
class MeanSquareLaw:
    """Values of the mean square and their probabilities, shapes (k,)."""

    values: FloatArray
    masses: FloatArray

    def expectation(self, of_values: FloatArray) -> float:
        """Mean of a function of the mean square, given at every value."""
        return float(self.masses @ of_values)


def mean_square_law(law: ResidualLaw, count: int) -> MeanSquareLaw:
    """The law of (e_1^2 + ... + e_n^2)/n, to a bin of 0.02/n.

    A root mean square lies below sqrt(E e^2) on average, by about (kurtosis - 1)/(8 n) of it; for heavy tails the
    series behind that term converges slowly, and the law itself is taken instead.

    Examples
    --------
    >>> from ngrc.theory import residual_law
    >>> mean_square = mean_square_law(residual_law("gaussian"), 800)
    >>> round(mean_square.expectation(np.sqrt(mean_square.values)), 6)
    0.999688
    """
    if 2 * count > STEP * BINS:
        raise ValueError(
            f"count must be at most {int(STEP * BINS / 2)} for the sum to stay on the grid, got {count}"
        )
    edges = STEP * np.arange(BINS + 1)
    nodes = np.concatenate([edges[edges < FINE], np.geomspace(FINE, edges[-1], NODES)])
    shares = [law.absolute_cdf(float(law.rms * root)) for root in np.sqrt(nodes)]
    masses = np.diff(np.interp(edges, nodes, shares))
    sums = np.fft.irfft(np.fft.rfft(masses) ** count, BINS)
    kept = np.flatnonzero(sums > NEGLIGIBLE)
    probabilities = np.asarray(sums[kept] / sums[kept].sum(), dtype=np.float64)
    # A square lies at the middle of its bin, but for the first bins, whose density falls steeply: the mean is known.
    values = np.asarray(kept + count / 2.0, dtype=np.float64)
    return MeanSquareLaw(np.asarray(law.rms**2 / (probabilities @ values) * values), probabilities)

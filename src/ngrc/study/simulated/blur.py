"""The law of |e + sqrt(v) Z|: a residual and the estimation error that a fitted readout adds to it."""

from math import exp

import numpy as np

from ngrc._types import FloatArray
from ngrc.theory import CentredExponential, ResidualLaw

STEP, REACH = 0.005, 40.0
"""Grid of the residual in units of its root mean square; a Student law of 5 degrees leaves 1e-7 beyond its end."""


class BlurredLaw:
    """Distribution and quantiles of |e + sqrt(v) Z|, Z standard normal, on a grid.

    The normal part blunts the edges of a law in a way that no rescaling describes, so it is convolved.

    Parameters
    ----------
    law
        The law of e; symmetric, or the centred exponential.
    variance
        v > 0.

    Examples
    --------
    >>> from ngrc.theory import residual_law
    >>> blurred = BlurredLaw(residual_law("gaussian"), 0.21)
    >>> round(float(blurred.share(np.array([1.1]))[0]), 6)
    0.682689
    """

    def __init__(self, law: ResidualLaw, variance: float) -> None:
        half = round(REACH / STEP)
        self._values = np.linspace(0.0, REACH * law.rms, half + 1)
        signed = _signed_shares(law, self._values)
        # Trapezia over eight deviations of the normal density: spectrally exact, and to STEP^2 at a kink of the law.
        width = max(np.sqrt(variance), 1e-12)
        reach = int(np.ceil(8.0 * width / (STEP * law.rms))) + 1
        offsets = STEP * law.rms * np.arange(-reach, reach + 1)
        kernel = np.exp(-0.5 * (offsets / width) ** 2)
        padded = np.pad(signed, reach, mode="edge")
        blurred = np.convolve(padded, kernel / kernel.sum(), mode="valid")
        self._shares = blurred[half:] - blurred[half::-1]

    def share(self, values: FloatArray) -> FloatArray:
        """P(|e + sqrt(v) Z| <= value)."""
        return np.asarray(np.interp(values, self._values, self._shares))

    def quantile(self, shares: FloatArray) -> FloatArray:
        """The value that this share of |e + sqrt(v) Z| does not exceed."""
        return np.asarray(np.interp(shares, self._shares, self._values))


def _signed_shares(law: ResidualLaw, values: FloatArray) -> FloatArray:
    """P(e <= x) on the grid from -max to max, shape (2 k + 1,) from k + 1 values that are not negative."""
    if isinstance(law, CentredExponential):
        below = np.array([max(1.0 - exp(-max(1.0 - value / law.rms, 0.0)), 0.0) for value in values])
        above = np.array([1.0 - exp(-1.0 - value / law.rms) for value in values])
        return np.concatenate([below[:0:-1], above])
    central = np.array([law.absolute_cdf(float(value)) for value in values])
    # Symmetric: half of what lies within x is to the right of zero.
    return np.concatenate([(1.0 - central[:0:-1]) / 2.0, (1.0 + central) / 2.0])

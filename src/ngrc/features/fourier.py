"""Seasonal columns sin, cos(2 pi h t' / P) of the target time t'."""

from collections.abc import Sequence

import numpy as np

from ngrc._types import FloatArray


def fourier_columns(first: int, stop: int, periods: Sequence[float], harmonics: int = 2) -> FloatArray:
    """Fourier terms of the target times first..stop-1.

    The target's time is known when the forecast is made, so the season of the outcome itself enters.

    Parameters
    ----------
    first, stop
        Range of target times, counted from the series' first observation.
    periods
        Periods P in observations.
    harmonics
        Highest multiple h of the base frequency.

    Returns
    -------
    FloatArray
        Shape (stop - first, 2 * harmonics * len(periods)); by period, then harmonic, sine before cosine.

    Examples
    --------
    >>> fourier_columns(0, 2, (4.0,), harmonics=1).round(12)
    array([[0., 1.],
           [1., 0.]])
    """
    times = np.arange(first, stop, dtype=np.float64)
    columns = np.empty((times.size, 2 * harmonics * len(periods)))
    waves = [(harmonic, period) for period in periods for harmonic in range(1, harmonics + 1)]
    for position, (harmonic, period) in enumerate(waves):
        # Whole turns go first, and exactly, by a remainder: sin(pi t) must stay at rounding level however late t is.
        angle = 2.0 * np.pi * (np.mod(harmonic * times, period) / period)
        np.sin(angle, out=columns[:, 2 * position])
        np.cos(angle, out=columns[:, 2 * position + 1])
    return columns


def fourier_names(periods: Sequence[float], harmonics: int = 2) -> tuple[str, ...]:
    """Names of the Fourier columns; t' is the target time.

    Examples
    --------
    >>> fourier_names((144,), harmonics=1)
    ("sin(2π·1·t'/144)", "cos(2π·1·t'/144)")
    """
    return tuple(
        f"{wave}(2π·{harmonic}·t'/{period:g})"
        for period in periods
        for harmonic in range(1, harmonics + 1)
        for wave in ("sin", "cos")
    )

"""The shape of the out-of-sample errors: histogram, quantiles, correlation, and scale over time and clock."""

from dataclasses import dataclass, field

import numpy as np

from ngrc._types import FloatArray, IntArray
from ngrc.backtesting.results import Run
from ngrc.diagnosis.shape import BLOCKS
from ngrc.report.clock import Cycle, cycle_of
from ngrc.series import Series

FEWEST_BINS, MOST_BINS = 10, 80
"""Bins of the histogram: below ten there is no shape, above eighty no bar."""
TAIL = 0.002
"""Share of the errors beyond each end of the histogram; they are counted beside it. One wild error would otherwise
leave a single bar."""
QUANTILES = 200
"""Points of the quantile plot at most; the smallest and the largest error are among them."""
MOST_LAGS, FEWEST_LAGS = 210, 48
"""Lags of the correlations: two days of hours at least, a week of them and a quarter more at most."""


@dataclass(frozen=True, slots=True)
class Histogram:
    """Densities over bins between `edges`, and how many errors lie below the first and above the last edge."""

    edges: FloatArray
    density: FloatArray
    below: int
    above: int


@dataclass(frozen=True, slots=True)
class ByCycle:
    """Root mean square, mean and count of the errors by a part of the clock."""

    name: str
    labels: tuple[str, ...]
    scale: FloatArray
    mean: FloatArray
    count: IntArray


@dataclass(frozen=True, slots=True)
class Residuals:
    """Out-of-sample errors over calibration and test block, in the units of the model's transform.

    Parameters
    ----------
    units
        What a reader must know of the model's transform; empty where errors are in the series' own units.
    count, mean, scale
        How many, their mean and standard deviation.
    histogram
        Of all of them.
    probabilities, theory, sample
        Quantile plot: errors less their mean over their standard deviation at (k - 1/2) / m, beside a Gaussian's.
    lags, correlation, size_correlation, bound
        Autocorrelation of errors and of their sizes, and what 95 % of independent errors stay within.
    starts, block_scale
        Positions at which eight equal stretches begin, and the root mean square of each.
    cycle
        The same by hour, weekday or month; None without dates.
    """

    units: str
    count: int
    mean: float
    scale: float
    histogram: Histogram
    probabilities: FloatArray = field(repr=False)
    theory: FloatArray = field(repr=False)
    sample: FloatArray = field(repr=False)
    lags: IntArray = field(repr=False)
    correlation: FloatArray = field(repr=False)
    size_correlation: FloatArray = field(repr=False)
    bound: float
    starts: IntArray
    block_scale: FloatArray
    cycle: ByCycle | None


def residuals_of(run: Run, series: Series, periods: tuple[float, ...]) -> Residuals:
    """Everything about the errors of a run from the first usable calibration residual to the last test outcome."""
    first = run.blocks.history.start
    positions = np.arange(first, run.blocks.test.stop)
    errors = run.residuals[positions]
    mean, scale = float(np.mean(errors)), float(np.std(errors))
    probabilities = quantile_places(errors.size)
    ordered = np.sort(errors)[np.minimum((probabilities * errors.size).astype(np.int64), errors.size - 1)]
    lags = np.arange(1, 1 + most_lags(errors.size, periods))
    stretches = np.array_split(np.arange(errors.size), min(BLOCKS, errors.size))
    cycle = cycle_of(series, positions)
    return Residuals(
        units=run.link.remark,
        count=errors.size,
        mean=mean,
        scale=scale,
        histogram=histogram(errors),
        probabilities=probabilities,
        theory=_gaussian_quantiles(probabilities),
        sample=(ordered - mean) / scale if scale > 0.0 else np.zeros(ordered.size),
        lags=lags,
        correlation=autocorrelations(errors, lags),
        size_correlation=autocorrelations(np.abs(errors), lags),
        bound=1.959964 / float(np.sqrt(errors.size)),
        starts=np.array([first + part[0] for part in stretches]),
        block_scale=np.array([_rms(errors[part]) for part in stretches]),
        cycle=None if cycle is None else _by_cycle(errors, cycle),
    )


def histogram(errors: FloatArray) -> Histogram:
    """Bins by the rule of Freedman and Diaconis between the tails.

    Examples
    --------
    >>> bars = histogram(np.arange(1000.0))
    >>> bars.density.size, bars.below + bars.above, round(float(np.sum(bars.density * np.diff(bars.edges))), 3)
    (10, 4, 0.996)
    """
    low, quarter, three_quarters, high = np.quantile(errors, [TAIL, 0.25, 0.75, 1.0 - TAIL])
    if high <= low:
        low, high = low - 0.5, high + 0.5
    # Width 2 IQR / m^(1/3) (doi 10.1007/BF01025868).
    width = 2.0 * (three_quarters - quarter) / errors.size ** (1.0 / 3.0)
    bins = MOST_BINS if width <= 0.0 else int(np.clip((high - low) / width, FEWEST_BINS, MOST_BINS))
    counts, edges = np.histogram(errors, bins=bins, range=(low, high))
    density = counts / (errors.size * np.diff(edges))
    return Histogram(edges, density, int(np.sum(errors < edges[0])), int(np.sum(errors > edges[-1])))


def quantile_places(count: int) -> FloatArray:
    """Probabilities (k - 1/2) / m of all m ordered values, or of `QUANTILES` of them with both ends.

    Examples
    --------
    >>> quantile_places(4)
    array([0.125, 0.375, 0.625, 0.875])
    """
    if count <= QUANTILES:
        kept = np.arange(count)
    else:
        # Even in the Gaussian's own units, as the tails are what is looked at.
        low, high = _gaussian_quantiles(np.array([0.5 / count, 1.0 - 0.5 / count]))
        even = np.linspace(low, high, QUANTILES)
        kept = np.unique(
            np.clip(np.rint(_gaussian_shares(even) * count - 0.5), 0, count - 1).astype(np.int64)
        )
    return (kept + 0.5) / count


def _gaussian_quantiles(probabilities: FloatArray) -> FloatArray:
    # Imported where it is needed, as it takes a while to load.
    from scipy.special import ndtri

    return np.asarray(ndtri(probabilities), dtype=np.float64)


def _gaussian_shares(values: FloatArray) -> FloatArray:
    from scipy.special import ndtr

    return np.asarray(ndtr(values), dtype=np.float64)


def most_lags(count: int, periods: tuple[float, ...]) -> int:
    """Lags to show: a little beyond the longest period that fits, and no more than a quarter of the errors."""
    fitting = [round(1.25 * period) for period in periods if 1.25 * period <= MOST_LAGS]
    return max(1, min(max([FEWEST_LAGS, *fitting]), count // 4))


def autocorrelations(values: FloatArray, lags: IntArray) -> FloatArray:
    """Sample autocorrelations over the whole sum of squares, by one transform; zero for a constant stretch."""
    centred = values - np.mean(values)
    total = float(centred @ centred)
    if total == 0.0:
        return np.zeros(lags.size)
    # Twice the length, so that the ends do not meet in the circle of the transform.
    waves = np.fft.rfft(centred, 2 * values.size)
    products = np.fft.irfft(waves * np.conj(waves), 2 * values.size)
    return np.asarray(products[lags] / total, dtype=np.float64)


def _by_cycle(errors: FloatArray, cycle: Cycle) -> ByCycle:
    groups = [errors[cycle.parts == part] for part in range(len(cycle.labels))]
    kept = [part for part, group in enumerate(groups) if group.size]
    return ByCycle(
        cycle.name,
        tuple(cycle.labels[part] for part in kept),
        np.array([_rms(groups[part]) for part in kept]),
        np.array([float(np.mean(groups[part])) for part in kept]),
        np.array([groups[part].size for part in kept]),
    )


def _rms(values: FloatArray) -> float:
    return float(np.sqrt(np.mean(values**2)))

"""The shape of the out-of-sample errors: histogram, quantiles, correlation, and scale over time and clock."""

from dataclasses import dataclass, field

import numpy as np

from ngrc._normal import gaussian_probabilities, gaussian_quantiles
from ngrc._types import FloatArray, IntArray
from ngrc.backtesting.results import Run
from ngrc.diagnosis.shape import BLOCKS
from ngrc.report.chance import LIKELY, clumping
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
    lags, correlation, size_correlation
        Autocorrelation of errors and of their sizes.
    bound, size_bound
        What 95 % of either stay within from lag H on where nothing is left to find: errors of forecasts H steps ahead
        overlap, and are correlated up to lag H - 1 although nothing is wrong.
    together
        How many misses of an interval count as one, as they come together where errors overlap.
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
    size_bound: float
    together: float
    starts: IntArray
    block_scale: FloatArray
    cycle: ByCycle | None


def residuals_of(run: Run, series: Series, periods: tuple[float, ...]) -> Residuals:
    """Everything about the errors of a run from the first usable calibration residual to the last test outcome.

    Targets whose outcome never came have no error.
    """
    every = np.arange(run.blocks.history.start, run.blocks.test.stop)
    came = np.ones(every.size, dtype=np.bool_) if series.missing is None else ~series.missing[every]
    positions, errors = every[came], run.residuals[every[came]]
    mean, scale = float(np.mean(errors)), float(np.std(errors))
    probabilities = quantile_places(errors.size)
    ordered = np.sort(errors)[np.minimum((probabilities * errors.size).astype(np.int64), errors.size - 1)]
    horizon = run.blocks.horizon
    lags = np.arange(1, 1 + most_lags(errors.size, periods, horizon))
    # With their gaps, as a lag is a time.
    spaced = np.where(came, run.residuals[every], np.nan)
    correlation, sizes = autocorrelations(spaced, lags), autocorrelations(np.abs(spaced), lags)
    stretches = np.array_split(np.arange(errors.size), min(BLOCKS, errors.size))
    cycle = cycle_of(series, positions)
    return Residuals(
        units=run.link.remark,
        count=errors.size,
        mean=mean,
        scale=scale,
        histogram=histogram(errors),
        probabilities=probabilities,
        theory=gaussian_quantiles(probabilities),
        sample=(ordered - mean) / scale if scale > 0.0 else np.zeros(ordered.size),
        lags=lags,
        correlation=correlation,
        size_correlation=sizes,
        bound=correlation_bound(correlation, errors.size, horizon),
        size_bound=correlation_bound(sizes, errors.size, horizon),
        together=clumping(autocorrelations(np.abs(spaced), np.arange(1, min(horizon, spaced.size)))),
        starts=np.array([positions[part[0]] for part in stretches]),
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
        low, high = gaussian_quantiles(np.array([0.5 / count, 1.0 - 0.5 / count]))
        even = np.linspace(low, high, QUANTILES)
        kept = np.unique(
            np.clip(np.rint(gaussian_probabilities(even) * count - 0.5), 0, count - 1).astype(np.int64)
        )
    return (kept + 0.5) / count


def most_lags(count: int, periods: tuple[float, ...], horizon: int = 1) -> int:
    """Lags to show: beyond the longest period that fits and twice the horizon, at most a quarter of the errors."""
    fitting = [round(1.25 * period) for period in periods if 1.25 * period <= MOST_LAGS]
    return max(1, min(max([FEWEST_LAGS, *fitting, min(2 * horizon, MOST_LAGS)]), count // 4))


def autocorrelations(values: FloatArray, lags: IntArray) -> FloatArray:
    """Sample autocorrelations over the whole sum of squares, by one transform; zero for a constant stretch.

    Where values are missing (NaN) a sum of products is their mean over the pairs that are there, times as many pairs as
    a whole stretch of this length has: without gaps that is the usual estimator.
    """
    known = ~np.isnan(values)
    centred = np.where(known, values - np.mean(values[known]), 0.0)
    total = float(centred @ centred)
    if total == 0.0:
        return np.zeros(lags.size)
    products = _lagged_products(centred)[lags]
    if known.all():
        return np.asarray(products / total, dtype=np.float64)
    pairs = np.rint(_lagged_products(known.astype(np.float64))[lags])
    # A lag of which no pair is known says nothing.
    means = np.divide(products, pairs, out=np.zeros(lags.size), where=pairs > 0)
    whole = (values.size - lags) / values.size
    return np.asarray(whole * means / (total / np.count_nonzero(known)), dtype=np.float64)


def _lagged_products(values: FloatArray) -> FloatArray:
    """sum_t v[t] v[t + k] for every lag k."""
    # Twice the length, so that the ends do not meet in the circle of the transform.
    waves = np.fft.rfft(values, 2 * values.size)
    return np.asarray(np.fft.irfft(waves * np.conj(waves), 2 * values.size), dtype=np.float64)


def correlation_bound(correlations: FloatArray, count: int, horizon: int) -> float:
    """What 95 % of the sample correlations from lag H on stay within where the true ones are zero there.

    Bartlett's variance of a correlation beyond the order H - 1 of a moving average, (1 + 2 sum_{k<H} r_k^2) / m
    (Brockwell and Davis 1991, example 7.2.2): for H = 1 the usual 1.96 / sqrt(m), for overlapping errors wider.
    """
    near = correlations[: horizon - 1]
    return LIKELY * float(np.sqrt((1.0 + 2.0 * float(near @ near)) / count))


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

"""Lines in a spectrum that stand out from what surrounds them.

The periodogram of noise is its smooth spectrum times independent exponential variables; that of a cycle is a line one
bin wide. A bin is judged by the medians of its neighbours on either side, the larger of the two: a slope, as the
spectra of random walks have, is then no line, and a broad hump, as that of a damped oscillation, is part of its own
background as soon as it is wider than the neighbourhood.
"""

from dataclasses import dataclass

import numpy as np

from ngrc._types import FloatArray, IntArray
from ngrc.readout.lagged import fast_length

# Two points per bin of the periodogram, so that a cycle between two bins loses little of its height.
FINE = 2
# Bins of the neighbourhood on each side: more make the background surer, fewer follow a curved spectrum.
_FEWEST, _MOST = 5, 20
# Points next to a line that belong to its own peak.
_GAP = 2
# The median of w neighbouring points, every second one independent, varies like the mean of w / 2.5 exponentials or
# more: the relative variance of a median is 2.1 / w per independent value, and the larger of two sides errs upwards.
_WORTH = 2.5


@dataclass(frozen=True, slots=True)
class Spectrum:
    """Power of n whitened values at two frequencies per bin, k / `points`, NaN where it has been explained.

    `medians` holds the median of every window of `width` neighbouring points, from the first that ends before the
    spectrum begins to the last that begins after its end.
    """

    power: FloatArray
    medians: FloatArray
    count: int

    @property
    def width(self) -> int:
        """Points of the neighbourhood on each side."""
        return neighbours(self.count)

    @property
    def points(self) -> int:
        """Length of the transform: twice n, or a little more where that has few factors."""
        return 2 * (self.power.size - 1)

    @property
    def frequencies(self) -> FloatArray:
        """Cycles per step, shape of `power`."""
        return np.arange(self.power.size) / self.points

    def without(self, period: float) -> "Spectrum":
        """The spectrum without a cycle and its harmonics."""
        cycles = self.count / period
        nearest = np.rint(self.frequencies * period)
        # A strong line has side lobes three bins away; changing amplitudes and drifting phases widen it by about 2 %.
        # Of few cycles the harmonics lie so close that more of each, or more of them, would hide the whole spectrum.
        width = max(min(3.0, cycles / 4), 0.02 * cycles)
        covered = (nearest >= 1) & ((nearest <= 12) | (cycles >= 12))
        hidden = covered & (np.abs(self.frequencies * period - nearest) * cycles <= width)
        power = np.where(hidden, np.nan, self.power)
        # Windows that lost no point keep their medians: sorting them all again would be most of the cost.
        lost = np.convolve(_padded(hidden.astype(np.float64), self.width, 0.0), np.ones(self.width), "valid")
        medians, stale = self.medians.copy(), np.flatnonzero(lost > 0.5)
        medians[stale] = window_medians(power, self.width, stale)
        return Spectrum(power, medians, self.count)

    def background(self) -> FloatArray:
        """Mean power that noise has at each point, from the side with the larger median."""
        size = self.power.size
        right = self.width + 2 * _GAP + 1
        sides: FloatArray = np.fmax(self.medians[:size], self.medians[right : right + size])
        # The median of an exponential variable is log 2 times its mean.
        return np.divide(sides, np.log(2))

    def log_chances(self) -> FloatArray:
        """Logarithm of the probability that noise alone reaches each point's power, NaN where explained."""
        worth = self.width / _WORTH
        # An exponential over the mean of m others exceeds x with probability (1 + x / m)^-m.
        return np.multiply(np.log1p(self.power / self.background() / worth), -worth)

    def autocorrelation(self) -> FloatArray:
        """Autocorrelation of the values that have this power, at the lags 0..n-1."""
        known = np.where(np.isfinite(self.power), self.power, 0.0)
        # The taper weakens far lags by its own autocorrelation; the last, where next to nothing is left, stay weak.
        own = np.abs(np.fft.rfft(taper(self.count), self.points)) ** 2
        weights = np.fft.irfft(own, self.points)[: self.count]
        products = np.fft.irfft(known, self.points)[: self.count]
        echo: FloatArray = products / np.maximum(weights, 0.05 * weights[0])
        return echo / echo[0] if echo[0] > 0 else np.zeros(self.count)

    def sharp(self, point: int, ratio: float) -> bool:
        """Whether the point exceeds the mean of the bins two to five away on both sides by the given ratio."""
        offsets = np.arange(2 * FINE, 5 * FINE + 1)
        near = np.concatenate([point - offsets, point + offsets])
        powers = self.power[near[(near >= FINE) & (near < self.power.size)]]
        powers = powers[np.isfinite(powers)]
        return powers.size == 0 or bool(self.power[point] >= ratio * powers.mean())


def taper(count: int) -> FloatArray:
    """Half a sine wave, at the middle of each of `count` steps."""
    return np.asarray(np.sin(np.pi * (np.arange(count) + 0.5) / count))


def neighbours(count: int) -> int:
    """Points on each side of a line that are its neighbourhood, for a series of `count` values."""
    return FINE * int(np.clip(count // 10, _FEWEST, _MOST))


def spectrum(values: FloatArray) -> Spectrum:
    """Periodogram of values under a sine taper, without the frequencies below one cycle."""
    count = values.size
    # Without a taper a strong line or trend spills over the whole spectrum.
    points = FINE * fast_length(count)
    power = np.abs(np.fft.rfft((values - values.mean()) * taper(count), points)) ** 2
    # A floor, so that an exact cycle has a background: what is left of it by rounding is no line, nor of any use.
    power += 1e-4 * power.mean()
    power[:FINE] = np.nan
    return Spectrum(power, window_medians(power, neighbours(count)), count)


def window_medians(power: FloatArray, width: int, windows: IntArray | None = None) -> FloatArray:
    """Median of the known points of each window of `width`, or of the named windows; NaN where none is known."""
    # Single precision is ample for a median and sorts in half the time.
    views = np.lib.stride_tricks.sliding_window_view(_padded(power, width, np.nan).astype(np.float32), width)
    # NaN is sorted to the end of each window: the middle of those in front is their median.
    ordered = np.sort(views if windows is None else views[windows], axis=1)
    counts = np.sum(np.isfinite(ordered), axis=1)
    rows = np.arange(counts.size)
    low = ordered[rows, np.maximum(counts - 1, 0) // 2]
    high = ordered[rows, np.minimum(counts // 2, width - 1)]
    return np.where(counts > 0, np.add(low, high, dtype=np.float64) / 2, np.nan)


def _padded(points: FloatArray, width: int, filler: float) -> FloatArray:
    return np.pad(points, width + _GAP, constant_values=filler)

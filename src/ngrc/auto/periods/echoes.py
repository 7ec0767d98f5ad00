"""The autocorrelation beside the spectrum: whether a line is a cycle, and of which length."""

from dataclasses import dataclass

import numpy as np

from ngrc._types import FloatArray


@dataclass(frozen=True, slots=True)
class Echoes:
    """Autocorrelations of a series without its trend (`level`) and of its whitened form (`change`), by lag."""

    level: FloatArray
    change: FloatArray
    count: int

    @property
    def noise(self) -> float:
        """Standard deviation of an autocorrelation of white noise."""
        return 1 / float(np.sqrt(self.count))

    def smooth(self, lags: list[float], period: float) -> tuple[list[float], float]:
        """The whitened series' autocorrelations near some lags, and their noise.

        Averages over a twelfth of the period to both sides: a long cycle is a small part of whitened values, and single
        lags would be noise. Short ones are taken at the better of the two whole lags around.
        """
        half = int(period / 12)
        kernel = np.ones(2 * half + 1) / (2 * half + 1)
        echo = np.convolve(self.change, kernel, "same") if half else self.change
        return [float(echo[_top(echo, lag)]) for lag in lags], self.noise / float(np.sqrt(kernel.size))

    def height(self, lag: float) -> float:
        """By how much the autocorrelation at a lag rises above the valleys half a cycle to both sides; 0 if negative.

        The larger of level and change: a season on a random walk shows in its changes, a long cycle in its level.
        """
        heights = [
            _height(echo, lag, lag)
            for echo in (self.level, self.change)
            if echo[_top(echo, lag)] > self.noise
        ]
        return max(heights, default=0.0)

    def second_height(self, lag: float) -> float:
        """The same at two cycles, of the level: what a damped oscillation has lost by then."""
        return _height(self.level, 2 * lag, lag)


def autocorrelation(values: FloatArray, most: int) -> FloatArray:
    """Autocorrelations at lags 0..most by one transform, shape (most + 1,); zeros for a constant."""
    size = 1 << int(np.ceil(np.log2(values.size + most + 1)))
    power = np.abs(np.fft.rfft(values - values.mean(), size)) ** 2
    products = np.fft.irfft(power, size)[: most + 1]
    return products / products[0] if products[0] > 0 else np.zeros(most + 1)


def _top(echo: FloatArray, lag: float) -> int:
    near = [min(max(k, 1), echo.size - 1) for k in (int(np.floor(lag)), int(np.ceil(lag)))]
    return max(near, key=lambda k: float(echo[k]))


def _height(echo: FloatArray, lag: float, period: float) -> float:
    if lag > echo.size - 1:
        return 0.0
    top = _top(echo, lag)
    reach = max(int(np.ceil(period / 2)), 1)
    before, after = echo[max(top - reach, 1) : top], echo[top + 1 : top + reach + 1]
    valleys = [float(side.min()) for side in (before, after) if side.size]
    return float(echo[top]) - sum(valleys) / len(valleys) if valleys else 0.0

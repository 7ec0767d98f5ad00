"""Exponential smoothings with fixed gains: states of every time, from which forecasts of any horizon follow."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ngrc._kernels.models import smoothings_run
from ngrc._types import FloatArray


class Gains(NamedTuple):
    """The gains of one smoothing.

    Parameters
    ----------
    level
        Gain of the level, in (0, 1]; 1 takes the last value.
    slope
        Gain of the slope, at least 1 / (t + 1): zero is the mean change so far. None: no slope at all.
    damping
        What is left of the slope from one step to the next.
    share
        Share of the slope that is forecast; one half is that of the Theta method.
    season
        Gain of the season, at least 1 / (cycles + 1): zero is the mean per phase. None: no season.
    """

    level: float
    slope: float | None = None
    damping: float = 1.0
    share: float = 1.0
    season: float | None = None

    @property
    def words(self) -> str:
        """The gains, for a column's name."""
        slope = "" if self.slope is None else f", slope {self.slope:g} x {self.damping:g} x {self.share:g}"
        return f"{self.level:g}{slope}{'' if self.season is None else f', season {self.season:g}'}"


@dataclass(frozen=True, slots=True)
class States:
    """Level, slope and season of every smoothing after every observation.

    Parameters
    ----------
    first
        First time with states.
    level, slope
        Shape (n, K).
    season
        Seasonal term of each time's own phase after it was observed, shape (n, K); a common `offset`, shape (n, K), is
        taken off all phases.
    """

    first: int
    level: FloatArray
    slope: FloatArray
    season: FloatArray
    offset: FloatArray


def start(period: int) -> int:
    """Observations that begin the states: two cycles, or three values without a season."""
    return 2 * period if period > 1 else 3


def smooth(x: FloatArray, period: int, gains: Sequence[Gains]) -> States:
    """Run every smoothing over the series, each state from the past alone.

    Two cycles give the first slope and season; without a season three values give the first slope.

    Parameters
    ----------
    x
        The series, shape (n,), n at least `start(period)`.
    period
        Whole observations per cycle; 1 for no season.
    gains
        K smoothings.
    """
    size, many, begin = x.size, len(gains), start(period)
    level_gain = np.array([gain.level for gain in gains])
    sloping = np.array([gain.slope is not None for gain in gains], dtype=np.float64)
    slope_gain = np.array([gain.slope or 0.0 for gain in gains])
    damping = np.array([gain.damping for gain in gains])
    seasonal = np.array([gain.season is not None for gain in gains], dtype=np.float64)
    season_gain = np.array([gain.season or 0.0 for gain in gains])
    level, slope, phases = _begin(x[:begin], period, seasonal)
    slope = slope * sloping
    levels, slopes, seasons, offsets = (np.zeros((size, many)) for _ in range(4))
    # Before the states begin every phase has its first term.
    seasons[:begin] = phases[np.arange(begin) % period]
    levels[begin - 1], slopes[begin - 1] = level, slope
    # What the level takes of an error the season need not take as well.
    taken = seasonal * (1.0 - 0.5 * level_gain)
    rules = np.stack([level_gain, slope_gain, damping, season_gain, sloping, taken])
    smoothings_run(x, begin, rules, phases, levels, slopes, seasons, offsets)
    return States(begin - 1, levels, slopes, seasons, offsets)


def _begin(x: FloatArray, period: int, seasonal: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """First level and slope, shape (K,), and seasonal terms, shape (period, K)."""
    size, many = x.size, seasonal.size
    if period == 1:
        slope = (x[-1] - x[0]) / (size - 1)
        return np.full(many, x[-1]), np.full(many, slope), np.zeros((1, many))
    slope = (x[period:].mean() - x[:period].mean()) / period
    line = x.mean() + slope * (np.arange(size) - (size - 1) / 2.0)
    terms = (x - line).reshape(-1, period).mean(axis=0)
    level = np.where(seasonal > 0.0, line[-1], x[-1])
    return level, np.full(many, slope), terms[:, None] * seasonal


def forecasts(
    states: States, gains: Sequence[Gains], period: int, horizon: int, origins: range
) -> FloatArray:
    """Forecasts from some origins, shape (origins, K)."""
    reached, seasonal = _reached(tuple(gains), horizon)
    here = slice(origins.start, origins.stop)
    result = states.level[here] + reached * states.slope[here]
    if period > 1:
        # The last time of the target's phase that is no later than the origin.
        back = period * -(-horizon // period) - horizon
        season = states.season[origins.start - back : origins.stop - back]
        result = result + (season - states.offset[here]) * seasonal
    return np.asarray(result)


# A path asks for every horizon again at every end of its walk.
@lru_cache(maxsize=1024)
def _reached(gains: tuple[Gains, ...], horizon: int) -> tuple[FloatArray, FloatArray]:
    """By smoothing, how many of its slopes a forecast adds, and whether it has a season; shape (K,) each."""
    damping = np.array([gain.damping for gain in gains])
    shares = np.array([0.0 if gain.slope is None else gain.share for gain in gains])
    seasonal = np.array([gain.season is not None for gain in gains], dtype=np.float64)
    return shares * np.sum(damping[:, None] ** np.arange(1, horizon + 1), axis=1), seasonal

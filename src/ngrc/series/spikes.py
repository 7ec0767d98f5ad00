"""Isolated spikes: points so far from their neighbours that they look like data errors.

A pair of such points can move a Winkler score more than the choice of method does, so a backtest names them.
They are only reported, never removed, and never reach a forecast or an interval.
"""

from dataclasses import dataclass

import numpy as np

from ngrc._types import FloatArray, IntArray

THRESHOLD = 12.0
"""Robust standard deviations, of the whole series and of its surroundings, that make a spike.

High enough that Gaussian, Laplace and random-walk series of 5,000 values have none (see the tests), low enough for the
known pair of wrong quotes in the exchange returns.
"""

SURROUNDINGS = 25
"""Observations on either side that tell whether the neighbourhood is quiet: a day of hourly values each way."""


@dataclass(frozen=True, slots=True)
class Spikes:
    """Positions of isolated spikes in the series, and by how many robust deviations each sticks out."""

    positions: IntArray
    sizes: FloatArray

    @property
    def remark(self) -> str | None:
        """One line for a report, or None where there are no spikes."""
        if not self.positions.size:
            return None
        # Six positions fit on the line of a report.
        places = ", ".join(str(position) for position in self.positions[:6])
        more = ", ..." if self.positions.size > 6 else ""
        return (
            f"{self.positions.size} isolated spike(s) that may be data errors, at position(s) {places}{more}; "
            "scores can rest on them, so look at them or score without them"
        )


def find_spikes(values: FloatArray) -> Spikes:
    """Points far from the median of their four neighbours, on the scale of the series and of their surroundings.

    The deviation is d[t] = x[t] - median(x[t-2], x[t-1], x[t+1], x[t+2]). A spike exceeds `THRESHOLD` times the
    larger of two robust scales of d over the whole series (1.4826 MAD, and the RMS clipped at its 1 % tails, which
    keeps half-idle series such as solar power from having scale zero), and the same multiple of the
    median |d| around it.

    Examples
    --------
    >>> quiet = np.sin(np.arange(300) / 9)
    >>> quiet[120] += 40
    >>> find_spikes(quiet).positions
    array([120])
    """
    # Shorter than one neighbourhood, "the series" and "around" are the same thing.
    if values.size < 2 * SURROUNDINGS + 1:
        return Spikes(np.empty(0, np.int64), np.empty(0))
    deviations = _deviations(values)
    scale = _robust_scale(deviations)
    if scale == 0.0:
        return Spikes(np.empty(0, np.int64), np.empty(0))
    candidates = np.flatnonzero(np.abs(deviations) > THRESHOLD * scale)
    positions = np.array(_isolated(values, deviations, candidates, scale), dtype=np.int64)
    return Spikes(positions, deviations[positions] / scale)


def _isolated(values: FloatArray, deviations: FloatArray, candidates: IntArray, scale: float) -> list[int]:
    """Candidates that still stick out once larger spikes beside them are smoothed away, in time order."""
    smoothed, positions = values.copy(), []
    # Largest first: beside a spike its neighbours deviate too, and must be judged without it.
    for position in candidates[np.argsort(-np.abs(deviations[candidates]))].tolist():
        near = np.r_[max(position - 2, 0) : position, position + 1 : min(position + 3, values.size)]
        middle = float(np.median(smoothed[near]))
        height = abs(values[position] - middle)
        if height > THRESHOLD * max(scale, _local_scale(deviations, position)):
            smoothed[position] = middle
            positions.append(position)
    return sorted(positions)


def _deviations(values: FloatArray) -> FloatArray:
    # The ends repeat, so that the first and the last two values have four neighbours as well.
    padded = np.pad(values, 2, mode="edge")
    neighbours = np.stack([padded[:-4], padded[1:-3], padded[3:-1], padded[4:]])
    deviations: FloatArray = values - np.median(neighbours, axis=0)
    return deviations


def _robust_scale(deviations: FloatArray) -> float:
    # 1.4826 times the median absolute deviation is the standard deviation of a Gaussian law.
    clipped = np.clip(deviations, *np.quantile(deviations, [0.01, 0.99]))
    return float(max(1.4826 * np.median(np.abs(deviations)), np.sqrt(np.mean(clipped**2))))


def _local_scale(deviations: FloatArray, position: int) -> float:
    nearby = deviations[max(position - SURROUNDINGS, 0) : position + SURROUNDINGS + 1]
    return 1.4826 * float(np.median(np.abs(nearby)))

"""Brute-force references: the definitions written out with sorts and exact fractions, at any cost.

They share no code with the package. A stream is told apart from its future here by slicing alone.
"""

from collections.abc import Iterator
from fractions import Fraction
from math import ceil, floor, fsum, gamma, inf, sqrt

import numpy as np

from ngrc._types import FloatArray
from ngrc.intervals.base import IntervalMethod, Stream


def exact(number: float) -> Fraction:
    """The decimal number that was meant: 0.55 is 55/100."""
    return Fraction(repr(float(number)))


def rank(count: int, level: float) -> int:
    return ceil((count + 1) * exact(level))


def split_quantile(scores: list[float], level: float) -> float:
    ordered = [*sorted(scores), inf]
    return ordered[min(rank(len(scores), level), len(scores) + 1) - 1]


def signed_pair(residuals: list[float], level: float) -> tuple[float, float]:
    ordered = [-inf, *sorted(residuals), inf]
    tail = (1 - exact(level)) / 2
    return (
        ordered[floor((len(residuals) + 1) * tail)],
        ordered[ceil((len(residuals) + 1) * (1 - tail))],
    )


def weighted_rank(scores: list[float], weights: list[Fraction], level: float) -> float:
    target = exact(level) * (1 + Fraction(1, 10**12)) * sum(weights)
    cumulative = Fraction(0)
    for score, weight in sorted(zip(scores, weights, strict=True)):
        cumulative += weight
        if cumulative >= target:
            return score
    return max(scores)


def histories(stream: Stream) -> Iterator[list[float]]:
    """What is known at each wanted position."""
    for position in range(stream.start, stream.residuals.size):
        yield stream.residuals[: position - stream.horizon + 1].tolist()


def rolling(stream: Stream, window: int, level: float) -> list[float]:
    return [split_quantile([abs(e) for e in known[-window:]], level) for known in histories(stream)]


def root_mean_square(stream: Stream, window: int) -> list[float]:
    return [sqrt(fsum(e * e for e in known[-window:]) / window) for known in histories(stream)]


def student(stream: Stream, level: float) -> list[float]:
    """The t quantile by halving an integral of its density, the sums by `fsum`."""
    widths = []
    for known in histories(stream):
        count = len(known)
        scale = sqrt(fsum(e * e for e in known) / count * (1 + 1 / count))
        widths.append(scale * student_quantile(max(count / stream.horizon, min(count, 3.0)), level))
    return widths


def student_quantile(freedom: float, level: float) -> float:
    """q with P(|T| <= q) = level. With T = sqrt(freedom) tan(a) the law has density cos(a)^(freedom - 1) in a."""
    angles, weights = np.polynomial.legendre.leggauss(200)

    def mass(angle: float) -> float:
        places = angle / 2 * (angles + 1)
        return float(angle / 2 * weights @ np.cos(places) ** (freedom - 1))

    # The whole mass in closed form: below two degrees of freedom the density's end is too steep for the sum.
    whole = sqrt(np.pi) / 2 * gamma(freedom / 2) / gamma((freedom + 1) / 2)
    low, high, wanted = 0.0, np.pi / 2, level * whole
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if mass(middle) < wanted else (low, middle)
    return sqrt(freedom) * float(np.tan(low))


def adaptive(stream: Stream, rate: float, level: float) -> tuple[list[float], list[float]]:
    """Widths and levels; alpha_t is kept as an exact fraction."""
    alpha = 1 - exact(level)
    low, high = Fraction(1, 1000), Fraction(999, 1000)
    if alpha < Fraction(1, 100):
        low = min(low, alpha - exact(rate))
    if alpha > Fraction(99, 100):
        high = max(high, alpha + exact(rate))
    current = min(max(alpha, low), high)
    widths: list[float] = []
    levels: list[float] = []
    for step, known in enumerate(histories(stream)):
        if step >= stream.horizon:
            missed = abs(known[-1]) > widths[step - stream.horizon]
            current = min(max(current + exact(rate) * (alpha - missed), low), high)
        chosen = max(1, min(ceil((len(known) + 1) * (1 - current)), len(known)))
        widths.append(sorted(abs(e) for e in known)[chosen - 1])
        levels.append(float(current))
    return widths, levels


def weighted(stream: Stream, decay: float, level: float) -> list[float]:
    powers = [exact(decay) ** age for age in range(stream.residuals.size)]
    return [
        weighted_rank([abs(e) for e in known], powers[: len(known)][::-1], level)
        for known in histories(stream)
    ]


def whole_weights(decay: float, count: int) -> list[int]:
    """Weights round(2^62 decay^age), newest first, the power by repeated multiplication."""
    powers = [1.0]
    while len(powers) < count:
        powers.append(powers[-1] * decay)
    return [round(Fraction(power) * 2**62) for power in powers]


def decayed_quantile(scores: list[float], decay: float, level: float) -> float:
    """Smallest score whose exact cumulative weight reaches level (1 + 1e-12) of the total, newest score last."""
    weights = whole_weights(decay, len(scores))[::-1]
    target = Fraction(level * (1.0 + 1e-12)) * sum(weights)
    cumulative = 0
    for score, weight in sorted(zip(scores, weights, strict=True)):
        cumulative += weight
        if cumulative >= target:
            return score
    return max(scores)


def partial_sum_levels(scores: list[float], decay: float) -> list[float]:
    """Levels that fall on a partial sum of the weights, as nearly as a double can, and the doubles around them."""
    weights = whole_weights(decay, len(scores))[::-1]
    total, cumulative, levels = sum(weights), 0, []
    for _, weight in sorted(zip(scores, weights, strict=True)):
        cumulative += weight
        middle = float(Fraction(cumulative, total) / Fraction(1.0 + 1e-12))
        near = [float(np.nextafter(middle, side)) for side in (0.0, 1.0)]
        levels += [level for level in (near[0], middle, near[1]) if 0.0 < level < 1.0]
    return levels


def winkler(lower: FloatArray, upper: FloatArray, residuals: FloatArray, level: float) -> float:
    total = 0.0
    for low, high, residual in zip(lower.tolist(), upper.tolist(), residuals.tolist(), strict=True):
        total += high - low
        if residual < low:
            total += 2 / (1 - level) * (low - residual)
        if residual > high:
            total += 2 / (1 - level) * (residual - high)
    return total / residuals.size


def one_at_a_time(method: IntervalMethod, stream: Stream, level: float) -> tuple[FloatArray, FloatArray]:
    """Drive a method's tracker through a stream, outcome of t - H first, then the interval for t."""
    tracker = method.begin(stream.history, level)
    none = np.zeros_like(stream.residuals)
    leverage = none if stream.leverage is None else stream.leverage
    forecasts = none if stream.context is None else stream.context.forecasts
    pairs: list[tuple[float, float]] = []
    for step in range(stream.steps):
        if step > 0:
            position = stream.known + step - 1
            residual = float(stream.residuals[position])
            missed = None
            if position >= stream.start:
                lower, upper = pairs[position - stream.start]
                missed = not lower <= residual <= upper
            tracker.observe(residual, missed)
        place = stream.start + step
        pairs.append(tracker.issue(float(leverage[place]), float(forecasts[place])))
    ends = np.array(pairs).reshape(-1, 2)
    return ends[:, 0], ends[:, 1]

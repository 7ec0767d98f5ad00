"""The plain numpy forms of the sequential methods, as one would write them first. They are the references."""

import bisect
import math
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from ngrc._types import FloatArray

# Written out again and not imported: a reference that shared our constants would share their errors.
LOW, HIGH = 0.001, 0.999
TIE = 1.0 + 1e-12
HISTORY_SHARE = 0.6


def rank(count: int, level: float) -> int:
    """ceil((m + 1) level), at most m."""
    return min(max(math.ceil((count + 1) * level - 1e-9), 1), count)


def adaptive_sort(scores: FloatArray, start: int, level: float, rate: float) -> FloatArray:
    """Sort the whole growing history at every step."""
    alpha, out = 1 - level, []
    for t in range(start, len(scores)):
        q = np.sort(scores[:t])[rank(t, 1 - alpha) - 1]
        out.append(q)
        alpha = min(max(alpha + rate * ((1 - level) - (scores[t] > q)), LOW), HIGH)
    return np.array(out)


def adaptive_bisect(scores: FloatArray, start: int, level: float, rate: float) -> FloatArray:
    """Keep a sorted list and insert by bisection."""
    values = scores.tolist()
    ordered = sorted(values[:start])
    alpha, out = 1 - level, []
    for t in range(start, len(values)):
        q = ordered[rank(t, 1 - alpha) - 1]
        out.append(q)
        alpha = min(max(alpha + rate * ((1 - level) - (values[t] > q)), LOW), HIGH)
        bisect.insort(ordered, values[t])
    return np.array(out)


def unprojected_bisect(scores: FloatArray, start: int, level: float, rate: float) -> FloatArray:
    """The same without projection; infinite above all scores, zero below all."""
    values = scores.tolist()
    ordered = sorted(values[:start])
    misses, out = 0, []
    for t in range(start, len(values)):
        alpha = (1 - level) + rate * ((t - start) * (1 - level) - misses)
        place = math.ceil((t + 1) * (1 - alpha) - 1e-9)
        q = 0.0 if alpha >= 1 - 1e-12 else math.inf if place > t else ordered[max(place, 1) - 1]
        out.append(q)
        misses += values[t] > q
        bisect.insort(ordered, values[t])
    return np.array(out)


def rolling_bisect(scores: FloatArray, start: int, window: int, level: float) -> FloatArray:
    """Keep the window as a sorted list; insert and delete by bisection."""
    values = scores.tolist()
    ordered, place, out = sorted(values[start - window : start]), rank(window, level) - 1, []
    for t in range(start, len(values)):
        out.append(ordered[place])
        del ordered[bisect.bisect_left(ordered, values[t - window])]
        bisect.insort(ordered, values[t])
    return np.array(out)


def gaussian_window(residuals: FloatArray, start: int, window: int, factor: float) -> FloatArray:
    """Mean of the last squares, anew at every step."""
    return np.array(
        [factor * np.sqrt(np.mean(residuals[t - window : t] ** 2)) for t in range(start, len(residuals))]
    )


def student_growing(residuals: FloatArray, start: int, level: float) -> FloatArray:
    """A running sum of squares and SciPy's quantile at every step."""
    from scipy.special import stdtrit

    total, out = float(np.sum(residuals[:start] ** 2)), []
    for t in range(start, len(residuals)):
        out.append(-stdtrit(t, (1 - level) / 2) * math.sqrt((1 + 1 / t) * total / t))
        total += residuals[t] ** 2
    return np.array(out)


def adaptive_sliding(scores: FloatArray, start: int, level: float, rate: float, steps: int) -> FloatArray:
    """Adaptive over the last `start` scores only and without the projection: MAPIE's convention."""
    alpha, out = 1 - level, []
    for t in range(start, start + steps):
        q = np.sort(scores[t - start : t])[rank(start, 1 - alpha) - 1]
        out.append(q)
        alpha = min(max(alpha + rate * ((1 - level) - (scores[t] > q)), 0.0), 1.0)
    return np.array(out)


def weighted_sort(
    scores: FloatArray, start: int, level: float, decay: float, steps: Iterable[int] | None = None
) -> FloatArray:
    """Argsort and cumulate the decayed weights at every step (of `steps`, all by default)."""
    powers = decay ** np.arange(len(scores), dtype=np.float64)
    out = []
    for t in range(start, len(scores)) if steps is None else steps:
        order = np.argsort(scores[:t])
        mass = np.cumsum(powers[:t][::-1][order])
        out.append(scores[order[np.searchsorted(mass, level * TIE * mass[-1])]])
    return np.array(out)


def weighted_insert(scores: FloatArray, start: int, level: float, decay: float) -> FloatArray:
    """Keep scores sorted with np.insert, decay all weights, cumulate at every step."""
    order = np.argsort(scores[:start])
    ordered, weights = scores[:start][order], (decay ** np.arange(start - 1, -1, -1.0))[order]
    out = []
    for t in range(start, len(scores)):
        mass = np.cumsum(weights)
        out.append(ordered[np.searchsorted(mass, level * TIE * mass[-1])])
        weights *= decay
        place = np.searchsorted(ordered, scores[t])
        ordered, weights = np.insert(ordered, place, scores[t]), np.insert(weights, place, 1.0)
    return np.array(out)


def nexcp_insert(scores: FloatArray, start: int, level: float, decay: float) -> FloatArray:
    """The same with weights that begin at the decay, and a weight of one at infinity."""
    order = np.argsort(scores[:start])
    ordered, weights = scores[:start][order], (decay ** np.arange(start, 0, -1.0))[order]
    out = []
    for t in range(start, len(scores)):
        mass = np.cumsum(weights)
        place = np.searchsorted(mass, level * TIE * (mass[-1] + 1.0))
        out.append(ordered[place] if place < t else np.inf)
        weights *= decay
        place = np.searchsorted(ordered, scores[t])
        ordered, weights = np.insert(ordered, place, scores[t]), np.insert(weights, place, decay)
    return np.array(out)


def winkler(scores: FloatArray, quantiles: FloatArray, level: float) -> float:
    """Mean Winkler score of symmetric intervals."""
    return float(np.mean(2 * quantiles + 2 / (1 - level) * np.maximum(scores - quantiles, 0)))


def tuned(
    method: Callable[[FloatArray, int, float, float], FloatArray],
    scores: FloatArray,
    start: int,
    level: float,
    candidates: Sequence[float],
) -> tuple[float, FloatArray]:
    """Choose a parameter on the last 40 % of the calibration scores, then run: choice and quantiles."""
    inner = int(HISTORY_SHARE * start)
    known = scores[:start]
    errors = [winkler(known[inner:], method(known, inner, level, value), level) for value in candidates]
    choice = candidates[int(np.argmin(errors))]
    return choice, method(scores, start, level, choice)


def reservoir_units(
    matrix: FloatArray, input_weights: FloatArray, leak: float, gain: float, inputs: FloatArray
) -> FloatArray:
    """Row t is the state before input t on the unit sphere: one dense matrix-vector product per step."""
    states = np.zeros((inputs.size + 1, matrix.shape[0]))
    for t, value in enumerate(inputs):
        states[t + 1] = (1 - leak) * states[t] + gain * np.tanh(matrix @ states[t] + input_weights * value)
    norms = np.linalg.norm(states, axis=1)
    norms[norms == 0] = 1.0
    states /= norms[:, None]
    return states


def rescp(
    residuals: FloatArray,
    level: float,
    temperature: float,
    window: int | str,
    units: FloatArray,
    steps: Iterable[int],
) -> FloatArray:
    """One matrix-vector product, softmax and quantile search per step, with the narrowest of 100 pairs."""
    alpha = 1 - level
    betas = np.linspace(0.001, alpha - 0.001, 100)
    ends = []
    for t in steps:
        first = 0 if isinstance(window, str) else max(t - window, 0)
        similarity = units[first:t] @ units[t]
        weights = np.exp((similarity - similarity.max()) / temperature) * np.arange(t - first)
        order = np.argsort(residuals[first:t])
        mass = np.cumsum(weights[order])
        ordered = residuals[first:t][order]
        low = ordered[np.searchsorted(mass, betas * TIE * mass[-1])]
        high = ordered[np.searchsorted(mass, (1 - alpha + betas) * TIE * mass[-1])]
        pick = np.argmin(high - low)
        ends.append((low[pick], high[pick]))
    return np.array(ends)

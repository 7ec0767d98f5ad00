"""The plain numpy forms of the sequential methods, as one would write them first. They are the references."""

import bisect
import math

import numpy as np

LOW, HIGH = 0.001, 0.999
TIE = 1.0 + 1e-12


def _rank(size, level):
    return min(max(math.ceil((size + 1) * level - 1e-9), 1), size)


def adaptive_sort(scores, start, level, rate):
    """Sort the whole growing history at every step."""
    alpha, out = 1 - level, []
    for t in range(start, len(scores)):
        q = np.sort(scores[:t])[_rank(t, 1 - alpha) - 1]
        out.append(q)
        alpha = min(max(alpha + rate * ((1 - level) - (scores[t] > q)), LOW), HIGH)
    return np.array(out)


def adaptive_bisect(scores, start, level, rate):
    """Keep a sorted list and insert by bisection."""
    values = scores.tolist()
    ordered = sorted(values[:start])
    alpha, out = 1 - level, []
    for t in range(start, len(values)):
        q = ordered[_rank(t, 1 - alpha) - 1]
        out.append(q)
        alpha = min(max(alpha + rate * ((1 - level) - (values[t] > q)), LOW), HIGH)
        bisect.insort(ordered, values[t])
    return np.array(out)


def weighted_sort(scores, start, level, decay, steps=None):
    """Argsort and cumulate the decayed weights at every step (of `steps`, all by default)."""
    out = []
    for t in range(start, len(scores)) if steps is None else steps:
        order = np.argsort(scores[:t])
        mass = np.cumsum((decay ** np.arange(t - 1, -1, -1.0))[order])
        out.append(scores[order[np.searchsorted(mass, level * TIE * mass[-1])]])
    return np.array(out)


def weighted_insert(scores, start, level, decay):
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


def winkler(scores, quantiles, level):
    """Mean Winkler score of symmetric intervals."""
    return np.mean(2 * quantiles + 2 / (1 - level) * np.maximum(scores - quantiles, 0))


def rescp(residuals, start, level, temperature, window, states, steps):
    """One matrix-vector product, softmax and quantile search a step, with the narrowest of 100 pairs."""
    alpha = 1 - level
    betas = np.linspace(0.001, alpha - 0.001, 100)
    norms = np.linalg.norm(states, axis=1)
    norms[norms == 0] = 1.0
    lower, upper = [], []
    for t in steps:
        first = 0 if window == "all" else max(t - window, 0)
        similarity = states[first:t] @ states[t] / (norms[first:t] * norms[t])
        weights = np.exp((similarity - similarity.max()) / temperature) * np.arange(t - first)
        order = np.argsort(residuals[first:t])
        mass = np.cumsum(weights[order])
        ordered = residuals[first:t][order]
        low = ordered[np.searchsorted(mass, betas * TIE * mass[-1])]
        high = ordered[np.searchsorted(mass, (1 - alpha + betas) * TIE * mass[-1])]
        pick = np.argmin(high - low)
        lower.append(low[pick])
        upper.append(high[pick])
    return np.array(lower), np.array(upper)

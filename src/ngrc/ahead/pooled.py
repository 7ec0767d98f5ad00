"""Widths of `student` over all steps together: each step's scale from its own residuals and the nearer step's scale."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ngrc._types import FloatArray
from ngrc.features.link import Link
from ngrc.intervals.gaussian import squared
from ngrc.intervals.student import LEAST_FREEDOM, factors

WORTH = 5.0
"""Degrees of freedom of the nearer step's scale, carried on by the model's growth: with 3 to 10 the widths of simulated
and of 118 short observed series differ by a few percent."""
PER_FREEDOM = 8.0
"""Observations per degree of freedom of the factor beyond those of a step's own residuals, `WORTH` at most: how errors
grow with the step is hardly known of twenty observations."""
CHOSEN = 2
"""Constants of exponential smoothings without a season, of level and of trend, chosen on the outcomes behind the
residuals: m of these are worth m - CHOSEN. Settled on simulated series alone: random walks of 36 observations have
coverage .86 without it, .88 with it, at a level of .9. With a season none: there the first residuals rest on two cycles
and are larger than those of the coming forecasts."""
FARTHEST = 4.0
"""Distance of an upper end behind a transform, in half-widths by residuals in the series' own units. Errors that are
equal in logarithms reach that far where the upper end is ten times the forecast."""
LOG_SPREAD = np.pi**2 / 2.0
"""Variance of the logarithm of a squared normal variable."""
LEAST_SQUARE = 1e-4
"""Of a residual over the mean square, where logarithms are taken: eight in a thousand normal ones are below."""
NEAR = 4.0
"""Residuals at an angle d of the season from a phase count exp(NEAR (cos d - 1)) for it: a month in a year away 0.6."""
TIMES_NOISE = 3.0
"""A season of the errors' variance counts as far as its squared size exceeds so many times what noise alone gives: of
equal variances one in twenty seems to have a season."""
MOVE = 1e-3
"""Share of a residual by which the last value is moved to find the response of the forecasts."""


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """What the widths of all steps share.

    Parameters
    ----------
    growth
        Of the variance of errors by step, shape (H,).
    size
        Observations of the series.
    plain
        By step, residuals in the series' own units.
    typical
        Root mean square of the outcomes behind them.
    chosen
        Constants of the model that were chosen on those outcomes.
    relative
        Standard deviations of the coming errors by their phase of a season, over the typical one, shape (H,).
    """

    growth: FloatArray
    size: int
    plain: tuple[FloatArray, ...]
    typical: float
    relative: FloatArray
    chosen: int = 0

    def offsets(
        self, residuals: Sequence[FloatArray], forecasts: FloatArray, link: Link, level: float
    ) -> tuple[FloatArray, FloatArray]:
        """Lower and upper offsets of all steps in the units of the link, shape (H,) each.

        The logarithm of a value near zero makes large residuals, and their exponential an upper end that no outcome was
        ever near. Behind a transform it lies at most `FARTHEST` half-widths away that residuals in the series' own
        units give, times the forecast's size over the typical outcome's where that is above one.
        """
        radius = self._radius(residuals, level)
        if link.linear or not self.typical > 0.0:
            return -radius, radius
        larger = np.maximum(np.abs(forecasts) / self.typical, 1.0)
        far = forecasts + FARTHEST * larger * self._radius(self.plain, level)
        beyond = link.moved(forecasts, radius) > far
        upper = radius.copy()
        upper[beyond] = link.forward(far[beyond]) - link.forward(forecasts[beyond])
        return -radius, upper

    def variances(self, residuals: Sequence[FloatArray]) -> FloatArray:
        """Of the errors by step at a typical phase, in the units of the residuals, shape (H,)."""
        return self._worth(residuals) * pooled_variances(residuals, self.growth, self.size)[0]

    def _radius(self, residuals: Sequence[FloatArray], level: float) -> FloatArray:
        radius = pooled_radius(residuals, self.growth, self.size, level)
        return radius * self.relative * float(np.sqrt(self._worth(residuals)))

    def _worth(self, residuals: Sequence[FloatArray]) -> float:
        """The residuals' number over what they are worth, by which their mean square falls short."""
        count = residuals[0].size
        return count / max(count - self.chosen, 1)


def relative_scales(residuals: FloatArray, period: float, steps: int) -> FloatArray:
    """Standard deviations of the coming `steps` errors by their phase, over the root mean square of the residuals.

    With v the mean square of the m residuals and v[h] that of those at nearby phases, the variance of step h is

        (1 - s) v + s v[h],   s = max(0, 1 - TIMES_NOISE 4 LOG_SPREAD / (m a^2)),

    a the amplitude of a sine of the period, fitted to the logarithms of the squared residuals. Its mean square is
    4 `LOG_SPREAD` / m where all variances are equal.

    Parameters
    ----------
    residuals
        Of one step, the newest last, shape (m,); NaN where none was observed.
    period
        Steps of the season.
    steps
        How many coming ones.

    Examples
    --------
    >>> phase = 2 * np.pi * np.arange(120) / 12
    >>> signs = np.where(np.arange(120) % 2, 1.0, -1.0)
    >>> relative_scales(signs * np.exp(np.cos(phase)), 12, 3).round(2).tolist()
    [1.55, 1.44, 1.15]
    >>> relative_scales(signs, 12, 3).tolist()
    [1.0, 1.0, 1.0]
    """
    seen = np.isfinite(residuals)
    count, squares = int(seen.sum()), squared(residuals[seen])
    typical = float(np.mean(squares)) if count else 0.0
    if count < 2.0 * period or not typical > 0.0:
        return np.ones(steps)
    angles = 2.0 * np.pi / period * np.arange(residuals.size + steps)
    waves = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    known, coming = waves[: residuals.size][seen], waves[residuals.size :]
    logs = np.log(np.maximum(squares / typical, LEAST_SQUARE))
    weights = np.linalg.lstsq(np.column_stack([np.ones(count), known]), logs, rcond=None)[0][1:]
    noise, size = 4.0 * LOG_SPREAD / count, float(weights @ weights)
    if size <= TIMES_NOISE * noise:
        return np.ones(steps)
    share = 1.0 - TIMES_NOISE * noise / size
    near = np.exp(NEAR * (coming @ known.T - 1.0))
    return np.asarray(np.sqrt(1.0 - share + share * (near @ squares) / (near.sum(axis=1) * typical)))


def responses(
    model: Any, values: FloatArray, coming: Mapping[str, Any], channel: int, link: Link, size: float
) -> FloatArray:
    """By how much the forecasts of all steps move with the last value, in the units of the link, shape (H,).

    Parameters
    ----------
    model
        A fitted model of H steps.
    values
        The series, shape (n,) or (n, channels).
    coming
        What stands beside it, as `model.forecast` takes it.
    channel
        Whose last value and whose forecasts.
    link
        Of that channel.
    size
        Of a residual.
    """
    place = (-1, channel) if values.ndim > 1 else (-1,)
    last = link.forward(values[place].reshape(1))
    ends, forecasts = [], []
    for move in (-MOVE * size, MOVE * size):
        moved = values.copy()
        moved[place] = link.inverse(last + move)[0]
        ends.append(link.forward(moved[place].reshape(1))[0])
        found = np.reshape(model.forecast(moved, **coming), (model.horizon, -1))
        forecasts.append(link.forward(found[:, channel]))
    change = ends[1] - ends[0]
    # Between bounds that leave no room, or with residuals of size zero: as of a random walk.
    return np.asarray((forecasts[1] - forecasts[0]) / change) if change > 0.0 else np.ones(model.horizon)


def growth(response: FloatArray) -> FloatArray:
    """Variance of the error by step, over that of one step, if the responses are those of the series itself.

    With innovations e the error of h steps is e[t+h] + r[1] e[t+h-1] + ... + r[h-1] e[t+1], r[j] the response of the
    forecast of j steps to the last value (Hyndman et al. 2008, Forecasting with Exponential Smoothing, section 6.1):

        g[h] = 1 + r[1]^2 + ... + r[h-1]^2.

    |r[j]| is at most j + 1, the response of a trend that follows the last change.

    Examples
    --------
    >>> growth(np.ones(4)), growth(np.zeros(3))
    (array([1., 2., 3., 4.]), array([1., 1., 1.]))
    """
    most = np.arange(2.0, response.size + 2.0)
    held = np.minimum(np.abs(np.nan_to_num(response, nan=1.0)), most)
    return np.concatenate([[1.0], 1.0 + np.cumsum(held[:-1] ** 2)])


def pooled_radius(residuals: Sequence[FloatArray], growth: FloatArray, size: int, level: float) -> FloatArray:
    """Half-widths of all steps at a typical phase, which never shrink, shape (H,).

    t sqrt(1 + 1/m[1]) times the root of the variance of `pooled_variances`, t the factor of Student's law with its
    degrees of freedom and m[1] the number of residuals of the nearest step.

    Examples
    --------
    >>> residuals = [np.full(9, 1.0), np.full(8, 1.0)]
    >>> pooled_radius(residuals, np.ones(2), 24, 0.9).round(3).tolist()
    [1.932, 1.997]
    """
    variances, freedoms = pooled_variances(residuals, growth, size)
    return np.asarray(factors(freedoms, 1, level) * np.sqrt((1.0 + 1.0 / residuals[0].size) * variances))


def pooled_variances(
    residuals: Sequence[FloatArray], growth: FloatArray, size: int
) -> tuple[FloatArray, FloatArray]:
    """Variances of the errors by step, which never fall, and their degrees of freedom, shape (H,) each.

    The m[h] overlapping residuals of step h are worth v[h] = m[h] / h degrees of freedom. With q[h] their mean square
    and w = min(WORTH, m[1]) the variance c[h] g[h] of step h follows from the nearer step's,

        c[1] = q[1],   c[h] = (w c[h-1] + v[h] q[h] / g[h]) / (w + v[h]),

    and has f[h] = min(f[h-1], WORTH, size / PER_FREEDOM) + v[h] degrees of freedom, f[1] = m[1] at most and three at
    least.

    Parameters
    ----------
    residuals
        By step, shape (m[h],) each; none of a step without any.
    growth
        g, shape (H,).
    size
        Observations of the series.

    Examples
    --------
    >>> pooled_variances([np.full(9, 1.0), np.full(8, 2.0)], np.ones(2), 24)[0].round(3).tolist()
    [1.0, 2.333]
    """
    counts = np.array([own.size for own in residuals], dtype=np.float64)
    worth = counts / np.arange(1.0, counts.size + 1.0)
    scales, freedoms = np.empty(counts.size), np.empty(counts.size)
    scale, freedom = float(np.mean(squared(residuals[0]))), counts[0]
    held, most = min(WORTH, counts[0]), min(WORTH, size / PER_FREEDOM)
    for place, own in enumerate(residuals):
        if place and own.size:
            mean = float(np.mean(squared(own))) / growth[place]
            scale = (held * scale + worth[place] * mean) / (held + worth[place])
        if place:
            freedom = min(min(freedom, most) + worth[place], counts[0])
        scales[place], freedoms[place] = scale, freedom
    variances = np.maximum.accumulate(scales * growth[: counts.size])
    freedoms = np.maximum(freedoms, min(counts[0], LEAST_FREEDOM))
    return variances, freedoms

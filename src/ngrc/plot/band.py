"""Forecasts with their intervals."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ngrc._text import percent
from ngrc._types import AnyArray, FloatArray
from ngrc.plot.canvas import axes_for, label_x, legend_inside, places
from ngrc.plot.looks import LOOKS, Look
from ngrc.plot.style import styled

FAINTEST, STRONGEST = 0.14, 0.36
"""Opacity of the widest band and of the narrowest: the forecast's line stays the darkest."""

SINGLE = 7.0
"""Points across the bar of a single interval."""

Pair = tuple[FloatArray, FloatArray]


def band(
    forecast: FloatArray,
    bands: Mapping[float, Pair],
    *,
    x: ArrayLike | None = None,
    observed: FloatArray | None = None,
    past: tuple[ArrayLike, FloatArray] | None = None,
    look: Look = LOOKS[0],
    ax: Any = None,
) -> Any:
    """A forecast with its intervals, the wider levels behind the narrower.

    Parameters
    ----------
    forecast
        Shape (n,).
    bands
        Lower and upper ends by level, each of shape (n,); an infinite end reaches the axes' edge.
    x
        Times or numbers, shape (n,); the index where there are none.
    observed
        Outcomes of the same places, shape (n,); NaN where there is none.
    past
        Places and values of a series before the forecast.
    look
        Colour and line.
    ax
        Axes to draw into; new ones where None.

    Returns
    -------
    Axes
        Those that were drawn into.

    Examples
    --------
    >>> steps = np.arange(1.0, 5.0)
    >>> axes = band(np.zeros(4), {0.8: (-steps, steps), 0.95: (-2 * steps, 2 * steps)})
    >>> axes.get_xlabel()
    'step'
    """
    forecast = np.asarray(forecast, dtype=np.float64)
    where = places(x, forecast.size)
    with styled():
        axes = axes_for(ax)
        if past is not None:
            axes.plot(np.asarray(past[0]), past[1], color="0.25", lw=1.1, label="observed")
        _fill(axes, where, bands, look)
        axes.plot(
            where, forecast, color=look.color, lw=1.5, label="forecast", marker="o" * (forecast.size == 1)
        )
        if observed is not None:
            axes.plot(where, observed, ".", color="0.15", ms=3.5, label="observed", zorder=3)
        _finish(axes, where, forecast)
    return axes


def _fill(axes: Any, where: AnyArray, bands: Mapping[float, Pair], look: Look) -> None:
    levels = sorted(bands, reverse=True)
    ends = np.array([end for pair in bands.values() for end in pair], dtype=np.float64)
    finite = ends[np.isfinite(ends)]
    low, high = (finite.min(), finite.max()) if finite.size else (0.0, 0.0)
    for place, level in enumerate(levels):
        share = place / max(len(levels) - 1, 1)
        opacity = FAINTEST + (STRONGEST - FAINTEST) * share if len(levels) > 1 else 0.25
        # An unbounded interval covers the whole height, as far as all others reach.
        lower, upper = (np.clip(end, low, high) for end in bands[level])
        options = {"color": look.color, "alpha": opacity, "label": f"{percent(level)} % interval"}
        if where.size == 1:
            # A single interval has no area to fill.
            axes.vlines(where, lower, upper, lw=SINGLE, **options)
        else:
            axes.fill_between(where, lower, upper, lw=0, **options)


def _finish(axes: Any, where: AnyArray, forecast: FloatArray) -> None:
    label_x(axes, where, "step")
    axes.set_ylabel("value")
    axes.margins(x=0.01 if forecast.size > 1 else 0.05)
    legend_inside(axes)


def edges(
    axes: Any,
    x: ArrayLike,
    ends: Pair,
    look: Look,
    label: str | None = None,
    *,
    steps: bool = False,
    **more: Any,
) -> None:
    """Both ends of intervals as lines, for several methods in one picture; `steps` where values are of whole days."""
    options = {"lw": 1.4, "drawstyle": "steps-mid" if steps else "default"} | more
    for end, words in zip(ends, (label, None), strict=True):
        axes.plot(x, end, color=look.color, ls=look.linestyle, label=words, **options)

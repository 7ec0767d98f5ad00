"""Dependence of the residuals on the forecast's level: their mean (a bias that bends) and their size."""

import numpy as np

from ngrc._types import FloatArray
from ngrc.diagnosis.calibration import Calibration
from ngrc.diagnosis.finding import Finding, Gain, gain
from ngrc.diagnosis.knowledge import Knowledge

PROPORTIONAL = 0.75
"""Growth of the errors' size with the level, as a power, from which the logarithm evens it out better than the root:
halfway between 1/2, where the root does so exactly, and 1, where the logarithm does."""


def positions(levels: FloatArray, among: FloatArray) -> FloatArray:
    """Where each level lies among others, from -1 (below all) to 1: no single large level decides anything."""
    ordered = np.sort(among)
    below = np.searchsorted(ordered, levels, side="left") + np.searchsorted(ordered, levels, side="right")
    places: FloatArray = below / ordered.size - 1.0
    return places


def bias(seen: Calibration, known: Knowledge) -> Finding | None:
    """A mean residual that depends on the forecast: a slope or a bend."""
    early, later = seen.earlier, seen.later
    place = positions(seen.levels, seen.levels[early])
    # The first two Legendre polynomials, which are orthogonal to a constant: a plain offset is no dependence.
    columns = np.stack([place, 1.5 * place**2 - 0.5], axis=1)
    weights = np.linalg.lstsq(columns[early], seen.residuals[early], rcond=None)[0]
    found = gain(
        seen.residuals[later], columns[later] @ weights, seen.horizon, seen.inflation(seen.count // 2)
    )
    if not found.counts:
        return None
    low, middle, high = (float(np.mean(part)) for part in _thirds(seen.residuals, seen.levels))
    size = float(np.sqrt(np.mean(seen.residuals**2)))
    # Their mean squares over (-1, 1) are 1/3 and 1/5.
    bends = bool(weights[1] ** 2 / 5.0 > weights[0] ** 2 / 3.0)
    return Finding(
        "level",
        float(np.max(np.abs([low, middle, high]))) / size,
        found.p,
        found.removed,
        f"the mean residual depends on the forecast ({low / size:+.2f}, {middle / size:+.2f}, {high / size:+.2f} of "
        "the RMSE where it is low, middling, high): a curve through it, fitted on the earlier half, "
        f"{found.words()}",
        _bias_remedy(bends, known),
    )


def _bias_remedy(bends: bool, known: Knowledge) -> str:
    if not bends:
        return (
            'target="increment", or more rows and a smaller penalty: forecasts are too far apart or too close'
        )
    products = f"degree={known.degree + 1}" if known.degree else "products of lags (degree=2)"
    return products if known.transform else f'{products}, or transform="log" or "root"'


def scale(seen: Calibration, known: Knowledge) -> Finding | None:
    """A size of the residuals that depends on the forecast's level."""
    found = _scale_gain(seen)
    if not found.counts:
        return None
    low, _, high = (float(np.mean(part)) for part in _thirds(np.abs(seen.residuals), seen.levels))
    ratio = high / max(low, float(np.finfo(float).tiny))
    return Finding(
        "scale",
        ratio,
        found.p,
        found.removed,
        f"errors are {ratio:.3g} times as large where the forecast is high (upper third) as where it is low: a slope "
        f"fitted on the earlier half {found.words('the variance of |e|, in ranks, of the later half')}",
        _scale_remedy(seen, ratio, known),
    )


def _scale_gain(seen: Calibration) -> Gain:
    """What a slope of |e| on the level does; both in ranks of their own half, so that no large one decides.

    A size that merely changed between the halves is no dependence on the level.
    """
    sizes, places = (
        {half.start: positions(values[half], values[half]) for half in (seen.earlier, seen.later)}
        for values in (np.abs(seen.residuals), seen.levels)
    )
    early, late = seen.earlier.start, seen.later.start
    total = float(places[early] @ places[early])
    slope = float(places[early] @ sizes[early]) / total if total > 0.0 else 0.0
    return gain(sizes[late], slope * places[late], seen.horizon, seen.inflation(seen.count // 2))


def _scale_remedy(seen: Calibration, ratio: float, known: Knowledge) -> str:
    adaptive = "intervals that follow the errors' size (method adaptive)"
    if known.transform or ratio < 1.0:
        other = "another transform or none" if known.transform else "no transform evens this out"
        return f"{other}; {adaptive}"
    if np.min(seen.values) <= 0.0:
        return f'transform="root" (values at or below zero have no logarithm), or {adaptive}'
    low, _, high = (float(np.mean(part)) for part in _thirds(seen.forecasts, seen.levels))
    # log(size ratio) / log(level ratio); a forecast may be below zero all the same.
    power = np.log(ratio) / np.log(high / low) if high > low > 0.0 else 1.0
    return f'transform="{"log" if power >= PROPORTIONAL else "root"}"'


def _thirds(values: FloatArray, levels: FloatArray) -> list[FloatArray]:
    """The values where the level is low, middling and high."""
    return np.array_split(values[np.argsort(levels, kind="stable")], 3)

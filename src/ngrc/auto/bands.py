"""Bands of horizons that share one choice of columns."""

from collections.abc import Sequence

SHORT = 300
"""Up to so many observations one choice serves all horizons: their errors together tell more than each alone."""
RATIO = 4
"""Longest over shortest horizon of a band: within it the same columns matter."""


def bands(horizon: int, path: bool, size: int) -> tuple[tuple[int, ...], ...]:
    """Horizons in bands, in rising order: one horizon alone, or all up to it.

    Examples
    --------
    >>> bands(24, False, 5000), [(band[0], band[-1]) for band in bands(24, True, 5000)]
    (((24,),), [(1, 1), (2, 4), (5, 16), (17, 24)])
    """
    if not path:
        return ((horizon,),)
    if size <= SHORT:
        return (tuple(range(1, horizon + 1)),)
    found, first, last = [], 1, 1
    while first <= horizon:
        found.append(tuple(range(first, min(last, horizon) + 1)))
        first, last = last + 1, last * RATIO
    return tuple(found)


def anchors(band: tuple[int, ...], size: int, periods: Sequence[float] = ()) -> tuple[int, ...]:
    """Horizons at which the candidates of a band are compared: its end and its middle, or up to six on short series.

    At a whole number of periods the last value is the seasonal naive forecast, so a comparison there cannot see the
    season. The middle is therefore the horizon of the band's middle half that is farthest, in phase, from such
    horizons: no period has all anchors of a band among its multiples.

    Examples
    --------
    >>> anchors(tuple(range(17, 49)), 5000, (24.0,)), anchors(tuple(range(1, 13)), 120)
    ((36, 48), (1, 4, 7, 10, 12))
    """
    last = band[-1]
    if size <= SHORT:
        stride = max(1, len(band) // 4)
        return tuple(sorted({*band[::stride], last}))
    quarter = len(band) // 4
    middle = band[quarter : max(len(band) - quarter, quarter + 1)]
    centre = 0.5 * (band[0] + last)
    best = max(middle, key=lambda step: (_phase((step, last), periods), -abs(step - centre)))
    return tuple(sorted({best, last}))


def _phase(steps: tuple[int, ...], periods: Sequence[float]) -> float:
    """How far the farthest of some horizons is from a multiple of a period, in periods; the least over the periods."""
    return min(
        (
            max(abs(step / period - round(step / period)) for step in steps)
            for period in periods
            if period <= steps[-1]
        ),
        default=0.5,
    )

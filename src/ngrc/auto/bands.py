"""Bands of horizons that share one choice of columns."""

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


def anchors(band: tuple[int, ...], size: int) -> tuple[int, ...]:
    """Horizons at which a band's recipes are tried: its end; of a short series some between the ends as well.

    Examples
    --------
    >>> anchors(tuple(range(5, 17)), 5000), anchors(tuple(range(1, 13)), 120)
    ((16,), (1, 4, 7, 10, 12))
    """
    if size > SHORT:
        return (band[-1],)
    stride = max(1, len(band) // 4)
    return tuple(sorted({*band[::stride], band[-1]}))

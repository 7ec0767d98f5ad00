"""Where something stands in a series: by its time, or by its position where there are no times."""

from collections.abc import Iterable

from ngrc.series import Series
from ngrc.series.outward import time_text
from ngrc.series.spikes import Spikes

NAMED = 6
"""Places that are named at most: they fit on a line."""


def places(series: Series, positions: Iterable[int]) -> list[str]:
    """Times as the source writes them, or positions.

    Examples
    --------
    >>> import numpy as np
    >>> places(Series(np.arange(3.0)), [2])
    ['position 2']
    """
    where = [int(position) for position in positions]
    if series.times is None:
        return [f"position {position}" for position in where]
    return [str(time) for time in time_text(series.times[where], series.style)]


def spike_remark(spikes: Spikes, series: Series) -> str | None:
    """One line that names isolated spikes by their times, or None where there are none."""
    count = spikes.positions.size
    if not count:
        return None
    named = ", ".join(places(series, spikes.positions[:NAMED].tolist()))
    more = f" and {count - NAMED} more" if count > NAMED else ""
    return (
        f"{count} isolated spike(s) that may be data errors, at {named}{more}; scores can rest on them, so look at "
        "them or score without them"
    )

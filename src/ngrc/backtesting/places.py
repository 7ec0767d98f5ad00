"""Where something stands in a series: by its time, or by its position where there are no times."""

from collections.abc import Iterable

import numpy as np

from ngrc._types import BoolArray
from ngrc.series import Series
from ngrc.series.outward import time_text
from ngrc.series.spikes import Spikes

NAMED = 6
"""Places that are named at most: they fit on a line."""

MANY = 0.05
"""Share of missing values from which it is said how many they are: forecasts rest on values that were carried forward,
and intervals on the fewer errors that were observed."""


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


def gap_remark(missing: BoolArray | None, series: Series) -> str | None:
    """One line that names stretches of missing values by their times, or None where there are none.

    Parameters
    ----------
    missing
        Which values of the series were not observed, shape (n,); None where all were.
    series
        What names the places.

    Examples
    --------
    >>> missing = np.zeros(99, dtype=bool)
    >>> missing[[1, 2, 4]] = True
    >>> gap_remark(missing, Series(np.arange(99.0)))
    'missing and carried forward: position 1 to position 2, position 4'
    """
    if missing is None or not missing.any():
        return None
    edges = np.flatnonzero(np.diff(np.concatenate([[False], missing, [False]]).astype(np.int8)))
    stretches = edges.reshape(-1, 2)
    ends = [places(series, (first, stop - 1)) for first, stop in stretches[:NAMED].tolist()]
    named = ", ".join(first if first == last else f"{first} to {last}" for first, last in ends)
    more = f" and {len(stretches) - NAMED} more stretches" if len(stretches) > NAMED else ""
    share = float(np.mean(missing))
    many = f"; {share:.0%} of the values: forecasts go on from the last observed one, and intervals rest on fewer"
    return f"missing and carried forward: {named}{more}{many if share > MANY else ''}"


def place_remarks(series: Series, spikes: Spikes | None = None) -> list[str]:
    """Gaps and spikes of a series by their times, one line each, none where there are none."""
    lines = (gap_remark(series.missing, series), None if spikes is None else spike_remark(spikes, series))
    return [line for line in lines if line]

"""Local times without a zone, across the nights on which clocks are set forward and back.

The hour that is left out in spring is no gap, and the hour that stands twice in autumn is no repetition: the rows are
one step apart. Their times are counted on the clock of the last row, which the coming times continue.
"""

import numpy as np

from ngrc._types import AnyArray
from ngrc.series.regular import most_common

# Clocks change at night, between midnight and four, and on a weekend.
_LATEST_HOUR = 4
# Days from one change to the next at most: March to November in North America.
_LONGEST = 245


def without_clock_changes(times: AnyArray) -> tuple[AnyArray, str] | None:
    """Times of shape (n,) one step apart and a remark, where clock changes explain all that is irregular; else None.

    Examples
    --------
    >>> night = np.array(["2024-10-27T00", "2024-10-27T01", "2024-10-27T02", "2024-10-27T02"], "M8[h]")
    >>> times, note = without_clock_changes(night)
    >>> str(times[0]), note
    ('2024-10-26T23', 'clocks changed on 2024-10-27: rows taken as 1 step apart')
    """
    if times.dtype.kind != "M" or times.size < 3:
        return None
    hour = np.timedelta64(1, "h")
    steps = np.diff(times)
    step = np.array(most_common(steps.astype(np.int64))).astype(steps.dtype)[()]
    zero = np.timedelta64(0, "h")
    if not zero < step <= hour:
        return None
    odd = np.flatnonzero(steps != step)
    forward, back = steps[odd] == step + hour, steps[odd] == step - hour
    nights = times[odd + 1]
    if odd.size == 0 or not np.all(forward | back) or not np.all(_at_night(nights)):
        return None
    # Forward and back take turns, and none of them is left out: else an hour is missing or stands twice for good.
    dates = np.append(nights, times[-1])
    apart = np.diff(dates) / np.timedelta64(1, "D")
    if np.any(forward[1:] == forward[:-1]) or np.any(apart > _LONGEST):
        return None
    days = [str(day) for day in nights.astype("M8[D]")]
    named = ", ".join(days) if len(days) <= 4 else f"{', '.join(days[:3])} and {len(days) - 3} more nights"
    regular: AnyArray = times[-1] - step * np.arange(times.size)[::-1]
    return regular, f"clocks changed on {named}: rows taken as 1 step apart"


def _at_night(times: AnyArray) -> AnyArray:
    days = times.astype("M8[D]")
    hours = (times - days) / np.timedelta64(1, "h")
    # 1970-01-01 was a Thursday: 2 and 3 are Saturday and Sunday.
    weekend: AnyArray = np.isin(days.astype(np.int64) % 7, (2, 3)) & (hours <= _LATEST_HOUR)
    return weekend

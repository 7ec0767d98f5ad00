"""Series that stand one after another, known by a clock that starts again with each.

No name is believed here. A column is a clock if it rises within every series, and the table is a stack if the clock
starts again with every block of rows, or stands still while the series take turns.
"""

from itertools import pairwise

import numpy as np

from ngrc._types import AnyArray, IntArray
from ngrc.series.wording import shown_time

# Rows of a series on average: fewer rise by chance.
_LEAST_ROWS = 3
# Where half of the times repeat, the table holds several rows per time, and no average of them is asked for.
_MOST_TIMES = 0.5
# The part of the whole span that each run must cover before a fall back is a second series and not a wrong order.
_COVERED = 0.6


def ranks(values: AnyArray) -> IntArray:
    """Number elements of shape (n,): numbers by size, text in the order of its first appearance.

    Examples
    --------
    >>> ranks(np.array(["week 9", "week 10", "week 9"])).tolist(), ranks(np.array([2.0, 1.0])).tolist()
    ([0, 1, 0], [1, 0])
    """
    _, firsts, codes = np.unique(values, return_index=True, return_inverse=True)
    if values.dtype.kind in "US":
        codes = np.argsort(np.argsort(firsts))[codes]
    return codes.astype(np.int64)


def restarts(series: IntArray, clock: IntArray) -> bool:
    """Whether a clock of shape (n,) starts again with each of the series, or ticks once for all of them.

    Parameters
    ----------
    series
        The number of the series of every row, shape (n,), from 0 on without a hole.
    clock
        The rank of the time of every row, shape (n,).

    Examples
    --------
    >>> restarts(np.repeat([0, 1], 4), np.tile(np.arange(4), 2))
    True
    >>> restarts(np.repeat([0, 1], 4), np.arange(8))
    False
    """
    count = int(series.max()) + 1
    if count < 2 or series.size < _LEAST_ROWS * count:
        return False
    order = np.argsort(series, kind="stable")
    within = np.diff(series[order]) == 0
    if not np.all(np.diff(clock[order])[within] > 0):
        return False
    steps = np.diff(clock)
    changes = np.diff(series) != 0
    if int(np.count_nonzero(changes)) == count - 1:
        return bool(np.all(steps[changes] <= 0))
    return bool(np.all(steps >= 0)) and bool(np.mean(np.bincount(clock) > 1) >= _MOST_TIMES)


def same_in_blocks(series: IntArray, clock: IntArray) -> bool:
    """Whether each series is one block of rows, and a clock of at least three times runs alike in all of them.

    Examples
    --------
    >>> same_in_blocks(np.repeat([0, 1], 6), np.tile(np.arange(3), 4))
    True
    """
    starts = np.concatenate([[0], np.flatnonzero(np.diff(series)) + 1, [series.size]])
    count = starts.size - 1
    if count < 2 or count != int(series.max()) + 1 or series.size < _LEAST_ROWS * count or clock.max() < 2:
        return False
    blocks = [clock[start:stop] for start, stop in pairwise(starts.tolist())]
    longest = max(blocks, key=len)
    return all(np.array_equal(block, longest[: block.size]) for block in blocks)


def check_single_axis(times: AnyArray) -> None:
    """Raise `ValueError` where times of shape (n,) repeat throughout or start again, as those of several series do.

    A few repeats, as of the hour when clocks are set back, pass.
    """
    if times.size < 2 * _LEAST_ROWS:
        return
    unique, counts = np.unique(times, return_counts=True)
    if np.median(counts) >= 2:
        raise ValueError(
            f"most times stand in several rows ({shown_time(unique[0])} in {counts[0]}), as in a table of several "
            "series; keep the rows of one series, or write one row per time"
        )
    starts = np.concatenate([[0], np.flatnonzero(times[1:] < times[:-1]) + 1, [times.size]])
    runs = np.diff(starts)
    span = (unique[-1] - unique[0]) * _COVERED
    covered = times[starts[1:] - 1] - times[starts[:-1]]
    if runs.size > 1 and runs.min() >= _LEAST_ROWS and np.all(covered >= span):
        raise ValueError(
            f"the times start again at {shown_time(times[starts[1]])} after {shown_time(times[starts[1] - 1])}, as in "
            "a table of several series; keep the rows of one series, or sort the rows by time if there is only one"
        )

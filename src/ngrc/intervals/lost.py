"""A method over a block in which some outcomes never become known: one target at a time, as in service."""

from collections.abc import Sequence
from time import perf_counter

import numpy as np

from ngrc._types import BoolArray
from ngrc.intervals.base import IntervalMethod, Offsets, Stream, nested
from ngrc.intervals.levels import Pass


def run_with_lost(method: IntervalMethod, stream: Stream, level: float, lost: BoolArray) -> Offsets:
    """Offsets of a tuned method where the residuals at `lost` positions are never known.

    A lost residual is neither learned from nor counted as a miss; every other one is taken in H steps after its origin.
    Without any the numbers are those of `method.run`, and its trace is not kept.

    Parameters
    ----------
    method
        With its open parameters chosen.
    stream
        Whatever stands at a lost position is not read.
    level
        Nominal coverage.
    lost
        One per position of the stream; of those that are known when the first interval is issued none may be lost.

    Examples
    --------
    >>> from ngrc.intervals import Rolling
    >>> stream = Stream(np.array([1.0, -2.0, 3.0, 50.0, 4.0]), start=3)
    >>> lost = np.array([False, False, False, True, False])
    >>> run_with_lost(Rolling(window=3), stream, 0.5, lost).upper
    array([2., 2.])
    """
    if lost[: stream.known].any():
        raise ValueError("residuals known at the first interval cannot be lost; leave them out of the stream")
    tracker = method.begin(stream.history, level)
    forecasts = np.zeros(stream.residuals.size) if stream.context is None else stream.context.forecasts
    leverage = np.zeros(stream.residuals.size) if stream.leverage is None else stream.leverage
    ends = np.empty((stream.steps, 2))
    for place in range(stream.steps):
        position = stream.start + place
        # At the origin of this target the residual H steps before it has just become known.
        due = position - stream.horizon
        if due >= stream.known:
            if lost[due]:
                tracker.skip()
            else:
                tracker.observe(float(stream.residuals[due]), _missed(stream, ends, due))
        ends[place] = tracker.issue(float(leverage[position]), float(forecasts[position]))
    return Offsets(ends[:, 0].copy(), ends[:, 1].copy())


def _missed(
    stream: Stream, ends: "np.ndarray[tuple[int, int], np.dtype[np.float64]]", due: int
) -> bool | None:
    """Whether the interval of a position missed; None of one that was forecast before the first interval."""
    if due < stream.start:
        return None
    lower, upper = ends[due - stream.start]
    return not lower <= stream.residuals[due] <= upper


def passes_with_lost(
    method: IntervalMethod, stream: Stream, levels: Sequence[float], lost: BoolArray
) -> tuple[Pass, ...]:
    """As `levels.passes`, every level by itself; nested where the method serves levels together."""
    begin = perf_counter()
    history = stream.history
    choices = (
        [method.tuned(history, max(levels))] * len(levels)
        if method.joint
        else [method.tuned(history, level) for level in levels]
    )
    offsets = tuple(
        run_with_lost(tuned, stream, level, lost) for tuned, level in zip(choices, levels, strict=True)
    )
    if method.joint:
        offsets = nested(offsets, levels)
    seconds = (perf_counter() - begin) / len(levels)
    return tuple(
        Pass(level, tuned, one, seconds) for level, tuned, one in zip(levels, choices, offsets, strict=True)
    )

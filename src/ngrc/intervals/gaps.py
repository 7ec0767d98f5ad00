"""Residuals of a known history in which some outcomes never came: what was carried forward is no outcome."""

import numpy as np

from ngrc._types import BoolArray, FloatArray
from ngrc.intervals.base import Stream


def stand_ins(residuals: FloatArray, missing: BoolArray) -> FloatArray:
    """The same residuals, those of missing outcomes replaced by observed ones, going back from the gap.

    For what must keep its place, as beside forecasts and a clock: a value that was carried forward is close to its
    forecast, and its residual would make intervals too narrow. Nothing is learned from a repeated residual that was not
    known before. At the beginning, where nothing lies before a gap, the first observed ones stand in.

    Parameters
    ----------
    residuals
        In target order, shape (m,); whatever stands at a missing place is not read.
    missing
        Shape (m,), at least one of them False.

    Examples
    --------
    >>> missing = np.array([False, False, True, True, True, False])
    >>> stand_ins(np.array([1.0, 2.0, 9.0, 9.0, 9.0, 3.0]), missing).tolist()
    [1.0, 2.0, 2.0, 1.0, 2.0, 3.0]
    """
    if not missing.any():
        return residuals
    observed = residuals[~missing]
    if not observed.size:
        raise ValueError("every outcome that would calibrate intervals is missing; give more rows")
    places = np.arange(residuals.size)
    before = np.cumsum(~missing)
    # How deep in its gap a missing place lies, from 0 on.
    depth = places - np.maximum.accumulate(np.where(missing, -1, places)) - 1
    back = np.where(
        before > 0, before - 1 - depth % np.maximum(before, 1), np.minimum(depth, observed.size - 1)
    )
    return np.where(missing, observed[np.where(missing, back, 0)], residuals)


def without(stream: Stream, missing: BoolArray) -> Stream:
    """A stream whose missing positions before the first interval are left out, for a method that reads no clock.

    Parameters
    ----------
    stream
        Without a context.
    missing
        One per position known when the first interval is issued, shape (known,).

    Examples
    --------
    >>> stream = Stream(np.array([1.0, 9.0, 3.0, 4.0, 5.0]), start=3)
    >>> shorter = without(stream, np.array([False, True, False]))
    >>> shorter.residuals.tolist(), shorter.start
    ([1.0, 3.0, 4.0, 5.0], 2)
    """
    kept = np.ones(stream.residuals.size, dtype=np.bool_)
    kept[: stream.known] = ~missing
    return Stream(
        stream.residuals[kept],
        stream.start - int(np.count_nonzero(missing)),
        stream.horizon,
        leverage=None if stream.leverage is None else stream.leverage[kept],
        fit_scale=stream.fit_scale,
        noise_scales=stream.noise_scales,
    )

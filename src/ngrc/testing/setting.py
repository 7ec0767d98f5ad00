"""What a user gives, made ready for a probe: the series, inputs beside it, and where to cut."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ngrc._types import AnyArray, BoolArray, FloatArray
from ngrc.series import Channels, as_channels, as_series
from ngrc.testing.given import SERIES, Given
from ngrc.validation import check_count


def given_from(series: Any, exog: Any, known: Sequence[str], times: Any) -> Given:
    """The series as it is, gaps included, with exog beside it and times where there are any."""
    values, own = _values(series)
    inputs = {SERIES: values}
    if exog is not None:
        channels = (
            exog
            if isinstance(exog, Channels)
            else as_channels(exog, count=len(values), known=known, names=None)
        )
        if SERIES in channels.names:
            raise ValueError(
                f"a column of exog is named {SERIES!r}, as the series is here; name it otherwise"
            )
        # Contiguous columns of their own, so that one can be changed without the others.
        inputs |= {name: channels.column(name)[: len(values)].copy() for name in channels.names}
    wanted = own if times is None else np.asarray(times)
    return Given(inputs, frozenset(known), None if wanted is None else wanted[: len(values)])


def _values(series: Any) -> tuple[FloatArray, AnyArray | None]:
    times = None if isinstance(series, np.ndarray | list | tuple) else as_series(series).times
    values = np.array(getattr(series, "values", series), dtype=np.float64)
    if values.ndim not in (1, 2) or not np.isfinite(values).any() or np.isinf(values).any():
        raise ValueError(
            f"series must hold numbers, shape (n,) or (n, channels), none of them infinite, got shape {values.shape}"
        )
    return values, times


def places(
    cuts: int | Sequence[int], first: int, last: int, gaps: FloatArray | None = None
) -> tuple[int, ...]:
    """Indices of the last value that stays as it is, spread from `first` to `last` where their number is given.

    In a series with gaps also the last places of the first few gaps: what is filled from behind shows there alone.

    Examples
    --------
    >>> places(3, 10, 20), places([12], 10, 20)
    ((10, 15, 20), (12,))
    """
    if first > last:
        raise ValueError(
            f"no place to cut between {first} and {last}: the series is too short for what comes before; give more "
            "observations"
        )
    if isinstance(cuts, int | np.integer):
        count = check_count(cuts, "cuts")
        spread = np.unique(np.linspace(first, last, count).astype(int)).tolist()
        return tuple(sorted({*spread, *_gap_ends(gaps, first, last)[:count]}))
    chosen = tuple(check_count(cut, "each of cuts", 0) for cut in cuts)
    outside = [cut for cut in chosen if not first <= cut <= last]
    if outside or not chosen:
        raise ValueError(f"cuts must lie between {first} and {last} here, got {list(cuts)}")
    return chosen


def _gap_ends(values: FloatArray | None, first: int, last: int) -> list[int]:
    if values is None:
        return []
    missing: BoolArray = np.asarray(np.isnan(values.reshape(len(values), -1)).any(axis=1))
    ends = np.flatnonzero(missing[:-1] & ~missing[1:])
    return [int(end) for end in ends if first <= end <= last]

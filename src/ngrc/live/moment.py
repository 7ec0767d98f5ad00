"""One time that came with an observation, as the history's times are."""

from datetime import UTC, date, datetime
from numbers import Real
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np

from ngrc.live.coming import Time
from ngrc.series.style import TimeStyle


def shown(time: Any) -> str:
    """A time in a message, as people write it.

    Examples
    --------
    >>> shown(np.datetime64("2026-01-31T12:00")), shown("noon"), shown(7)
    ('2026-01-31T12:00', "'noon'", '7')
    """
    return str(time) if isinstance(time, np.datetime64 | date | Real) else repr(time)


def read_time(time: Any, kind: "np.dtype[Any]", style: TimeStyle) -> Time:
    """A time of a series whose times are of the type `kind`; `ValueError` where it is none.

    Examples
    --------
    >>> from ngrc.series.style import PLAIN
    >>> read_time("2026-01-31T12:00", np.dtype("M8[s]"), PLAIN)
    np.datetime64('2026-01-31T12:00:00')
    """
    if kind.kind != "M":
        return _number(time, kind)
    moment = _moment(time, style)
    if np.isnat(moment):
        raise ValueError("the time is none (NaT); leave it out where the next one is meant")
    exact = moment.astype(kind)
    if exact != moment:
        raise ValueError(
            f"time {shown(time)} is finer than the history's times, or beyond their type, {kind}"
        )
    return exact


def _number(time: Any, kind: "np.dtype[Any]") -> Time:
    real = isinstance(time, Real) and not isinstance(time, bool | np.bool_)
    if not real or not np.isfinite(float(time)):
        raise ValueError(f"the history's times are numbers, got the time {shown(time)}; give a number")
    if kind.kind != "i":
        return float(time)
    if not float(time).is_integer():
        raise ValueError(f"the history's times are whole numbers, got the time {shown(time)}")
    return int(time)


def _moment(time: Any, style: TimeStyle) -> "np.datetime64":
    """A date on the clock that the history's times are kept on."""
    if isinstance(time, np.datetime64):
        return time
    # pandas: finer than microseconds, which `datetime` would cut.
    if hasattr(time, "to_datetime64") and getattr(time, "nanosecond", False):
        if time.tzinfo is None and not _zoned(style):
            return np.datetime64(time.to_datetime64())
        raise ValueError(
            f"time {shown(time)} has nanoseconds and a zone; give it as a numpy datetime64 in UTC"
        )
    if isinstance(time, str):
        try:
            time = datetime.fromisoformat(time.strip())
        except ValueError:
            raise ValueError(
                f"time {shown(time)} is no date in ISO 8601; write it as 2026-01-31T12:00"
            ) from None
    if isinstance(time, datetime):
        return _placed(time, style)
    if isinstance(time, date):
        return _placed(datetime(time.year, time.month, time.day), style)
    raise ValueError(
        f"the history's times are dates, got the time {shown(time)}; give a datetime, a numpy datetime64 or text in "
        "ISO 8601"
    )


def _zoned(style: TimeStyle) -> bool:
    return style.zone is not None or style.offset is not None


def _placed(moment: datetime, style: TimeStyle) -> "np.datetime64":
    if (moment.tzinfo is None) == _zoned(style):
        wrong = (
            ("has no zone", "have one", "with its zone")
            if _zoned(style)
            else ("has a zone", "have none", "without it")
        )
        raise ValueError(
            f"time {moment.isoformat()} {wrong[0]}, and the history's times {wrong[1]}; give it {wrong[2]}"
        )
    if moment.tzinfo is None:
        return np.datetime64(moment)
    if not style.wall:
        moment = moment.astimezone(UTC)
    elif style.zone is not None:
        moment = moment.astimezone(ZoneInfo(style.zone))
    # A wall clock that was written with its offsets is read as it stands.
    return np.datetime64(moment.replace(tzinfo=None))

"""Times as text outside, as numbers inside: microseconds since 1970 in universal time, or the index.

A time without a zone counts as if it were universal. Text that goes out has the zone of the newest time that came in.
"""

import datetime as dt
import re
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from ngrc._types import AnyArray
from ngrc.durable.observation import Time

Kind = Literal["index", "date", "local", "zoned"]

_TEXT = re.compile(r"(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?)(Z|[+-]\d\d:\d\d)?)?")
_EPOCH = dt.datetime(1970, 1, 1)
DAY = 86_400_000_000
LATEST = (dt.datetime.max - _EPOCH) // dt.timedelta(microseconds=1)
"""The last moment that ISO 8601 can write."""
_MINUTE = 60_000_000
_LARGEST_INDEX = 2**53
"""Beyond it a number of JSON is no longer exact in other languages."""


class Stamp(NamedTuple):
    """One time: `moment` counts in universal time, `zone` is how it was written (Z, +01:00; empty without one)."""

    moment: int
    kind: Kind
    zone: str = ""

    @property
    def local(self) -> int:
        """Microseconds as a clock at the source shows them."""
        return self.moment + _MINUTE * _minutes(self.zone)


def read_time(time: Time) -> Stamp:
    """Read a time strictly: a whole number, or ISO 8601.

    Examples
    --------
    >>> read_time("1970-01-02"), read_time("1970-01-01T01:00:00.5+01:00")
    (Stamp(moment=86400000000, kind='date', zone=''), Stamp(moment=500000, kind='zoned', zone='+01:00'))
    """
    if isinstance(time, bool) or not isinstance(time, str | int):
        raise ValueError(f"a time is ISO 8601 text or an index, got {time!r}; {_REMEDY}")
    if isinstance(time, int):
        if not 0 <= time <= _LARGEST_INDEX:
            raise ValueError(f"an index counts from 0 to 2^53, got {time}; {_REMEDY}")
        return Stamp(time, "index")
    parts = _TEXT.fullmatch(time)
    try:
        if parts is None:
            raise ValueError
        day, clock, zone = parts.groups()
        naive = dt.datetime.fromisoformat(day if clock is None else f"{day}T{clock}")
        ahead = _MINUTE * _minutes(zone or "")
    except ValueError:
        raise ValueError(f"the time {time[:40]!r} is not understood; {_REMEDY}") from None
    since = naive - _EPOCH
    ticks = since.days * DAY + since.seconds * 1_000_000 + since.microseconds - ahead
    return Stamp(ticks, "date" if clock is None else "zoned" if zone else "local", zone or "")


_REMEDY = "write 2026-01-31, 2026-01-31T13:00 or 2026-01-31T13:00:00+01:00, or count from 0"


def write_time(ticks: int, kind: Kind, zone: str = "") -> Time:
    """A moment as it goes out.

    Examples
    --------
    >>> write_time(500_000, "zoned", "+01:00"), write_time(86_400_000_000, "date"), write_time(3, "index")
    ('1970-01-01T01:00:00.500000+01:00', '1970-01-02', 3)
    """
    if kind == "index":
        return ticks
    try:
        local = _EPOCH + dt.timedelta(microseconds=ticks + _MINUTE * _minutes(zone))
    except OverflowError:
        raise ValueError("the coming times lie beyond the year 9999; give nearer ones") from None
    return local.date().isoformat() if kind == "date" and ticks % DAY == 0 else local.isoformat() + zone


def _minutes(zone: str) -> int:
    if zone in ("", "Z"):
        return 0
    hours, minutes = int(zone[1:3]), int(zone[4:6])
    if hours > 23 or minutes > 59:
        raise ValueError
    return (60 * hours + minutes) * (-1 if zone[0] == "-" else 1)


@dataclass(frozen=True, slots=True)
class Scale:
    """How one series counts its times, and how the forecaster gets them.

    Parameters
    ----------
    kind
        What its first time is; all others must be of the kind.
    wall
        Whether the forecaster counts on the wall clock, as days across a clock change are regular only there.
    """

    kind: Kind
    wall: bool = False

    def stamp(self, time: Time) -> Stamp:
        """Read a time, which must be like the series' others; midnight may stand for a date."""
        stamp = read_time(time)
        if self.kind == "date" and stamp.kind == "local" and stamp.moment % DAY == 0:
            return Stamp(stamp.moment, "date")
        if self.kind == "local" and stamp.kind == "date":
            return Stamp(stamp.moment, "local")
        if stamp.kind != self.kind:
            raise ValueError(
                f"the times of this series are {_WORDS[self.kind]}, got {time!r}; write them all in one way"
            )
        return stamp

    def inside(self, stamps: list[Stamp]) -> AnyArray | None:
        """Times as the forecaster takes them, shape (n,); None where observations are only counted."""
        if self.kind == "index":
            return None
        ticks = np.array([one.local if self.wall else one.moment for one in stamps], dtype=np.int64)
        times: AnyArray = ticks.view("M8[us]")
        return times.astype("M8[D]") if self.kind == "date" else times

    def outside(self, time: Any, zone: str) -> Time:
        """A time that a forecaster names, as it goes out."""
        if self.kind == "index":
            return int(time)
        return write_time(ticks_of(time), self._spoken, "" if self.wall else zone)

    @property
    def _spoken(self) -> Kind:
        return "local" if self.wall else self.kind


_WORDS: dict[Kind, str] = {
    "index": "counted by index",
    "date": "dates such as 2026-01-31",
    "local": "without a zone, such as 2026-01-31T13:00",
    "zoned": "with a zone, such as 2026-01-31T13:00+01:00",
}


def ticks_of(time: Any) -> int:
    """A whole number for an index or a `datetime64` of any unit."""
    if isinstance(time, np.datetime64):
        return int(time.astype("M8[us]").view(np.int64))
    return int(time)

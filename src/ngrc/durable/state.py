"""`State`: where a series stands, in memory: a function of its observations, told one by one."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ngrc.durable.begin import begun
from ngrc.durable.chain import START, continued
from ngrc.durable.entry import Entry, Kind, issued_by, settled_by
from ngrc.durable.observation import Issued, Settled
from ngrc.durable.times import DAY, LATEST, Scale, Stamp, ticks_of, write_time

Maker = Callable[[], Any]
"""Makes the unstarted forecaster anew."""


MANY = 100
"""Times that are passed over at once beyond which that takes a while: tenths of a millisecond each, or more."""
EARLY = 10
"""Gathered times from which their grid is known well enough to refuse one that does not lie on it."""


class State:
    """One series: the forecaster, or what is gathered for it, and the newest row.

    Parameters
    ----------
    make
        Makes the forecaster, not started.
    wanted
        How many observations it starts from.
    """

    def __init__(self, make: Maker, wanted: int) -> None:
        self._make = make
        self.wanted = wanted
        self.scale: Scale | None = None
        self.zone = ""
        self.seq = 0
        self.newest: int | None = None
        self.chain = START
        self.forecaster: Any = None
        self.issued: Issued | None = None
        # What the forecaster takes for the next time, and levels in the order of rows.
        self._expected = 0
        # Times beyond which the targets may be too late to be written.
        self._far = 2**63
        self.broken = False
        self._levels: list[float] = []
        self._stamps: list[Stamp] = []
        # The shortest way from one gathered time to the next; zero before there are two.
        self._least = 0
        self._values: list[float | None] = []

    @property
    def gathering(self) -> bool:
        """Whether the forecaster has not started."""
        return self.forecaster is None

    def advance(self, value: float | None, stamp: Stamp | None, received: str) -> Entry:
        """Take in one observation; a `ValueError` changes nothing, unless `broken` is true after it."""
        if self.gathering:
            return self._gather(value, stamp, received)
        return self._observe(value, stamp, received)

    def slow(self, count: int, latest: Stamp | None) -> bool:
        """Whether taking in so many observations, up to a time, brings a fit or passes over many times."""
        if self.gathering or self.newest is None:
            return len(self._stamps) + count >= self.wanted
        coming = self.forecaster.next()
        apart = max(1, self._expected - ticks_of(coming.origin))
        steps = count if latest is None else max(count, (latest.moment - self.newest) // apart)
        until = self.forecaster.until_refit
        return steps > count + MANY or (until is not None and until <= steps)

    def resume(
        self, forecaster: Any, scale: Scale, newest: Stamp, entry: Entry, issued: Issued | None
    ) -> None:
        """Stand where a snapshot was taken: after `entry`, with `newest` the newest time."""
        self.scale, self.zone, self.newest = scale, newest.zone, newest.moment
        self._say(forecaster, issued)
        self.seq, self.chain = entry.seq, entry.chain

    def _gather(self, value: float | None, stamp: Stamp | None, received: str) -> Entry:
        scale, place = self._first_places(value, stamp)
        # Nothing may change before all that can be refused was: a history that cannot be fitted leaves the state as it
        # was. The lists grow in place, as a copy per observation would make long histories take hours.
        if len(self._stamps) + 1 < self.wanted:
            self._check_grid(scale, place, value)
            entry = self._entry(place, value, "history", received, None, ())
            self._stamps.append(place)
            self._values.append(value)
        else:
            scale, series = begun(scale, [*self._stamps, place], [*self._values, value])
            forecaster = self._make().start(series)
            issued = issued_by(forecaster.next(), scale, place.zone)
            entry = self._entry(place, value, "history", received, issued, ())
            self._say(forecaster, issued)
            self._stamps, self._values = [], []
        self.scale, self.zone, self.newest = scale, place.zone, place.moment
        return entry

    def _check_grid(self, scale: Scale, place: Stamp, value: float | None) -> None:
        """Refuse a time between those that are expected when it comes, and not when the history is complete."""
        if self.newest is None or scale.kind == "index":
            return
        apart = place.moment - self.newest
        if self._least == 0 or apart % self._least == 0:
            self._least = min(apart, self._least or apart)
            return
        # Months differ, and a gap may have come before the first two neighbours: the whole history decides.
        if len(self._stamps) >= EARLY:
            try:
                begun(scale, [*self._stamps, place], [*self._values, value])
            except ValueError:
                raise ValueError(
                    f"the time {self._text(place)} does not lie on the grid of the {len(self._stamps)} gathered before "
                    "it; send times at regular steps, or leave this one out"
                ) from None
        self._least = min(apart, self._least)

    def _first_places(self, value: float | None, stamp: Stamp | None) -> tuple[Scale, Stamp]:
        """Scale of the series, and the place of the next observation on it."""
        if self.scale is None or self.newest is None:
            if value is None:
                raise ValueError("the first observation of a series cannot be missing; send a number")
            if stamp is not None and stamp.kind == "index" and stamp.moment:
                raise ValueError(
                    f"the first observation has the index 0, got {stamp.moment}; count from 0, or write times as "
                    "2026-01-31T13:00"
                )
            return Scale("index" if stamp is None else stamp.kind), stamp or Stamp(0, "index")
        if stamp is None and self.scale.kind != "index":
            raise ValueError("the observations of this series have times; give this one's too")
        place = stamp or Stamp(self.newest + 1, "index")
        if place.moment <= self.newest:
            raise ValueError(
                f"the time {self._text(place)} lies before the newest, {self._text(self.newest)}; while a history is "
                "gathered, times must rise"
            )
        return self.scale, place

    def _observe(self, value: float | None, stamp: Stamp | None, received: str) -> Entry:
        scale, newest = self.scale, self.newest
        assert scale is not None
        assert newest is not None
        place = self._next() if stamp is None else stamp
        late = place.moment <= newest
        if late and self.forecaster.late == "refuse":
            raise ValueError(
                f"the time {self._text(place)} lies before the newest, {self._text(newest)}; give a later one, or "
                "make the forecaster with late='accept' to take outcomes of times that were missing"
            )
        inside = self._inside(scale, place)
        if not late and place.moment > self._far:
            self._check_writable(scale, place, inside)
        matured = self.forecaster.observe(value, inside)
        # From here on the forecaster is ahead of the rows: whatever is raised now, only the rows know where it stands.
        self.broken = True
        zone = self.zone if late else place.zone
        settled = settled_by(matured, self._levels, scale, zone)
        if late:
            entry = self._entry(place, value, "late", received, None, settled)
        else:
            self._say(self.forecaster, issued_by(self.forecaster.next(), scale, zone))
            self.zone, self.newest = zone, place.moment
            kind: Kind = "missing" if value is None else "observed"
            entry = self._entry(place, value, kind, received, self.issued, settled)
        self.broken = False
        return entry

    def _check_writable(self, scale: Scale, place: Stamp, inside: Any) -> None:
        """Refuse a time after which the targets could not be written: ISO 8601 ends with the year 9999."""
        scale.outside(self.forecaster.targets_after(inside)[-1], place.zone)

    def _say(self, forecaster: Any, issued: Issued | None) -> None:
        """The forecasts that stand from here on."""
        coming = forecaster.next()
        self.forecaster, self.issued = forecaster, issued
        self._expected, self._levels = ticks_of(coming.targets[0]), sorted(coming.lower)
        # Months, years and weekends differ in length: twice the reach and some days hold any of them.
        self._far = LATEST - 2 * (ticks_of(coming.targets[-1]) - ticks_of(coming.origin)) - 10 * DAY

    def _next(self) -> Stamp:
        """The place of an observation that names no time."""
        assert self.scale is not None
        if self.scale.wall:
            raise ValueError(
                "this series counts in local time across changes of the clock; give each observation its time"
            )
        return Stamp(self._expected, self.scale.kind, self.zone)

    def _inside(self, scale: Scale, place: Stamp) -> Any:
        """The time as the forecaster takes it; None of the next one, which it need not look for on its grid."""
        ticks = place.local if scale.wall else place.moment
        if ticks == self._expected:
            return None
        times = scale.inside([place])
        return place.moment if times is None else np.asarray(times)[0]

    def _entry(
        self,
        place: Stamp,
        value: float | None,
        kind: Kind,
        received: str,
        issued: Issued | None,
        settled: tuple[Settled, ...],
    ) -> Entry:
        text = str(write_time(place.moment, place.kind, place.zone))
        entry = Entry(self.seq + 1, text, place.moment, value, kind, received, issued, settled)
        entry = entry._replace(chain=continued(self.chain, entry))
        self.seq, self.chain = entry.seq, entry.chain
        return entry

    def _text(self, place: Stamp | int) -> str:
        assert self.scale is not None
        if isinstance(place, Stamp):
            return str(write_time(*place))
        return str(write_time(place, self.scale.kind, self.zone))

"""`State`: where a series stands, in memory: a function of its observations, told one by one."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ngrc.durable.begin import begun
from ngrc.durable.chain import START, continued
from ngrc.durable.entry import Entry, ForecastRow, Kind, forecast_rows, outcome_rows
from ngrc.durable.times import Scale, Stamp, ticks_of, write_time

Maker = Callable[[], Any]
"""Makes the unstarted forecaster anew."""


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
        self.coming: Any = None
        self.issued: tuple[ForecastRow, ...] = ()
        self._stamps: list[Stamp] = []
        self._values: list[float | None] = []

    @property
    def gathering(self) -> bool:
        """Whether the forecaster has not started."""
        return self.forecaster is None

    def advance(self, value: float | None, stamp: Stamp | None, received: str) -> Entry:
        """Take in one observation; a `ValueError` changes nothing."""
        if self.gathering:
            return self._gather(value, stamp, received)
        return self._observe(value, stamp, received)

    def resume(self, forecaster: Any, scale: Scale, newest: Stamp, entry: Entry, issued: Any) -> None:
        """Stand where a snapshot was taken: after `entry`, with `newest` the newest time."""
        self.forecaster, self.scale, self.coming = forecaster, scale, forecaster.next()
        self.zone, self.newest, self.issued = newest.zone, newest.moment, issued
        self.seq, self.chain = entry.seq, entry.chain

    def _gather(self, value: float | None, stamp: Stamp | None, received: str) -> Entry:
        scale, place = self._first_places(value, stamp)
        stamps, values = [*self._stamps, place], [*self._values, value]
        if len(stamps) < self.wanted:
            self.scale = scale
            entry = self._entry(place, value, "history", received, (), ())
        else:
            # Only now may anything change: a history that cannot be fitted must leave the state as it was.
            scale, series = begun(scale, stamps, values)
            forecaster = self._make().start(series)
            coming = forecaster.next()
            rows = forecast_rows(coming, scale, place.zone)
            self.scale, self.forecaster, self.coming, self.issued = scale, forecaster, coming, rows
            entry = self._entry(place, value, "history", received, rows, ())
            stamps, values = [], []
        self._stamps, self._values = stamps, values
        self.zone, self.newest = place.zone, place.moment
        return entry

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
        matured = self.forecaster.observe(value, self._inside(scale, place))
        zone = self.zone if late else place.zone
        levels = sorted(self.coming.lower)
        outcomes = outcome_rows(matured, levels, scale, zone)
        if late:
            return self._entry(place, value, "late", received, (), outcomes)
        self.coming = self.forecaster.next()
        self.issued = forecast_rows(self.coming, scale, zone)
        self.zone, self.newest = zone, place.moment
        kind: Kind = "missing" if value is None else "observed"
        return self._entry(place, value, kind, received, self.issued, outcomes)

    def _next(self) -> Stamp:
        """The place of an observation that names no time."""
        assert self.scale is not None
        if self.scale.wall:
            raise ValueError(
                "this series counts in local time across changes of the clock; give each observation its time"
            )
        return Stamp(ticks_of(self.coming.targets[:1])[0], self.scale.kind, self.zone)

    def _inside(self, scale: Scale, place: Stamp) -> Any:
        """The time as the forecaster takes it; None of the next one, which it need not look for on its grid."""
        ticks = place.local if scale.wall else place.moment
        if ticks == ticks_of(self.coming.targets[:1])[0]:
            return None
        times = scale.inside([place])
        return place.moment if times is None else np.asarray(times)[0]

    def _entry(
        self,
        place: Stamp,
        value: float | None,
        kind: Kind,
        received: str,
        forecasts: tuple[ForecastRow, ...],
        outcomes: Any,
    ) -> Entry:
        text = str(write_time(place.moment, place.kind, place.zone))
        entry = Entry(self.seq + 1, text, place.moment, value, kind, received, forecasts, outcomes)
        entry = entry._replace(chain=continued(self.chain, entry))
        self.seq, self.chain = entry.seq, entry.chain
        return entry

    def _text(self, place: Stamp | int) -> str:
        assert self.scale is not None
        if isinstance(place, Stamp):
            return str(write_time(*place))
        return str(write_time(place, self.scale.kind, self.zone))

"""A series in memory alone: the same answers as with a database, and gone when the process ends.

Until it starts it is a durable series without its rows; from then on answers are written straight from what the
forecaster says, as rows and replies would cost more than the forecast.
"""

from copy import deepcopy
from math import isnan
from typing import Any

from ngrc.durable.begin import given
from ngrc.durable.entry import reply_of
from ngrc.durable.observation import Observation, Time
from ngrc.durable.state import State
from ngrc.durable.times import Scale, Stamp, read_time, ticks_of, write_time
from ngrc.live import Matured, OnlineForecaster
from ngrc.series import Series
from ngrc.stream.answers import (
    answer,
    level_key,
    said_first,
    said_forecasts,
    said_matured,
    said_whole,
)
from ngrc.stream.said import Said


class Volatile:
    """What a durable series is, without rows: nothing that was sent before is known again.

    Parameters
    ----------
    forecaster
        Not started.
    history
        A series that comes before the first line, or how many lines are gathered.
    """

    def __init__(self, forecaster: OnlineForecaster, history: int | Series) -> None:
        before = [] if isinstance(history, int) else given(history)
        wanted = history if isinstance(history, int) else len(before)
        self._gathering = State(lambda: deepcopy(forecaster), wanted)
        self._running: Running | None = None
        self._seq = 0
        for observation in before:
            self.take(observation)

    def take(self, observation: Observation) -> Said:
        """Take in one observation; `ValueError` changes nothing."""
        if observation.seq is not None and observation.seq != self._seq + 1:
            raise ValueError(
                f"seq {observation.seq} is not the next, {self._seq + 1}; without --state no earlier observation is "
                "known again"
            )
        value = observation.value
        # Adding zero makes zero of minus zero, as a database does.
        number = None if value is None or isnan(value) else value + 0.0
        said = (
            self._gather(number, observation.time)
            if self._running is None
            else self._running.observe(self._seq + 1, number, observation.time)
        )
        self._seq += 1
        return Said(said)

    def _gather(self, value: float | None, time: Time | None) -> str:
        state = self._gathering
        stamp = None if time is None else read_time(time) if state.scale is None else state.scale.stamp(time)
        text = answer(reply_of(state.advance(value, stamp, ""), state.issued))
        if not state.gathering:
            assert state.scale is not None
            assert state.newest is not None
            self._running = Running(
                state.forecaster, state.scale, Stamp(state.newest, state.scale.kind, state.zone)
            )
        return text

    def commit(self) -> None:
        """Nothing to do: nobody was promised anything."""

    def close(self) -> None:
        """Nothing to close."""


class Running:
    """A forecaster in service, and how the times of its series are written."""

    def __init__(self, forecaster: OnlineForecaster, scale: Scale, newest: Stamp) -> None:
        self._forecaster, self._scale, self._newest = forecaster, scale, newest
        self._levels = [(level_key(level), level) for level in sorted(forecaster.levels)]
        self._places = [(key, forecaster.levels.index(level)) for key, level in self._levels]
        self._said()

    def observe(self, seq: int, value: float | None, time: Time | None) -> str:
        """Take in one observation of a time, or of the next; the answer to it."""
        if time is None and self._scale.wall:
            raise ValueError(
                "this series counts in local time across changes of the clock; give each observation its time"
            )
        # Targets on a wall clock are said without the zone that an observation must have.
        if time is None or (time == self._targets[0] and not self._scale.wall):
            matured, time = self._forecaster.observe(value), self._targets[0]
            self._newest = self._newest._replace(moment=self._due)
            self._said()
        else:
            stamp = self._scale.stamp(time)
            self._check_late(stamp)
            inside = self._inside(stamp)
            # Targets that cannot be written are refused before the forecaster moves.
            self._scale.outside(self._forecaster.targets_after(inside)[-1], self._newest.zone)
            matured, time = self._forecaster.observe(value, inside), write_time(*stamp)
            # A late outcome changes nothing that was said.
            if stamp.moment > self._newest.moment:
                self._newest = stamp
                self._said()
        first = said_first(seq, time, value)
        return said_whole(first, self._forecasts, [self._matured(one) for one in matured])

    def _check_late(self, stamp: Stamp) -> None:
        if stamp.moment <= self._newest.moment and self._forecaster.late == "refuse":
            raise ValueError(
                f"the time {write_time(*stamp)} lies before the newest, {write_time(*self._newest)}, or is it; give a "
                "later one, or use --late accept for outcomes of times that were missing"
            )

    def _inside(self, stamp: Stamp) -> Any:
        times = self._scale.inside([stamp])
        return stamp.moment if times is None else times[0]

    def _said(self) -> None:
        """Keep what is said of the coming values, for this answer and those to late outcomes."""
        newest, scale, zone = self._forecaster.newest(), self._scale, self._newest.zone
        if scale.kind == "index":
            self._due = self._forecaster.count
            self._targets: list[Time] = [*range(self._due, self._due + len(newest))]
        else:
            targets = self._forecaster.next().targets
            self._targets = [scale.outside(target, zone) for target in targets]
            self._due = ticks_of(targets[0])
        pairs = [one.ends or [] for one in newest]
        ends = [
            (key, [pair[place][0] for pair in pairs], [pair[place][1] for pair in pairs])
            for key, place in self._places
        ]
        self._forecasts = said_forecasts(self._targets, [one.mean for one in newest], ends)

    def _matured(self, one: Matured) -> str:
        covered = one.covered
        held = {level: None if covered is None else covered[level] for _, level in self._levels}
        origin = self._scale.outside(one.origin, self._newest.zone)
        return said_matured(one.step, origin, one.mean, held)

"""`DurableSeries`: a forecaster whose observations are rows; what is known already is answered as it was."""

import datetime as dt
from collections.abc import Sequence
from math import isfinite
from numbers import Real
from time import perf_counter
from typing import Any, Protocol

from ngrc.archive import dumps
from ngrc.durable.entry import Entry, reply_of
from ngrc.durable.errors import ConflictError, StoreError
from ngrc.durable.observation import Issued, Observation, Reply
from ngrc.durable.reading import SnapshotRow
from ngrc.durable.snapshots import SnapshotClock
from ngrc.durable.state import State
from ngrc.durable.times import Stamp, read_time, write_time


class Rows(Protocol):
    """The committed rows of one series."""

    def entry(self, seq: int) -> Entry | None:
        """One by its count."""

    def at(self, moment: int) -> list[Entry]:
        """Those of one time."""

    def issued(self, seq: int) -> Issued | None:
        """The forecasts that stood after an observation."""


class DurableSeries:
    """One series in service: its state in memory, its rows in a store, and those that wait for a commit."""

    def __init__(self, name: str, number: int, state: State, clock: SnapshotClock, rows: Rows) -> None:
        self.name = name
        self.number = number
        self.state = state
        self._clock = clock
        self._rows = rows
        self.unsaved: list[Entry] = []
        self.notes: list[str] = []
        self._lost = False

    def take(self, observation: Observation) -> Reply:
        """Take in an observation, or answer again."""
        if self._lost:
            raise StoreError(f"the state of the series {self.name!r} is lost in memory; start again")
        value = read_value(observation.value)
        stamp = None if observation.time is None else self._stamp(observation)
        known = self._known(observation, value, stamp)
        if known is not None:
            return reply_of(known, self._issued(known), again=True)
        entry = self._advanced(value, stamp)
        self.unsaved.append(entry)
        return reply_of(entry, self.state.issued)

    def slow(self, observations: Sequence[Observation], before: int) -> bool:
        """Whether taking these, after some that are to be taken before, may take long: by a fit, or a long gap."""
        try:
            time = observations[-1].time
            latest = None if time is None else read_time(time)
        except ValueError:
            # Refused in no time when it is taken.
            latest = None
        return self.state.slow(before + len(observations), latest)

    def lose(self) -> None:
        """Take nothing more: the state in memory is not that of the rows."""
        self._lost = True

    def latest(self) -> Reply | None:
        """What was said last."""
        entry = self._entry(self.state.seq) if self.state.seq else None
        return None if entry is None else reply_of(entry, self.state.issued)

    def snapshot(self) -> SnapshotRow | None:
        """The state, where it is worth keeping now."""
        if self.state.gathering or self._lost or not self._clock.due:
            return None
        begin = perf_counter()
        try:
            content = dumps(self.state.forecaster)
        except (ValueError, MemoryError) as error:
            # Too large for one file, say. The rows alone are enough to go on; the next try comes as late as usual.
            self._clock.taken(self._clock.size, perf_counter() - begin)
            self.notes.append(
                f"series {self.name!r}: no snapshot was written ({error}); a restart takes longer"
            )
            return None
        self._clock.taken(len(content), perf_counter() - begin)
        return SnapshotRow.of(self.state.seq, content, now())

    def _advanced(self, value: float | None, stamp: Stamp | None) -> Entry:
        begin = perf_counter()
        try:
            entry = self.state.advance(value, stamp, now())
        except BaseException as error:
            # Half taken in: only the rows know where the series stands.
            self._lost = self.state.broken or not isinstance(error, ValueError)
            raise
        self._clock.passed(perf_counter() - begin)
        return entry

    def _stamp(self, observation: Observation) -> Stamp:
        assert observation.time is not None
        scale = self.state.scale
        return read_time(observation.time) if scale is None else scale.stamp(observation.time)

    def _known(self, observation: Observation, value: float | None, stamp: Stamp | None) -> Entry | None:
        """The entry that an observation repeats; None of a new one."""
        count = self.state.seq
        if observation.seq is not None and self._counted(observation.seq) <= count:
            entry = self._entry(observation.seq)
            if entry is None:
                raise StoreError(f"observation {observation.seq} of the series {self.name!r} is missing")
            if stamp is not None and stamp.moment != entry.moment:
                raise ConflictError(
                    f"observation {entry.seq} is known with the time {entry.time}, got {observation.time}"
                )
            return self._same(entry, value, f"observation {entry.seq}")
        if stamp is None or self.state.newest is None or stamp.moment > self.state.newest:
            return None
        entry = self._at(stamp, value)
        if entry is not None and observation.seq is not None:
            raise ConflictError(
                f"the time {entry.time} is that of observation {entry.seq}, got {observation.seq}"
            )
        return entry

    def _counted(self, seq: Any) -> int:
        if isinstance(seq, bool) or not isinstance(seq, int) or seq < 1:
            raise ValueError(f"seq counts observations from 1, got {seq!r}")
        if seq > self.state.seq + 1:
            raise ConflictError(
                f"the next observation of the series {self.name!r} is {self.state.seq + 1}, got seq {seq}; "
                "send those between first"
            )
        return seq

    def _at(self, stamp: Stamp, value: float | None) -> Entry | None:
        """The entry of a known time; None of one that was passed over or missing, whose outcome may come late."""
        # Both: the late outcome of a time that was sent as missing may wait for its commit alone.
        entries = self._rows.at(stamp.moment) + [one for one in self.unsaved if one.moment == stamp.moment]
        if not entries:
            return None
        for entry in entries:
            if entry.value == value:
                return entry
        told = [entry for entry in entries if entry.value is not None]
        return self._same(told[-1], value, f"the time {write_time(*stamp)}") if told else None

    def _same(self, entry: Entry, value: float | None, what: str) -> Entry:
        if entry.value != value:
            raise ConflictError(
                f"{what} is known with the value {_shown(entry.value)}, got {_shown(value)}; nothing was changed"
            )
        return entry

    def _entry(self, seq: int) -> Entry | None:
        if self.unsaved and seq >= self.unsaved[0].seq:
            return self.unsaved[seq - self.unsaved[0].seq]
        return self._rows.entry(seq)

    def _issued(self, entry: Entry) -> Issued | None:
        if entry.issued is not None:
            return entry.issued
        # After a late outcome those of the newest origin stand.
        for one in reversed(self.unsaved):
            if one.seq <= entry.seq and one.issued is not None:
                return one.issued
        return self._rows.issued(entry.seq)


def read_value(value: Any) -> float | None:
    """A finite number, or None where it is missing.

    Examples
    --------
    >>> read_value(3), read_value(float("nan")), read_value(-0.0)
    (3.0, None, 0.0)
    """
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, Real):
        raise ValueError(f"a value is a number, or nothing where it is missing, got {str(value)[:40]!r}")
    try:
        # Minus zero becomes zero, which is what a database gives back.
        number = float(value) + 0.0
    except OverflowError:
        number = float("inf")
    if number != number:
        return None
    if not isfinite(number):
        raise ValueError(f"a value must be finite, got {number}; leave it empty where it is missing")
    return number


def _shown(value: float | None) -> str:
    return "missing" if value is None else repr(value)


def now() -> str:
    """The present moment in universal time."""
    return dt.datetime.now(dt.UTC).isoformat(timespec="microseconds")

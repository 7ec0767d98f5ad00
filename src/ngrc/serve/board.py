"""What readers see: the newest committed replies of every series, in memory, so that no reader waits for a commit."""

from collections.abc import Callable, Iterable
from threading import Lock
from typing import Any

from ngrc.durable import Reply
from ngrc.serve.alarms import WINDOW
from ngrc.serve.answers import forecasts, level_name, number
from ngrc.serve.record import MOST, Record
from ngrc.validation import check_count


class Board:
    """Records by name; written by the worker after each commit, read by every request.

    The lock is held while one row is added or read, never while a database works or coverages are judged.

    Parameters
    ----------
    restore
        The newest kept replies of a series, read when it is first asked for.
    """

    def __init__(self, restore: Callable[[str], Iterable[Reply]] = lambda name: ()) -> None:
        self._records: dict[str, Record] = {}
        self._lock = Lock()
        self._restore = restore
        # Series that are known, and whose replies were not read back yet.
        self._unread: set[str] = set()
        self._reading = Lock()

    def announce(self, name: str, *, heard: float | None = None) -> None:
        """Make a kept series known; its replies are read when somebody asks for them."""
        with self._lock:
            self._records[name] = Record()
            self._unread.add(name)
        self.add(name, heard=heard)

    @property
    def unread(self) -> frozenset[str]:
        """Series whose replies were not read back yet."""
        with self._lock:
            return frozenset(self._unread)

    def load(self, *names: str) -> None:
        """Read back the newest replies of series, where that was not done yet; `StoreError` where it cannot be now.

        To be called before anything is added to a series that was announced.
        """
        for name in names:
            # One at a time: who asks for the same one meanwhile finds it read.
            with self._reading:
                if name in self._unread:
                    self.add(name, self._restore(name))
                    self._unread.discard(name)

    def add(self, name: str, replies: Iterable[Reply] = (), *, heard: float | None = None) -> None:
        """Show these replies of a series, which may be new; for one thread.

        Parameters
        ----------
        heard
            When the newest of them came, in seconds since 1970; None where that is not known.
        """
        with self._lock:
            record = self._records.setdefault(name, Record())
        for reply in replies:
            # Anew for each: readers pass between, however many there are.
            with self._lock:
                record.add(reply)
        if record.newest is not None:
            # Earlier ones could not be put before it.
            self._unread.discard(name)
        # Readers see the judgement before or the one after, as it is set whole.
        record.judge()
        if heard is not None:
            record.heard = heard

    def __contains__(self, name: object) -> bool:
        return name in self._records

    def names(self) -> list[str]:
        """All series, in alphabetic order."""
        with self._lock:
            return sorted(self._records)

    def summary(self, name: str) -> dict[str, Any]:
        """One series in a few words; KeyError where there is none."""
        with self._lock:
            record = self._records[name]
            newest = record.newest
            said: dict[str, Any] = {"name": name, "state": _state(record)}
            if newest is None:
                return said
            said |= {"seq": newest.seq, "time": newest.time, "value": number(newest.value)}
            if newest.history is not None:
                said["history"] = newest.history
            if record.steps:
                said |= {"horizon": record.steps, "levels": list(record.levels)}
                said["coverage"] = [
                    _judged(step, level, judged) for step, level, judged in record.judged if step == 1
                ]
            said["alarms"] = _alarms(record)
            return said

    def forecast(self, name: str) -> dict[str, Any]:
        """The newest forecasts of a series."""
        with self._lock:
            return _forecast(name, self._records[name])

    def recent(self, name: str, *, count: int, after: int, step: int, level: float | None) -> dict[str, Any]:
        """What the live page draws; ValueError where there is no such step or level."""
        # All of one moment: a page that is told of a newer observation than it is given would never ask for it again.
        with self._lock:
            record = self._records[name]
            level = _chosen(record, step, level)
            return _forecast(name, record) | {
                "state": _state(record), "step": step, "steps": record.steps, "level": level,
                "levels": list(record.levels), "window": WINDOW,
                "rows": record.rows(step=step, level=level, after=after, count=min(count, MOST)),
                "alarms": _alarms(record),
            }  # fmt: skip

    def judgements(self) -> list[tuple[str, int, float, Any]]:
        """Trailing coverages of all series: name, step, level, judgement."""
        with self._lock:
            return [
                (name, *judged) for name, record in sorted(self._records.items()) for judged in record.judged
            ]

    def heard(self) -> dict[str, float]:
        """When each series was last heard of, in seconds since 1970."""
        with self._lock:
            return {name: record.heard for name, record in sorted(self._records.items()) if record.heard}


def _forecast(name: str, record: Record) -> dict[str, Any]:
    newest, coming = record.newest, record.coming
    if newest is None or coming is None:
        gathered = 0 if newest is None else newest.history
        return {"name": name, "seq": 0 if newest is None else newest.seq, "history": gathered}
    return {"name": name, "seq": newest.seq, "origin": coming.origin, "forecasts": forecasts(coming)}


def _state(record: Record) -> str:
    return "gathering" if record.coming is None else "forecasting"


def _chosen(record: Record, step: int, level: float | None) -> float:
    if not record.steps:
        return 0.0
    check_count(step, "step")
    if step > record.steps:
        raise ValueError(f"step must be from 1 to {record.steps}, got {step}")
    if level is None:
        return max(record.levels)
    if level not in record.levels:
        known = ", ".join(level_name(one) for one in record.levels)
        raise ValueError(f"level must be one of {known}, got {level!r}")
    return level


def _alarms(record: Record) -> list[dict[str, Any]]:
    return [_judged(step, level, judged) for step, level, judged in record.judged if judged.state != "within"]


def _judged(step: int, level: float, judged: Any) -> dict[str, Any]:
    return {
        "step": step, "level": level, "coverage": judged.coverage, "low": judged.low, "high": judged.high,
        "outcomes": judged.outcomes, "state": judged.state,
    }  # fmt: skip

"""The one connection that writes: rows of many series in one transaction, repeated until they are there once."""

import os
from dataclasses import dataclass, field
from threading import Lock
from time import monotonic
from typing import Any, NamedTuple

import sqlalchemy as sa

from ngrc.durable.address import Address
from ngrc.durable.commits import Commit, CommitFile, advance
from ngrc.durable.entry import Entry, forecast_rows, outcome_rows
from ngrc.durable.errors import LockedError, StoreError
from ngrc.durable.failures import told
from ngrc.durable.filling import fill
from ngrc.durable.locks import FileLock, lock_series
from ngrc.durable.reading import SeriesRow, SnapshotRow, read_last, read_series
from ngrc.durable.schema import forecasts, observations, outcomes, series, snapshots

PATIENCE = 60.0
"""Seconds in which a new connection waits for locks that our lost one may still hold: a server misses a client that
vanished in half of them, as `_promise` asks it to."""
KEPT = 2
"""Snapshots of a series: a damaged one falls back to the one before."""


class Reach(NamedTuple):
    """How far the rows of one series go in a batch."""

    before: int
    after: int
    chain: bytes


@dataclass(slots=True)
class Batch:
    """What one commit writes, by the number of the series."""

    entries: dict[int, list[Entry]] = field(default_factory=dict)
    snapshots: dict[int, SnapshotRow] = field(default_factory=dict)

    def reach(self, number: int) -> Reach:
        """From where to where the rows of a series go."""
        rows = self.entries[number]
        return Reach(rows[0].seq - 1, rows[-1].seq, rows[-1].chain)


class Writer:
    """One connection, for any thread, kept while it works; the locks of PostgreSQL live and die with it."""

    def __init__(self, engine: sa.Engine, address: Address, lock: FileLock | None) -> None:
        self._engine = engine
        self._address = address
        self._lock = lock
        self._connection: sa.Connection | None = None
        self._held: dict[int, str] = {}
        # Series that another process may have written since this connection is a new one.
        self._unsure: set[int] = set()
        # Series that another process took over, and why we cannot go on with them.
        self._lost: dict[int, str] = {}
        self._refused: float | None = None
        # One thread at a time: others may create or recover a series while one commits.
        self._alone = Lock()
        self._file = None if address.path is None else os.stat(address.path)
        self._record = None if address.path is None else CommitFile(address.path)
        if self._record is not None:
            # What is found may be told to clients from here on.
            self.commit(Batch())

    def hold(self, number: int, name: str) -> None:
        """Be the one writer of a series from now on."""
        if number in self._held:
            return
        with self._alone, told(self._address, "lock"):
            connection = self._connected()
            if self._address.path is None:
                with self._broken_on_error(), connection.begin():
                    lock_series(connection, number, name)
            self._held[number] = name

    def commit(self, batch: Batch) -> dict[int, str]:
        """Make a batch durable; after an error it may be repeated, and is written once.

        Returns
        -------
        dict of int to str
            Why the rows of a series are not there, and never will be: another process took it over. By its number.
        """
        self._check_file()
        with self._alone, told(self._address, "write"):
            connection = self._connected()
            with self._broken_on_error(), connection.begin():
                missing = self._missing(connection, batch)
                if missing:
                    _insert(connection, batch, missing)
                newest = self._counted(connection, [batch.reach(number) for number in missing])
            self._keep_record(newest)
            self._unsure -= batch.entries.keys()
        return {number: why for number, why in self._lost.items() if number in batch.entries}

    def create(self, row: SeriesRow, entries: list[Entry], snapshot: SnapshotRow | None) -> SeriesRow | None:
        """Keep a new series with its history; the series that is there, where another process was faster."""
        self._check_file()
        with self._alone, told(self._address, "write"):
            connection = self._connected()
            try:
                with self._broken_on_error(), connection.begin():
                    number = _insert_series(connection, row)
                    batch = Batch({number: entries}, {} if snapshot is None else {number: snapshot})
                    if entries:
                        _insert(connection, batch, [number])
                    newest = self._counted(connection, row)
            except sa.exc.IntegrityError:
                there = self._read(row.name)
                if there is None:
                    raise
                return there
            self._keep_record(newest)
        return None

    def _counted(self, connection: sa.Connection, words: Any) -> Commit | None:
        return None if self._record is None else advance(connection, words)

    def _keep_record(self, newest: Commit | None) -> None:
        """Record a commit before anybody is told of it; where that fails, the next try finds its rows written."""
        if self._record is not None and newest is not None:
            with self._broken_on_error():
                self._record.write(newest)

    def _read(self, name: str) -> SeriesRow | None:
        connection = self._connected()
        with self._broken_on_error(), connection.begin():
            return read_series(connection, name)

    def close(self) -> None:
        """Give up connection and locks."""
        self._drop()
        self._engine.dispose()
        if self._lock is not None:
            self._lock.release()

    def _missing(self, connection: sa.Connection, batch: Batch) -> list[int]:
        """Series whose rows are not there yet: an earlier try may have succeeded although its answer was lost."""
        missing = []
        for number in batch.entries.keys() - self._lost.keys():
            if number not in self._unsure:
                missing.append(number)
                continue
            before, after, chain = batch.reach(number)
            seq, last = read_last(connection, number)
            if seq == before:
                missing.append(number)
            elif (seq, last) != (after, chain):
                self._lose(number, "another process has written to it meanwhile")
        return sorted(missing)

    def _lose(self, number: int, why: str) -> None:
        name = self._held[number]
        self._lost[number] = (
            f"cannot go on with the series {name!r} in {self._address.shown}: {why}; start again"
        )

    def _connected(self) -> sa.Connection:
        if self._connection is None:
            connection = self._engine.connect()
            try:
                if self._address.path is None:
                    _promise(connection)
                    with connection.begin():
                        self._hold_again(connection)
            except BaseException:
                # Not kept with the locks that it has by now.
                connection.invalidate()
                connection.close()
                raise
            self._connection, self._unsure = connection, set(self._held)
        return self._connection

    def _hold_again(self, connection: sa.Connection) -> None:
        """Take the locks of all series on a new connection; those that stay with another process are lost."""
        refused: dict[int, LockedError] = {}
        for number, name in self._held.items():
            if number not in self._lost:
                try:
                    lock_series(connection, number, name)
                except LockedError as error:
                    refused[number] = error
        if not refused:
            self._refused = None
            return
        self._refused = monotonic() if self._refused is None else self._refused
        if monotonic() - self._refused < PATIENCE:
            # Perhaps by our own lost connection, which the server has not missed yet.
            raise LockedError(str(next(iter(refused.values()))), temporary=True)
        for number, one in refused.items():
            self._lose(number, str(one).partition(";")[0])
        self._refused = None

    def _broken_on_error(self) -> "_Broken":
        return _Broken(self)

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            # Not returned but closed, whatever state it is in.
            connection.invalidate()
            connection.close()

    def _check_file(self) -> None:
        """Refuse to write into a file that is no longer the one of its name."""
        path = self._address.path
        if path is None or self._file is None:
            return
        try:
            same = os.path.samestat(os.stat(path), self._file)
        except OSError:
            same = False
        if not same or (self._lock is not None and not self._lock.held()):
            raise StoreError(
                f"cannot write {self._address.shown}: the file or its lock was moved or deleted; "
                "put it back and start again"
            )


class _Broken:
    """A connection on which anything failed is not used again: what it believes may not be so."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            self._writer._drop()


def _promise(connection: sa.Connection) -> None:
    """A commit that is answered is on disk, whatever the server's settings are."""
    with connection.begin():
        connection.exec_driver_sql("SET SESSION synchronous_commit = on")
        # The server gives up a client that vanished, and with it its locks, in half a minute instead of hours.
        for name, value in {"idle": 10, "interval": 5, "count": 3}.items():
            connection.exec_driver_sql(f"SET SESSION tcp_keepalives_{name} = {value}")


def _insert_series(connection: sa.Connection, row: SeriesRow) -> int:
    words = {key: value for key, value in row._asdict().items() if key != "number"}
    key = connection.execute(series.insert(), words).inserted_primary_key
    assert key is not None
    return int(key[0])


def _insert(connection: sa.Connection, batch: Batch, numbers: list[int]) -> None:
    entries = [(number, entry) for number in numbers for entry in batch.entries[number]]
    fill(
        connection,
        observations,
        [
            (number, one.seq, one.time, one.moment, one.value, one.kind, one.received, one.chain)
            for number, one in entries
        ],
    )
    fill(
        connection,
        forecasts,
        [
            (number, one.seq, *row)
            for number, one in entries
            if one.issued is not None
            for row in forecast_rows(one.issued)
        ],
    )
    fill(
        connection,
        outcomes,
        [(number, one.seq, *row) for number, one in entries for row in outcome_rows(one.settled)],
    )
    for number in numbers:
        if number in batch.snapshots:
            _keep(connection, number, batch.snapshots[number])


def _keep(connection: sa.Connection, number: int, snapshot: SnapshotRow) -> None:
    connection.execute(snapshots.insert(), {"series": number, **snapshot._asdict()})
    newest = sa.select(snapshots.c.seq).where(snapshots.c.series == number)
    kept = list(connection.execute(newest.order_by(snapshots.c.seq.desc()).limit(KEPT)).scalars())
    connection.execute(snapshots.delete().where(snapshots.c.series == number, snapshots.c.seq < min(kept)))

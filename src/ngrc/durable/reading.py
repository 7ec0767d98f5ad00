"""Rows as they are read: series, entries, snapshots."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Any, NamedTuple

import sqlalchemy as sa

from ngrc.durable.entry import (
    Entry,
    ForecastRow,
    OutcomeRow,
    forecast_rows,
    issued_of,
    outcome_rows,
    settled_of,
)
from ngrc.durable.failures import damaged
from ngrc.durable.observation import Issued
from ngrc.durable.schema import forecasts, observations, outcomes, series, snapshots

CHUNK = 500
"""Observations whose rows are read together; it bounds the memory of a long replay."""


class SeriesRow(NamedTuple):
    """What is known of a series from its creation on."""

    number: int
    name: str
    settings: str
    plan: bytes
    created: str
    ngrc: str

    def read_settings(self, shown: str) -> dict[str, Any]:
        """The settings, each of them checked; `StoreError` where they are not as ngrc wrote them."""
        try:
            found = json.loads(self.settings)
            kinds = {"forecaster": str, "history": int, "given": str | None}
            if all(isinstance(found[name], kind) for name, kind in kinds.items()) and found["history"] > 0:
                return dict(found)
        except (ValueError, TypeError, LookupError):
            pass
        raise damaged(self.name, shown, f"its settings were altered, got {self.settings[:40]!r}")


class SnapshotRow(NamedTuple):
    """A state that was kept after observation `seq`; its checksum covers both."""

    seq: int
    content: bytes
    sha256: str
    created: str

    @classmethod
    def of(cls, seq: int, content: bytes, created: str) -> "SnapshotRow":
        """A snapshot with its checksum."""
        return cls(seq, content, _checksum(seq, content), created)

    @property
    def whole(self) -> bool:
        """Whether the checksum fits; that of ngrc 0.3.0 covers the content alone."""
        return self.sha256 in (_checksum(self.seq, self.content), sha256(self.content).hexdigest())


def _checksum(seq: int, content: bytes) -> str:
    return sha256(b"%d\n" % seq + content).hexdigest()


_OBSERVED = ("seq", "time", "moment", "value", "kind", "received", "chain")
_SAID = ("step", "level", "origin", "target", "mean", "lower", "upper")
_SETTLED = ("step", "level", "origin", "target", "mean", "value", "lower", "upper", "covered")
_ENTRY = [observations.c[name] for name in _OBSERVED]
_FORECAST = [forecasts.c.seq, *(forecasts.c[name] for name in _SAID)]
_OUTCOME = [outcomes.c.seq, *(outcomes.c[name] for name in _SETTLED)]
NO_CHAIN = b""
"""The checksum of an entry whose rows contradict each other; it fits none."""


def read_names(connection: sa.Connection) -> tuple[str, ...]:
    """All names, sorted."""
    return tuple(sorted(connection.execute(sa.select(series.c.name)).scalars()))


def read_series(connection: sa.Connection, name: str) -> SeriesRow | None:
    """One series; None where there is none of the name."""
    row = connection.execute(sa.select(*series.c).where(series.c.name == name)).one_or_none()
    return None if row is None else SeriesRow(*row)._replace(plan=bytes(row.plan))


def read_last(connection: sa.Connection, number: int) -> tuple[int, bytes]:
    """Count and checksum of the newest observation; zero and nothing where there is none."""
    query = sa.select(observations.c.seq, observations.c.chain).where(observations.c.series == number)
    row = connection.execute(query.order_by(observations.c.seq.desc()).limit(1)).one_or_none()
    return (0, b"") if row is None else (int(row.seq), bytes(row.chain))


def read_received(connection: sa.Connection) -> list[tuple[str, str | None]]:
    """All series, each with the moment at which its newest observation came; None before its first."""
    newest = sa.select(observations.c.received).where(observations.c.series == series.c.id)
    received = newest.order_by(observations.c.seq.desc()).limit(1).scalar_subquery()
    return [(name, moment) for name, moment in connection.execute(sa.select(series.c.name, received))]


def read_entries(
    connection: sa.Connection, number: int, after: int = 0, last: int = 2**62
) -> Iterator[Entry]:
    """Entries in order, a chunk in memory at once."""
    while True:
        chunk = _entries(
            connection, number, observations.c.seq > after, observations.c.seq <= last, limit=CHUNK
        )
        yield from chunk
        if len(chunk) < CHUNK:
            return
        after = chunk[-1].seq


def read_recent(connection: sa.Connection, number: int, count: int) -> list[Entry]:
    """The newest entries, oldest first."""
    return _entries(connection, number, limit=count, newest=True)


def read_entry(connection: sa.Connection, number: int, seq: int) -> Entry | None:
    """One entry by its count."""
    found = _entries(connection, number, observations.c.seq == seq)
    return found[0] if found else None


def read_moment(connection: sa.Connection, number: int, moment: int) -> list[Entry]:
    """Entries of one time: a late one may stand beside a missing one."""
    query = sa.select(observations.c.seq).where(
        observations.c.series == number, observations.c.moment == moment
    )
    # One by one: the two may stand far apart, and all rows between would be read with them.
    found = (read_entry(connection, number, seq) for seq in sorted(connection.execute(query).scalars()))
    return [entry for entry in found if entry is not None]


def _entries(
    connection: sa.Connection,
    number: int,
    *conditions: sa.ColumnElement[bool],
    limit: int | None = None,
    newest: bool = False,
) -> list[Entry]:
    order = observations.c.seq.desc() if newest else observations.c.seq
    query = (
        sa.select(*_ENTRY).where(observations.c.series == number, *conditions).order_by(order).limit(limit)
    )
    rows = sorted(connection.execute(query))
    if not rows:
        return []
    first, last = rows[0].seq, rows[-1].seq
    said: dict[int, list[ForecastRow]] = defaultdict(list)
    for seq, *row in _between(connection, forecasts, _FORECAST, number, first, last):
        said[seq].append(tuple(row))
    settled: dict[int, list[OutcomeRow]] = defaultdict(list)
    for seq, *row in _between(connection, outcomes, _OUTCOME, number, first, last):
        settled[seq].append(tuple(row))
    return [_entry(row, said[row.seq], settled[row.seq]) for row in rows]


def _entry(row: Any, said: list[ForecastRow], settled: list[OutcomeRow]) -> Entry:
    issued, matured = issued_of(said), settled_of(settled)
    # What the rows of one origin say twice, they must say alike; where one was taken away, steps have unlike levels.
    whole = issued is None or len(said) == len(issued.targets) * len(issued.lower)
    alike = whole and said == (forecast_rows(issued) if issued else []) and settled == outcome_rows(matured)
    chain = bytes(row.chain) if alike else NO_CHAIN
    return Entry(row.seq, row.time, row.moment, row.value, row.kind, row.received, issued, matured, chain)


def _between(
    connection: sa.Connection, table: sa.Table, columns: list[Any], number: int, first: int, last: int
) -> Iterable[Any]:
    query = sa.select(*columns).where(table.c.series == number, table.c.seq.between(first, last))
    return connection.execute(query.order_by(table.c.seq, table.c.step, table.c.level))


def read_issued(connection: sa.Connection, number: int, seq: int) -> Issued | None:
    """The forecasts that stood after an observation: its own, or of the newest before it that issued any."""
    newest = sa.select(sa.func.max(forecasts.c.seq)).where(
        forecasts.c.series == number, forecasts.c.seq <= seq
    )
    place = connection.execute(newest).scalar()
    if place is None:
        return None
    rows = _between(connection, forecasts, _FORECAST, number, place, place)
    return issued_of([tuple(row[1:]) for row in rows])


def read_snapshots(connection: sa.Connection, number: int) -> Iterator[SnapshotRow]:
    """Snapshots, the newest first, each read when it is asked for."""
    query = sa.select(snapshots.c.seq).where(snapshots.c.series == number)
    for seq in list(connection.execute(query.order_by(snapshots.c.seq.desc())).scalars()):
        columns = [snapshots.c[name] for name in SnapshotRow._fields]
        row = connection.execute(
            sa.select(*columns).where(snapshots.c.series == number, snapshots.c.seq == seq)
        ).one()
        yield SnapshotRow(*row)._replace(content=bytes(row.content))


def read_newest(connection: sa.Connection, number: int, seq: int) -> str | None:
    """The newest time after an observation, late ones aside."""
    query = sa.select(observations.c.time).where(
        observations.c.series == number, observations.c.seq <= seq, observations.c.kind != "late"
    )
    return connection.execute(query.order_by(observations.c.seq.desc()).limit(1)).scalar()


def read_history(connection: sa.Connection, number: int) -> list[tuple[str, float | None]]:
    """Times and values that the forecaster started from."""
    query = sa.select(observations.c.time, observations.c.value).where(
        observations.c.series == number, observations.c.kind == "history"
    )
    # The history comes first: nothing after the first other row need be looked at.
    first = sa.select(sa.func.min(observations.c.seq)).where(
        observations.c.series == number, observations.c.kind != "history"
    )
    end = connection.execute(first).scalar()
    query = query if end is None else query.where(observations.c.seq < end)
    return [(time, value) for time, value in connection.execute(query.order_by(observations.c.seq))]


def read_stray(connection: sa.Connection, number: int, last: int) -> str:
    """Which table has rows after the last observation; empty where none has."""
    for table in (forecasts, outcomes):
        query = sa.select(sa.func.max(table.c.seq)).where(table.c.series == number)
        if (connection.execute(query).scalar() or 0) > last:
            return table.name
    return ""

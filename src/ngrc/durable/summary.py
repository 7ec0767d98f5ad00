"""A series for people: its settings, counts, newest rows, trailing coverage, snapshots and sizes."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import sqlalchemy as sa

from ngrc.durable.address import Address
from ngrc.durable.entry import reply_of, said_time
from ngrc.durable.observation import Reply, Time
from ngrc.durable.reading import SeriesRow, read_entry, read_issued, read_last, read_recent
from ngrc.durable.schema import observations, outcomes, snapshots


class Coverage(NamedTuple):
    """How many of the newest outcomes of one step lay inside the interval of one level."""

    step: int
    level: float
    outcomes: int
    covered: int

    @property
    def share(self) -> float:
        """Covered outcomes per outcome."""
        return self.covered / self.outcomes


class SnapshotSize(NamedTuple):
    """A snapshot: after which observation, of how many bytes, when it was made."""

    seq: int
    size: int
    created: str


@dataclass(frozen=True, slots=True)
class Summary:
    """What `Store.summary` says of one series.

    Parameters
    ----------
    settings
        `forecaster` in words, `history` (how many observations it starts from) and `given` (the checksum of a history
        that was given, else None).
    counts
        Observations by kind: history, observed, missing, late.
    first, last
        Times of the first and the newest observation; None where there is none.
    started
        Whether the forecaster has started.
    coverage
        By step and level, over the outcomes of the newest `trailing` observations.
    recent
        The newest replies, oldest first.
    """

    name: str
    settings: dict[str, Any]
    created: str
    ngrc: str
    counts: dict[str, int]
    first: Time | None
    last: Time | None
    received: str | None
    started: bool
    trailing: int
    coverage: tuple[Coverage, ...]
    snapshots: tuple[SnapshotSize, ...]
    recent: tuple[Reply, ...]
    size: int

    @property
    def count(self) -> int:
        """All observations."""
        return sum(self.counts.values())


def summarised(
    connection: sa.Connection, row: SeriesRow, address: Address, trailing: int, recent: int
) -> Summary:
    """Read all of it at one moment."""
    last, _ = read_last(connection, row.number)
    first, newest = (read_entry(connection, row.number, seq) for seq in (1, last))
    return Summary(
        name=row.name,
        settings=row.read_settings(address.shown),
        created=row.created,
        ngrc=row.ngrc,
        counts=_counts(connection, row.number),
        first=None if first is None else said_time(first.time),
        last=None if newest is None else said_time(newest.time),
        received=None if newest is None else newest.received,
        started=read_issued(connection, row.number, last) is not None,
        trailing=trailing,
        coverage=_coverage(connection, row.number, last - trailing),
        snapshots=_sizes(connection, row.number),
        recent=replies(connection, row.number, recent),
        size=_size(connection, address),
    )


def replies(connection: sa.Connection, number: int, count: int) -> tuple[Reply, ...]:
    """The newest replies, oldest first."""
    entries = read_recent(connection, number, count)
    if not entries:
        return ()
    issued, found = read_issued(connection, number, entries[0].seq), []
    for entry in entries:
        issued = entry.issued or issued
        found.append(reply_of(entry, issued))
    return tuple(found)


def _counts(connection: sa.Connection, number: int) -> dict[str, int]:
    query = sa.select(observations.c.kind, sa.func.count()).where(observations.c.series == number)
    found = {kind: int(count) for kind, count in connection.execute(query.group_by(observations.c.kind))}
    return {kind: found.get(kind, 0) for kind in ("history", "observed", "missing", "late")}


def _coverage(connection: sa.Connection, number: int, after: int) -> tuple[Coverage, ...]:
    inside = sa.func.sum(sa.case((outcomes.c.covered, 1), else_=0))
    query = (
        sa.select(outcomes.c.step, outcomes.c.level, sa.func.count(), inside)
        .where(outcomes.c.series == number, outcomes.c.seq > after, outcomes.c.covered.is_not(None))
        .group_by(outcomes.c.step, outcomes.c.level)
        .order_by(outcomes.c.step, outcomes.c.level)
    )
    return tuple(
        Coverage(step, level, int(count), int(held)) for step, level, count, held in connection.execute(query)
    )


def _sizes(connection: sa.Connection, number: int) -> tuple[SnapshotSize, ...]:
    length = sa.func.length(snapshots.c.content)
    query = sa.select(snapshots.c.seq, length, snapshots.c.created).where(snapshots.c.series == number)
    return tuple(SnapshotSize(*row) for row in connection.execute(query.order_by(snapshots.c.seq)))


def _size(connection: sa.Connection, address: Address) -> int:
    """Bytes of the whole database."""
    if address.path is None:
        return int(connection.execute(sa.text("select pg_database_size(current_database())")).scalar_one())
    log = address.path.with_name(address.path.name + "-wal")
    return address.path.stat().st_size + (log.stat().st_size if log.exists() else 0)

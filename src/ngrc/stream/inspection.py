"""What a state holds, as plain values: one series at one moment, read beside whoever writes it."""

import json
import os
from pathlib import Path
from typing import Any, NamedTuple

import sqlalchemy as sa

from ngrc.archive import loads
from ngrc.durable import Reply, Store
from ngrc.durable.locks import holder_of
from ngrc.durable.reading import SeriesRow
from ngrc.durable.schema import observations, outcomes, snapshots

TRAILING = 1000
"""Newest outcomes of each step and level over which coverage is told: it is then known to a point or two."""


class Coverage(NamedTuple):
    """How often intervals of one step and level held their outcome, of late."""

    step: int
    level: float
    outcomes: int
    covered: int

    @property
    def share(self) -> float:
        """Covered per outcome."""
        return self.covered / self.outcomes


class Kept(NamedTuple):
    """A snapshot: after which observation, when, and its bytes."""

    seq: int
    created: str
    size: int


class Inspection(NamedTuple):
    """One series of a state.

    Parameters
    ----------
    series, created, version
        Its name, when it began, and with which version of the library.
    settings
        What its forecaster was asked for, in words.
    gathers
        Observations that it starts from.
    kinds
        Observations by kind: history, observed, missing, late.
    first
        Time of the first observation.
    newest
        The newest reply, with its forecasts; None before the first observation.
    coverage
        One entry per step and level that has outcomes.
    snapshots
        The newest first.
    size
        Bytes of the whole database.
    writer
        Whether a process writes it now; None where that cannot be told.
    """

    series: str
    created: str
    version: str
    settings: dict[str, Any]
    gathers: int
    kinds: dict[str, int]
    first: str | None
    newest: Reply | None
    coverage: tuple[Coverage, ...]
    snapshots: tuple[Kept, ...]
    size: int
    writer: bool | None

    @property
    def observations(self) -> int:
        """Rows of all kinds."""
        return sum(self.kinds.values())


def inspect(store: Store, name: str) -> Inspection:
    """Look at one series; nothing is locked and nothing is changed."""
    newest = store.recent(name, 1)
    with store.reading() as connection:
        row = store.row(connection, name)
        own = observations.c.series == row.number
        kinds = sa.select(observations.c.kind, sa.func.count()).where(own).group_by(observations.c.kind)
        first = sa.select(observations.c.time).where(own, observations.c.seq == 1)
        return Inspection(
            series=name,
            created=row.created,
            version=row.ngrc,
            settings=_settings(row),
            gathers=int(json.loads(row.settings)["history"]),
            kinds={kind: int(count) for kind, count in connection.execute(kinds)},
            first=connection.execute(first).scalar(),
            newest=newest[0] if newest else None,
            coverage=_coverage(connection, row.number),
            snapshots=_snapshots(connection, row.number),
            size=_size(connection, store.address.path),
            writer=_writer(connection, store.address.path, row.number),
        )


def _settings(row: SeriesRow) -> dict[str, Any]:
    plan = loads(row.plan)
    method = plan.method if isinstance(plan.method, str) else repr(plan.method)
    return {
        "model": repr(plan.model),
        "method": method,
        "levels": list(plan.levels),
        "horizon": plan.horizon,
        "late": plan.late,
        "refit_every": plan.refit_every,
        "window": plan.window,
        "seed": plan.seed,
    }


def _coverage(connection: sa.Connection, number: int) -> tuple[Coverage, ...]:
    table = outcomes.c
    place = sa.func.row_number().over(partition_by=(table.step, table.level), order_by=table.seq.desc())
    known = sa.select(table.step, table.level, table.covered, place.label("place")).where(
        table.series == number, table.covered.is_not(None), table.seq > _floor(connection, number)
    )
    late = known.subquery()
    held = sa.func.sum(sa.case((late.c.covered, 1), else_=0))
    query = (
        sa.select(late.c.step, late.c.level, sa.func.count(), held)
        .where(late.c.place <= TRAILING)
        .group_by(late.c.step, late.c.level)
        .order_by(late.c.step, late.c.level)
    )
    return tuple(
        Coverage(int(step), float(level), int(count), int(covered))
        for step, level, count, covered in connection.execute(query)
    )


def _floor(connection: sa.Connection, number: int) -> int:
    """An observation behind which all that counts is found: millions of older rows need not be read."""
    newest = sa.select(sa.func.max(outcomes.c.seq)).where(outcomes.c.series == number)
    # Four times as far back as without any missing outcome.
    return int(connection.execute(newest).scalar() or 0) - 4 * TRAILING


def _snapshots(connection: sa.Connection, number: int) -> tuple[Kept, ...]:
    table = snapshots.c
    query = sa.select(table.seq, table.created, sa.func.length(table.content)).where(table.series == number)
    return tuple(
        Kept(int(seq), created, int(size))
        for seq, created, size in connection.execute(query.order_by(table.seq.desc()))
    )


def _size(connection: sa.Connection, path: Path | None) -> int:
    if path is None:
        return int(connection.exec_driver_sql("select pg_database_size(current_database())").scalar() or 0)
    files = (path, path.with_name(f"{path.name}-wal"))
    return sum(file.stat().st_size for file in files if file.exists())


def _writer(connection: sa.Connection, path: Path | None, number: int) -> bool | None:
    if path is None:
        return holder_of(connection, number) is not None
    # Read from the kernel's list: trying the lock would hold it for a moment, and refuse a writer that starts then.
    table, lock = Path("/proc/locks"), path.with_name(f"{path.name}.lock")
    if not table.exists():
        return None
    if not lock.exists():
        return False
    wanted = f":{os.stat(lock).st_ino} "
    return any(wanted in line for line in table.read_text().splitlines())

"""Recovery: the newest snapshot that is whole, and the rows after it; without one, the rows from the first on."""

from collections.abc import Iterator
from time import perf_counter
from typing import Any

import sqlalchemy as sa

from ngrc.archive import loads
from ngrc.durable.audit import audit
from ngrc.durable.begin import begun
from ngrc.durable.chain import continued
from ngrc.durable.entry import Entry, said_time
from ngrc.durable.failures import damaged
from ngrc.durable.reading import (
    SeriesRow,
    SnapshotRow,
    read_entries,
    read_entry,
    read_history,
    read_issued,
    read_last,
    read_newest,
    read_snapshots,
    read_stray,
)
from ngrc.durable.snapshots import SnapshotClock
from ngrc.durable.state import State
from ngrc.durable.times import Scale, read_time

CHECKED = 5_000
"""Rows of a series that are all checked when it is opened, in about half a second; of a longer one those after the
newest snapshot, and the rest by `Store.verify_all`."""


def recovered(
    connection: sa.Connection, row: SeriesRow, state: State, clock: SnapshotClock, shown: str
) -> list[str]:
    """Bring a new state to where the rows end; remarks for people."""
    last, _ = read_last(connection, row.number)
    if stray := read_stray(connection, row.number, last):
        raise damaged(row.name, shown, f"there are {stray} without their observation")
    notes: list[str] = []
    for snapshot in read_snapshots(connection, row.number):
        if _resume(connection, row, state, snapshot, last, shown, notes):
            clock.taken(len(snapshot.content), 0.0)
            break
    if state.seq and last <= CHECKED:
        _check(connection, row, state.seq, shown)
    # A snapshot at the next commit where an older one, or none, had to do.
    clock.first = clock.first or bool(notes)
    differing = 0
    for entry in _checked(connection, row, state.seq, last, state.chain, shown):
        begin = perf_counter()
        differing += not _repeated(state, entry, row, shown)
        clock.passed(perf_counter() - begin)
    if differing:
        notes.append(
            f"series {row.name!r}: {differing} forecasts computed anew differ from those that were issued by ngrc "
            f"{row.ngrc}; other versions of libraries or another processor round otherwise"
        )
    return notes


def verify(connection: sa.Connection, row: SeriesRow, shown: str) -> int:
    """Check all rows of a series and its snapshots; how many rows there are."""
    last, _ = read_last(connection, row.number)
    if stray := read_stray(connection, row.number, last):
        raise damaged(row.name, shown, f"there are {stray} without their observation")
    _check(connection, row, last, shown)
    for snapshot in read_snapshots(connection, row.number):
        if not snapshot.whole or snapshot.seq > last:
            raise damaged(row.name, shown, f"its snapshot of observation {snapshot.seq} was altered")
    return last


def _resume(
    connection: sa.Connection,
    row: SeriesRow,
    state: State,
    snapshot: SnapshotRow,
    last: int,
    shown: str,
    notes: list[str],
) -> bool:
    """Stand where a snapshot was taken, if it can be read."""
    if snapshot.seq > last:
        raise damaged(row.name, shown, f"its rows end at {last}, before its snapshot of {snapshot.seq}")
    entry = read_entry(connection, row.number, snapshot.seq)
    newest = read_newest(connection, row.number, snapshot.seq)
    if entry is None or newest is None:
        raise damaged(row.name, shown, f"observation {snapshot.seq} is missing")
    try:
        forecaster = _loaded(snapshot)
    except ValueError as error:
        line = str(error).partition("\n")[0][:200]
        notes.append(
            f"series {row.name!r}: its snapshot of observation {snapshot.seq} cannot be used ({line}); "
            "the state was made from an older one and the rows after it"
        )
        return False
    issued = read_issued(connection, row.number, snapshot.seq)
    state.resume(forecaster, _scale(connection, row), read_time(said_time(newest)), entry, issued)
    return True


def _loaded(snapshot: SnapshotRow) -> Any:
    if not snapshot.whole:
        raise ValueError("it was altered: its checksum does not fit")
    return loads(snapshot.content)


def _scale(connection: sa.Connection, row: SeriesRow) -> Scale:
    """How the series counts its times: as its first says, on the clock that its history chose."""
    first = read_entry(connection, row.number, 1)
    assert first is not None
    scale = Scale(read_time(said_time(first.time)).kind)
    if scale.kind != "zoned":
        return scale
    stamps, values = zip(
        *((read_time(time), value) for time, value in read_history(connection, row.number)), strict=True
    )
    return begun(scale, stamps, values)[0]


def _check(connection: sa.Connection, row: SeriesRow, last: int, shown: str) -> None:
    if wrong := audit(connection, row.number, last):
        raise damaged(row.name, shown, wrong)


def _checked(
    connection: sa.Connection, row: SeriesRow, after: int, last: int, chain: bytes, shown: str
) -> Iterator[Entry]:
    """Entries whose count and checksums continue those before."""
    seq = after
    for entry in read_entries(connection, row.number, after, last):
        if entry.seq != seq + 1:
            raise damaged(row.name, shown, f"observation {seq + 1} is missing")
        if continued(chain, entry) != entry.chain:
            raise damaged(row.name, shown, f"rows of observation {entry.seq} were altered")
        seq, chain = entry.seq, entry.chain
        yield entry
    if seq != last:
        raise damaged(row.name, shown, f"observation {seq + 1} is missing")


def _repeated(state: State, entry: Entry, row: SeriesRow, shown: str) -> bool:
    """Take in a row again; whether that gives the forecasts which were issued."""
    try:
        # An observation that named no time has one in its row, and is told with it.
        again = state.advance(entry.value, read_time(said_time(entry.time)), entry.received)
    except ValueError as error:
        raise damaged(row.name, shown, f"observation {entry.seq} cannot be taken again ({error})") from None
    # What was said stays: the chain continues from the row as it is kept.
    state.chain = entry.chain
    return again.issued == entry.issued

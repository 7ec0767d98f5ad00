"""A series taken into service: its lock, its state recovered, and its rows at hand."""

from ngrc.archive import loads
from ngrc.durable.entry import Entry
from ngrc.durable.errors import StoreError
from ngrc.durable.observation import Issued
from ngrc.durable.reading import read_entry, read_issued, read_moment
from ngrc.durable.recovery import recovered
from ngrc.durable.series import DurableSeries
from ngrc.durable.snapshots import SnapshotClock
from ngrc.durable.state import State
from ngrc.durable.store import Store


class StoredRows:
    """The committed rows of one series."""

    def __init__(self, store: Store, number: int) -> None:
        self._store = store
        self._number = number

    def entry(self, seq: int) -> Entry | None:
        """One by its count."""
        with self._store.reading() as connection:
            return read_entry(connection, self._number, seq)

    def at(self, moment: int) -> list[Entry]:
        """Those of one time."""
        with self._store.reading() as connection:
            return read_moment(connection, self._number, moment)

    def issued(self, seq: int) -> Issued | None:
        """The forecasts that stood after an observation."""
        with self._store.reading() as connection:
            return read_issued(connection, self._number, seq)


def resumed(store: Store, name: str) -> DurableSeries:
    """The series; nobody else writes to it from here on."""
    with store.reading() as connection:
        row = store.row(connection, name)
    # The lock first, then the rows: another process may have written until it let go.
    store.writer.hold(row.number, name)
    try:
        loads(row.plan)
    except ValueError as error:
        raise StoreError(f"cannot go on with the series {name!r} in {store.address.shown}: {error}") from None
    wanted = row.read_settings(store.address.shown)["history"]
    state, clock = State(lambda: loads(row.plan), wanted), SnapshotClock()
    series = DurableSeries(name, row.number, state, clock, StoredRows(store, row.number))
    with store.reading() as connection:
        series.notes += recovered(connection, row, state, clock, store.address.shown)
    return series

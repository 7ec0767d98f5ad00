"""`Store`: a database of series, opened and checked, and read without a lock."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from ngrc._optional import load
from ngrc.durable.address import Address, parse_address
from ngrc.durable.errors import StoreError, UnknownSeriesError
from ngrc.durable.observation import Reply

if TYPE_CHECKING:
    import sqlalchemy as sa

    from ngrc.durable.summary import Summary
    from ngrc.durable.writer import Writer


class Store:
    """A database of durable series. Reading works from any thread, beside a writer.

    Parameters
    ----------
    address
        Where it is.
    engine
        For reading.
    writer
        The one connection that writes; None of a store that was opened for reading.
    """

    def __init__(self, address: Address, engine: "sa.Engine", writer: "Writer | None") -> None:
        self.address = address
        self._engine = engine
        self._writer = writer

    @classmethod
    def open(cls, url: str | Path, *, write: bool = True) -> Self:
        """Open a database and check it; with `write` make one where there is none.

        Parameters
        ----------
        url
            A file (SQLite), `sqlite:///FILE` or `postgresql://USER:PASSWORD@HOST/DATABASE`.
        write
            Whether to be its writer: one process per SQLite file, and per series of a PostgreSQL database.

        Raises
        ------
        LockedError
            Another process writes to the file.
        StoreError
            It cannot be opened, is damaged, or is no state that ngrc wrote.
        """
        load("sqlalchemy", "state", "a state that is kept")
        from ngrc.durable.opening import opened

        address = parse_address(url)
        engine, writer = opened(address, write=write)
        return cls(address, engine, writer)

    @property
    def writer(self) -> "Writer":
        """The connection that writes."""
        if self._writer is None:
            raise StoreError(f"{self.address.shown} was opened for reading; open it with write=True")
        return self._writer

    def names(self) -> tuple[str, ...]:
        """Names of all series, in alphabetic order."""
        from ngrc.durable.reading import read_names

        with self.reading() as connection:
            return read_names(connection)

    def recent(self, name: str, count: int = 100) -> tuple[Reply, ...]:
        """The newest replies, oldest first, with forecasts and what matured."""
        from ngrc.durable.summary import replies

        with self.reading() as connection:
            return replies(connection, self.row(connection, name).number, count)

    def summary(self, name: str, *, trailing: int = 1000, recent: int = 5) -> "Summary":
        """A series for people; coverage is that of the newest `trailing` observations."""
        from ngrc.durable.summary import summarised

        with self.reading() as connection:
            return summarised(connection, self.row(connection, name), self.address, trailing, recent)

    def reply(self, name: str, seq: int) -> Reply:
        """One reply, as it was given."""
        from ngrc.durable.entry import reply_of
        from ngrc.durable.reading import read_entry, read_issued

        with self.reading() as connection:
            row = self.row(connection, name)
            entry = read_entry(connection, row.number, seq)
            if entry is None:
                raise ValueError(f"the series {name!r} has no observation {seq}")
            return reply_of(entry, read_issued(connection, row.number, seq))

    def verify_all(self) -> int:
        """Check every row and snapshot of every series, and the file; how many observations there are."""
        from ngrc.durable.engines import check_pages
        from ngrc.durable.recovery import verify

        count = 0
        for name in self.names():
            with self.reading() as connection:
                count += verify(connection, self.row(connection, name), self.address.shown)
        if self.address.path is not None:
            with self.reading() as connection:
                check_pages(connection, self.address)
        return count

    def close(self) -> None:
        """Close all connections, and give up the lock."""
        self._engine.dispose()
        if self._writer is not None:
            self._writer.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def reading(self) -> Any:
        """A connection that sees one moment of the database, for a `with` statement."""
        from ngrc.durable.opening import reading

        return reading(self._engine, self.address)

    def row(self, connection: "sa.Connection", name: str) -> Any:
        """What is known of a series; `UnknownSeriesError` where there is none of the name."""
        from ngrc.durable.reading import read_series

        row = read_series(connection, name)
        if row is None:
            raise UnknownSeriesError(f"there is no series {name!r} in {self.address.shown}; create it first")
        return row

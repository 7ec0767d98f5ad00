"""A database on its way into service: lock, tables, checks."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sa

from ngrc.durable.address import Address
from ngrc.durable.commits import Commit, check_recorded, read_commit, recorded
from ngrc.durable.engines import engine_of, prepare
from ngrc.durable.errors import StoreError
from ngrc.durable.failures import told
from ngrc.durable.locks import FileLock
from ngrc.durable.writer import Writer


def opened(address: Address, *, write: bool) -> tuple[sa.Engine, Writer | None]:
    """An engine for reading, and the writer where one is asked for."""
    if not write:
        if address.path is not None and not address.path.exists():
            raise StoreError(f"there is no state {address.shown}; name one that ngrc wrote")
        record = None if address.path is None else recorded(address)
        engine = engine_of(address, write=False)
        _prepare(engine, address, write=False)
        _compare(engine, address, record)
        return engine, None
    # The lock comes before the file: of two processes that make one, the second waits for nothing half made.
    lock = None if address.path is None else FileLock(address.path, address.shown)
    try:
        if address.path is not None:
            _check_whole(address, address.path)
        engine = engine_of(address, write=True)
        _prepare(engine, address, write=True)
        return engine_of(address, write=False), Writer(engine, address, lock)
    except BaseException:
        if lock is not None:
            lock.undo()
        raise


def _prepare(engine: sa.Engine, address: Address, *, write: bool) -> None:
    try:
        with told(address, "open"):
            prepare(engine, address, write=write)
    except BaseException:
        engine.dispose()
        raise


def _check_whole(address: Address, path: Path) -> None:
    """Refuse a file that holds less than was committed to it, before a writer changes it or its log."""
    record = recorded(address)
    if record is None:
        return
    if not path.exists() or not path.stat().st_size:
        # SQLite would delete the log of an empty file.
        check_recorded(address, record, Commit())
        return
    engine = engine_of(address, write=False)
    try:
        _compare(engine, address, record)
    finally:
        engine.dispose()


def _compare(engine: sa.Engine, address: Address, record: Commit | None) -> None:
    """The record is older than what is read: a writer records a commit after it is made."""
    if record is not None:
        with reading(engine, address) as connection:
            check_recorded(address, record, read_commit(connection))


@contextmanager
def reading(engine: sa.Engine, address: Address) -> Iterator[sa.Connection]:
    """A connection that sees one moment of the database."""
    with told(address, "read"), engine.connect() as connection:
        if address.path is None:
            connection = connection.execution_options(isolation_level="REPEATABLE READ")
        with connection.begin():
            yield connection

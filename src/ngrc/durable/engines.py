"""Connections: how an SQLite file and a PostgreSQL database are opened, made and checked."""

import sqlite3
from pathlib import Path
from typing import Any
from urllib.parse import quote

import sqlalchemy as sa

from ngrc._optional import load
from ngrc.durable.address import Address
from ngrc.durable.commits import Commit
from ngrc.durable.errors import StoreError
from ngrc.durable.failures import RESTORE
from ngrc.durable.locks import KEY, own_name
from ngrc.durable.schema import APPLICATION, TABLES, VERSION, about, commits, tables_of

BUSY = 10.0
"""Seconds to wait for another connection to an SQLite file: a checkpoint of a large log takes less."""
CONNECT = 10
"""Seconds to wait for a server's answer."""
QUICK_CHECK = 2**26
"""Bytes of a file that is read through when it is opened, in a fraction of a second; a larger one by `verify_all`."""


def engine_of(address: Address, *, write: bool) -> sa.Engine:
    """An engine; one that writes makes a new connection whenever it is asked for one, and syncs every commit."""
    pool: dict[str, Any] = {"poolclass": sa.pool.NullPool} if write else {"pool_size": 4}
    if address.path is None:
        load("psycopg", "postgresql", "a state in PostgreSQL")
        return sa.create_engine(
            address.url,
            connect_args={
                "connect_timeout": CONNECT,
                "application_name": own_name(),
                # Else text of a database in SQL_ASCII comes as bytes: the server then says nothing of its encoding.
                "client_encoding": "utf8",
                **_KEEPALIVE,
            },
            pool_pre_ping=not write,
            **pool,
        )
    path = address.path
    pool = pool if write else {"poolclass": sa.pool.QueuePool, **pool}
    engine = sa.create_engine("sqlite://", creator=lambda: _connect(path, write=write), **pool)
    # The driver's own idea of transactions begins them late and ends them early; we say ourselves when.
    sa.event.listen(engine, "connect", lambda raw, _: setattr(raw, "isolation_level", None))
    sa.event.listen(engine, "checkin", _forget_unchanging)
    begin = "BEGIN IMMEDIATE" if write else "BEGIN"
    sa.event.listen(engine, "begin", lambda connection: connection.exec_driver_sql(begin))
    return engine


# A server that vanished without a word is noticed in half a minute instead of hours.
_KEEPALIVE = {"keepalives": 1, "keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3}


def _connect(path: Path, *, write: bool) -> sqlite3.Connection:
    raw = _connected(path, "rwc" if write else "ro")
    try:
        raw.execute("PRAGMA schema_version").fetchone()
    except sqlite3.DatabaseError as error:
        raw.close()
        log = path.with_name(path.name + "-wal")
        # A reader needs a file beside the log, which a read-only folder does not take; without a log it needs none.
        waiting = log.exists() and log.stat().st_size
        if write or waiting or not path.exists() or not isinstance(error, sqlite3.OperationalError):
            raise
        return _connected(path, "ro", "&immutable=1", _Unchanging)
    # Before it is known to be ours nothing may be changed in a file, and this changes its header.
    if write and _may_be_ours(raw):
        raw.execute("PRAGMA journal_mode=WAL").fetchone()
        raw.execute("PRAGMA synchronous=FULL")
        raw.execute("PRAGMA foreign_keys=ON")
    return raw


def _may_be_ours(raw: sqlite3.Connection) -> bool:
    (application,) = raw.execute("PRAGMA application_id").fetchone()
    (tables,) = raw.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return application == APPLICATION or not (application or tables)


def _connected(
    path: Path, mode: str, more: str = "", kind: type[sqlite3.Connection] = sqlite3.Connection
) -> sqlite3.Connection:
    uri = f"file:{quote(str(path))}?mode={mode}{more}"
    return sqlite3.connect(
        uri, uri=True, timeout=BUSY, check_same_thread=False, isolation_level=None, factory=kind
    )


class _Unchanging(sqlite3.Connection):
    """A connection that takes a file for one which nobody writes."""


def _forget_unchanging(raw: Any, record: Any) -> None:
    """Keep none for the next reader: a writer may have begun meanwhile, whose rows it would not see."""
    if isinstance(raw, _Unchanging):
        record.invalidate()


def prepare(engine: sa.Engine, address: Address, *, write: bool) -> None:
    """Check that a database is ours, whole and of this version; make the tables of an empty one."""
    with engine.connect() as connection:
        with connection.begin():
            if write and address.path is None:
                # Two machines may come to an empty database at once; the second then finds the tables of the first.
                connection.execute(sa.select(sa.func.pg_advisory_xact_lock(KEY, 0)))
            version = _version(connection, address)
            if version == 0 and write:
                _create(connection, address)
                return
        if version != VERSION:
            raise StoreError(
                f"cannot open {address.shown}: its tables have version {version}, and this ngrc knows {VERSION}; "
                + ("update ngrc" if version > VERSION else "name a state that ngrc wrote")
            )
        _check_tables(connection, address)
        if address.path is not None and address.path.stat().st_size <= QUICK_CHECK:
            check_pages(connection, address)
        if write and address.path is not None:
            _count_commits(connection)


def _count_commits(connection: sa.Connection) -> None:
    """Begin to count in a file of ngrc 0.3.0."""
    if commits.name not in sa.inspect(connection).get_table_names():
        commits.create(connection)
        connection.execute(commits.insert(), Commit()._asdict())
        connection.commit()


def check_pages(connection: sa.Connection, address: Address) -> None:
    """Let SQLite read through its file."""
    said = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar_one()
    if said != "ok":
        words = " ".join(str(said).split())
        raise StoreError(f"cannot open {address.shown}: it is damaged ({words[:120]}); {RESTORE}")


def _version(connection: sa.Connection, address: Address) -> int:
    """The version of our tables; 0 in an empty database."""
    tables = set(sa.inspect(connection).get_table_names())
    if address.path is None:
        if about.name in tables:
            return int(connection.execute(sa.select(about.c.version)).scalar_one())
        foreign = tables & TABLES.tables.keys()
        # Other tables may stand beside ours on a server.
        if not foreign:
            return 0
        raise StoreError(
            f"cannot open {address.shown}: it has a table {min(foreign)!r} that ngrc did not make; "
            "name another database, or another schema by ?options=-csearch_path%3DNAME"
        )
    application = connection.exec_driver_sql("PRAGMA application_id").scalar_one()
    if application == APPLICATION:
        return int(connection.exec_driver_sql("PRAGMA user_version").scalar_one())
    if application or tables:
        raise StoreError(f"cannot open {address.shown}: it is not a state that ngrc wrote; name another file")
    return 0


def _create(connection: sa.Connection, address: Address) -> None:
    """All tables in one transaction: after a crash there are all of them or none."""
    TABLES.create_all(connection, tables_of(address.path is not None), checkfirst=False)
    if address.path is None:
        connection.execute(about.insert(), {"version": VERSION})
    else:
        connection.execute(commits.insert(), Commit()._asdict())
        connection.exec_driver_sql(f"PRAGMA application_id={APPLICATION}")
        connection.exec_driver_sql(f"PRAGMA user_version={VERSION}")


def _check_tables(connection: sa.Connection, address: Address) -> None:
    inspector = sa.inspect(connection)
    there = set(inspector.get_table_names())
    for table in tables_of(address.path is not None):
        if table is commits and table.name not in there:
            # Of ngrc 0.3.0, which recorded none; made by the next writer.
            continue
        columns = [one["name"] for one in inspector.get_columns(table.name)] if table.name in there else []
        if columns != [column.name for column in table.columns]:
            raise StoreError(
                f"cannot open {address.shown}: its table {table.name!r} is not as ngrc made it; {RESTORE}"
            )

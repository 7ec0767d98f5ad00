"""Every failure of a database as one line, and whether waiting may help."""

from collections.abc import Iterator
from contextlib import contextmanager

import sqlalchemy as sa

from ngrc.durable.address import Address
from ngrc.durable.errors import StoreError

RESTORE = "keep a copy of it and restore a backup, or move it away and begin anew"
"""What to do with a damaged database."""


def damaged(name: str, shown: str, what: str) -> StoreError:
    """What to say of rows of a series that are not those that were written."""
    return StoreError(f"the series {name!r} in {shown} is damaged: {what}; {RESTORE}")


_SQLITE = {
    "SQLITE_FULL": ("the disk is full", "make room", True),
    "SQLITE_READONLY": ("it is read-only", "make file and folder writable", True),
    "SQLITE_PERM": ("it may not be opened", "make file and folder accessible", True),
    "SQLITE_CANTOPEN": ("it cannot be opened", "make file and folder accessible", True),
    "SQLITE_BUSY": ("another program holds it", "end that program", True),
    "SQLITE_LOCKED": ("another program holds it", "end that program", True),
    "SQLITE_CORRUPT": ("it is damaged", RESTORE, False),
    "SQLITE_NOTADB": ("it is not a state that ngrc wrote", "name another file", False),
    # What reached the disk is unknown once a sync failed; only a new process sees it as it is.
    "SQLITE_IOERR_FSYNC": (
        "the disk failed to keep what was written",
        "look at the disk, then start again",
        False,
    ),
    "SQLITE_IOERR": ("the disk cannot be read or written", "look at the disk and its limits", True),
}
"""By the names of SQLite's results, longer before shorter: what is wrong, what to do, whether waiting may help."""

_POSTGRESQL = {
    "08": ("the connection was lost", True),
    "25006": ("it takes no writes at present", True),
    "28": ("it refuses the user or password", False),
    "3D000": ("there is no such database", False),
    "42501": ("the user may not do this", False),
    "53100": ("the disk of the server is full", True),
    "53": ("the server has too little of something", True),
    "57": ("the server ended the connection", True),
    "40": ("another transaction was in the way", True),
    "XX001": (f"it is damaged; {RESTORE}", False),
    "XX002": (f"it is damaged; {RESTORE}", False),
}
"""By the beginning of SQLSTATE: what is wrong, and whether waiting may help."""


@contextmanager
def told(address: Address, doing: str) -> Iterator[None]:
    """Turn whatever a database raises into a `StoreError`."""
    try:
        yield
    except sa.exc.DBAPIError as error:
        raise _explained(address, doing, error.orig) from None
    except sa.exc.SQLAlchemyError as error:
        raise StoreError(f"cannot {doing} {address.shown}: {_line(address, error)}") from None
    except Exception as error:
        # The database's own errors, where they do not pass through SQLAlchemy: while a connection is being made.
        if type(error).__module__.partition(".")[0] not in ("sqlite3", "psycopg"):
            raise
        raise _explained(address, doing, error) from None


def _explained(address: Address, doing: str, error: BaseException | None) -> StoreError:
    code = getattr(error, "sqlite_errorname", None)
    if code is not None:
        for name, (what, remedy, temporary) in _SQLITE.items():
            if code.startswith(name):
                return StoreError(f"cannot {doing} {address.shown}: {what}; {remedy}", temporary=temporary)
        return StoreError(f"cannot {doing} {address.shown}: {_line(address, error)} ({code})")
    if address.path is not None and "Could not decode" in str(error):
        # Of Python's own layer, which has no result of SQLite: a text that is none.
        return StoreError(f"cannot {doing} {address.shown}: it is damaged; {RESTORE}")
    state = getattr(error, "sqlstate", None)
    if state is None and type(error).__name__ in ("OperationalError", "InterfaceError"):
        # No answer at all: the server cannot be reached, or it vanished.
        line = _line(address, error)
        refused = any(words in line for words in ("authentication failed", "does not exist", "no pg_hba"))
        return StoreError(
            f"cannot {doing} {address.shown}: no connection ({line}); see that the server runs",
            temporary=not refused,
        )
    for beginning, (what, temporary) in _POSTGRESQL.items():
        if state is not None and state.startswith(beginning):
            line = f"cannot {doing} {address.shown}: {what} ({_line(address, error)})"
            return StoreError(line, temporary=temporary)
    return StoreError(f"cannot {doing} {address.shown}: {_line(address, error)}")


def _line(address: Address, error: BaseException | None) -> str:
    """The first line of a message, without a password."""
    words = str(error).strip() or type(error).__name__
    return address.hide(words.partition("\n")[0].strip())[:200]

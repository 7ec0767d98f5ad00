"""One writer: a lock of the operating system beside an SQLite file, an advisory lock in PostgreSQL.

Both vanish with the process or the connection that holds them, whatever ends it.
"""

import os
import socket
import sys
from pathlib import Path

import sqlalchemy as sa

from ngrc.durable.errors import LockedError, StoreError

KEY = 0x6E677263
"""`ngrc`: the first half of our advisory locks; the second is the number of the series."""


class FileLock:
    """A lock on `STATE.lock`, which stays when it is given up: taking it away could take away another's."""

    def __init__(self, state: Path, shown: str) -> None:
        self.path = state.with_name(state.name + ".lock")
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
        try:
            self._descriptor = os.open(self.path, flags, 0o644)
        except OSError as error:
            raise StoreError(
                f"cannot write {shown}: its folder takes no file {self.path.name} ({error.strerror}); make it writable",
                temporary=True,
            ) from None
        if not _locked(self._descriptor):
            holder = os.pread(self._descriptor, 200, 0).decode("utf-8", "replace").strip()
            os.close(self._descriptor)
            by = f" ({holder})" if holder else ""
            raise LockedError(f"another process{by} writes to {shown}; end it first, or name another state")
        os.ftruncate(self._descriptor, 0)
        os.pwrite(self._descriptor, f"process {os.getpid()} on {socket.gethostname()}\n".encode(), 0)

    def held(self) -> bool:
        """Whether the lock is still that of the file's name: somebody may have deleted it."""
        try:
            return os.path.samestat(os.fstat(self._descriptor), os.stat(self.path))
        except OSError:
            return False

    def release(self) -> None:
        """Give it up."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def _locked(descriptor: int) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def lock_series(connection: sa.Connection, number: int, name: str) -> None:
    """Take the lock of one series on the connection that writes it, so that it is lost only with the connection."""
    taken = connection.execute(sa.select(sa.func.pg_try_advisory_lock(KEY, number))).scalar_one()
    if not taken:
        raise LockedError(
            f"another process{_holder(connection, number)} writes to the series {name!r}; end it first"
        )


def _holder(connection: sa.Connection, number: int) -> str:
    found = connection.execute(
        sa.text(
            "select application_name from pg_stat_activity join pg_locks using (pid) "
            "where locktype = 'advisory' and classid = :key and objid = :number and granted"
        ),
        {"key": KEY, "number": number},
    ).scalar()
    return f" ({found})" if found else ""


def own_name() -> str:
    """What we are called in PostgreSQL's list of connections; it takes 63 bytes."""
    return f"ngrc, process {os.getpid()} on {socket.gethostname()}"[:63]

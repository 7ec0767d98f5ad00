"""One writer: a lock of the operating system beside an SQLite file, an advisory lock in PostgreSQL.

Both vanish with the process or the connection that holds them, whatever ends it.
"""

import os
import socket
import sys
from contextlib import suppress
from pathlib import Path

import sqlalchemy as sa

from ngrc.durable.errors import LockedError, StoreError

KEY = 0x6E677263
"""`ngrc`: the first half of the advisory lock under which tables are made."""
_FLAGS = os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


class FileLock:
    """A lock on `STATE.lock`, which stays when a writer gives it up.

    One that came to nothing takes away the file that it made itself.
    """

    def __init__(self, state: Path, shown: str) -> None:
        self.path = state.with_name(state.name + ".lock")
        while True:
            self._descriptor, self._made = self._opened(shown)
            if not _locked(self._descriptor):
                holder = self._holder()
                self.release()
                by = f" ({holder})" if holder else ""
                raise LockedError(
                    f"another process{by} writes to {shown}; end it first, or name another state"
                )
            # Between opening and locking, one that came to nothing may have taken the file away.
            if self.held():
                break
            self.release()
        # The name is for people alone: a full disk need not stop anybody from reading.
        with suppress(OSError):
            os.ftruncate(self._descriptor, 0)
            os.lseek(self._descriptor, 0, os.SEEK_SET)
            os.write(self._descriptor, f"process {os.getpid()} on {socket.gethostname()}\n".encode())

    def _opened(self, shown: str) -> tuple[int, bool]:
        """The file, and whether it was made now."""
        try:
            try:
                return os.open(self.path, _FLAGS | os.O_CREAT | os.O_EXCL, 0o644), True
            except FileExistsError:
                return os.open(self.path, _FLAGS | os.O_CREAT, 0o644), False
        except OSError as error:
            raise StoreError(
                f"cannot write {shown}: its folder takes no file {self.path.name} ({error.strerror}); make it writable",
                temporary=True,
            ) from None

    def _holder(self) -> str:
        # Windows keeps others from reading what is locked.
        with suppress(OSError):
            os.lseek(self._descriptor, 0, os.SEEK_SET)
            return os.read(self._descriptor, 200).decode("utf-8", "replace").strip()
        return ""

    def held(self) -> bool:
        """Whether the lock is still that of the file's name: somebody may have deleted it."""
        try:
            return os.path.samestat(os.fstat(self._descriptor), os.stat(self.path))
        except OSError:
            return False

    def undo(self) -> None:
        """Give it up before anything was written; the file goes where this lock made it, while nobody can hold it."""
        if self._made and self.held():
            with suppress(OSError):
                self.path.unlink()
        self.release()

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
    if not connection.execute(_TRY, {"number": number}).scalar_one():
        holder = holder_of(connection, number)
        by = f" ({holder})" if holder else ""
        raise LockedError(f"another process{by} writes to the series {name!r}; end it first")


# By our table, which each schema of a database has for itself: their series have the same numbers.
_TRY = sa.text(
    "select pg_try_advisory_lock(cast(cast(cast('series' as regclass) as oid) as integer), :number)"
)
_HOLDER = sa.text(
    "select application_name from pg_stat_activity join pg_locks using (pid) "
    "where locktype = 'advisory' and granted and classid = cast(cast('series' as regclass) as oid) and objid = :number "
    "and database = (select oid from pg_database where datname = current_database())"
)


def holder_of(connection: sa.Connection, number: int) -> str | None:
    """What the connection that writes a series calls itself; None where none does."""
    found = connection.execute(_HOLDER, {"number": number}).scalar()
    return None if found is None else str(found)


def is_locked(path: Path) -> bool | None:
    """Whether a process writes the SQLite file; None where the system keeps no list of locks.

    Read from the kernel's list: trying the lock would hold it for a moment, and refuse a writer that starts then.
    """
    table, lock = Path("/proc/locks"), path.with_name(f"{path.name}.lock")
    if not table.exists():
        return None
    if not lock.exists():
        return False
    wanted = f":{lock.stat().st_ino} "
    return any(wanted in line for line in table.read_text().splitlines())


def own_name() -> str:
    """What we are called in PostgreSQL's list of connections; it takes 63 bytes."""
    return f"ngrc, process {os.getpid()} on {socket.gethostname()}"[:63]

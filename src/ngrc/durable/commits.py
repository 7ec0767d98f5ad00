"""The newest commit of an SQLite file, recorded in the database and beside it.

SQLite reads a write-ahead log up to the first frame whose checksum does not fit, and drops the frames behind it without
an error. The table `commits` then holds an older commit than the file `STATE.commit`, and the state is refused.
"""

import os
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

import sqlalchemy as sa

from ngrc.durable.address import Address
from ngrc.durable.chain import SIZE, START, sealed
from ngrc.durable.errors import StoreError
from ngrc.durable.failures import RESTORE
from ngrc.durable.schema import commits

SLOT = 4096
"""Bytes from one slot of the file to the other: the newest commit is written over the older one of two, so that a write
that is cut short leaves the commit before it."""
SYNCED = 1.0
"""Seconds after which a record is flushed to the disk. It outlives the process at once. After a power failure an older
one may be found, which is compared as well as it can be; the commits themselves are flushed each."""
_FLAGS = os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


class Commit(NamedTuple):
    """How many commits there were, and the checksum that continues through them."""

    number: int = 0
    digest: bytes = START

    def following(self, words: Any) -> "Commit":
        """The next one, which wrote what the words say."""
        return Commit(self.number + 1, sealed(self.digest, words))


def read_commit(connection: sa.Connection) -> Commit:
    """The newest commit that the database holds; the zeroth of one that an older ngrc wrote."""
    if commits.name not in sa.inspect(connection).get_table_names():
        return Commit()
    return _held(connection)


def _held(connection: sa.Connection) -> Commit:
    # In words for SQLite, the only one that has it: SQLAlchemy's own would double what a small commit costs.
    number, digest = connection.exec_driver_sql("SELECT number, digest FROM commits").one()
    if not isinstance(number, int) or not isinstance(digest, bytes):
        raise sa.exc.InvalidRequestError(f"its table {commits.name!r} is not as ngrc made it; {RESTORE}")
    return Commit(number, digest)


def advance(connection: sa.Connection, words: Any) -> Commit:
    """Count the commit of a transaction in it; what is counted already where there are no words."""
    newest = _held(connection)
    if words:
        newest = newest.following(words)
        connection.exec_driver_sql("UPDATE commits SET number = ?, digest = ?", newest)
    return newest


class CommitFile:
    """`STATE.commit`, for the writer."""

    def __init__(self, state: Path) -> None:
        self.path = commit_file(state)
        self._written: Commit | None = None
        self._synced = -SYNCED

    def write(self, commit: Commit) -> None:
        """Record a commit that the database holds; `StoreError` where that cannot be done now."""
        if commit == self._written:
            return
        try:
            # By its name each time: one that was deleted is made anew.
            descriptor = os.open(self.path, _FLAGS | os.O_CREAT, 0o644)
            try:
                os.lseek(descriptor, SLOT * (commit.number % 2), os.SEEK_SET)
                os.write(descriptor, _packed(commit))
                if monotonic() - self._synced >= SYNCED:
                    os.fsync(descriptor)
                    self._synced = monotonic()
            finally:
                os.close(descriptor)
        except OSError as error:
            raise StoreError(
                f"cannot write {self.path.name} beside the state ({error.strerror}); make file and folder writable",
                temporary=True,
            ) from None
        self._written = commit


def commit_file(state: Path) -> Path:
    """Where the newest commit of a state is recorded."""
    return state.with_name(state.name + ".commit")


def recorded(address: Address) -> Commit | None:
    """The newest commit that is recorded beside a state; None where none is."""
    assert address.path is not None
    path = commit_file(address.path)
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StoreError(
            f"cannot open {address.shown}: {path.name} cannot be read ({error.strerror})"
        ) from None
    found = [one for slot in (0, SLOT) if (one := _unpacked(content[slot : slot + len(_packed(Commit()))]))]
    if not found and content:
        raise StoreError(
            f"cannot open {address.shown}: {path.name}, which records its newest commit, is damaged; restore both from "
            f"a backup, or delete {path.name} to go on without this check"
        )
    return max(found, default=None)


def check_recorded(address: Address, record: Commit | None, held: Commit) -> None:
    """Refuse a database that holds less than was recorded, or something else."""
    if record is None or held.number > record.number or held == record:
        return
    assert address.path is not None
    name = commit_file(address.path).name
    what = (
        f"it ends at commit {held.number} of {record.number}, its log was cut or damaged"
        if held.number < record.number
        else f"its commit {held.number} is not the one that was recorded"
    )
    raise StoreError(
        f"cannot open {address.shown}: {what}; restore {address.path.name}, {address.path.name}-wal and {name} from a "
        f"backup, or delete {name} to go on with what is left"
    )


def _packed(commit: Commit) -> bytes:
    words = f"ngrc commit {commit.number:020d} {commit.digest.hex()}"
    return f"{words} {sealed(START, words).hex()}\n".encode()


def _unpacked(slot: bytes) -> Commit | None:
    words = slot.split(b" ")
    try:
        commit = Commit(int(words[2]), bytes.fromhex(words[3].decode()))
    except (IndexError, ValueError):
        return None
    return commit if len(commit.digest) == SIZE and _packed(commit) == slot else None

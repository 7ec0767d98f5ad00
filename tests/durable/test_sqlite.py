"""What an SQLite file may be or become: foreign, newer, damaged, full, read-only, taken away."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ngrc.durable import LockedError, Observation, Session, Store, StoreError
from tests.durable.kit import facts, session, told, wave

VALUES = wave(100)


@pytest.fixture(scope="module")
def never_stopped(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    return [facts(one) for one in told(str(tmp_path_factory.mktemp("whole") / "s.db"), VALUES)]


def _goes_on(one: Session, first: int, never_stopped: list[Any]) -> None:
    """The session holds observation `first` uncommitted: commit it, go on, stop, and look at all of it."""
    one.commit()
    said = [facts(one.take("x", Observation(value))) for value in VALUES[first + 1 :]]
    assert said == never_stopped[first + 1 :]
    one.commit()
    address = str(one.store.address.path)
    one.close()
    with Store.open(address, write=False) as store:
        assert [facts(reply) for reply in store.recent("x", 1000)] == never_stopped
        store.verify_all()


def test_the_log_is_written_ahead_and_synced(tmp_path: Path) -> None:
    with session(str(tmp_path / "s.db")) as one:
        connection = one.store.writer._connected()
        settings = [
            connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "application_id", "user_version")
        ]
    assert settings == ["wal", 2, 1, int.from_bytes(b"NGRC"), 1]


@pytest.mark.parametrize("write", [True, False])
@pytest.mark.parametrize(
    ("harm", "words"),
    [
        ("foreign", "it is not a state that ngrc wrote; name another file"),
        ("text", "it is not a state that ngrc wrote; name another file"),
        ("newer", "its tables have version 2, and this ngrc knows 1; update ngrc"),
        ("older", "its tables have version -3, and this ngrc knows 1; name a state"),
        ("column", "its table 'forecasts' is not as ngrc made it"),
        ("table", "its table 'outcomes' is not as ngrc made it"),
        ("cut", "it is damaged"),
        ("page", "it is damaged"),
    ],
)
def test_what_is_not_ours_or_not_whole_is_refused_and_left_alone(
    tmp_path: Path, harm: str, words: str, write: bool
) -> None:
    path = tmp_path / "s.db"
    if harm == "foreign":
        _execute(path, "create table photographs (id integer)")
    elif harm == "text":
        path.write_text("time,value\n" * 1000)
    else:
        told(str(path), wave(70))
        _harm(path, harm)
    before = path.read_bytes()
    with pytest.raises(StoreError, match=words) as caught:
        Store.open(path, write=write)
    assert not caught.value.temporary
    assert str(caught.value).count("\n") == 0
    assert path.read_bytes() == before
    # No lock is left beside a file that is none of ours; one that was there stays.
    assert path.with_name("s.db.lock").exists() == (harm not in ("foreign", "text"))


def test_a_name_that_cannot_be_written_into_the_lock_stops_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = os.write

    def full(descriptor: int, content: bytes) -> int:
        if content.startswith(b"process"):
            raise OSError(28, "No space left on device")
        return write(descriptor, content)

    with monkeypatch.context() as patch:
        patch.setattr("ngrc.durable.locks.os.write", full)
        store = Store.open(tmp_path / "s.db")
    with pytest.raises(LockedError, match="another process writes to"):
        Store.open(tmp_path / "s.db")
    store.close()


def test_a_lock_that_was_taken_away_while_it_was_waited_for_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ngrc.durable import locks

    path, locked = tmp_path / "s.db.lock", locks._locked
    seen: list[int] = []

    def late(descriptor: int) -> bool:
        if not seen:
            path.unlink()
        seen.append(descriptor)
        return locked(descriptor)

    monkeypatch.setattr(locks, "_locked", late)
    lock = locks.FileLock(tmp_path / "s.db", "s.db")
    assert len(seen) == 2
    assert lock.held()
    lock.release()


def test_a_reader_of_an_unchanging_file_sees_a_writer_that_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ngrc.durable import engines

    told(str(tmp_path / "s.db"), VALUES[:5])
    connected = engines._connected
    refused: list[Any] = []

    class Refusing(sqlite3.Connection):
        """As in a folder that takes no file beside the log."""

        def execute(self, *_: Any) -> Any:
            refused.append(self)
            raise sqlite3.OperationalError("unable to open database file")

    def closed_folder(path: Path, mode: str, more: str = "", *kind: Any) -> sqlite3.Connection:
        return connected(path, mode, more, *(kind or (Refusing,)))

    with monkeypatch.context() as patch:
        patch.setattr(engines, "_connected", closed_folder)
        reader = Store.open(tmp_path / "s.db", write=False)
        assert reader.summary("x").count == 5
    for raw in refused:
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            raw.cursor()
    with session(str(tmp_path / "s.db")) as one:
        one.take("x", Observation(VALUES[5]))
        one.commit()
        assert reader.summary("x").count == 6
    reader.close()


def _harm(path: Path, harm: str) -> None:
    size = path.stat().st_size
    if harm == "cut":
        os.truncate(path, size // 2 // 4096 * 4096)
    elif harm == "page":
        with path.open("r+b") as file:
            file.seek(4096 * 3)
            file.write(b"\xff" * (size - 4096 * 3))
    else:
        _execute(
            path,
            {
                "newer": "PRAGMA user_version=2",
                "older": "PRAGMA user_version=-3",
                "column": "alter table forecasts add column more text",
                "table": "drop table outcomes",
            }[harm],
        )


def _execute(path: Path, statement: str) -> None:
    raw = sqlite3.connect(path)
    raw.execute(statement)
    raw.commit()
    raw.close()


def test_an_empty_file_becomes_a_state_and_nothing_is_made_for_reading(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    with pytest.raises(StoreError, match="there is no state"):
        Store.open(path, write=False)
    assert list(tmp_path.iterdir()) == []
    path.touch()
    told(f"sqlite:///{path}", wave(10))
    with Store.open(path, write=False) as store:
        assert store.names() == ("x",)


@pytest.mark.parametrize("name", ["with space.db", "per%20cent.db", "quest?ion#.db", "ünï.db"])
def test_names_of_files_are_taken_as_they_are(tmp_path: Path, name: str) -> None:
    told(str(tmp_path / name), wave(5))
    assert (tmp_path / name).is_file()
    with Store.open(tmp_path / name, write=False) as store:
        assert store.summary("x").count == 5


def test_a_second_writer_is_refused_until_the_first_is_gone(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    (tmp_path / "link.db").symlink_to(path)
    with session(str(path)) as one:
        for name in ("s.db", "link.db"):
            with pytest.raises(
                LockedError, match=rf"another process \(process {os.getpid()} on \S+\) writes to"
            ):
                Store.open(tmp_path / name)
        with Store.open(path, write=False) as reader:
            assert reader.names() == ("x",)
        one.take("x", Observation(1.0))
        one.commit()
    Store.open(path).close()


def test_the_lock_of_a_killed_process_is_free(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    code = (
        f"from ngrc.durable import Store; s = Store.open({str(path)!r}); print('open', flush=True); input()"
    )
    child = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert child.stdout is not None
    assert child.stdout.readline() == b"open\n"
    with pytest.raises(LockedError, match=rf"process {child.pid} on"):
        Store.open(path)
    child.kill()
    child.communicate()
    Store.open(path).close()


def test_a_full_disk_is_waited_out(tmp_path: Path, never_stopped: list[Any]) -> None:
    one = session(str(tmp_path / "s.db"))
    for value in VALUES[:70]:
        one.take("x", Observation(value))
    one.commit()
    raw = _raw(one)
    (pages,) = raw.execute("PRAGMA page_count").fetchone()
    raw.execute(f"PRAGMA max_page_count={pages}")
    with pytest.raises(StoreError, match="the disk is full; make room") as caught:
        _commit_one_by_one(one, VALUES[70:])
    assert caught.value.temporary
    first = one.store.summary("x").count
    assert one.waiting == 1
    with pytest.raises(StoreError, match=r"the last commit to .* failed; repeat it before taking more"):
        one.take("x", Observation(1.0))
    # A new connection has no such limit: the disk has room again.
    _goes_on(one, first, never_stopped)


def _commit_one_by_one(one: Session, values: list[float]) -> None:
    # Rows fill what is left of the last pages.
    for value in values:
        one.take("x", Observation(value))
        one.commit()


def _raw(one: Session) -> Any:
    """The connection that writes, as the driver has it."""
    return one.store.writer._connected().connection.dbapi_connection


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 400 kB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    if subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=400k", "ngrc", folder], capture_output=True
    ).returncode:
        pytest.skip("no right to mount a file system")
    yield folder
    subprocess.run(["umount", "-l", folder], check=True)


def test_a_really_full_disk_is_waited_out(small_disk: Path, never_stopped: list[Any]) -> None:
    one = session(str(small_disk / "s.db"))
    for value in VALUES[:70]:
        one.take("x", Observation(value))
    one.commit()
    room = os.statvfs(small_disk)
    (small_disk / "ballast").write_bytes(bytes(room.f_bavail * room.f_bsize))
    one.take("x", Observation(VALUES[70]))
    for _ in range(2):
        with pytest.raises(
            StoreError, match=r"the disk is full|cannot be opened|cannot be read or written"
        ) as caught:
            one.commit()
        assert caught.value.temporary
    (small_disk / "ballast").unlink()
    _goes_on(one, 70, never_stopped)


def test_a_limit_on_the_size_of_files_is_waited_out(tmp_path: Path, never_stopped: list[Any]) -> None:
    resource = pytest.importorskip("resource")
    import signal

    one = session(str(tmp_path / "s.db"))
    for value in VALUES[:70]:
        one.take("x", Observation(value))
    one.commit()
    one.take("x", Observation(VALUES[70]))
    before, ignored = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, before[1]))
    try:
        with pytest.raises(StoreError, match=r"cannot write .*s\.db: ") as caught:
            one.commit()
        assert caught.value.temporary
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)
    _goes_on(one, 70, never_stopped)


@pytest.fixture
def read_only(tmp_path: Path) -> Iterator[Any]:
    """A folder, and what makes it read-only and writable again."""
    folder = tmp_path / "mounted"
    folder.mkdir()
    if subprocess.run(["mount", "--bind", folder, folder], capture_output=True).returncode:
        pytest.skip("no right to mount a folder read-only, and permissions do not bind the superuser")

    def turn(mode: str) -> bool:
        done = subprocess.run(["mount", "-o", f"remount,bind,{mode}", folder], capture_output=True)
        return done.returncode == 0

    yield folder, turn
    subprocess.run(["umount", "-l", folder], check=True)


def test_a_read_only_folder_is_waited_out(read_only: Any, never_stopped: list[Any]) -> None:
    folder, turn = read_only
    one = session(str(folder / "s.db"))
    for value in VALUES[:70]:
        one.take("x", Observation(value))
    one.commit()
    one.close()
    assert turn("ro")
    with pytest.raises(StoreError, match=r"takes no file s\.db\.lock \(Read-only file system\)") as caught:
        Store.open(folder / "s.db")
    assert caught.value.temporary
    # Reading needs no file beside it where nothing waits in the log.
    with Store.open(folder / "s.db", write=False) as store:
        assert store.summary("x").count == 70
    assert turn("rw")
    one = session(str(folder / "s.db"))
    one.take("x", Observation(VALUES[70]))
    # A folder in use cannot be mounted so; the connection can be told to meet the same refusal.
    _raw(one).execute("PRAGMA query_only=ON")
    with pytest.raises(StoreError, match="it is read-only; make file and folder writable") as caught:
        one.commit()
    assert caught.value.temporary
    _goes_on(one, 70, never_stopped)


def test_a_file_that_was_taken_away_is_not_written_to(tmp_path: Path) -> None:
    for victim in ("s.db", "s.db.lock"):
        with session(str(tmp_path / "s.db")) as one:
            one.take("x", Observation(1.0))
            (tmp_path / victim).rename(tmp_path / "elsewhere")
            with pytest.raises(StoreError, match="the file or its lock was moved or deleted") as caught:
                one.commit()
            assert not caught.value.temporary
            (tmp_path / "elsewhere").rename(tmp_path / victim)
            one.commit()


def test_a_commit_whose_answer_was_lost_is_recognised(tmp_path: Path, never_stopped: list[Any]) -> None:
    one = session(str(tmp_path / "s.db"))
    for value in VALUES[:70]:
        one.take("x", Observation(value))
    writer = one.store.writer
    raw = _raw(one)

    class Mute:
        """Commits, and then fails as if it had not."""

        def __getattr__(self, name: str) -> Any:
            return getattr(raw, name)

        def commit(self) -> None:
            raw.commit()
            raise sqlite3.OperationalError("the answer was lost")

    fairy: Any = writer._connected().connection
    fairy.dbapi_connection = Mute()
    with pytest.raises(StoreError, match="the answer was lost"):
        one.commit()
    assert one.store.summary("x").count == 70
    one.commit()
    assert one.store.summary("x").count == 70
    one.take("x", Observation(VALUES[70]))
    _goes_on(one, 70, never_stopped)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("", "a state is kept in a file, got ''"),
        ("sqlite://", "a state is kept in a file"),
        (":memory:", "a state is kept in a file, got ':memory:'"),
        ("nowhere/s.db", "there is no folder nowhere"),
        ("mysql://u:secret@h/d", "got one of the kind 'mysql'"),
        ("/tmp", "it is a folder"),
        ("/dev/null", "it is a pipe or a device"),
    ],
)
def test_other_addresses_are_refused(url: str, words: str) -> None:
    with pytest.raises(ValueError, match=words) as caught:
        Store.open(url)
    assert "secret" not in str(caught.value)

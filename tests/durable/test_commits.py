"""What was acknowledged is there, or its loss is reported: logs that are cut or altered, records that are older."""

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from ngrc.durable import Observation, Store, StoreError
from ngrc.durable.commits import SLOT
from tests.durable.kit import facts, session, told, wave

VALUES = wave(300)
PLACES = 41
"""Bytes that are altered, and lengths to which the log is cut: 82 damages."""


@pytest.fixture(scope="module", params=["one log", "log begun anew", "log in the file already"])
def crashed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of a process that was killed after 300 acknowledged observations."""
    folder = tmp_path_factory.mktemp("state")
    copy = tmp_path_factory.mktemp("crashed")
    with session(str(folder / "s.db")) as one:
        for place, value in enumerate(VALUES, start=1):
            one.take("x", Observation(value))
            if place % 6 == 0:
                one.commit()
            if place == {"one log": 0, "log begun anew": 180}.get(request.param, 300):
                with closing(sqlite3.connect(folder / "s.db")) as connection:
                    assert connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()[0] == 0
        for file in folder.glob("s.db*"):
            shutil.copy(file, copy)
    assert (copy / "s.db-wal").stat().st_size > 2 * PLACES
    (copy / "s.db-shm").unlink(missing_ok=True)
    return copy


def _lost(crashed: Path, folder: Path, damage: Callable[[Path], None], *, write: bool) -> tuple[int, str]:
    """How many acknowledged observations a damage loses without a word, and what is said otherwise."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(crashed, folder)
    damage(folder / "s.db-wal")
    before = {file.name: file.read_bytes() for file in folder.iterdir() if file.suffix != ".lock"}
    try:
        with Store.open(folder / "s.db", write=write) as store:
            store.verify_all()
            return len(VALUES) - len(store.recent("x", 1000)), ""
    except StoreError as error:
        # A copy for who wants to save what can be saved.
        assert {name: (folder / name).read_bytes() for name in before} == before
        return 0, str(error)


def _altered(place: int) -> Callable[[Path], None]:
    def alter(log: Path) -> None:
        content = bytearray(log.read_bytes())
        content[place] ^= 0x40
        log.write_bytes(content)

    return alter


def _cut(size: int) -> Callable[[Path], None]:
    return lambda log: os.truncate(log, size)


@pytest.mark.parametrize("write", [True, False])
def test_no_damage_to_the_log_loses_an_acknowledged_observation_in_silence(
    crashed: Path, tmp_path: Path, write: bool
) -> None:
    size = (crashed / "s.db-wal").stat().st_size
    places = [size * place // PLACES for place in range(PLACES)]
    damages = [harm(place) for place in places for harm in (_altered, _cut)]
    found = [_lost(crashed, tmp_path / "copy", damage, write=write) for damage in damages]
    assert len(found) == 82
    assert [lost for lost, _ in found] == [0] * 82
    # Most are found, and not by chance harmless; each in one line that says what to do.
    refusals = [said for _, said in found if said]
    assert len(refusals) > 20
    assert all("\n" not in said and "restore" in said for said in refusals)
    assert _lost(crashed, tmp_path / "copy", lambda log: None, write=write) == (0, "")


def test_a_log_that_is_gone_is_reported(tmp_path: Path) -> None:
    with session(str(tmp_path / "s.db")) as one:
        one.take("x", Observation(1.0))
        one.commit()
        for name in ("s.db", "s.db.commit"):
            shutil.copy(tmp_path / name, tmp_path / f"copy-{name}")
    copy = tmp_path / "copy-s.db"
    message = r"it ends at commit 0 of 2, its log was cut or damaged; restore copy-s\.db, copy-s\.db-wal and "
    for _ in range(2):
        with pytest.raises(StoreError, match=message):
            Store.open(copy)
    # Also where the file itself is gone or empty.
    copy.write_bytes(b"")
    with pytest.raises(StoreError, match="it ends at commit 0 of 2"):
        Store.open(copy)
    copy.unlink()
    with pytest.raises(StoreError, match="it ends at commit 0 of 2"):
        Store.open(copy)
    (tmp_path / "copy-s.db.commit").unlink()
    Store.open(copy).close()


def test_another_state_under_the_same_name_is_noticed(tmp_path: Path) -> None:
    told(str(tmp_path / "s.db"), VALUES[:70])
    told(str(tmp_path / "other.db"), [1.0 + value for value in VALUES[:70]])
    shutil.copy(tmp_path / "other.db", tmp_path / "s.db")
    with pytest.raises(StoreError, match="its commit 11 is not the one that was recorded"):
        Store.open(tmp_path / "s.db")


def test_a_commit_that_was_not_recorded_yet_is_no_damage(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    with session(str(path)) as one:
        for value in VALUES[:20]:
            one.take("x", Observation(value))
            one.commit()
            older = (tmp_path / "s.db.commit").read_bytes()
        one.take("x", Observation(VALUES[20]))
        one.commit()
    # Killed between the commit and its record, and in the middle of writing that.
    for record in (older, older[:SLOT] + b"ngrc commit 00000", b""):
        (tmp_path / "s.db.commit").write_bytes(record)
        with Store.open(path) as store:
            assert len(store.recent("x")) == 21
        # Recorded by who found it: it may be told to a client from then on.
        newest = (tmp_path / "s.db.commit").read_bytes()
        assert newest != record
        with Store.open(path, write=False):
            pass


def test_a_damaged_record_is_reported(tmp_path: Path) -> None:
    told(str(tmp_path / "s.db"), VALUES[:70])
    record = tmp_path / "s.db.commit"
    record.write_bytes(b"\0" * len(record.read_bytes()))
    with pytest.raises(
        StoreError, match=r"s\.db\.commit, which records its newest commit, is damaged; restore"
    ):
        Store.open(tmp_path / "s.db")
    record.unlink()
    assert [facts(one) for one in told(str(tmp_path / "s.db"), VALUES[70:80])]


def test_a_record_that_cannot_be_written_now_is_written_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    with session(str(tmp_path / "s.db")) as one:
        one.take("x", Observation(VALUES[0]))
        with monkeypatch.context() as patch:
            patch.setattr("ngrc.durable.commits.os.write", full)
            with pytest.raises(StoreError, match=r"cannot write s\.db\.commit beside the state") as caught:
                one.commit()
        assert caught.value.temporary
        one.commit()
        one.take("x", Observation(VALUES[1]))
        one.commit()
    with Store.open(tmp_path / "s.db") as store:
        assert [reply.value for reply in store.recent("x")] == VALUES[:2]
        assert store.verify_all() == 2


def test_a_state_of_an_older_version_is_counted_from_its_next_writer_on(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    said = told(str(path), VALUES[:70])
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("drop table commits")
        connection.commit()
    (tmp_path / "s.db.commit").unlink()
    with Store.open(path, write=False) as store:
        assert [facts(one) for one in store.recent("x")] == [facts(one) for one in said]
    told(str(path), VALUES[70:77])
    assert (tmp_path / "s.db.commit").read_bytes().startswith(b"ngrc commit 00")
    with Store.open(path, write=False) as store:
        assert len(store.recent("x")) == 77


@pytest.mark.parametrize(
    "statement", ["delete from commits", "update commits set number = 'many', digest = 7"]
)
def test_an_altered_count_is_one_line(tmp_path: Path, statement: str) -> None:
    path = tmp_path / "s.db"
    told(str(path), VALUES[:10])
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(statement)
        connection.commit()
    for write in (True, False):
        with pytest.raises(StoreError, match="cannot read ") as caught:
            Store.open(path, write=write)
        assert "\n" not in str(caught.value)

"""Killed at any instant: nothing that was acknowledged is lost, nothing is doubled, all that is said is the same."""

import math
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from ngrc.durable import Observation, Reply, Store, StoreError, snapshots
from tests.durable.child import COUNT
from tests.durable.kit import facts, session, told, wave

VALUES = wave(COUNT)


@pytest.fixture(scope="module")
def never_stopped(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    return [facts(one) for one in told(str(tmp_path_factory.mktemp("whole") / "s.db"), VALUES)]


def test_killed_again_and_again_it_loses_and_doubles_nothing(
    address: str, tmp_path: Path, never_stopped: list[Any]
) -> None:
    acknowledged, chance, kills = tmp_path / "acknowledged", random.Random(1), 0
    kept: tuple[Reply, ...] = ()
    acknowledged.touch()
    command = [sys.executable, "-W", "error", "-m", "tests.durable.child", address, str(acknowledged)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, cwd=Path(__file__).parents[2], **pipes) as parent:  # type: ignore[call-overload]
        try:
            until = math.inf
            while len(kept) < COUNT:
                # After so many kills, or some kills and so much time, the last process is left to end by itself.
                more = kills < 3 or (kills < 25 and time.monotonic() < until)
                # The first three come soon, so that a quick machine has not ended before.
                patience = chance.uniform(0, 0.03 if kills >= 3 else 0.003) if more else 60
                kills += _killed(parent, acknowledged, patience)
                until = min(until, time.monotonic() + 6)
                kept = _kept(address, never_stopped)
                assert int(acknowledged.read_bytes().split()[-1]) <= len(kept)
        finally:
            parent.kill()
    assert kills >= 3


def _killed(parent: "subprocess.Popen[str]", acknowledged: Path, patience: float) -> bool:
    """Let a new process begin, kill it some time after it has recovered; whether it still ran."""
    size = acknowledged.stat().st_size
    parent.stdin.write("\n")  # type: ignore[union-attr]
    parent.stdin.flush()  # type: ignore[union-attr]
    child = int(parent.stdout.readline())  # type: ignore[union-attr]
    end = time.monotonic() + 60
    # Kills before that are cheap and show little.
    while acknowledged.stat().st_size == size and time.monotonic() < end and _runs(child):
        time.sleep(0.001)
    end = time.monotonic() + patience
    while time.monotonic() < end and _runs(child):
        time.sleep(0.001)
    with suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)
    status = int(parent.stdout.readline())  # type: ignore[union-attr]
    assert status in (0, signal.SIGKILL)
    return status == signal.SIGKILL


def _runs(child: int) -> bool:
    return Path(f"/proc/{child}").exists()


def _kept(address: str, never_stopped: list[Any]) -> tuple[Reply, ...]:
    """What is in the store, all of which must be right."""
    with Store.open(address, write=False) as store:
        if not store.names():
            return ()
        kept = store.recent("x", COUNT + 1)
        assert [facts(one) for one in kept] == never_stopped[: len(kept)]
        assert store.verify_all() == len(kept)
        return kept


def test_the_files_at_any_instant_hold_what_was_acknowledged(
    tmp_path: Path, never_stopped: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Copies of database and log, taken while they are written, as a cut of power would leave them."""
    # With many snapshots, of which some stand in the log alone.
    monkeypatch.setattr(snapshots, "LEAST", 10)
    monkeypatch.setattr(snapshots, "ROW_BYTES", 10**9)
    address = tmp_path / "s.db"
    acknowledged, end = [0], threading.Event()
    copies: list[tuple[Path, int]] = []

    def copy() -> None:
        while not end.is_set():
            folder = tmp_path / f"copy{len(copies)}"
            folder.mkdir()
            known = acknowledged[-1]
            # The log first: what a checkpoint moves from the log to the file is then in both.
            for name in ("s.db-wal", "s.db"):
                if (tmp_path / name).exists():
                    shutil.copyfile(tmp_path / name, folder / name)
            copies.append((folder / "s.db", known))
            time.sleep(0.02)

    thread = threading.Thread(target=copy)
    with session(str(address)) as one:
        raw: Any = one.store.writer._connected().connection.dbapi_connection
        # Without checkpoints, during which a copy of two files is not one instant of both.
        raw.execute("PRAGMA wal_autocheckpoint=0")
        thread.start()
        try:
            for place, value in enumerate(VALUES[:130], start=1):
                one.take("x", Observation(value))
                if place % 5 == 0:
                    one.commit()
                    acknowledged.append(place)
                # However quick the writer is, some copies lie between its first commit and its last.
                while place % 20 == 0 and len(copies) < place // 20 and thread.is_alive():
                    time.sleep(0.005)
        finally:
            end.set()
            thread.join()
    chance = random.Random(2)
    assert len(copies) >= 5
    # Opening one empties its log, and that of the last is wanted below.
    for file, known in chance.sample(copies[:-1], min(len(copies) - 1, 6)):
        whole = _opened(file, never_stopped)
        assert whole >= known
    # The log of the last copy, cut at any byte: less of the end, never a wrong state.
    file, known = copies[-1]
    log = file.with_name("s.db-wal").read_bytes() if file.with_name("s.db-wal").exists() else b""
    pristine = file.read_bytes()
    counts = []
    for size in sorted(chance.sample(range(len(log)), 8)):
        file.write_bytes(pristine)
        file.with_name("s.db-wal").write_bytes(log[:size])
        file.with_name("s.db-shm").unlink(missing_ok=True)
        counts.append(_opened(file, never_stopped))
    assert counts == sorted(counts)
    assert counts[0] < counts[-1]


def _opened(file: Path, never_stopped: list[Any]) -> int:
    """How many observations a copy holds, all of which must be right; it must also go on."""
    try:
        one = session(str(file))
    except StoreError as error:  # pragma: no cover - to say which copy it was
        raise AssertionError(f"{file} does not open: {error}") from error
    with one:
        kept = one.store.recent("x", COUNT)
        assert [facts(reply) for reply in kept] == never_stopped[: len(kept)]
        assert facts(one.take("x", Observation(VALUES[len(kept)]))) == never_stopped[len(kept)]
        one.store.verify_all()
    return len(kept)


@pytest.mark.parametrize("at", ["entries", "snapshot", "commit"])
def test_killed_inside_a_commit_there_is_all_or_nothing(
    tmp_path: Path, at: str, never_stopped: list[Any]
) -> None:
    """The process ends itself at a given statement of the transaction, with `os._exit`, as a kill would."""
    address = tmp_path / "s.db"
    told(str(address), VALUES[:50])
    pid = os.fork()
    if pid == 0:  # pragma: no cover - in a process that ends here
        _die_within(address, at)
    assert os.waitpid(pid, 0)[1] == 9 << 8
    with Store.open(address, write=False) as store:
        count = store.summary("x").count
        assert count == (70 if at == "commit" else 50)
    assert _opened(address, never_stopped) == count


def _die_within(address: Path, at: str) -> None:  # pragma: no cover
    import sqlalchemy as sa

    snapshots.LEAST = 1
    one = session(str(address))
    for value in VALUES[50:70]:
        one.take("x", Observation(value))
    engine = one.store.writer._engine
    if at == "commit":
        one.commit()
        os._exit(9)
    word = "INSERT INTO outcomes" if at == "entries" else "INSERT INTO snapshots"
    sa.event.listen(
        engine,
        "after_cursor_execute",
        lambda connection, cursor, statement, *_: os._exit(9) if statement.startswith(word) else None,
    )
    one.commit()
    os._exit(1)

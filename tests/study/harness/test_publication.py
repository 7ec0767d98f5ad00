"""Only what an earlier run wrote is ever replaced, and a kill at any moment leaves something whole."""

import errno
import json
import os
import stat
import time
from pathlib import Path
from typing import Any

import pytest

from ngrc.study.harness.marker import MARKER, check_ours, marker, owned, strangers
from ngrc.study.harness.publication import prepare, publish

OLD = {"a.txt": b"old", "b.txt": b"old"}
NEW = {"a.txt": b"new", "c.txt": b"new"}


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != MARKER}


def beside(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.parent.iterdir())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "deep" / "target"
    publish(path, OLD)
    return path


def test_a_second_run_replaces_the_files_of_the_first(folder: Path) -> None:
    assert content(folder) == OLD
    assert set(owned(folder)) == set(OLD)
    publish(folder, NEW)
    assert content(folder) == NEW
    assert set(owned(folder)) == set(NEW)
    assert beside(folder) == ["target"]


def test_the_same_files_have_the_same_marker() -> None:
    assert marker(OLD) == marker(dict(reversed(OLD.items())))
    assert json.loads(marker(OLD))["files"].keys() == OLD.keys()


def spoil(folder: Path, way: str) -> None:
    if way == "another file":
        (folder / "mine").write_text("")
    elif way == "edited":
        (folder / "a.txt").write_text("my remarks")
    elif way == "no marker":
        (folder / MARKER).unlink()
    elif way == "damaged marker":
        (folder / MARKER).write_text("{")
    elif way == "another marker":
        (folder / MARKER).write_text('{"files": 3}')
    elif way == "folder inside":
        (folder / "more").mkdir()
    elif way == "link":
        (folder / "a.txt").rename(folder.parent / "elsewhere")
        (folder / "a.txt").symlink_to(folder.parent / "elsewhere")


@pytest.mark.parametrize(
    "way",
    ["another file", "edited", "no marker", "damaged marker", "another marker", "folder inside", "link"],
)
def test_what_is_not_ours_is_refused_and_untouched(folder: Path, way: str) -> None:
    spoil(folder, way)
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    with pytest.raises(ValueError, match="name another --out") as raised:
        prepare(folder)
    assert "\n" not in str(raised.value)
    with pytest.raises(ValueError, match="name another --out"):
        publish(folder, NEW)
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_a_file_or_a_link_in_the_place_of_the_folder_is_refused(tmp_path: Path, folder: Path) -> None:
    (tmp_path / "file").write_text("mine")
    (tmp_path / "link").symlink_to(folder)
    (tmp_path / "nowhere").symlink_to(tmp_path / "absent")
    for name in ("file", "link", "nowhere"):
        with pytest.raises(ValueError, match="must be a folder, not a file or a link"):
            publish(tmp_path / name, NEW)
    assert (tmp_path / "file").read_text() == "mine"
    assert content(folder) == OLD


def test_an_empty_folder_may_be_filled(tmp_path: Path) -> None:
    (tmp_path / "target").mkdir(mode=0o750)
    publish(tmp_path / "target", NEW)
    assert content(tmp_path / "target") == NEW
    assert stat.S_IMODE((tmp_path / "target").stat().st_mode) == 0o750


def test_permissions_are_the_usual_ones(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        publish(tmp_path / "target", NEW)
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "target").stat().st_mode) == 0o750
    assert stat.S_IMODE((tmp_path / "target" / "a.txt").stat().st_mode) == 0o640


@pytest.mark.parametrize("failing", range(3))
def test_a_full_disk_leaves_the_old_folder_whole(
    folder: Path, monkeypatch: pytest.MonkeyPatch, failing: int
) -> None:
    calls = iter(range(10))

    def full(descriptor: int) -> None:
        if next(calls) == failing:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(
        OSError, match=r"cannot write .*target: No space left on device; what was there before"
    ):
        publish(folder, NEW)
    assert content(folder) == OLD
    assert beside(folder) == ["target"]


@pytest.mark.parametrize("failing", range(2))
@pytest.mark.parametrize("failure", [KeyboardInterrupt, PermissionError])
def test_a_rename_that_fails_or_is_interrupted_leaves_the_old_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch, failing: int, failure: type[BaseException]
) -> None:
    rename, calls = os.rename, iter(range(10))

    def fail(source: Any, target: Any) -> None:
        if next(calls) == failing:
            raise failure
        rename(source, target)

    monkeypatch.setattr(os, "rename", fail)
    with pytest.raises((KeyboardInterrupt, OSError)):
        publish(folder, NEW)
    assert content(folder) == OLD
    assert beside(folder) == ["target"]


def test_an_interruption_of_the_first_run_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*paths: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "rename", interrupt)
    with pytest.raises(KeyboardInterrupt):
        publish(tmp_path / "target", NEW)
    assert list(tmp_path.iterdir()) == []


def killed(folder: Path, renames: int) -> None:
    """A process that ends, without a chance to clean up, right after so many renames."""
    child = os.fork()
    if child == 0:
        rename, done = os.rename, [0]

        def last(source: Any, target: Any) -> None:
            if done[0] == renames:
                os._exit(0)
            rename(source, target)
            done[0] += 1
            if done[0] == 2 == renames:
                os._exit(0)

        os.rename = last  # type: ignore[assignment]
        publish(folder, NEW)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
@pytest.mark.parametrize(("renames", "left"), [(0, OLD), (1, None), (2, NEW)])
def test_a_kill_leaves_the_old_folder_the_new_one_or_none_and_the_next_run_mends(
    folder: Path, renames: int, left: dict[str, bytes] | None
) -> None:
    killed(folder, renames)
    assert folder.exists() == (left is not None)
    if left is not None:
        assert content(folder) == left
    # What a run does before it simulates: the old results are back although nothing new was made yet.
    prepare(folder)
    assert content(folder) == (left or OLD)
    publish(folder, NEW)
    assert content(folder) == NEW
    for partial in folder.parent.glob(".target.ngrc-new-*"):
        os.utime(partial, (time.time() - 4000,) * 2)
    prepare(folder)
    assert beside(folder) == ["target"]


def test_litter_of_another_run_that_is_still_writing_stays(folder: Path) -> None:
    partial = folder.with_name(".target.ngrc-new-1")
    partial.mkdir()
    prepare(folder)
    assert partial.is_dir()


def test_a_users_folder_under_a_passing_name_is_not_touched(folder: Path) -> None:
    mine = folder.with_name(".target.ngrc-old")
    mine.mkdir()
    (mine / "mine").write_text("")
    with pytest.raises(ValueError, match=r"\.target\.ngrc-old holds mine"):
        publish(folder, NEW)
    assert content(folder) == OLD
    assert (mine / "mine").exists()


def test_a_file_that_comes_in_the_last_moment_survives(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rename = os.rename

    def late(source: Any, target: Any) -> None:
        if source == folder:
            (folder / "mine").write_text("late")
        rename(source, target)

    monkeypatch.setattr(os, "rename", late)
    with pytest.raises(ValueError, match=r"former content in .*ngrc-old could not be removed"):
        publish(folder, NEW)
    assert content(folder) == NEW
    assert (folder.with_name(".target.ngrc-old") / "mine").read_text() == "late"


def test_names_in_a_marker_never_lead_out_of_the_folder(folder: Path) -> None:
    victim = folder.parent / "victim"
    victim.write_text("precious")
    (folder / MARKER).write_bytes(marker(OLD, {"../victim": ["0"]}))
    publish(folder, NEW)
    assert victim.read_text() == "precious"


def test_refusals_name_a_few_files_and_count_the_rest(tmp_path: Path) -> None:
    for name in "abcde":
        (tmp_path / name).write_text("")
    assert strangers(tmp_path, ["a", "f"]) == ["a"]
    with pytest.raises(ValueError, match="holds a, b, c and 2 more, which"):
        check_ours(tmp_path, os.listdir(tmp_path))

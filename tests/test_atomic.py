"""Written whole or not at all, without surprising whatever already stands there."""

import errno
import os
import secrets
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ngrc._atomic import check_file, check_folder, write_bytes, write_text, write_whole


@pytest.fixture
def shared_folder() -> Iterator[Path]:
    """A folder that a user without privileges may read but not write."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o555)
    root = os.geteuid() == 0
    if root:
        # The usual number of `nobody`: any other than root will do.
        os.seteuid(65534)
    try:
        yield folder
    finally:
        if root:
            os.seteuid(0)
        folder.chmod(0o755)
        for path in folder.iterdir():
            path.unlink()
        folder.rmdir()


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    write_text(path, "old")

    def half(partial: Path) -> None:
        partial.write_text("ne")
        raise OSError("disk full")

    with pytest.raises(
        OSError, match=r"cannot write .*table.csv: disk full; what was there before is untouched"
    ):
        write_whole(path, half)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk_is_one_line_and_costs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "table.csv"
    write_text(path, "old")

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left on device") as raised:
        write_text(path, "new")
    assert raised.value.errno == errno.ENOSPC
    assert ".part" not in str(raised.value)
    assert "\n" not in str(raised.value)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_content_reaches_the_disk_before_the_name_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    fsync, replace = os.fsync, os.replace

    def synced(descriptor: int) -> None:
        steps.append(f"sync {os.fstat(descriptor).st_size}")
        fsync(descriptor)

    def replaced(source: Any, target: Any) -> None:
        steps.append("rename")
        replace(source, target)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(os, "replace", replaced)
    write_bytes(tmp_path / "x", b"12345")
    assert steps == ["sync 5", "rename"]


def test_links_are_followed_and_permissions_kept(tmp_path: Path) -> None:
    real, link = tmp_path / "real.csv", tmp_path / "link.csv"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    write_text(link, "new")
    assert link.is_symlink()
    assert real.read_text() == "new"
    assert real.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("mask", [0o022, 0o027, 0o077])
def test_a_new_file_gets_the_usual_permissions(tmp_path: Path, mask: int) -> None:
    before = os.umask(mask)
    try:
        write_text(tmp_path / "ours", "")
        (tmp_path / "usual").write_text("")
    finally:
        os.umask(before)
    modes = {stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("ours", "usual")}
    assert modes == {0o666 & ~mask}


def test_what_replaces_a_private_file_is_never_public(tmp_path: Path) -> None:
    path = tmp_path / "private"
    path.write_text("old")
    path.chmod(0o600)
    modes: list[int] = []

    def look(partial: Path) -> None:
        modes.append(stat.S_IMODE(partial.stat().st_mode))
        partial.write_text("new")

    write_whole(path, look)
    assert modes == [0o600]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_link_planted_under_every_foreseeable_name_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    victim, path = tmp_path / "victim", tmp_path / "table.csv"
    victim.write_text("precious")
    # The name that was used before, and, as if it could be guessed, the one that is used now.
    (tmp_path / f".table.csv.{os.getpid()}.part").symlink_to(victim)
    write_text(path, "new")
    assert (victim.read_text(), path.read_text()) == ("precious", "new")
    monkeypatch.setattr(secrets, "token_hex", lambda size: "0" * 2 * size)
    (tmp_path / f".ngrc-{'0' * 16}.part").symlink_to(victim)
    with pytest.raises(OSError, match="File exists"):
        write_text(path, "newer")
    assert (victim.read_text(), path.read_text()) == ("precious", "new")
    assert not path.is_symlink()


def test_passing_names_differ_from_call_to_call_and_lie_beside_the_target(tmp_path: Path) -> None:
    partials: list[Path] = []

    def note(partial: Path) -> None:
        assert partial.read_bytes() == b""
        partials.append(partial)

    for _ in range(3):
        write_whole(tmp_path / "x", note)
    assert len(set(partials)) == 3
    assert {partial.parent for partial in partials} == {tmp_path}


def test_a_file_that_was_swapped_while_written_is_not_taken(tmp_path: Path) -> None:
    path, victim = tmp_path / "x", tmp_path / "victim"
    path.write_text("old")
    victim.write_text("precious")

    def swapped(partial: Path) -> None:
        partial.unlink()
        partial.symlink_to(victim)

    with pytest.raises(OSError, match="another program replaced the file"):
        write_whole(path, swapped)
    assert path.read_text() == "old"
    assert not path.is_symlink()
    assert victim.read_text() == "precious"


def test_names_as_long_as_the_disk_allows(tmp_path: Path) -> None:
    path = tmp_path / ("n" * 251 + ".csv")
    write_text(path, "whole")
    assert path.read_text() == "whole"


def test_line_ends_and_letters_are_written_as_they_are(tmp_path: Path) -> None:
    write_text(tmp_path / "x", "a\r\nü\n")
    assert (tmp_path / "x").read_bytes() == b"a\r\n\xc3\xbc\n"


def test_a_pipe_is_written_to_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    check_file(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_text(pipe, "through")
        assert os.read(reader, 100) == b"through"
    finally:
        os.close(reader)
    assert pipe.is_fifo()


def test_a_pipe_without_a_name_is_written_to(tmp_path: Path) -> None:
    """`/dev/stdout` in a pipeline, or `>(...)` of a shell: the link's text is no path."""
    reader, writer = os.pipe()
    try:
        check_file(Path(f"/dev/fd/{writer}"))
        write_text(Path(f"/dev/fd/{writer}"), "through")
        assert os.read(reader, 100) == b"through"
    finally:
        os.close(reader)
        os.close(writer)


def test_a_device_stays_one() -> None:
    check_file(Path(os.devnull))
    write_text(Path(os.devnull), "gone")
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)


@pytest.mark.parametrize("act", [check_file, lambda path: write_text(path, "")])
def test_what_cannot_be_written_is_explained(tmp_path: Path, act: Any) -> None:
    (tmp_path / "nowhere").symlink_to(tmp_path / "absent")
    (tmp_path / "round").symlink_to(tmp_path / "about")
    (tmp_path / "about").symlink_to(tmp_path / "round")
    (tmp_path / "file").write_text("")
    for path, message in (
        (tmp_path / "no" / "x.csv", "there is no folder"),
        (tmp_path / "file" / "x.csv", "there is no folder"),
        (tmp_path, "it is a folder; name a file"),
        (tmp_path / "nowhere", "it is a link to .*absent, which is not there; remove the link"),
        (tmp_path / "round", "name another file"),
        (tmp_path / ("n" * 300), "name another file"),
    ):
        with pytest.raises(ValueError, match=message) as raised:
            act(path)
        assert str(raised.value).startswith(f"cannot write {path}: ")
    assert not (tmp_path / "absent").exists()


def test_a_folder_without_permission_is_refused_beforehand(shared_folder: Path) -> None:
    with pytest.raises(ValueError, match=r"takes no new file \(Permission denied\); name another"):
        check_file(shared_folder / "x.csv")
    with pytest.raises(ValueError, match="takes no new file"):
        check_folder(shared_folder / "deep" / "deeper")


def test_a_protected_file_is_not_replaced(shared_folder: Path) -> None:
    owner, root = os.geteuid(), os.getuid() == 0
    if root:
        os.seteuid(0)
    path = shared_folder / "x.csv"
    shared_folder.chmod(0o777)
    path.write_text("old")
    path.chmod(0o444)
    if root:
        os.seteuid(owner)
    for act in (check_file, lambda path: write_text(path, "new")):
        with pytest.raises(ValueError, match="it is write-protected"):
            act(path)
    assert path.read_text() == "old"


def test_checks_leave_nothing_behind(tmp_path: Path) -> None:
    check_file(tmp_path / "x.csv")
    check_folder(tmp_path)
    check_folder(tmp_path / "a" / "b")
    assert list(tmp_path.iterdir()) == []


def test_folders_must_be_folders(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "nowhere").symlink_to(tmp_path / "absent")
    for name in ("file", "file/deep", "nowhere", "nowhere/deep"):
        with pytest.raises(ValueError, match=r"cannot write into .* is not a folder; name another one"):
            check_folder(tmp_path / name)


def test_names_of_ours_are_never_written_through_a_link(tmp_path: Path) -> None:
    victim, path, pipe = tmp_path / "victim", tmp_path / "ours", tmp_path / "pipe"
    victim.write_text("precious")
    path.symlink_to(victim)
    os.mkfifo(pipe)
    for act in (check_file, lambda path, follow: write_text(path, "new", follow=follow)):
        with pytest.raises(ValueError, match=r"it is a link to .*victim.*; remove the link"):
            act(path, follow=False)
        with pytest.raises(ValueError, match="it is a pipe or a device"):
            act(pipe, follow=False)
    path.unlink()
    write_text(path, "new", follow=False)
    assert (victim.read_text(), path.read_text()) == ("precious", "new")


def test_a_link_planted_while_ours_is_written_is_itself_replaced(tmp_path: Path) -> None:
    victim, path = tmp_path / "victim", tmp_path / "ours"
    victim.write_text("precious")

    def plant(partial: Path) -> None:
        path.symlink_to(victim)
        partial.write_text("new")

    write_whole(path, plant, follow=False)
    assert (victim.read_text(), path.read_text()) == ("precious", "new")
    assert not path.is_symlink()

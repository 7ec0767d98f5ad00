"""A folder of results that appears as one step and replaces only what an earlier run wrote.

The files are written to a neighbour, `.NAME.ngrc-new-...`; the old folder steps aside as `.NAME.ngrc-old`; the
neighbour takes its name; the old one goes. A kill leaves the old folder, the new one or, between the two renames,
none: then the old one still stands aside, and the next run puts it back.
"""

import contextlib
import glob
import os
import secrets
import stat
import time
from collections.abc import Iterable, Mapping
from pathlib import Path

from ngrc._atomic import explained
from ngrc.study.harness.marker import MARKER, check_ours, marker, owned

ABANDONED = 3600.0
"""Seconds after which an unfinished neighbour counts as left by a kill: writing one takes seconds at most."""


def prepare(folder: Path) -> None:
    """Mend what a kill left beside `folder`, and refuse a folder that is not ours to replace."""
    retired = _retired(folder)
    if os.path.lexists(retired):
        _check(retired)
        # Both names stand: the swap was done and only the clearing was missed. One alone: it was cut in the middle.
        if os.path.lexists(folder):
            _remove(retired, owned(retired))
        else:
            os.rename(retired, folder)
    for partial in folder.parent.glob(f".{glob.escape(folder.name)}.ngrc-new-*"):
        # Litter: whatever is not ours in it, or is not ours to delete, keeps it where it is.
        with contextlib.suppress(OSError, ValueError):
            if time.time() - partial.lstat().st_mtime > ABANDONED:
                _remove(partial, owned(partial))
    _check(folder)


def publish(folder: Path, files: Mapping[str, bytes]) -> None:
    """Put the files and their marker into `folder` as one step, in place of those of an earlier run."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    prepare(folder)
    # The marker is written first: what a kill leaves behind is known as ours, and can be cleared away.
    content = {MARKER: marker(files), **files}
    partial = folder.with_name(f".{folder.name}.ngrc-new-{secrets.token_hex(8)}")
    try:
        partial.mkdir()
        for name, data in content.items():
            _write_new(partial / name, data)
        _swap(partial, folder)
    except OSError as error:
        raise explained(folder, error) from error
    finally:
        if partial.is_dir():
            _remove(partial, content)


def _write_new(path: Path, content: bytes) -> None:
    with path.open("xb") as file:
        file.write(content)
        file.flush()
        # Before the rename that publishes it: after a power cut the new name must not lead to empty files.
        os.fsync(file.fileno())


def _swap(partial: Path, folder: Path) -> None:
    """Give `partial` the name `folder`; on any failure the old folder is back under it."""
    retired, replaced = _retired(folder), folder.is_dir()
    try:
        if replaced:
            # The folder's permissions are the user's choice and stay.
            partial.chmod(stat.S_IMODE(folder.stat().st_mode))
            os.rename(folder, retired)
        os.rename(partial, folder)
    except BaseException:  # an interrupt between the two renames too
        if replaced and not os.path.lexists(folder):
            os.rename(retired, folder)
        raise
    if replaced:
        try:
            _remove(retired, owned(retired))
        except OSError as error:
            raise ValueError(
                f"{folder} is written, but its former content in {retired} could not be removed "
                f"({error.strerror}); move what you need out of it and remove it"
            ) from None


def _retired(folder: Path) -> Path:
    # A fixed name, so that the next run finds it; a rename never follows a link that stands there.
    return folder.with_name(f".{folder.name}.ngrc-old")


def _check(folder: Path) -> None:
    if not os.path.lexists(folder):
        return
    if folder.is_symlink() or not folder.is_dir():
        raise ValueError(
            f"{folder} must be a folder, not a file or a link; move it away or name another --out"
        )
    check_ours(folder, os.listdir(folder))


def _remove(folder: Path, names: Iterable[str]) -> None:
    """Delete those names, the marker and the folder; never anything else."""
    for name in names:
        # A marker may have been tampered with: no name leads out of the folder.
        if Path(name).name == name:
            (folder / name).unlink(missing_ok=True)
    (folder / MARKER).unlink(missing_ok=True)
    folder.rmdir()

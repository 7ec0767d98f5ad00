"""Files that are written whole or not at all, under temporary names that nobody can foresee."""

import os
import secrets
import stat
from collections.abc import Callable
from pathlib import Path


def write_whole(path: Path, writer: Callable[[Path], object], *, follow: bool = True) -> None:
    """Let `writer` fill a neighbour of `path`, then rename it into place.

    A kill in the middle leaves the old file, or none; never half of the new one. A link is followed; an existing
    file keeps its permissions and a new one gets the usual ones. What is not a regular file (a pipe, a device)
    cannot be replaced and is written to.

    Parameters
    ----------
    path
        The file to write; its folder must be there.
    writer
        Called with the path of an empty file, which it fills by name and must not replace.
    follow
        Whether a link, pipe or device may stand at `path`. False for names that we chose, not the user: there a link
        can only lead to somebody's file.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_whole(Path(folder) / "new.txt", lambda partial: partial.write_text("whole"))
    ...     [(path.name, path.read_text()) for path in Path(folder).iterdir()]
    [('new.txt', 'whole')]
    """
    target, status = _locate(path, follow)
    if status is not None and not stat.S_ISREG(status.st_mode):
        # A rename onto /dev/stdout or a pipe would put a file in its place, and its reader would wait for ever.
        writer(path)
        return
    try:
        _replace(target, status, writer)
    except OSError as error:
        raise explained(path, error) from error


def write_bytes(path: Path, content: bytes, *, follow: bool = True) -> None:
    """Write bytes whole or not at all."""
    write_whole(path, lambda partial: partial.write_bytes(content), follow=follow)


def write_text(path: Path, text: str, *, follow: bool = True) -> None:
    """Write UTF-8 text whole or not at all, its line ends as they are."""
    write_bytes(path, text.encode(), follow=follow)


def check_file(path: Path, *, follow: bool = True) -> None:
    """Refuse, before any work is done, a file that `write_whole` could not write."""
    target, status = _locate(path, follow)
    if status is None or stat.S_ISREG(status.st_mode):
        _try_folder(target.parent, path)


def check_folder(folder: Path) -> None:
    """Refuse, before any work is done, a folder that could not be made with its parents, or not be filled."""
    base = folder
    # lexists, not exists: a dangling link on the way would be taken for a folder that is still to be made.
    while not os.path.lexists(base):
        base = base.parent
    if not base.is_dir():
        raise ValueError(f"cannot write into {folder}: {base} is not a folder; name another one")
    _try_folder(base, folder)


def explained(path: Path, error: OSError) -> OSError:
    """The same failure in one sentence that names what was to be written, not the passing name."""
    failure = OSError(f"cannot write {path}: {error.strerror or error}; what was there before is untouched")
    # OSError(message) has no number, by which a caller tells a full disk from a missing right.
    failure.errno = error.errno
    return failure


def _locate(path: Path, follow: bool) -> tuple[Path, os.stat_result | None]:
    """The file to replace and its status; None where it is yet to be made."""
    if not follow:
        _check_plain(path)
        # The folder's own links are the user's way to it. The last name stays as it is: a link that is planted there
        # after this look is itself replaced by the rename.
        return Path(os.path.realpath(path.parent)) / path.name, _status(path)
    return Path(os.path.realpath(path)), _status(path)


def _check_plain(path: Path) -> None:
    """Refuse a link, and what is neither a file nor a folder."""
    if path.is_symlink():
        raise ValueError(
            f"cannot write {path}: it is a link to {os.readlink(path)}, and this file is never written through a "
            "link; remove the link"
        )
    if path.exists() and not path.is_file() and not path.is_dir():
        raise ValueError(f"cannot write {path}: it is a pipe or a device, not a file; remove it")


def _status(path: Path) -> os.stat_result | None:
    """The status of the file behind all links; None where it is yet to be made."""
    try:
        status = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        if path.is_symlink():
            raise ValueError(
                f"cannot write {path}: it is a link to {os.readlink(path)}, which is not there; "
                "remove the link or name another file"
            ) from None
        if not path.parent.is_dir():
            raise ValueError(
                f"cannot write {path}: there is no folder {path.parent}; make it first"
            ) from None
        return None
    except OSError as error:
        raise ValueError(f"cannot write {path}: {error.strerror}; name another file") from None
    if stat.S_ISDIR(status.st_mode):
        raise ValueError(f"cannot write {path}: it is a folder; name a file")
    # A rename needs rights on the folder alone, and would get round the protection of a single file. The effective
    # user counts where the platform can ask for it: under sudo the real one says nothing.
    if not os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids):
        raise ValueError(f"cannot write {path}: it is write-protected; unprotect it or name another file")
    return status


def _open_partial(folder: Path, mode: int) -> tuple[int, Path]:
    """A new, empty file in `folder`, open; the umask applies to `mode`."""
    # 64 random bits: no name to plant a link under. O_EXCL would refuse that link, and any other file, anyway.
    partial = folder / f".ngrc-{secrets.token_hex(8)}.part"
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
    return os.open(partial, flags, mode), partial


def _replace(target: Path, status: os.stat_result | None, writer: Callable[[Path], object]) -> None:
    # What replaces a private file is private from the start, not only once it has the old file's mode.
    descriptor, partial = _open_partial(target.parent, 0o666 if status is None else 0o600)
    try:
        try:
            writer(partial)
            # Another program that may write in this folder could have put a link in the place of our file.
            if not os.path.samestat(os.fstat(descriptor), os.lstat(partial)):
                raise OSError("another program replaced the file while it was being written")
            if status is not None:
                partial.chmod(stat.S_IMODE(status.st_mode))
            # The rename must not reach the disk before the content does.
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        # The same folder, so that this is one step of one file system and never a copy.
        os.replace(partial, target)
    finally:
        partial.unlink(missing_ok=True)


def _try_folder(folder: Path, path: Path) -> None:
    """Make a file and take it away: permissions, read-only disks and quotas all show in this, and only in this."""
    try:
        descriptor, partial = _open_partial(folder, 0o600)
    except OSError as error:
        raise ValueError(
            f"cannot write {path}: the folder {folder} takes no new file ({error.strerror}); name another one"
        ) from None
    os.close(descriptor)
    partial.unlink()

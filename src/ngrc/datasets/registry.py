"""Where an original file is found: `$NGRC_DATA`, the cache, or a download that is whole or not at all."""

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ngrc._atomic import write_whole
from ngrc.datasets.fingerprints import check_unchanged, record, recorded, sha256
from ngrc.datasets.transfer import DatasetError, transfer

__all__ = ["DatasetError", "Original", "cache_folder", "download", "fetch", "find"]


@dataclass(frozen=True)
class Original:
    """A published file.

    Parameters
    ----------
    files
        Names under which it may lie in a folder; a download gets the first.
    check
        Reads the file and raises `ValueError` where it is not whole: for files whose hash is not known.
    url
        Where it is public, or None.
    most
        Bytes that a download may have; a server that sends more does not send this file.
    sha256
        The hash of the file at `url`, or None where it is not known.
    advice
        What to do where there is no address.
    """

    files: tuple[str, ...]
    check: Callable[[Path], object]
    url: str | None = None
    most: int = 0
    sha256: str | None = None
    advice: str = ""

    def __post_init__(self) -> None:
        if self.url is not None and self.most < 1:
            raise ValueError(f"most must be at least 1 byte where there is an address, got {self.most}")


def cache_folder() -> Path:
    """Return the folder for downloads: `$XDG_CACHE_HOME/ngrc`, or the platform's own cache."""
    root = os.environ.get("XDG_CACHE_HOME")
    if root:
        return Path(root) / "ngrc"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "ngrc" / "Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "ngrc"
    return Path.home() / ".cache" / "ngrc"


def find(original: Original) -> Path | None:
    """Return the file in `$NGRC_DATA` or the cache, or None."""
    folders = [cache_folder()]
    own_folder = os.environ.get("NGRC_DATA")
    if own_folder:
        if not Path(own_folder).is_dir():
            raise DatasetError(f"NGRC_DATA names {own_folder!r}, which is no folder; correct or unset it")
        folders.insert(0, Path(own_folder))
    paths = (folder / file for folder in folders for file in original.files)
    return next((path for path in paths if path.is_file()), None)


def fetch(original: Original) -> Path:
    """Return the file, downloaded into the cache where it is not there yet; a cached one must be as first read."""
    path = find(original)
    if path is not None:
        # The folder that NGRC_DATA names is the user's own: nothing is written there, and its files may change.
        if path.parent == cache_folder():
            _keep(original, path)
        return path
    if original.url is None:
        raise DatasetError(
            f"{original.files[0]} is not on this machine and has no public address; {original.advice}"
        )
    return download(original, cache_folder())


def download(original: Original, folder: Path) -> Path:
    """Download into `folder` under a passing name, verify, and only then give the file its own name."""
    if original.url is None:
        raise DatasetError(f"{original.files[0]} has no public address; {original.advice}")
    url, target = original.url, folder / original.files[0]

    def writer(partial: Path) -> None:
        transfer(url, partial, original.most)
        _verify(original, partial)

    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(target, writer, follow=False)
    except (OSError, ValueError) as error:
        raise DatasetError(
            f"could not download {url}: {error}; nothing was kept: try again, or fetch it by hand into the folder "
            f"that NGRC_DATA names, as {original.files[0]}"
        ) from None
    # Only now: a hash is recorded of what was verified, never of what merely arrived.
    record(target)
    return target


def _keep(original: Original, path: Path) -> None:
    """Compare a cached file with its record; one without is verified first and recorded then."""
    # A record can be removed or rewritten by whoever changes the file; a hash that we know cannot.
    if original.sha256 is not None and path.name == original.files[0]:
        _check_published(path, original.sha256)
    known = recorded(path)
    if known is not None:
        check_unchanged(path, known)
        return
    # A known hash is proof enough; under another name the same data may lie packed anew, which the content settles.
    if sha256(path) != original.sha256:
        original.check(path)
    record(path)


def _check_published(path: Path, known: str) -> None:
    digest = sha256(path)
    if digest != known:
        raise DatasetError(
            f"{path} is not the published file: sha256 {digest[:12]}..., expected {known[:12]}...; remove it to fetch "
            "it again, or, if it is your own, move it into a folder that NGRC_DATA names"
        )


def _verify(original: Original, path: Path) -> None:
    if original.sha256 is not None:
        digest = sha256(path)
        if digest != original.sha256:
            raise DatasetError(
                f"what came is damaged or another file: sha256 {digest[:12]}..., expected {original.sha256[:12]}..."
            )
        return
    try:
        original.check(path)
    except ValueError as error:
        # The check names the passing file, which nobody will find.
        reason = str(error).replace(str(path), "what came")
        raise DatasetError(f"what came is damaged or another file ({reason})") from None

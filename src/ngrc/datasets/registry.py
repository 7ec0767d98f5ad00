"""Where an original file is found: `$NGRC_DATA`, the cache, or a download that is whole or not at all."""

import hashlib
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_TIMEOUT = 60


class DatasetError(ValueError):
    """An original file is missing, cannot be fetched or is not what it should be."""


@dataclass(frozen=True)
class Original:
    """A published file.

    Parameters
    ----------
    files
        Names under which it may lie in a folder; a download gets the first.
    check
        Reads the file and raises `ValueError` where it is not whole: for downloads whose hash is not known.
    url
        Where it is public, or None.
    sha256
        The public file's hash, or None where it is not known.
    advice
        What to do where there is no address.
    """

    files: tuple[str, ...]
    check: Callable[[Path], object]
    url: str | None = None
    sha256: str | None = None
    advice: str = ""


def cache_folder() -> Path:
    """Return the folder for downloads: `$XDG_CACHE_HOME/ngrc`, or the platform's own cache."""
    chosen = os.environ.get("XDG_CACHE_HOME")
    if chosen:
        return Path(chosen) / "ngrc"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "ngrc" / "Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "ngrc"
    return Path.home() / ".cache" / "ngrc"


def find(original: Original) -> Path | None:
    """Return the file in `$NGRC_DATA` or the cache, or None."""
    folders = [cache_folder()]
    chosen = os.environ.get("NGRC_DATA")
    if chosen:
        if not Path(chosen).is_dir():
            raise DatasetError(f"NGRC_DATA names {chosen!r}, which is no folder; correct or unset it")
        folders.insert(0, Path(chosen))
    paths = (folder / file for folder in folders for file in original.files)
    return next((path for path in paths if path.is_file()), None)


def fetch(original: Original) -> Path:
    """Return the file, downloaded into the cache where it is not there yet."""
    path = find(original)
    if path is not None:
        return path
    if original.url is None:
        raise DatasetError(
            f"{original.files[0]} is not on this machine and has no public address; {original.advice}"
        )
    return download(original, cache_folder())


def download(original: Original, folder: Path) -> Path:
    """Download into `folder` under a passing name, verify, and only then give the file its own name."""
    target = folder / original.files[0]
    part = folder / f".{original.files[0]}.{os.getpid()}.part"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _transfer(original.url, part)
        _verify(original, part)
        os.replace(part, target)
    except OSError as error:
        raise DatasetError(
            f"could not download {original.url}: {str(error).splitlines()[0]}; "
            f"fetch it by hand into the folder that NGRC_DATA names, as {original.files[0]}"
        ) from None
    finally:
        part.unlink(missing_ok=True)
    return target


def _verify(original: Original, path: Path) -> None:
    if original.sha256 is not None:
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
        if found != original.sha256:
            raise DatasetError(
                f"the download of {original.url} is damaged: sha256 {found[:12]}..., expected "
                f"{original.sha256[:12]}...; nothing was kept, try again"
            )
        return
    try:
        original.check(path)
    except ValueError as error:
        raise DatasetError(
            f"the download of {original.url} is damaged ({error}); nothing was kept, try again"
        ) from None


def _transfer(url: str | None, path: Path) -> None:
    """Write what the address sends to `path` with a progress bar; failures of the network are `OSError`."""
    try:
        import pooch
        import tqdm  # noqa: F401  (pooch draws the progress bar with it)
    except ImportError:
        raise DatasetError("downloads need pooch and tqdm: pip install 'ngrc[datasets]'") from None
    opened: list[Any] = []

    def remember(response: Any, *_: Any, **__: Any) -> None:
        opened.append(response)

    try:
        pooch.HTTPDownloader(progressbar=True, timeout=_TIMEOUT, hooks={"response": remember})(
            url, str(path), None
        )
    finally:
        # pooch leaves the connection of a broken transfer open.
        for response in opened:
            response.close()

"""The sha256 of a cached file, recorded beside it after the first verified read and compared at every later one."""

import hashlib
import json
import logging
from pathlib import Path

from ngrc._atomic import write_text
from ngrc.datasets.transfer import DatasetError


def sha256(path: Path) -> str:
    """The file's hash, in hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def record_of(path: Path) -> Path:
    """Where the hash of `path` is kept.

    Examples
    --------
    >>> record_of(Path("solar_AL.txt.gz")).name
    'solar_AL.txt.gz.sha256.json'
    """
    return path.with_name(f"{path.name}.sha256.json")


def record(path: Path) -> None:
    """Keep the hash of a file that was just verified."""
    content = {"file": path.name, "sha256": sha256(path)}
    try:
        write_text(record_of(path), json.dumps(content, indent=1) + "\n", follow=False)
    except (OSError, ValueError) as error:
        # The file itself is good; only a later change of it will go unnoticed.
        logging.getLogger("ngrc").info("the hash of %s could not be recorded: %s", path, error)


def recorded(path: Path) -> str | None:
    """The hash that was kept, or None."""
    place = record_of(path)
    try:
        return str(json.loads(place.read_text(encoding="utf-8"))["sha256"])
    # No record is a file that was never read; a broken record may hide a change, and is not passed over.
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DatasetError(
            f"{place} should hold the hash of {path.name} and does not ({type(error).__name__}); remove it, and the "
            "file is verified anew"
        ) from None


def check_unchanged(path: Path, known: str) -> None:
    """Refuse a file that is not the one that was verified."""
    digest = sha256(path)
    if digest != known:
        raise DatasetError(
            f"{path} changed since it was first read: sha256 {digest[:12]}..., recorded {known[:12]}...; remove it to "
            f"fetch it again, or remove {record_of(path).name} beside it if the change was yours"
        )

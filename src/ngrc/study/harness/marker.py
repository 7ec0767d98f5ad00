"""Which files in a folder are ours: names and hashes, kept in a marker beside them."""

import hashlib
import json
import os
import stat
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

MARKER = ".ngrc-results.json"
NAMED = 3
"""How many file names a refusal spells out: enough to see whose files they are, still one line."""


def marker(files: Mapping[str, bytes], also: Mapping[str, Sequence[str]] | None = None) -> bytes:
    """The content of the marker beside `files`.

    Parameters
    ----------
    files
        Contents by name.
    also
        Further hashes by name that count as ours: of files that stay, or are about to be replaced.

    Examples
    --------
    >>> json.loads(marker({"a.csv": b""}))["files"]["a.csv"][0][:12]
    'e3b0c44298fc'
    """
    # Hashes and not names alone: a file that a user has edited under our name is no longer ours to replace.
    hashes = {name: set(values) for name, values in (also or {}).items()}
    for name, content in files.items():
        hashes.setdefault(name, set()).add(hashlib.sha256(content).hexdigest())
    listing = {name: sorted(hashes[name]) for name in sorted(hashes)}
    text = "ngrc wrote these files (sha256) and replaces them; others in this folder it leaves alone"
    return (json.dumps({"about": text, "files": listing}, indent=1) + "\n").encode()


def owned(folder: Path) -> dict[str, list[str]]:
    """Hashes by name of what we wrote into `folder`, empty where there is no marker."""
    path = folder / MARKER
    if path.is_symlink():
        raise ValueError(f"{path} is a link, which ngrc did not make; remove it or name another --out")
    try:
        listing = json.loads(path.read_text(encoding="utf-8"))["files"]
        return {str(name): [str(value) for value in values] for name, values in listing.items()}
    except (FileNotFoundError, NotADirectoryError):
        return {}
    # Not taken for absent: then our own files would count as the user's, and the refusal would name the wrong cause.
    except (ValueError, KeyError, TypeError, AttributeError, OSError) as error:
        raise ValueError(
            f"{path} does not say which files ngrc wrote ({type(error).__name__}); remove it with the files beside "
            "it, or name another --out"
        ) from None


def strangers(folder: Path, names: Iterable[str]) -> list[str]:
    """Those of `names` that stand in `folder` and are not as we wrote them."""
    hashes = owned(folder)
    present = sorted(name for name in names if name != MARKER and os.path.lexists(folder / name))
    return [name for name in present if not _ours(folder / name, hashes.get(name, []))]


def check_ours(folder: Path, names: Iterable[str]) -> None:
    """Refuse to replace what we did not write."""
    others = strangers(folder, names)
    if others:
        more = f" and {len(others) - NAMED} more" if len(others) > NAMED else ""
        raise ValueError(
            f"{folder} holds {', '.join(others[:NAMED])}{more}, which this version of ngrc did not write or which "
            "changed since; move that away or name another --out"
        )


def _ours(path: Path, hashes: Sequence[str]) -> bool:
    # A link is never ours, whatever it leads to.
    if not hashes or not stat.S_ISREG(path.lstat().st_mode):
        return False
    return hashlib.sha256(path.read_bytes()).hexdigest() in hashes

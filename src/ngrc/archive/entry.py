"""`save` and `load`, to files and to bytes."""

import json
import stat
import sys
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from ngrc._atomic import write_bytes
from ngrc.archive.arrays import from_npy, to_npy
from ngrc.archive.codec import Reader, Writer
from ngrc.archive.container import LARGEST, MANIFEST, TREE, ArchiveError, pack, unpack
from ngrc.archive.kinds import unkeepable

FORMAT = "ngrc archive"
VERSION = 1
"""Of the format: raised where an older ngrc could not read what a newer one writes."""


def save(value: Any, path: str | Path) -> None:
    """Keep a value in a file, written whole or not at all.

    Parameters
    ----------
    value
        An `NGRC` or `AutoNGRC`, fitted or not, a `Continuation`, an `OnlineForecaster`, an interval method, its
        `Tracker`, or an `Online`.
    path
        The file; what was there is replaced.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from ngrc import NGRC
    >>> with TemporaryDirectory() as folder:
    ...     save(NGRC(lags=4), Path(folder) / "model.ngrc")
    ...     load(Path(folder) / "model.ngrc")
    NGRC(lags=4)
    """
    content = dumps(value)
    target = Path(path)
    if target.is_dir():
        raise ValueError(f"cannot save to {target}: it is a folder; name a file in it")
    write_bytes(target, content)


def load(path: str | Path) -> Any:
    """What `save` kept, equal to the bit.

    Nothing that a file says is run: it holds arrays and plain values of known kinds, each checked.

    Raises
    ------
    ValueError
        Where the file was altered, cut short, made by another program, or written by a newer version.
    OSError
        Where it cannot be read.
    """
    try:
        return _loaded(_content(Path(path)))
    except ArchiveError as error:
        raise _said(str(path), error) from None
    except FileNotFoundError:
        raise FileNotFoundError(f"cannot load {path}: there is no such file; correct the path") from None
    except OSError as error:
        raise type(error)(
            f"cannot load {path}: {error.strerror or error}; correct the path or its rights"
        ) from None


def dumps(value: Any) -> bytes:
    """A value as bytes, as `save` would write them."""
    writer = Writer()
    tree = writer.tree(value)
    if not isinstance(tree, dict) or "kind" not in tree:
        raise unkeepable(type(value))
    entries: dict[str, bytes] = {MANIFEST: b"", TREE: _json(tree)}
    for place, array in enumerate(writer.arrays):
        entries[f"arrays/{place}.npy"] = to_npy(array)
    manifest = {
        "format": FORMAT,
        "version": VERSION,
        "ngrc": _own_version(),
        "kind": tree["kind"],
        "sha256": {name: _digest(content) for name, content in entries.items() if name != MANIFEST},
    }
    entries[MANIFEST] = _json(manifest)
    return pack(entries)


def loads(content: bytes) -> Any:
    """The value of bytes that `dumps` made.

    Raises
    ------
    ValueError
        As `load` does.

    Examples
    --------
    >>> from ngrc.intervals import Adaptive
    >>> loads(dumps(Adaptive(rate=0.01)))
    Adaptive(rate=0.01, rates=(0.001, 0.003, 0.005, 0.01, 0.02, 0.05))
    """
    try:
        return _loaded(bytes(content))
    except ArchiveError as error:
        raise _said("the bytes", error) from None


def _loaded(content: bytes) -> Any:
    entries = unpack(content)
    manifest = _parsed(entries[MANIFEST])
    _check_manifest(manifest, entries)
    count = len(entries) - 2
    if list(entries) != [MANIFEST, TREE, *(f"arrays/{place}.npy" for place in range(count))]:
        raise ArchiveError("its entries are not those of a kept value")
    arrays = [from_npy(entries[f"arrays/{place}.npy"]) for place in range(count)]
    tree = _parsed(entries[TREE])
    if not isinstance(tree, dict) or tree.get("kind") != manifest["kind"]:
        raise ArchiveError(f"it does not hold the {manifest['kind']} that it promises")
    reader = Reader(arrays)
    value = _rebuilt(reader, tree)
    if len(reader.used) < count:
        raise ArchiveError("it holds arrays that nothing in it speaks of")
    return value


def _check_manifest(manifest: Any, entries: Mapping[str, bytes | memoryview]) -> None:
    """Refuse another format or version, and entries that are not those that were written."""
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise ArchiveError("its manifest is not one of ngrc's")
    version = manifest.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise ArchiveError("its manifest names no version of the format")
    if version > VERSION:
        raise ArchiveError(
            f"it was written by a newer ngrc ({str(manifest.get('ngrc'))[:20]}, format {version}; this is "
            f"{_own_version()}, format {VERSION}); update ngrc, or save it again with this version"
        )
    if list(manifest) != ["format", "version", "ngrc", "kind", "sha256"]:
        raise ArchiveError("its manifest has other parts than a kept value's")
    if manifest["sha256"] != {name: _digest(entries[name]) for name in entries if name != MANIFEST}:
        raise ArchiveError("it was altered: a checksum does not fit")


def _rebuilt(reader: Reader, tree: Any) -> Any:
    try:
        return reader.value(tree)
    except (ArchiveError, ImportError):
        # An optional library that a model needs and that is not installed is no fault of the file.
        raise
    except Exception as error:
        # Whatever a constructor says to parts that do not fit each other: it is the file that is wrong.
        line = str(error).partition("\n")[0] or type(error).__name__
        raise ArchiveError(f"a part of it is not valid ({line[:200]})") from None


def _said(what: str, error: ArchiveError) -> ValueError:
    remedy = "" if ";" in str(error) else "; give a file that ngrc saved"
    return ValueError(f"cannot load {what}: {error}{remedy}")


def _content(path: Path) -> bytes:
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise ArchiveError("it is a folder" if stat.S_ISDIR(status.st_mode) else "it is not a regular file")
    if status.st_size > LARGEST + 2**24:
        raise ArchiveError("it is larger than any file that ngrc writes")
    return path.read_bytes()


def _json(tree: Any) -> bytes:
    return json.dumps(tree, separators=(",", ":"), allow_nan=False).encode()


def _parsed(content: bytes | memoryview) -> Any:
    text = bytes(content)
    try:
        tree = json.loads(text)
        # Written again it must be the same: no key comes twice, and no number has digits that were not read.
        same = _json(tree) == text
    except (ValueError, RecursionError):
        same = False
    if not same:
        raise ArchiveError("its tables are not as ngrc writes them")
    return tree


def _digest(content: bytes | memoryview) -> str:
    return sha256(content).hexdigest()


def _own_version() -> str:
    # Not imported: the archive stands below everything that `ngrc` itself is made of, and is loaded by it.
    return str(sys.modules[__name__.partition(".")[0]].__version__)

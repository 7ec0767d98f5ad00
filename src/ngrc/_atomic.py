"""Files that are written whole or not at all."""

import os
from collections.abc import Callable
from pathlib import Path


def write_whole(path: Path, writer: Callable[[Path], object]) -> None:
    """Let `writer` fill a neighbour of `path`, then rename it into place.

    A kill in the middle leaves the old file, or none; never half of the new one. A link is followed and an existing
    file keeps its permissions. What is not a regular file (a pipe, a device) cannot be replaced and is written to.
    """
    target = path.resolve()
    if not target.parent.is_dir():
        raise ValueError(f"cannot write {path}: there is no folder {path.parent}; make it first")
    if target.is_dir():
        raise ValueError(f"cannot write {path}: it is a folder; name a file")
    if target.exists() and not target.is_file():
        writer(target)
        return
    partial = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        writer(partial)
        if target.exists():
            partial.chmod(target.stat().st_mode & 0o7777)
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Write UTF-8 text whole or not at all."""
    write_whole(path, lambda partial: partial.write_text(text, encoding="utf-8"))

"""Files that are written whole or not at all."""

from collections.abc import Callable
from pathlib import Path


def write_whole(path: Path, writer: Callable[[Path], object]) -> None:
    """Let `writer` fill a neighbour of `path`, then rename it into place.

    A kill in the middle leaves the old file, or none; never half of the new one.
    """
    partial = path.with_name(f".{path.name}.part")
    try:
        writer(partial)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Write UTF-8 text whole or not at all."""
    write_whole(path, lambda partial: partial.write_text(text, encoding="utf-8"))

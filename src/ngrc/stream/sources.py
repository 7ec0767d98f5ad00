"""Lines of standard input, and of a file that grows: rotated, truncated, written by halves."""

import os
from collections.abc import Callable, Iterator
from io import UnsupportedOperation
from pathlib import Path
from threading import Event
from typing import BinaryIO

from ngrc.stream.intake import Coming, Cutter, Remark

PIECE = 1 << 16
"""Bytes per read: what a pipe of Linux holds."""
POLL = 0.1
"""Seconds between two looks at a followed file: people do not notice, and the processor does not either."""


def of_stream(stream: BinaryIO) -> Iterator[Coming]:
    """Lines of a pipe or a file up to its end; a last line may lack its line feed."""
    cutter = Cutter()
    read = _reader(stream)
    while content := read():
        piece = cutter.cut(content)
        if piece is not None:
            yield piece
    last = cutter.rest()
    if last is not None:
        yield last


def _reader(stream: BinaryIO) -> Callable[[], bytes]:
    """What is there now, without waiting until a buffer is full."""
    try:
        descriptor = stream.fileno()
    except (UnsupportedOperation, AttributeError):
        return lambda: stream.read(PIECE)
    return lambda: os.read(descriptor, PIECE)


def of_growing(path: Path, over: Event) -> Iterator[Coming]:
    """Lines of a file as they are appended, as `tail -F` has them, from its beginning and until `over` is set.

    Another file under the same name is gone over to once the old one has been read to its end; a file that became
    shorter is read from its beginning; one that is not there is waited for.
    """
    absent = False
    while not over.is_set():
        try:
            file = path.open("rb", buffering=0)
        except FileNotFoundError:
            if not absent:
                yield Remark(f"waiting for {path}, which is not there")
                absent = True
            over.wait(POLL)
            continue
        absent = False
        with file:
            yield from _of_one(file, path, over)


def _of_one(file: BinaryIO, path: Path, over: Event) -> Iterator[Coming]:
    """Lines of an open file until another one has its name."""
    cutter, left = Cutter(), False
    while not over.is_set():
        content = file.read(PIECE)
        if content:
            left = False
            piece = cutter.cut(content)
            if piece is not None:
                yield piece
            continue
        if left:
            yield Remark(f"{path} was replaced; going on with the new file")
            last = cutter.rest()
            if last is not None:
                yield last
            return
        if os.fstat(file.fileno()).st_size < file.tell():
            yield Remark(f"{path} was truncated; reading it from its beginning")
            file.seek(0)
            cutter = Cutter()
            continue
        # Read once more after it was seen to be another one: a last line may have come in between.
        left = _is_another(file, path)
        over.wait(POLL)


def _is_another(file: BinaryIO, path: Path) -> bool:
    try:
        return not os.path.samestat(os.fstat(file.fileno()), os.stat(path))
    except FileNotFoundError:
        # Moved away, and its successor is not there yet: whoever writes may still be at it.
        return False

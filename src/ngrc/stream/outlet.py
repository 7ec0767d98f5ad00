"""Where lines go: whole, at once, and without waiting for ever once somebody wants us to stop."""

import os
import select
from io import UnsupportedOperation
from time import monotonic
from typing import TextIO

from ngrc.stream.stopping import Stopping

CHUNK = getattr(select, "PIPE_BUF", 512)
"""Bytes per write: as many as a pipe that has room takes without making us wait; where nobody says how many, the least
that POSIX grants."""
GRACE = 2.0
"""Seconds that a reader has to take answers once we are asked to stop; they can be asked for again."""


class Outlet:
    """Standard output, or another text stream, whose reader may be slow.

    Parameters
    ----------
    stream
        Where lines go.
    stopping
        Whether somebody wants us to stop.
    """

    def __init__(self, stream: TextIO, stopping: Stopping) -> None:
        self._stream, self._stopping = stream, stopping
        self._descriptor: int | None = None
        # Without `poll`, as on Windows, a slow reader holds us up even when we are asked to stop.
        if not hasattr(select, "poll"):
            return
        try:
            self._descriptor = stream.fileno()
        except (UnsupportedOperation, AttributeError):
            return
        stream.flush()
        self._poll = select.poll()
        self._poll.register(self._descriptor, select.POLLOUT)

    def write(self, text: str) -> None:
        """Write and flush; waits for a slow reader, but only for a moment once we are asked to stop."""
        if self._descriptor is None:
            self._stream.write(text)
            self._stream.flush()
            return
        content = memoryview(text.encode())
        while content and self._ready():
            content = content[os.write(self._descriptor, content[:CHUNK]) :]

    def _ready(self) -> bool:
        """Whether something can be written; False where nobody read within the grace."""
        assert self._descriptor is not None
        since = None
        # A closed pipe is ready too: the write then says so.
        while not self._poll.poll(100):
            if self._stopping.asked:
                since = monotonic() if since is None else since
                if monotonic() - since > GRACE:
                    return False
        return True

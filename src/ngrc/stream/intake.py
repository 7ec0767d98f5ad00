"""Where lines come from, read ahead by a bounded amount in a thread of its own.

The thread waits where nobody takes what it has read: a slow reader of our output holds up our input, and memory stays
as it is.
"""

from collections.abc import Iterator
from queue import Empty, SimpleQueue
from threading import Semaphore, Thread
from typing import NamedTuple, TypeAlias

from ngrc.stream.lines import LONGEST

DEPTH = 4
"""Pieces that are read ahead: enough to keep the reader busy during a commit."""


class Piece(NamedTuple):
    """Some lines, without their line feeds, and the number of the first."""

    first: int
    lines: list[bytes]


class Remark(NamedTuple):
    """Something that people should know about the input."""

    text: str


Coming: TypeAlias = Piece | Remark


class Cutter:
    r"""Cuts bytes into lines; of a line that is too long only enough is kept to see that it is.

    Examples
    --------
    >>> cutter = Cutter()
    >>> cutter.cut(b"1\n2\n3"), cutter.rest()
    (Piece(first=1, lines=[b'1', b'2']), Piece(first=3, lines=[b'3']))
    """

    def __init__(self) -> None:
        self._next = 1
        self._parts: list[bytes] = []
        self._held = 0

    def cut(self, read: bytes) -> Piece | None:
        """Lines that are now complete; None where there is none."""
        *whole, rest = read.split(b"\n")
        if not whole:
            self._hold(rest)
            return None
        if self._parts:
            self._hold(whole[0])
            whole[0] = b"".join(self._parts)
            self._parts, self._held = [], 0
        self._hold(rest)
        return self._piece(whole)

    def rest(self) -> Piece | None:
        """What stands behind the last line feed, as a line; None where nothing does."""
        if not self._parts:
            return None
        line = b"".join(self._parts)
        self._parts, self._held = [], 0
        return self._piece([line])

    def _hold(self, part: bytes) -> None:
        if part and self._held <= LONGEST:
            self._parts.append(part)
            self._held += len(part)

    def _piece(self, lines: list[bytes]) -> Piece:
        first = self._next
        self._next += len(lines)
        return Piece(first, lines)


class Intake:
    """Pieces of a source, read ahead by a thread.

    Parameters
    ----------
    source
        Pieces and remarks in order; its end is the end of the input, and an error in it is raised where lines are
        taken.
    """

    def __init__(self, source: Iterator[Coming]) -> None:
        self.ended = False
        # The queue that may be put to from a signal's handler; its bound is the semaphore's.
        self._queue: SimpleQueue[Coming | BaseException | None] = SimpleQueue()
        self._room = Semaphore(DEPTH)
        self._piece, self._place = Piece(1, []), 0
        # A daemon: at the end it may still wait for a line that never comes.
        Thread(target=self._read, args=(source,), name="ngrc-intake", daemon=True).start()

    def _read(self, source: Iterator[Coming]) -> None:
        try:
            for item in source:
                self._room.acquire()
                self._queue.put(item)
            end: BaseException | None = StopIteration()
        except BaseException as error:
            end = error
        self._queue.put(end)

    def wake(self) -> None:
        """Let a `take` that waits return without lines; safe in a signal's handler."""
        self._queue.put(None)

    def take(self, most: int, *, wait: bool) -> Coming | None:
        """The next lines, `most` at most; None where none are there, the input has ended, or it was woken."""
        if self._place >= len(self._piece.lines):
            item = self._next(wait)
            if not isinstance(item, Piece):
                return item
            self._piece, self._place = item, 0
        place = self._place
        self._place += most
        return Piece(self._piece.first + place, self._piece.lines[place : place + most])

    def _next(self, wait: bool) -> Coming | None:
        if self.ended:
            return None
        try:
            item = self._queue.get(block=wait)
        except Empty:
            return None
        if isinstance(item, StopIteration):
            self.ended = True
            return None
        if isinstance(item, BaseException):
            self.ended = True
            raise item
        if item is not None:
            self._room.release()
        return item

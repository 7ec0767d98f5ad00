"""A process of the command: a fresh one, or a copy of this one, which has imported everything already.

A copy starts within a moment, so that a minute holds dozens of kills; the kill is as real as any.
"""

import os
import signal
import sys
from collections.abc import Sequence
from io import BytesIO, StringIO, TextIOWrapper
from itertools import islice
from typing import BinaryIO, NoReturn

from soak.scenes import Scene

PROGRAM = "from ngrc.cli import main; main()"


class Child:
    """A process with pipes at both ends.

    Parameters
    ----------
    words
        Of the command line.
    fresh
        Whether it begins with an interpreter of its own.
    """

    def __init__(self, words: Sequence[str], *, fresh: bool) -> None:
        self.code: int | None = None
        taken, self.stdin = os.pipe()
        out, given = os.pipe()
        err, complained = os.pipe()
        self._pid = os.fork()
        if not self._pid:
            for number, descriptor in enumerate((taken, given, complained)):
                os.dup2(descriptor, number)
            os.closerange(3, 1000)
            _become(words, fresh)
        for descriptor in (taken, given, complained):
            os.close(descriptor)
        self.stdout: BinaryIO = os.fdopen(out, "rb")
        self.stderr: BinaryIO = os.fdopen(err, "rb")

    @property
    def gone(self) -> bool:
        """Whether it has ended; it is not waited for, so that its number stays its own."""
        flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
        return self.code is not None or os.waitid(os.P_PID, self._pid, flags) is not None

    def send(self, number: signal.Signals) -> None:
        """Send a signal; to one that has ended and was not waited for it does nothing."""
        if self.code is None:
            os.kill(self._pid, number)

    def wait(self) -> int:
        """Exit code, negative where a signal ended it; called once its output has ended."""
        _, status = os.waitpid(self._pid, 0)
        self.code = os.waitstatus_to_exitcode(status)
        self.stdout.close()
        self.stderr.close()
        return self.code


def _become(words: Sequence[str], fresh: bool) -> NoReturn:
    """Be the command from here on; this never returns to what the copy was made of."""
    try:
        if fresh:
            os.execv(sys.executable, [sys.executable, "-c", PROGRAM, *words])
        from ngrc.cli import main

        sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w", buffering=1)  # noqa: SIM115
        signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            main(list(words))
        except SystemExit as end:
            sys.stderr.flush()
            os._exit(end.code if isinstance(end.code, int) else 0)
    finally:
        # Whatever went wrong, not a line of the soak may run in the copy.
        os._exit(99)


def rehearse(scenes: Sequence[Scene]) -> None:
    """Import, compile and load what a stream needs, so that copies have it."""
    import ngrc.durable.opening
    import ngrc.durable.resumption  # noqa: F401
    from ngrc.cli import run

    streams = sys.stdin, sys.stdout
    try:
        for scene in scenes:
            content = "".join(islice(scene.lines(0), 700)).encode()
            sys.stdin, sys.stdout = TextIOWrapper(BytesIO(content)), StringIO()
            run(["stream", *scene.options])
    finally:
        sys.stdin, sys.stdout = streams

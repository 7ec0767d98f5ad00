"""One life of the command: started, fed, answered, and killed at an instant that nobody chose."""

import json
import os
import signal
from collections.abc import Callable, Sequence
from random import Random
from threading import Thread, Timer
from time import sleep
from typing import Any, NamedTuple

from soak.children import Child

LONGEST = 300.0
"""Seconds after which a life that nobody ended counts as hung."""
AHEAD = 800
"""Lines that a sender may be ahead of its answers."""


class Life(NamedTuple):
    """How a life went: answers in order, how many lines were written, and how it ended."""

    answers: list[dict[str, Any]]
    sent: int
    code: int
    complaint: str


class End(NamedTuple):
    """A signal, and after how many seconds: of the first answer, or of the start."""

    seconds: float
    number: signal.Signals = signal.SIGKILL
    answered: bool = False


def live(
    options: Sequence[str], lines: Sequence[str], random: Random, *, end: End | None, fresh: bool = False
) -> Life:
    """Feed lines in bursts until the process is ended by the clock, or, where `end` is None, has had them all."""
    child = Child(["stream", *options], fresh=fresh)
    answers: list[dict[str, Any]] = []
    complaints: list[bytes] = []
    last = Timer(LONGEST, child.send, (signal.SIGKILL,))
    killer = None if end is None else Timer(end.seconds, child.send, (end.number,))
    later = killer is not None and end is not None and end.answered
    readers = [
        Thread(
            target=_read, args=(child, answers, killer.start if killer is not None and later else _nothing)
        ),
        Thread(target=lambda: complaints.append(child.stderr.read())),
    ]
    for thread in (*readers, last, *([] if killer is None or later else [killer])):
        thread.start()
    sent = _send(child, lines, random, answers)
    for reader in readers:
        reader.join()
    for clock in (last, killer):
        if clock is not None and clock.ident is not None:
            clock.cancel()
            clock.join()
    return Life(answers, sent, child.wait(), b"".join(complaints).decode(errors="replace").strip())


def _nothing() -> None:
    """For a life whose clock runs from its start."""


def _send(child: Child, lines: Sequence[str], random: Random, answers: Sequence[object]) -> int:
    """Write bursts of lines with pauses between them; the number of lines that went out whole."""
    sent = 0
    try:
        while sent < len(lines):
            # No sender waits for ever with what it has: some are cautious, some are not.
            while sent - len(answers) > AHEAD and not child.gone:
                sleep(0.001)
            # Sometimes one at a time, sometimes as fast as the pipe takes them.
            burst = random.choice((1, 1, 5, 50, 500))
            content = "".join(lines[sent : sent + burst]).encode()
            while content:
                content = content[os.write(child.stdin, content) :]
            sent += min(burst, len(lines) - sent)
            sleep(random.choice((0.0, 0.0, 0.001, 0.02)))
    except BrokenPipeError:
        # Killed: what was in the pipe is gone, and nobody said that it arrived.
        pass
    finally:
        os.close(child.stdin)
    return sent


def _read(child: Child, answers: list[dict[str, Any]], begin: Callable[[], None]) -> None:
    for line in child.stdout:
        if not answers:
            begin()
        # Killed in the middle of a write: half a line acknowledges nothing.
        if line.endswith(b"\n"):
            answers.append(json.loads(line))

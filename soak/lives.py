"""One life of the command: started, fed, answered, and killed at an instant that nobody chose."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from random import Random
from threading import Thread, Timer
from time import sleep
from typing import Any, NamedTuple

LONGEST = 120.0
"""Seconds after which a life that nobody ended counts as hung."""
AHEAD = 3000
"""Lines that a sender may be ahead of its answers."""
PROGRAM = "from ngrc.cli import main; main()"


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


def live(options: Sequence[str], lines: Sequence[str], random: Random, *, end: End | None) -> Life:
    """Feed lines in bursts until the process is ended by the clock, or, where `end` is None, has had them all."""
    child = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, "stream", *options],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert child.stdout is not None
    assert child.stderr is not None
    answers: list[dict[str, Any]] = []
    complaints: list[bytes] = []
    clocks = [Timer(LONGEST, child.kill)]
    if end is not None:
        clocks.append(Timer(end.seconds, child.send_signal, (end.number,)))
    begin = clocks[-1].start if end is not None and end.answered else lambda: None
    readers = [
        Thread(target=_read, args=(child, answers, begin)),
        Thread(target=lambda: complaints.append(_all(child))),
    ]
    for thread in (*readers, *(clocks[:1] if end is not None and end.answered else clocks)):
        thread.start()
    sent = _send(child, lines, random, answers)
    code = child.wait(LONGEST + 10)
    for clock in clocks:
        clock.cancel()
    for thread in readers:
        thread.join()
    child.stdout.close()
    child.stderr.close()
    return Life(answers, sent, code, b"".join(complaints).decode(errors="replace").strip())


def _send(
    child: "subprocess.Popen[bytes]", lines: Sequence[str], random: Random, answers: Sequence[object]
) -> int:
    """Write bursts of lines with pauses between them; the number of lines that went out whole."""
    assert child.stdin is not None
    descriptor, sent = child.stdin.fileno(), 0
    try:
        while sent < len(lines):
            # No sender waits for ever with what it has: some are cautious, some are not.
            while sent - len(answers) > AHEAD and child.poll() is None:
                sleep(0.001)
            # Sometimes one at a time, sometimes as fast as the pipe takes them.
            burst = random.choice((1, 1, 5, 50, 500))
            content = "".join(lines[sent : sent + burst]).encode()
            while content:
                content = content[os.write(descriptor, content) :]
            sent += min(burst, len(lines) - sent)
            sleep(random.choice((0.0, 0.0, 0.001, 0.02)))
        child.stdin.close()
    except BrokenPipeError:
        # Killed: what was in the pipe is gone, and nobody said that it arrived.
        child.stdin.close()
    return sent


def _read(child: "subprocess.Popen[bytes]", answers: list[dict[str, Any]], begin: Callable[[], None]) -> None:
    assert child.stdout is not None
    for line in child.stdout:
        if not answers:
            begin()
        # Killed in the middle of a write: half a line acknowledges nothing.
        if line.endswith(b"\n"):
            answers.append(json.loads(line))


def _all(child: "subprocess.Popen[bytes]") -> bytes:
    assert child.stderr is not None
    return child.stderr.read()

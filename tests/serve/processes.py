"""`ngrc serve` as a process of its own, on loopback, ended whatever happens."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

COMMAND = [sys.executable, "-c", "from ngrc.cli import main; main()", "serve"]


class Process:
    """A running service, and requests to it."""

    def __init__(self, state: Path, *options: str, **environment: str) -> None:
        self.child = subprocess.Popen(
            [*COMMAND, "--state", str(state), *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1", **environment},
        )
        assert self.child.stdout is not None
        self.line = self.child.stdout.readline()
        found = re.fullmatch(r"ngrc: serving on (http://\S+)/\n", self.line)
        self.url = "" if found is None else found[1]

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """The JSON of an answer that is well."""
        answer = httpx.request(method, self.url + path, json=body, timeout=120.0)
        assert answer.status_code in (200, 201), answer.text
        return answer.json()

    def end(self, number: int = signal.SIGTERM) -> int:
        """Send a signal; the exit code."""
        self.child.send_signal(number)
        return self.child.wait(60)

    def errors(self) -> str:
        """What it said on standard error, once it has ended."""
        assert self.child.stderr is not None
        self.child.wait(60)
        return self.child.stderr.read()


@contextmanager
def running(state: Path, *options: str, **environment: str) -> Iterator[Process]:
    """A service, ended at the end."""
    process = Process(state, *options, **environment)
    try:
        yield process
    finally:
        if process.child.poll() is None:
            process.child.kill()
            process.child.wait(60)
        for stream in (process.child.stdout, process.child.stderr):
            if stream is not None:
                stream.close()

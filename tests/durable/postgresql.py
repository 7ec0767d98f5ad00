"""A PostgreSQL server of our own for tests: on a Unix socket in a folder of its own, ended with the tests.

`from tests.durable.postgresql import postgresql` gives the fixture, one server per test process; `database` gives the
address of a new, empty database on it. Both skip where the server's programs are not installed.
"""

import ctypes
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
SETTINGS = {
    "listen_addresses": "",
    # A test's server outlives its own crashes, not the machine's.
    "fsync": "off",
    "shared_buffers": "16MB",
    "max_connections": "40",
    "logging_collector": "off",
}


class Server:
    """One server: `start`, `stop`, and databases on it."""

    def __init__(self) -> None:
        self._bin = PROGRAMS[-1].parent
        # PostgreSQL refuses to run as root.
        self._user = "postgres" if os.getuid() == 0 else pwd.getpwuid(os.getuid()).pw_name
        # Not under pytest's own folder, which other users cannot enter; short, as a socket's path must be.
        self.folder = Path(tempfile.mkdtemp(prefix="ngrc-pg-"))
        if os.getuid() == 0:
            shutil.chown(self.folder, self._user)
        self._process: subprocess.Popen[bytes] | None = None
        self._count = 0
        # Named, as it would be that of the environment: under LC_ALL=C a database without an encoding.
        locale = ("--encoding=UTF8", "--locale=C")
        made = self._run(
            "initdb", "-D", str(self.folder / "data"), "-U", "ngrc", "-A", "trust", "--no-sync", *locale
        )
        assert made.returncode == 0, made.stderr

    def start(self) -> None:
        """Start, and wait until it answers."""
        options = [word for name, value in SETTINGS.items() for word in ("-c", f"{name}={value}")]
        with open(self.folder / "log", "ab") as log:
            self._process = subprocess.Popen(
                [self._bin / "postgres", "-D", self.folder / "data", "-k", self.folder, *options],
                stdout=log,
                stderr=log,
                preexec_fn=_end_with_parent,
                **self._as_user(),
            )
        until = time.monotonic() + 30
        while self._run("pg_isready", "-h", str(self.folder), "-U", "ngrc").returncode:
            assert self._process.poll() is None, (self.folder / "log").read_text()
            assert time.monotonic() < until, "the server did not start"
            time.sleep(0.05)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop and wait: SIGINT ends all connections, SIGQUIT is as if it had crashed."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(30)
            self._process = None

    def create_database(self, encoding: str = "UTF8") -> str:
        """The address of a new database."""
        self._count += 1
        name = f"state_{self._count}"
        words = ("-E", encoding, "-T", "template0", "-h", str(self.folder), "-U", "ngrc")
        made = self._run("createdb", *words, name)
        assert made.returncode == 0, made.stderr
        return f"postgresql://ngrc@/{name}?host={self.folder}"

    def sql(self, address: str, statement: str) -> str:
        """What `psql` prints for a statement."""
        done = self._run("psql", "-X", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", statement, address)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def remove(self) -> None:
        """Stop, and leave nothing behind."""
        self.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _run(self, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [str(self._bin / program), *arguments]
        return subprocess.run(
            command, capture_output=True, text=True, check=False, cwd="/", **self._as_user()
        )

    def _as_user(self) -> dict[str, Any]:
        return {"user": self._user, "group": self._user, "extra_groups": []} if os.getuid() == 0 else {}


def _end_with_parent() -> None:
    """Let the kernel end the server when the tests end, however they do (Linux; PR_SET_PDEATHSIG is 1)."""
    ctypes.CDLL(None).prctl(1, signal.SIGQUIT)


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Server]:
    if not PROGRAMS:
        pytest.skip("PostgreSQL is not installed: no /usr/lib/postgresql/*/bin/initdb")
    pytest.importorskip("psycopg")
    server = Server()
    try:
        server.start()
        yield server
    finally:
        server.remove()


@pytest.fixture
def database(postgresql: Server) -> str:
    return postgresql.create_database()

"""A PostgreSQL server of our own: in a folder, on a socket inside it, gone when the block ends."""

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

USER = "postgres"


def binaries() -> Path | None:
    """The folder of the newest server's programs; None where none is installed."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: float(folder.parent.name))
    found = shutil.which("initdb")
    return folders[-1] if folders else Path(found).parent if found else None


@contextmanager
def server(folder: Path) -> Iterator[str]:
    """A running server; yields its URL. Raises `FileNotFoundError` where PostgreSQL is not installed."""
    programs = binaries()
    if programs is None:
        raise FileNotFoundError("PostgreSQL is not installed here (Debian: apt-get install postgresql)")
    data = folder / "data"
    data.mkdir(parents=True)
    if os.geteuid() == 0:
        # The server refuses to run as root; its own user must reach the folder.
        for one in (folder, data):
            shutil.chown(one, USER)
        for parent in folder.parents:
            if parent.stat().st_uid == 0 and not parent.stat().st_mode & 0o001:
                parent.chmod(parent.stat().st_mode | 0o011)
    _run([str(programs / "initdb"), "-D", str(data), "-A", "trust", "-U", USER, "--no-sync"])
    settings = f"-c listen_addresses='' -c unix_socket_directories='{folder}'"
    control = [str(programs / "pg_ctl"), "-D", str(data), "-w"]
    _run([*control, "-o", settings, "-l", str(folder / "log"), "start"])
    try:
        yield f"postgresql://{USER}@/postgres?host={folder}"
    finally:
        _run([*control, "-m", "fast", "stop"])


def _run(command: Sequence[str]) -> None:
    as_user = ["runuser", "-u", USER, "--"] if os.geteuid() == 0 else []
    subprocess.run(
        [*as_user, *command], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/"
    )

"""No connection is opened unless a download is asked for: one process in which every attempt is an error."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

GUARDED = """
import sys

def guard(event, arguments):
    # A pipe to oneself is a socket too; what leaves the process is a connection, a name that is looked up, or a port.
    if event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto", "socket.bind"):
        raise RuntimeError(f"the network: {event} {arguments[1:]}")

sys.addaudithook(guard)
"""

# A part of every command that reaches all that it loads, as small as that can be.
SMALL = "--lags 2 --degree 1"
LINES = [
    f"forecast y.csv {SMALL} --method split --horizon 2 --save m.ngrc --plot p.html --json",
    f"forecast y.csv {SMALL} --method split --plot p.png --out f.csv",
    "forecast y.csv --model m.ngrc",
    "forecast l.csv --lags 2 --degree 1 --method split",
    f"compare y.csv {SMALL} --method split,rolling --split fixed",
    "intervals t.csv --forecast wind --method split",
    f"stream --state s.db {SMALL} --method rolling --gather 30",
    "stream --state s.db --inspect",
    "data list",
    "data where",
    "completion bash",
    "forecast https://example.org/data.csv",
]


def run_guarded(program: str, folder: Path, **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", GUARDED + program],
        cwd=folder,
        env={**os.environ, **environment},
        input="".join(f"{7 * step % 11}\n" for step in range(35)),
        capture_output=True,
        text=True,
        timeout=300,
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from tests.bad_inputs.making import furnish

    path = tmp_path_factory.mktemp("surface")
    furnish(path)
    return path


def test_no_command_opens_a_connection(folder: Path) -> None:
    program = f"""
import ngrc.cli
codes = {{}}
for line in {LINES!r}:
    codes[line] = ngrc.cli.run([*line.split()])
print(codes, file=sys.stderr)
bad = {{line: code for line, code in codes.items() if code != (2 if "https:" in line else 0)}}
sys.exit(str(bad) if bad else 0)
"""
    child = run_guarded(program, folder)
    assert child.returncode == 0, child.stderr
    assert "the network" not in child.stderr + child.stdout


def test_no_module_opens_a_connection_when_it_is_imported(folder: Path) -> None:
    program = """
import importlib, pkgutil
import ngrc
for module in pkgutil.walk_packages(ngrc.__path__, "ngrc."):
    if module.name.rpartition(".")[2] == "__main__":
        continue
    try:
        importlib.import_module(module.name)
    except ImportError as error:
        # An optional library that is not here is no affair of this test.
        print(module.name, error)
"""
    child = run_guarded(program, folder)
    assert child.returncode == 0, child.stderr


def test_the_guard_would_see_one(folder: Path) -> None:
    program = "import ngrc.cli; sys.exit(ngrc.cli.run(['data', 'get', 'exchange']))"
    child = run_guarded(program, folder, XDG_CACHE_HOME=str(folder / "cache"), NGRC_DATA="", NO_PROXY="*")
    assert child.returncode != 0
    assert "the network: socket.getaddrinfo" in child.stderr

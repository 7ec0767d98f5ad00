"""`ngrc stream` under load: observations per second, memory over millions of them, and the way of one line.

`make bench` has the rate in memory; `python -m benchmarks.streaming [--quick]` has every figure beside a reference of
the same run. Seconds are those of the clock, as a stream is used; a machine that does other things at the time shows in
the references too.
"""

import argparse
import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import sin
from pathlib import Path
from random import Random
from threading import Thread
from time import perf_counter, sleep
from typing import NamedTuple

from benchmarks.harness import ITSELF, ROUNDS, Measurement
from benchmarks.scene import Scene

SHAPE = ("--lags", "12", "--method", "adaptive", "--level", "90", "--gather", "200")
WINDOWED = ("--lags", "12", "--method", "rolling", "--level", "90", "--gather", "200")
GOALS = {"in memory": 25_000.0, "sqlite": 2_000.0}
"""Observations per second of one adaptive series on an idle machine of two cores."""
# The least that any program between two pipes does: read a line, parse it, write an object.
ECHO = """
import json, sys
for line in sys.stdin:
    print(json.dumps({"value": float(line)}), flush=False)
"""
# The least that a kept observation costs one by one: a row, and the disk's word for it.
INSERT = "insert into observations values (?, ?, ?)"


def measurements(scene: Scene) -> Iterator[tuple[str, Callable[[], Measurement]]]:
    """The row of `make bench`."""
    yield "ngrc stream in memory", partial(in_memory, 3_000 if scene.quick else 100_000)


def in_memory(size: int) -> Measurement:
    """The best rate of some runs, beside its goal."""
    runs = [driven(["-m", "ngrc", "stream", *SHAPE], size) for _ in range(ROUNDS)]
    best, goal, loop = max(run.rate for run in runs), GOALS["in memory"], driven(["-c", ECHO], size)
    cost = min(run.cost for run in runs)
    words = (
        f"{size:,} lines answered; {cost:.0f} microseconds of the processor each; a loop that parses a number and "
        f"writes an object has {loop.rate:,.0f} lines per second"
    )
    return Measurement(
        "ngrc stream in memory, observations per second", ITSELF, best, goal, best / goal, 1.0, words, "/s"
    )


def values(count: int) -> Iterator[bytes]:
    """Lines of a noisy wave."""
    random = Random(0)
    for step in range(count):
        yield b"%.6f\n" % (20 * sin(step / 5) + random.gauss(0, 1))


class Run(NamedTuple):
    """A child that was fed and read: lines, seconds since its first answers, those of its processor, memory in MB."""

    lines: int
    seconds: float
    busy: float
    memory: tuple[float, ...]

    @property
    def rate(self) -> float:
        """Lines per second."""
        return self.lines / self.seconds

    @property
    def cost(self) -> float:
        """Microseconds of the processor per line: what a busy machine spoils less."""
        return 1e6 * self.busy / self.lines


def driven(command: Sequence[str], count: int, first: int = 400, marks: Sequence[int] = ()) -> Run:
    """Feed a child as fast as it reads; the clock starts once `first` lines are answered: its start is not counted."""
    child = subprocess.Popen([sys.executable, *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert child.stdin is not None
    assert child.stdout is not None
    sender = Thread(target=_feed, args=(child, count))
    sender.start()
    answered, begin, worked, memory, wanted = 0, 0.0, 0.0, [], list(marks)
    for _ in child.stdout:
        answered += 1
        if answered == first:
            begin, worked = perf_counter(), processor(child.pid)
        if wanted and answered >= wanted[0]:
            memory.append(resident(child.pid))
            wanted.pop(0)
    # Ended and not waited for: its seconds can still be read.
    seconds, busy = perf_counter() - begin, processor(child.pid) - worked
    sender.join()
    child.stdout.close()
    if child.wait() or answered != count:
        raise RuntimeError(
            f"the stream answered {answered:,} of {count:,} lines and left with {child.returncode}"
        )
    return Run(count - first, seconds, busy, tuple(memory))


def _feed(child: "subprocess.Popen[bytes]", count: int) -> None:
    assert child.stdin is not None
    with child.stdin as pipe:
        for line in values(count):
            pipe.write(line)


def resident(process: int) -> float:
    """Memory of a process in MB; not a number where the system does not tell."""
    status = Path(f"/proc/{process}/statm")
    return (
        int(status.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
        if status.exists()
        else float("nan")
    )


def processor(process: int) -> float:
    """Seconds of the processor of a process so far; not a number where the system does not tell."""
    status = Path(f"/proc/{process}/stat")
    if not status.exists():
        return float("nan")
    # Behind the name, which may hold spaces: user and system time are the 12th and 13th fields there.
    fields = status.read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def latencies(words: Sequence[str], count: int) -> tuple[float, float]:
    """Milliseconds from a line in to its answer out, one at a time: the middle, and what 1 per cent exceed."""
    child = subprocess.Popen(
        [sys.executable, "-m", "ngrc", "stream", *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert child.stdin is not None
    assert child.stdout is not None
    waits = []
    for place, line in enumerate(values(count + 400)):
        begin = perf_counter()
        child.stdin.write(line)
        child.stdin.flush()
        child.stdout.readline()
        if place >= 400:
            waits.append(1e3 * (perf_counter() - begin))
        # As a sensor does, not as a load test: what is measured is the way of one line.
        sleep(0.001)
    child.communicate()
    waits.sort()
    return waits[len(waits) // 2], waits[int(0.99 * len(waits))]


def single_commits(path: Path, count: int) -> float:
    """Rows per second of SQLite alone, one commit each, under the same promises to the disk."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.executescript(
        "pragma journal_mode=wal; pragma synchronous=full; create table observations (seq, time, value)"
    )
    begin = perf_counter()
    for step in range(count):
        connection.execute("begin")
        connection.execute(INSERT, (step, str(step), sin(step)))
        connection.execute("commit")
    seconds = perf_counter() - begin
    connection.close()
    return count / seconds


def report(name: str, run: Run, reference: float, against: str, goal: float | None) -> None:
    """One line of the report."""
    goals = "" if goal is None else f" (goal {goal:,.0f})"
    print(
        f"{name}: {run.rate:,.0f} observations per second{goals}, {run.cost:.0f} microseconds of the processor each; "
        f"{run.rate / reference:.3f} of {against}"
    )


def main() -> None:
    """All figures, at full or reduced size."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.streaming")
    parser.add_argument("--quick", action="store_true", help="small sizes, without goals")
    options = parser.parse_args()
    size = 3_000 if options.quick else 100_000
    goals = dict.fromkeys(GOALS) if options.quick else GOALS
    print(f"load of this machine at the start: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    with tempfile.TemporaryDirectory(prefix="ngrc-streaming-") as folder:
        loop = driven(["-c", ECHO], size)
        echo = loop.rate
        print(
            f"reference, a loop that parses a number and writes an object: {echo:,.0f} lines per second, "
            f"{loop.cost:.1f} microseconds of the processor each"
        )
        rows = single_commits(Path(folder) / "alone.db", 500 if options.quick else 3_000)
        print(f"reference, SQLite alone with one commit per row: {rows:,.0f} rows per second")
        stream = ["-m", "ngrc", "stream", *SHAPE]
        report("in memory", driven(stream, size), echo, "that loop", goals["in memory"])
        state = ["--state", str(Path(folder) / "state.db")]
        report("sqlite", driven([*stream, *state], size // 4), rows, "SQLite's commits", goals["sqlite"])
        _on_server(Path(folder), stream, size // 4, rows)
        for name, words in (
            ("in memory", SHAPE),
            ("sqlite", (*SHAPE, "--state", str(Path(folder) / "one.db"))),
        ):
            middle, slow = latencies(words, 200 if options.quick else 3_000)
            print(f"one line at a time, {name}: p50 {middle:.2f} ms, p99 {slow:.2f} ms")
    _memory(options.quick)
    print(f"load of this machine at the end: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


def _on_server(folder: Path, stream: Sequence[str], count: int, rows: float) -> None:
    from soak.postgresql import server

    try:
        with server(folder / "server") as url:
            report("postgresql", driven([*stream, "--state", url], count), rows, "SQLite's commits", None)
    except FileNotFoundError as error:
        print(f"postgresql: not measured: {error}")


def _memory(quick: bool) -> None:
    """Memory of a windowed method on the way through millions of observations."""
    marks = (2_000, 10_000, 20_000) if quick else (200_000, 1_000_000, 2_000_000)
    run = driven(["-m", "ngrc", "stream", *WINDOWED], marks[-1], marks=marks)
    told = ", ".join(
        f"{memory:.1f} MB after {mark:,}" for memory, mark in zip(run.memory, marks, strict=True)
    )
    print(f"memory of rolling without a state: {told}; {run.rate:,.0f} observations per second")


if __name__ == "__main__":
    for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS"):
        os.environ.setdefault(variable, "1")
    main()

"""Every part of the gate: the tests, and a short form of each other target of the Makefile.

A part that fails does not stop the others. The closing table has the seconds and the result of each; the exit code is 1
where one failed. The output of each part is in build/ci.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

FOLDER = Path("build") / "ci"
LANES = 3
"""Parts at a time on two cores: while one installs packages, the others compute."""
MINUTES = 20
"""After which a part is stopped: the whole has an hour and a half."""
TAIL = 200
"""Lines that are shown of a part that failed."""
TIMED_OUT = 124
"""Exit code of `timeout`."""
CLOSING = re.compile(
    r"^(?:=+ )?(\d+ (?:passed|failed|skipped|error|deselected|xfailed)\b.*) in [\d.]+s", re.MULTILINE
)
"""The last line of a run of pytest."""


def data_files() -> str:
    """Why a part that reads the original files cannot run; empty where it can."""
    folder = Path(os.environ.get("NGRC_DATA", "../shared/data"))
    return "" if folder.is_dir() else "the original data files are not here (NGRC_DATA)"


def postgresql() -> str:
    """Why a part on PostgreSQL cannot run; empty where it can."""
    found = shutil.which("pg_ctl") or any(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"))
    return "" if found else "there is no pg_ctl"


@dataclass(frozen=True)
class Part:
    """Arguments of `make`, and a function that says why the part cannot run here, if it cannot."""

    name: str
    make: str
    missing: Callable[[], str] = str
    minutes: float = MINUTES


@dataclass(frozen=True)
class Result:
    """How a part ended."""

    part: Part
    seconds: float
    words: str
    failed: bool = False
    passed_tests: int = 0
    failed_tests: int = 0


# What all others need, then those in lanes, the longest first, then the tests, which time some of their work, alone.
FIRST = Part("set-up", ".venv/.installed browser database")
PARTS = (
    Part("test-peers", "test-peers"),
    Part("test-scale", "test-scale"),
    Part("accuracy-quick", "accuracy-quick JOBS=1", data_files),
    Part("mutants-quick", "mutants-quick JOBS=1"),
    Part("test-neural", "test-neural JOBS=1"),
    Part("bench-quick", "bench-quick"),
    Part("wheel", "wheel"),
    Part("docs", "docs"),
    Part("types", "types"),
    Part("fuzz", "fuzz SECONDS=30 SEED=1"),
    Part("soak, sqlite", "soak SECONDS=20"),
    Part("soak, postgresql", "soak SECONDS=20 STATE=postgresql", postgresql),
    Part("demo", "demo"),
    Part("bandit", "bandit"),
    Part("lint", "lint"),
)
LAST = Part("test", "test", minutes=45)


def run(part: Part) -> Result:
    """Run a part to its end or its time limit, and show the end of what it wrote."""
    reason = part.missing()
    if reason:
        return Result(part, 0.0, f"skipped: {reason}")
    log = FOLDER / f"{part.name.replace(', ', '-')}.log"
    # One thread each in numerical libraries: the lanes fill the cores.
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    command = ("timeout", "--kill-after=30", f"{part.minutes}m", "make", *part.make.split())
    print(f"-- {part.name}: make {part.make}", flush=True)
    begin = perf_counter()
    with log.open("wb") as file:
        code = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT, env=environment
        ).returncode
    seconds = perf_counter() - begin
    output = log.read_text("utf-8", errors="replace")
    passed, failed = counts(output)
    words = "passed" if code == 0 else f"FAILED: {ending(code, part)}"
    shown = "\n".join(output.splitlines()[-TAIL if code else -5 :])
    # One write, so that parts that end together do not mix.
    sys.stdout.write(f"== {part.name}: {words}, {seconds:.0f} s\n{shown}\n")
    sys.stdout.flush()
    return Result(part, seconds, words, code != 0, passed, failed)


def ending(code: int, part: Part) -> str:
    """A failure in words."""
    return f"not finished after {part.minutes:g} minutes" if code == TIMED_OUT else f"exit code {code}"


def counts(output: str) -> tuple[int, int]:
    """Tests that passed and that failed, over all runs of pytest in an output."""
    lines = "\n".join(CLOSING.findall(output))
    return tuple(
        sum(map(int, re.findall(rf"(\d+) {words}", lines))) for words in ("passed", "(?:failed|error)")
    )


def summary(results: Sequence[Result]) -> str:
    """The table, the parts that failed, and the number of tests in all parts, which is the last line."""
    width = max(len(result.part.name) for result in results)
    rows = [f"{result.part.name:<{width}}  {result.seconds:>6.0f} s  {result.words}" for result in results]
    bad = [result.part.name for result in results if result.failed]
    passed, failed = (
        sum(getattr(result, name) for result in results) for name in ("passed_tests", "failed_tests")
    )
    return "\n".join(
        (*rows, f"failed parts: {', '.join(bad) or 'none'}", f"{passed} passed, {failed} failed")
    )


def main(wanted: Sequence[str]) -> int:
    """Run the wanted parts, all where none is named."""
    unknown = set(wanted) - {part.name for part in (*PARTS, LAST)}
    if unknown:
        names = "; ".join(part.name for part in (*PARTS, LAST))
        print(f"ci: error: expected names of parts ({names}), got {sorted(unknown)}", file=sys.stderr)
        return 2
    begin = perf_counter()
    FOLDER.mkdir(parents=True, exist_ok=True)
    results = [run(FIRST)]
    with ThreadPoolExecutor(LANES) as lanes:
        results += lanes.map(run, (part for part in PARTS if not wanted or part.name in wanted))
    if not wanted or LAST.name in wanted:
        results.append(run(LAST))
    print(f"\n{(perf_counter() - begin) / 60:.1f} minutes in all\n{summary(results)}")
    return 1 if any(result.failed for result in results) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

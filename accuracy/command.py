"""The command: every method on every series, then the report in results/accuracy."""

import argparse
import sys
from pathlib import Path

from rich.console import Console

from accuracy.interval_cases import INTERVALS
from accuracy.methods import LONG, OURS
from accuracy.methods.short import SHORT
from accuracy.report import report
from accuracy.scores import Row
from accuracy.series import long_names
from accuracy.short import GROUPS, short_series
from accuracy.work import OWN, Task, results, tasks

FOLDER = Path("results") / "accuracy"
QUICK = ("rates/0", "solar/0", "beijing/Aotizhongxin/PM2.5", "beijing/Aotizhongxin/TEMP", "ozone")
"""Long series of `--quick`: the first of each kind."""
QUICK_SHORT = 2
"""Short series per group of `--quick`: the first ones."""


def main() -> None:
    """Parse, run, show, write; exit code 1 where a method failed."""
    options = parser().parse_args()
    out = Console(highlight=False, width=None if sys.stdout.isatty() else 180)
    wanted = choose(options.quick, options.only, options.peers_only)
    if not wanted:
        sys.exit(f"no series or method holds {options.only!r}; leave --only out to see all")
    rows, complaints = gather(out, wanted, options.cached, options.jobs)
    partial = bool(options.quick or options.only or options.peers_only)
    report(out, rows, FOLDER / "part" if partial else FOLDER, partial)
    for line in complaints:
        out.print(f"[red]failed[/red] {line}")
    sys.exit(1 if complaints else 0)


def parser() -> argparse.ArgumentParser:
    """The options."""
    made = argparse.ArgumentParser(prog="python -m accuracy")
    made.add_argument("--quick", action="store_true", help="a few series of each kind; files in part/")
    made.add_argument(
        "--only", default="", metavar="NAME", help="series or method that hold NAME; files in part/"
    )
    made.add_argument("--peers-only", action="store_true", help=f"without {OURS}; files in part/")
    made.add_argument(
        "--cached", action="store_true", help="take peers' rows from the last run on this machine"
    )
    made.add_argument("--jobs", type=int, default=2, help="processes, of one thread each")
    return made


def choose(quick: bool, only: str, peers_only: bool) -> list[Task]:
    """The tasks that the options ask for."""
    long, short = (
        (QUICK, _quick_short()) if quick else (long_names(), tuple(one.name for one in short_series()))
    )
    every = dict.fromkeys((*LONG, *INTERVALS, *SHORT))
    methods = [name for name in every if not (peers_only and name in OWN)]
    listed = tasks(long, short, methods)
    return [task for task in listed if only.lower() in f"{task.kind} {task.series} {task.method}".lower()]


def _quick_short() -> tuple[str, ...]:
    return tuple(
        one.name
        for group in GROUPS
        for one in [series for series in short_series() if series.group == group][:QUICK_SHORT]
    )


def gather(out: Console, wanted: list[Task], cached: bool, jobs: int) -> tuple[list[Row], list[str]]:
    """Run the tasks; a method that fails on a series is a complaint, never a missing line."""
    rows: list[Row] = []
    complaints: list[str] = []
    with out.status("") as status:
        for done, (task, found) in enumerate(results(wanted, FOLDER / "cache", cached, jobs), 1):
            status.update(f"{done} of {len(wanted)}: {task.method} on {task.series}")
            if isinstance(found, Exception):
                complaints.append(f"{task.method} on {task.series}: {' '.join(str(found).split())}")
            else:
                rows += found
    return rows, complaints

"""Every comparison, the tables, and the files in build/."""

import argparse
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NoReturn

from benchmarks import (
    aggregates,
    children,
    commands,
    fits,
    installed,
    mapie_aci,
    one_at_a_time,
    panels,
    paths,
    reservoirs,
    searches,
    sequential,
    show,
    streaming,
    walks,
)
from benchmarks.growth import growths
from benchmarks.scene import Scene, make_scene

MODULES = (
    sequential,
    mapie_aci,
    one_at_a_time,
    fits,
    paths,
    searches,
    reservoirs,
    aggregates,
    panels,
    walks,
)

# Modules whose rows have no peer to be timed in turn with.
OTHERS = (children, commands, panels, streaming, installed)

Job = tuple[str, Callable[[], Any]]


def main(arguments: Sequence[str] | None = None) -> None:
    """Parse, measure, show, write; exit code 1 where a row failed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks")
    parser.add_argument(
        "--quick", action="store_true", help="small sizes, without goals; files named quick-*"
    )
    parser.add_argument("--only", default="", metavar="NAME", help="rows whose name or reference holds NAME")
    options = parser.parse_args(arguments)
    out, scene = show.console(), make_scene(options.quick)
    out.print(f"{scene.words}\n{show.machine()}")
    with out.status("") as status:
        rows, failures = measure(status, comparisons(scene), options.only)
        exponents, failed_growths = measure(status, growths(options.quick), options.only)
    # Quick sizes get files of their own: their ratios must not replace those of the full size.
    prefix, some = "quick-" if options.quick else "", bool(options.only)
    if rows:
        out.print(show.ratios(rows, "Processor seconds, best of 3, one thread", not options.quick))
        out.print(f"wrote {show.write(f'{prefix}bench.json', rows, ('name', 'reference'), some)}")
    if exponents:
        out.print(show.exponents(exponents, "Processor seconds with n, best of 5", not options.quick))
        out.print(f"wrote {show.write(f'{prefix}growth.json', exponents, ('name',), some)}")
    failures += failed_growths
    for line in failures:
        out.print(f"failed: {line}", style="red", markup=False)
    if not rows and not exponents and not failures:
        parser.error(f"--only must be part of a row's name or reference, got {options.only!r}")
    sys.exit(1 if failures else 0)


def comparisons(scene: Scene) -> Iterator[Job]:
    """Every row by name, measured when it is called."""
    for module in MODULES:
        try:
            found = [(f"{row.name} / {row.against}", row.measure) for row in module.comparisons(scene)]
        except Exception as error:
            found = [(module.__name__, partial(again, error))]
        yield from found
    for module in OTHERS:
        yield from module.measurements(scene)


def measure(status: Any, jobs: Iterator[Job], only: str) -> tuple[list[Any], list[str]]:
    """Rows whose name contains `only`, and a line with the reason for each that could not be measured."""
    rows, failures = [], []
    for name, work in jobs:
        if only.lower() not in name.lower():
            continue
        status.update(name)
        try:
            rows.append(work())
        except Exception as error:
            failures.append(f"{name}: {reason(error)}")
    return rows, failures


def again(error: Exception) -> NoReturn:
    """The failure of a module that could not list its rows, raised where it is reported like that of a row."""
    raise error


def reason(error: Exception) -> str:
    """One line: what disagreed, or the kind of error and its message; for a child process its last line."""
    if isinstance(error, subprocess.CalledProcessError):
        lines = str(error.stderr).strip().splitlines()
        return f"exit code {error.returncode}: {lines[-1] if lines else 'nothing on standard error'}"
    kind = "outputs disagree" if isinstance(error, AssertionError) else type(error).__name__
    return f"{kind}: {' '.join(str(error).split())}"

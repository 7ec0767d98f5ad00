"""Every comparison, the tables, and the files in build/."""

import argparse
import sys
from collections.abc import Callable, Iterator
from typing import Any

from benchmarks import children, fits, mapie_aci, one_at_a_time, reservoirs, sequential, show
from benchmarks.growth import growths
from benchmarks.scene import Scene, make_scene

Job = tuple[str, Callable[[], Any]]


def main() -> None:
    """Parse, measure, show, write; exit code 1 where outputs disagreed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks")
    parser.add_argument(
        "--quick", action="store_true", help="small sizes, without goals; files named quick-*"
    )
    parser.add_argument("--only", default="", metavar="NAME", help="rows whose name or reference holds NAME")
    chosen = parser.parse_args()
    out, scene = show.console(), make_scene(chosen.quick)
    out.print(f"{scene.words}\n{show.machine()}")
    with out.status("") as status:
        rows, failed = measure(status, comparisons(scene), chosen.only)
        grown, _ = measure(status, growths(chosen.quick), chosen.only)
    prefix, partial = "quick-" if chosen.quick else "", bool(chosen.only)
    if rows:
        out.print(show.ratios(rows, "Processor seconds, best of 3, one thread", not chosen.quick))
        out.print(f"wrote {show.write(f'{prefix}bench.json', rows, ('name', 'reference'), partial)}")
    if grown:
        out.print(show.exponents(grown, "Processor seconds with n, best of 5", not chosen.quick))
        out.print(f"wrote {show.write(f'{prefix}growth.json', grown, ('name',), partial)}")
    for line in failed:
        out.print(f"[red]outputs disagree[/red] {line}")
    sys.exit(1 if failed else 0)


def comparisons(scene: Scene) -> Iterator[Job]:
    """Every row by name, measured when it is called."""
    for room in (sequential, mapie_aci, one_at_a_time, fits, reservoirs):
        for comparison in room.comparisons(scene):
            yield f"{comparison.name} / {comparison.against}", comparison.measure
    yield from children.measurements(scene)


def measure(status: Any, jobs: Iterator[Job], only: str) -> tuple[list[Any], list[str]]:
    """Measure the wanted rows; a row whose outputs disagree has no ratio, only a complaint."""
    rows, failed = [], []
    for name, work in jobs:
        if only.lower() not in name.lower():
            continue
        status.update(name)
        try:
            rows.append(work())
        except AssertionError as error:
            failed.append(f"{name}: {' '.join(str(error).split())}")
    return rows, failed

"""Every comparison, the tables, and the files in build/."""

import argparse
import sys
from collections.abc import Callable, Iterator
from typing import Any

from benchmarks import (
    aggregates,
    children,
    fits,
    mapie_aci,
    one_at_a_time,
    panels,
    paths,
    reservoirs,
    searches,
    sequential,
    show,
    walks,
)
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
    options = parser.parse_args()
    out, scene = show.console(), make_scene(options.quick)
    out.print(f"{scene.words}\n{show.machine()}")
    with out.status("") as status:
        rows, complaints = measure(status, comparisons(scene), options.only)
        # A growth compares nothing, so that nothing can disagree.
        exponents, _ = measure(status, growths(options.quick), options.only)
    # Quick sizes get files of their own: their ratios must not replace those of the full size.
    prefix, partial = "quick-" if options.quick else "", bool(options.only)
    if rows:
        out.print(show.ratios(rows, "Processor seconds, best of 3, one thread", not options.quick))
        out.print(f"wrote {show.write(f'{prefix}bench.json', rows, ('name', 'reference'), partial)}")
    if exponents:
        out.print(show.exponents(exponents, "Processor seconds with n, best of 5", not options.quick))
        out.print(f"wrote {show.write(f'{prefix}growth.json', exponents, ('name',), partial)}")
    for line in complaints:
        out.print(f"[red]outputs disagree[/red] {line}")
    sys.exit(1 if complaints else 0)


def comparisons(scene: Scene) -> Iterator[Job]:
    """Every row by name, measured when it is called."""
    for room in (
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
    ):
        for comparison in room.comparisons(scene):
            yield f"{comparison.name} / {comparison.against}", comparison.measure
    yield from children.measurements(scene)


def measure(status: Any, jobs: Iterator[Job], only: str) -> tuple[list[Any], list[str]]:
    """Measure the wanted rows; a row whose outputs disagree has no ratio, only a complaint."""
    rows, complaints = [], []
    for name, work in jobs:
        if only.lower() not in name.lower():
            continue
        status.update(name)
        try:
            rows.append(work())
        except AssertionError as error:
            complaints.append(f"{name}: {' '.join(str(error).split())}")
    return rows, complaints

"""Tables in the terminal and files in build/."""

import json
import os
import platform
from collections.abc import Sequence
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

from benchmarks.growth import Growth
from benchmarks.harness import Measurement

FOLDER = Path("build")


def machine() -> str:
    """Processor, interpreter and libraries, in one line."""
    import numpy
    from threadpoolctl import threadpool_info

    threads = ", ".join(
        sorted({f"{pool['internal_api']} {pool['num_threads']}" for pool in threadpool_info()})
    )
    # Above half the cores another process is likely to share ours, and ratios are spoiled.
    load, cores = os.getloadavg()[0], os.cpu_count() or 1
    busy = (
        f"\n[yellow]the machine is busy: load {load:.1f} on {cores} cores[/yellow]"
        if load > cores / 2
        else ""
    )
    return (
        f"{processor()}, {cores} cores, Python {platform.python_version()}, numpy {numpy.__version__}; "
        f"threads: {threads}{busy}"
    )


def processor() -> str:
    """The processor's name, where the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.machine()
    return next(
        (line.split(":")[1].strip() for line in lines if line.startswith("model name")), platform.machine()
    )


def ratios(rows: list[Measurement], title: str, verdict: bool) -> Table:
    """One line per comparison; outside the full size goals do not apply."""
    table = Table(title=title, box=box.SIMPLE_HEAD, title_justify="left", title_style="bold")
    for name in ("what", "against"):
        table.add_column(name, overflow="fold")
    for name in ("ours", "reference", "ratio", "goal"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("outputs", overflow="fold", ratio=1)
    for row in rows:
        colour = ("green" if row.met else "red") if verdict else "default"
        ratio = f"[{colour}]{row.ratio:,.{0 if row.ratio >= 100 else 1 if row.ratio >= 1 else 2}f}[/{colour}]"
        goal = f"{row.goal:,g}" if verdict else ""
        ours, theirs = (amount(value, row.unit) for value in (row.ours_s, row.reference_s))
        table.add_row(row.name, row.reference, ours, theirs, ratio, goal, row.agrees)
    return table


def exponents(rows: list[Growth], title: str, verdict: bool) -> Table:
    """One line per growth."""
    table = Table(title=title, box=box.SIMPLE_HEAD, title_justify="left", title_style="bold")
    table.add_column("what")
    for name in ("sizes", "at n", "at 2n", "at 4n", "exponent", "goal"):
        table.add_column(name, justify="right")
    for row in rows:
        colour = ("green" if row.met else "red") if verdict else "default"
        goal = "" if row.goal is None or not verdict else f"{row.goal:g}"
        sizes = f"{row.sizes[0]:,} to {row.sizes[-1]:,}"
        table.add_row(
            row.name, sizes, *map(short, row.seconds), f"[{colour}]{row.exponent:.2f}[/{colour}]", goal
        )
    return table


def short(seconds: float) -> str:
    """Three digits with a unit."""
    for unit, size in (("", 1.0), ("m", 1e-3), ("µ", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}s"
    return f"{seconds / 1e-9:.3g} ns"


def amount(value: float, unit: str) -> str:
    """A number with its unit: seconds by their size, others with three digits, whole where they have more."""
    if unit == "s":
        return short(value)
    return f"{value:,.0f} {unit}" if value >= 100 else f"{value:.3g} {unit}"


def write(name: str, measured: Sequence[Measurement | Growth], keys: tuple[str, ...], partial: bool) -> Path:
    """Write rows to build/`name`; a partial run replaces its own rows and keeps the others."""
    FOLDER.mkdir(exist_ok=True)
    path = FOLDER / name
    rows = [row.row() for row in measured]
    if partial and path.is_file():
        fresh = {tuple(row[key] for key in keys): row for row in rows}
        old = json.loads(path.read_text(encoding="utf-8"))
        # In the old order, so that a partial run leaves a small difference in the file.
        merged = [fresh.pop(tuple(row[key] for key in keys), row) for row in old]
        rows = [*merged, *fresh.values()]
    path.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    return path


def console() -> Console:
    """Standard output, wide where it is a pipe."""
    out = Console(highlight=False)
    return out if out.is_terminal else Console(highlight=False, width=180)

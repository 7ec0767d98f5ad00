"""Tables in the terminal."""

from collections.abc import Mapping
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from ngrc.results import Run


def console() -> Console:
    """Standard output, at least wide enough for the tables when it is a pipe."""
    out = Console(highlight=False)
    return out if out.is_terminal else Console(highlight=False, width=110)


def method_table(run: Run, level: float, title: str) -> Table:
    """Coverage, width, Winkler score, seconds and choices of every method at one level."""
    table = Table(title=title, box=box.SIMPLE_HEAD, title_justify="left", title_style="bold")
    table.add_column("method")
    for name in ("coverage", "error, points", "width", "Winkler", "seconds"):
        table.add_column(name, justify="right")
    table.add_column("chosen")
    for band in (band for band in run.bands if band.level == level):
        table.add_row(
            band.method,
            f"{band.coverage:.3f}",
            f"{band.coverage_error:+.2f}",
            f"{band.width:.4g}",
            f"{band.winkler:.4g}",
            f"{band.seconds:.4f}",
            choices(band.selected),
        )
    return table


def choices(selected: Mapping[str, Any]) -> str:
    """Selected parameters in one cell."""
    return ", ".join(f"{name} {value}" for name, value in selected.items())

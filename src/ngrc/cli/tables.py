"""Tables in the terminal."""

from collections.abc import Mapping
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ngrc.backtesting.results import Run


def console() -> Console:
    """Standard output, at least wide enough for the tables when it is a pipe."""
    # Names come from the user: brackets in them are not markup.
    out = Console(highlight=False, markup=False)
    # 110 columns hold the widest row, that of ResCP with its choices; rich would wrap at 80 in a pipe.
    return out if out.is_terminal else Console(highlight=False, markup=False, width=110)


def method_table(run: Run, level: float, title: str) -> Table:
    """Coverage, width, Winkler score, seconds and choices of every method at one level."""
    table = Table(title=Text(title), box=box.SIMPLE_HEAD, title_justify="left", title_style="bold")
    table.add_column("method")
    for name in ("coverage", "error, points", "width", "Winkler", "seconds"):
        table.add_column(name, justify="right")
    table.add_column("chosen")
    for band in (band for band in run.bands if band.level == level):
        table.add_row(
            Text(band.method),
            f"{band.coverage:.3f}",
            f"{band.coverage_error:+.2f}",
            f"{band.width:.4g}",
            f"{band.winkler:.4g}",
            f"{band.seconds:.4f}",
            Text(choices(band.selected)),
        )
    return table


def walked(run: Run) -> str:
    """How often the model of a run was fitted, in words."""
    if not run.refits:
        return "fitted once, at the end of the fit block"
    window = (
        "" if run.blocks.window is None else f", each time to the last {run.blocks.window:,} observations"
    )
    times = f"{run.refits:,} refit{'s' * (run.refits > 1)}"
    return f"fitted at the end of the fit block and walked forward with {times}{window}"


def choices(selected: Mapping[str, Any]) -> str:
    """Selected parameters in one cell."""
    return ", ".join(f"{name} {value}" for name, value in selected.items())

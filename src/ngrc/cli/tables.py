"""Tables and lines in the terminal, as wide as it is."""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from textwrap import fill
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ngrc._text import rounded
from ngrc.backtesting.accuracy import Accuracies
from ngrc.backtesting.results import Band, Run

PIPED = 110
"""Columns where nobody says how wide the output is: they hold the widest row, that of ResCP with its choices."""
NARROW = 60
"""Columns below which a table leaves out what one can do without."""
BEST = "*"
"""Beside the name of the best row."""


def console() -> Console:
    """Standard output: as wide as the terminal or as COLUMNS says, else wide enough for the tables."""
    told = sys.stdout.isatty() or os.environ.get("COLUMNS", "").isdigit()
    # Names come from the user: brackets in them are not markup.
    return Console(highlight=False, markup=False, width=None if told else PIPED)


def paragraph(out: Console, text: str, *, indent: str = "", style: str | None = None) -> None:
    """Print text wrapped at the width of the output, further lines below its first word."""
    wrapped = fill(
        text,
        max(out.width, 20),
        initial_indent=indent,
        subsequent_indent=f"{indent}  ",
        break_on_hyphens=False,
    )
    out.print(wrapped, style=style, soft_wrap=True)


def plain_table(title: str, names: Sequence[str]) -> Table:
    """An empty table whose first column holds words and the others numbers."""
    # One space between columns and none around them, so that five fit into forty characters.
    table = Table(
        title=Text(title) if title else None,
        box=box.SIMPLE_HEAD,
        title_justify="left",
        title_style="bold",
        padding=(0, 1, 0, 0),
        show_edge=False,
        pad_edge=False,
    )
    for place, name in enumerate(names):
        table.add_column(name, justify="right" if place else "left", overflow="fold")
    return table


def method_table(run: Run, level: float, title: str, width: int = PIPED) -> Table:
    """Coverage, width and Winkler score of every method at one level, the best score marked.

    Error, seconds and what was chosen come with them as far as the width allows.
    """
    return band_table([band for band in run.bands if band.level == level], title, width)


def band_table(bands: Sequence[Band], title: str, width: int = PIPED) -> Table:
    """The same of some bands of one level."""
    best = min(bands, key=lambda band: band.winkler, default=None)
    columns: dict[str, Callable[[Band], str]] = {
        "method": lambda band: f"{band.method}{BEST * (band is best)}",
        "coverage": lambda band: f"{band.coverage:.3f}",
        "error, points": lambda band: f"{band.coverage_error:+.2f}",
        "width": lambda band: rounded(band.width),
        "Winkler": lambda band: rounded(band.winkler),
        "seconds": lambda band: _seconds(band.seconds),
        "chosen": lambda band: choices(band.selected),
    }
    if width < NARROW:
        columns.pop("error, points")
        columns.pop("seconds")
    if not shows_choices(width):
        columns.pop("chosen")
    table = plain_table(title, list(columns))
    if shows_choices(width):
        table.columns[-1].justify = "left"
    for band in bands:
        style = "bold" if band is best else None
        table.add_row(*(Text(cell(band)) for cell in columns.values()), style=style)
    return table


def shows_choices(width: int) -> bool:
    """Whether a table of methods has room for what each chose; else it stands below."""
    return width >= 100


def choice_lines(bands: Sequence[Band], width: int) -> list[str]:
    """What methods chose, one line each, where the table has no room for it."""
    if shows_choices(width):
        return []
    return [f"{band.method}: {choices(band.selected)}" for band in bands if band.selected]


def accuracy_table(found: Accuracies, title: str) -> Table:
    """Test errors of the model and of naive forecasts, the smallest RMSE marked."""
    table = plain_table(title, ["forecast", "RMSE", "MAE", "MASE"])
    for row in found.rows:
        best = row.name == found.best
        cells = [
            rounded(row.rmse),
            rounded(row.mae),
            f"{row.mase:.3f}" if row.mase == row.mase else "unknown",
        ]
        table.add_row(Text(f"{row.name}{BEST * best}"), *cells, style="bold" if best else None)
    return table


def scaled_by(found: Accuracies) -> str:
    """What MASE divides by, in words."""
    if found.season == 1:
        return "MASE: MAE over the mean change from one value to the next in the fit block"
    return f"MASE: MAE over the mean change over a season of {found.season} steps in the fit block"


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
    """Selected parameters in one cell.

    Examples
    --------
    >>> choices({"rate": 0.0123456789, "window": "all"})
    'rate 0.01235, window all'
    """
    return ", ".join(f"{name} {_short(value)}" for name, value in selected.items())


def _short(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _seconds(seconds: float) -> str:
    return "<0.001" if seconds < 0.001 else f"{seconds:.3f}" if seconds < 10.0 else f"{seconds:.0f}"

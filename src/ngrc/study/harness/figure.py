"""Figures of the study: the house style, series told apart by colour, marker and line at once."""

from collections.abc import Callable
from io import BytesIO
from typing import Any

from numpy.typing import ArrayLike

from ngrc._types import FloatArray
from ngrc.plot.looks import LOOKS as LOOKS
from ngrc.plot.looks import Look as Look
from ngrc.plot.style import new_figure, styled

CONFIDENCE = 1.96
"""Error bars are means plus or minus 1.96 standard errors, as in the paper."""


def panels(rows: int, columns: int, width: float, height: float) -> tuple[Any, Any]:
    """A figure in inches and its axes, shape (rows, columns); call it inside `styled`."""
    figure = new_figure(width, height)
    return figure, figure.subplots(rows, columns, squeeze=False)


def draw(function: Callable[[], Any]) -> Callable[[], Any]:
    """Let a drawing function work in the house style."""

    def drawn() -> Any:
        with styled():
            return function()

    return drawn


def points(
    axes: Any,
    x: ArrayLike,
    mean: FloatArray,
    error: FloatArray,
    look: Look,
    label: str,
    **more: Any,
) -> None:
    """Means with error bars of 1.96 standard errors."""
    # Without a line unless one is asked for: between categories it would suggest values that do not exist.
    options = {"ms": 4.5, "lw": 1.2, "elinewidth": 0.9, "capsize": 2.0, "linestyle": "none"} | more
    axes.errorbar(
        x, mean, yerr=CONFIDENCE * error, marker=look.marker, color=look.color, label=label, **options
    )


def plain_ticks(axis: Any) -> None:
    """Ticks at 1, 2, 3 and 5 times powers of ten, written as numbers, on a logarithmic axis."""
    from matplotlib.ticker import LogLocator, NullLocator, StrMethodFormatter

    axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 3.0, 5.0)))
    axis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axis.set_minor_locator(NullLocator())


def letter(axes: Any, text: str, title: str) -> None:
    """Panel letter and title, left-aligned."""
    axes.set_title(f"({text}) {title}", loc="left", fontsize=9)


def outside_legend(figure: Any, axes: Any) -> None:
    """One legend for all panels above them, with the entries of one of them."""
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=len(labels), fontsize=8.5)


def reference(
    axes: Any, value: float, *, vertical: bool = False, style: str = ":", label: str | None = None
) -> None:
    """A thin dark reference line."""
    line = axes.axvline if vertical else axes.axhline
    line(value, color="0.25", lw=1.0, ls=style, zorder=0, label=label)


def encode(figure: Any, kind: str) -> bytes:
    """A figure as PNG or SVG bytes without a date, so that equal figures are equal files."""
    buffer = BytesIO()
    with styled():
        figure.savefig(buffer, format=kind, metadata={"Date": None} if kind == "svg" else None)
    return buffer.getvalue()

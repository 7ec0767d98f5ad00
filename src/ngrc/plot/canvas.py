"""Axes to draw into: the caller's, or new ones; and an axis of times."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ngrc._types import AnyArray
from ngrc.plot.style import SETTINGS, require_matplotlib

WIDE, HIGH = 7.0, 3.6
"""Inches of new axes: a column of text, wide enough for a few hundred targets."""


NARROW = 4.0
"""Inches below which an axis of times has few ticks."""
HANDLE, LETTER, LINE = 0.45, 0.056, 0.17
"""Inches of a legend in small print: a line with its margins, a letter, and one row."""


def axes_for(ax: Any, width: float = WIDE, height: float = HIGH) -> Any:
    """The caller's axes as they are, or those of a new figure, which `matplotlib.pyplot.show` and notebooks display."""
    require_matplotlib()
    if ax is not None:
        return ax
    from matplotlib import pyplot

    figure = pyplot.figure(figsize=(width, height), layout="constrained", dpi=SETTINGS["figure.dpi"])
    return figure.subplots()


def places(x: ArrayLike | None, size: int) -> AnyArray:
    """Where values stand: times or numbers as they were given, else their index."""
    if x is None:
        return np.arange(size)
    there = np.asarray(x)
    if there.shape != (size,):
        raise ValueError(f"x must have one entry per value, {size} in all, got shape {there.shape}")
    return there


def label_x(axes: Any, x: AnyArray, otherwise: str) -> None:
    """Times in few words on the axis, and what the axis is of."""
    if x.dtype.kind != "M":
        axes.set_xlabel(otherwise)
        return
    from matplotlib.dates import AutoDateLocator, ConciseDateFormatter

    # Pairs between which every length of time has an interval of its own; others warn of some lengths.
    fewest, most = (3, 8) if width_of(axes) > NARROW else (2, 5)
    locator = AutoDateLocator(minticks=fewest, maxticks=most)
    axes.xaxis.set_major_locator(locator)
    axes.xaxis.set_major_formatter(ConciseDateFormatter(locator))
    axes.set_xlabel("time")


def width_of(axes: Any) -> float:
    """Inches that the axes have from side to side, before a layout is made."""
    return float(axes.bbox.width / axes.figure.dpi)


def columns_of_legend(axes: Any) -> int:
    """How many entries of the legend fit side by side."""
    labels = axes.get_legend_handles_labels()[1]
    entry = HANDLE + LETTER * max((len(label) for label in labels), default=0)
    most = max(min(int(width_of(axes) // entry), len(labels)), 1)
    rows = -(-len(labels) // most)
    # As even as they can be: no single entry stands in a row of its own.
    return max(-(-len(labels) // max(rows, 1)), 1)


def headroom(axes: Any, share: float) -> None:
    """Room above what is drawn, for a legend that must not lie on it."""
    low, high = axes.get_ylim()
    axes.set_ylim(low, high + share * (high - low))


def legend_inside(axes: Any) -> None:
    """The legend at the top of the axes, above what is drawn; below them where it would need many rows."""
    columns = columns_of_legend(axes)
    rows = -(-len(axes.get_legend_handles_labels()[0]) // columns)
    if rows > 2:
        legend_below(axes)
        return
    height = float(axes.bbox.height / axes.figure.dpi)
    headroom(axes, (rows * LINE + 0.1) / max(height - rows * LINE, LINE))
    axes.legend(ncols=columns, loc="upper left", fontsize=8, frameon=True, framealpha=0.9, edgecolor="none")


def legend_below(axes: Any) -> None:
    """The legend under the axes: many curves leave no free corner."""
    height = float(axes.bbox.height / axes.figure.dpi)
    # Below the tick labels and the label of the axis, the same distance whatever the height.
    axes.legend(
        ncols=columns_of_legend(axes), loc="upper center", bbox_to_anchor=(0.5, -0.56 / height), fontsize=8
    )


def entitle(axes: Any, title: str) -> None:
    """A title of the size of the text, from the left, so that it is not cut where axes are small."""
    axes.set_title(title, loc="left", fontsize=9)

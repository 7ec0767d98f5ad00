"""`--plot FILE`: the end of a series, its forecast and the bands around it, as a picture."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ngrc._atomic import write_bytes
from ngrc._types import AnyArray
from ngrc.ahead import Outlook
from ngrc.plot.style import COLOURS, encode, new_figure, require_matplotlib, styled
from ngrc.series import Series

INK, SHADE = COLOURS["asymmetric"], COLOURS["bayes"]
"""Black for what was observed, blue for what is forecast."""
ENDINGS = (".png", ".svg", ".html")
PAST = 4
"""Values before the forecast for every one of its steps: enough of the past to judge the forecast by."""
FEWEST = 60
"""Values before the forecast at least, where the series has them."""


def check_picture(path: Path | None) -> None:
    """Refuse before any work what cannot be drawn; the place itself is checked elsewhere."""
    if path is None:
        return
    if path.suffix.lower() == ".html":
        raise ValueError(
            f"--plot {path.name}: pictures are PNG or SVG, and a page comes from ngrc report SERIES --out "
            f"{path.name}; name it .png or .svg"
        )
    require_matplotlib()


def draw(path: Path, targets: Sequence[Series], outlooks: Sequence[Outlook], title: str) -> None:
    """Write the picture in the format of the file's ending, whole or not at all."""
    with styled():
        figure = new_figure(9.0, 3.2 * len(targets))
        axes = figure.subplots(len(targets), squeeze=False)[:, 0]
        for ax, series, outlook in zip(axes, targets, outlooks, strict=True):
            _draw_one(ax, series, outlook)
            ax.set_title(title if len(targets) == 1 else f"{title}: {series.name}", loc="left")
        content = encode(figure, path.suffix.lower().removeprefix("."))
    write_bytes(path, content)


def _draw_one(ax: Any, series: Series, outlook: Outlook) -> None:
    count = min(len(series), max(FEWEST, PAST * outlook.forecast.size))
    past, coming = _clock(series, outlook, count)
    ax.plot(past, series.values[-count:], color=INK, linewidth=1.0, label=series.name)
    # The widest first, so that every band is seen.
    for level in sorted(outlook.levels, reverse=True):
        lower, upper = outlook.bands[level]
        ends = np.where(np.isfinite(lower), lower, np.nan), np.where(np.isfinite(upper), upper, np.nan)
        ax.fill_between(coming, *ends, color=SHADE, alpha=0.25, linewidth=0, label=f"{100 * level:g} %")
    marker = "o" if outlook.forecast.size == 1 else None
    ax.plot(coming, outlook.forecast, color=SHADE, linewidth=1.4, marker=marker, label="forecast")
    # Above the axes, where no line runs through it.
    ax.legend(frameon=False, ncols=len(outlook.levels) + 2, loc="lower right", bbox_to_anchor=(1.0, 1.0))


def _clock(series: Series, outlook: Outlook, count: int) -> tuple[AnyArray, AnyArray]:
    if series.times is None or outlook.times is None:
        size = len(series)
        return np.arange(size - count, size), np.arange(size, size + outlook.forecast.size)
    return series.times[-count:], outlook.times

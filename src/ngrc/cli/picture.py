"""`--plot FILE`: the end of a series, its forecast and the bands around it, as a picture or a page."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ngrc._atomic import write_bytes, write_text
from ngrc._types import AnyArray
from ngrc.ahead import Outlook
from ngrc.plot.style import COLOURS, encode, new_figure, require_matplotlib, styled
from ngrc.report.fan import observed
from ngrc.report.forecast_page import forecast_page
from ngrc.series import Series
from ngrc.web.assets import plotly_script

INK, SHADE = COLOURS["asymmetric"], COLOURS["bayes"]
"""Black for what was observed, blue for what is forecast."""
PAGES = (".html", ".htm")
"""Endings of an interactive page."""
ENDINGS = (".png", ".svg", *PAGES)
PAST = 4
"""Values before the forecast for every one of its steps: enough of the past to judge the forecast by."""
FEWEST = 60
"""Values before the forecast at least, where the series has them."""


def check_picture(path: Path | None) -> None:
    """Refuse before any work what cannot be drawn; the place itself is checked elsewhere."""
    if path is None:
        return
    if _is_page(path):
        plotly_script()
    else:
        require_matplotlib()


def draw(path: Path, targets: Sequence[Series], outlooks: Sequence[Outlook], title: str) -> None:
    """Write the picture or page in the format of the file's ending, whole or not at all."""
    if _is_page(path):
        write_text(path, forecast_page(title, targets, outlooks))
        return
    with styled():
        figure = new_figure(9.0, 3.2 * len(targets))
        axes = figure.subplots(len(targets), squeeze=False)[:, 0]
        for ax, series, outlook in zip(axes, targets, outlooks, strict=True):
            _draw_one(ax, series, outlook)
            ax.set_title(title if len(targets) == 1 else f"{title}: {series.name}", loc="left")
        content = encode(figure, path.suffix.lower().removeprefix("."))
    write_bytes(path, content)


def _is_page(path: Path) -> bool:
    return path.suffix.lower() in PAGES


def _draw_one(ax: Any, series: Series, outlook: Outlook) -> None:
    count = min(len(series), max(FEWEST, PAST * outlook.forecast.size))
    past, coming = _clock(series, outlook, count)
    seen = observed(series.values, series.missing)[-count:]
    ax.plot(past, seen, color=INK, linewidth=1.0, label=series.name)
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

"""`--plot FILE`: the end of a series, its forecast and the bands around it, as a picture or a page."""

from collections.abc import Sequence
from pathlib import Path

from ngrc._atomic import write_bytes, write_text
from ngrc.ahead import Outlook
from ngrc.plot.style import encode, new_figure, require_matplotlib, styled
from ngrc.series import Series
from ngrc.web.assets import plotly_script

PAGES = (".html", ".htm")
"""Endings of an interactive page."""
ENDINGS = (".png", ".svg", *PAGES)


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
        # Imported where it is needed: a forecast without a page would wait for it.
        from ngrc.report.forecast_page import forecast_page

        write_text(path, forecast_page(title, targets, outlooks))
        return
    with styled():
        figure = new_figure(9.0, 3.2 * len(targets))
        axes = figure.subplots(len(targets), squeeze=False)[:, 0]
        for ax, series, outlook in zip(axes, targets, outlooks, strict=True):
            outlook.plot(ax=ax)
            ax.set_title(title if len(targets) == 1 else f"{title}: {series.name}", loc="left")
        content = encode(figure, path.suffix.lower().removeprefix("."))
    write_bytes(path, content)


def _is_page(path: Path) -> bool:
    return path.suffix.lower() in PAGES

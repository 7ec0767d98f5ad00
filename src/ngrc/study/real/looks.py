"""One look per method, one legend per figure."""

from typing import Any

from ngrc.plot.style import COLOURS
from ngrc.study.harness.figure import LOOKS, Look
from ngrc.study.real.cases import METHOD_TITLES

METHOD_LOOKS: dict[str, Look] = {
    method: look._replace(color=COLOURS[method]) for method, look in zip(METHOD_TITLES, LOOKS, strict=False)
}
"""Colours as in every other figure, markers and lines as in the study's."""


def shared_legend(figure: Any, axes: Any, columns: int = 6, title: str | None = None) -> None:
    """One legend under all panels, from one panel's entries."""
    entries = axes.get_legend_handles_labels()
    figure.legend(
        *entries, loc="outside lower center", ncols=columns, fontsize=8, title=title, title_fontsize=8
    )

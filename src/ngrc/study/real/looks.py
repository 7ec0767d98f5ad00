"""One look a method, one panel a dataset."""

from typing import Any

from ngrc.study.figure import LOOKS, Look
from ngrc.study.real.cases import METHOD_TITLES

METHOD_LOOKS: dict[str, Look] = dict(zip(METHOD_TITLES, LOOKS, strict=False))


def shared_legend(figure: Any, axes: Any, columns: int = 6, title: str | None = None) -> None:
    """One legend under all panels, from one panel's entries."""
    entries = axes.get_legend_handles_labels()
    figure.legend(
        *entries, loc="outside lower center", ncols=columns, fontsize=8, title=title, title_fontsize=8
    )

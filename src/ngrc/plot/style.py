"""One look for every figure: colour-blind safe, told apart in grey by line style, no global state."""

from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import Any

from ngrc._optional import load

COLOURS = {
    "bayes": "#0072B2",
    "split": "#E69F00",
    "asymmetric": "#000000",
    "rolling": "#56B4E9",
    "gaussian": "#999999",
    "adaptive": "#D55E00",
    "weighted": "#009E73",
    "rescp": "#CC79A7",
    "auto": "#5D3A9B",
}
"""Okabe and Ito's palette, one colour per method, and a violet for `auto`."""

LINES = {
    "bayes": "-",
    "split": "--",
    "asymmetric": ":",
    "rolling": "-.",
    "gaussian": (0, (5, 1)),
    "adaptive": "-",
    "weighted": (0, (3, 1, 1, 1)),
    "rescp": (0, (1, 1)),
    "auto": (0, (8, 1, 1, 1)),
}
"""One dash pattern per method; only bayes and adaptive share the plain line."""

SETTINGS = {
    "figure.dpi": 110,
    "savefig.dpi": 160,
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.alpha": 0.25,
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "svg.hashsalt": "ngrc",
}
"""Chosen by eye for figures of about a page's width: legible, a grid that stays behind the data, no boxes.

The hash salt makes the identifiers inside an SVG file the same in every run.
"""


@contextmanager
def styled() -> Iterator[None]:
    """Draw inside this to get the house style without changing anyone's settings."""
    matplotlib = require_matplotlib()
    with matplotlib.rc_context(SETTINGS):
        yield


def require_matplotlib() -> Any:
    """The matplotlib module, or one line that says how to get it."""
    return load("matplotlib", "plot", "a figure")


def new_figure(width: float, height: float) -> Any:
    """An empty figure in inches, independent of pyplot and of any display."""
    require_matplotlib()
    # Figure, not pyplot: no window system is asked for, and no global list keeps the figure alive.
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def encode(figure: Any, kind: str) -> bytes:
    """A figure as the bytes of a PNG or SVG file, so that writing it takes no time."""
    buffer = BytesIO()
    figure.savefig(buffer, format=kind)
    return buffer.getvalue()

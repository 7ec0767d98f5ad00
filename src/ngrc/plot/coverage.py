"""Coverage over time: which methods hold their level, and when."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ngrc._types import FloatArray
from ngrc.metrics import running_coverage
from ngrc.plot.canvas import axes_for, entitle, label_x, legend_below, places
from ngrc.plot.looks import Look, looks_of
from ngrc.plot.style import styled
from ngrc.validation import check_count, check_level


def coverage(
    outcomes: FloatArray,
    bands: Mapping[str, tuple[FloatArray, FloatArray]],
    level: float,
    *,
    window: int = 100,
    x: ArrayLike | None = None,
    looks: Mapping[str, Look] | None = None,
    ax: Any = None,
) -> Any:
    """Share of the outcomes inside, over a trailing window, by method.

    Parameters
    ----------
    outcomes
        Shape (n,); NaN where none came, which counts as neither inside nor outside.
    bands
        Lower and upper ends by method, each of shape (n,).
    level
        Nominal coverage.
    window
        Outcomes of which the share is taken; nothing is drawn before so many are known.
    x
        Times or numbers of the outcomes; their index where there are none.
    looks
        By method, where they are to differ from the usual ones.
    ax
        Axes to draw into; new ones where None.

    Examples
    --------
    >>> outcomes = np.random.default_rng(0).normal(size=500)
    >>> ends = np.full(500, -1.64), np.full(500, 1.64)
    >>> coverage(outcomes, {"split": ends}, 0.9).get_ylabel()
    'coverage'
    """
    came, level = ~np.isnan(outcomes), check_level(level)
    size = int(came.sum())
    if check_count(window, "window") > size:
        raise ValueError(f"a window of {window} outcomes needs as many, got {size}; give a shorter window")
    where = places(x, len(outcomes))[came]
    trailing = {
        name: running_coverage(outcomes[came], lower[came], upper[came], window)
        for name, (lower, upper) in bands.items()
    }
    with styled():
        axes = axes_for(ax)
        curves(axes, where, trailing, looks=looks)
        level_line(axes, level)
        label_x(axes, where, "test step")
        entitle(axes, f"Coverage of the last {window} outcomes")
        axes.set_ylabel("coverage")
        axes.margins(x=0)
        legend_below(axes)
    return axes


def curves(
    axes: Any,
    x: ArrayLike,
    lines: Mapping[str, FloatArray],
    *,
    half: Mapping[str, FloatArray] | None = None,
    looks: Mapping[str, Look] | None = None,
    labels: Mapping[str, str] | None = None,
    width: float = 1.5,
) -> None:
    """One line per name in its look; `half` is drawn as a pale band to either side, such as errors of a mean."""
    for name, look in looks_of(lines, looks).items():
        label = name if labels is None else labels[name]
        axes.plot(x, lines[name], color=look.color, ls=look.linestyle, lw=width, label=label)
        if half is not None:
            ends = lines[name] - half[name], lines[name] + half[name]
            axes.fill_between(x, *ends, color=look.color, alpha=0.15, lw=0)


def level_line(axes: Any, level: float) -> None:
    """The nominal level, behind everything else."""
    axes.axhline(level, color="0.25", lw=1.0, ls=":", zorder=0)

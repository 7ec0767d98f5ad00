"""Calibration: what intervals of several levels hold, against what they promise."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ngrc._text import percent
from ngrc.plot.canvas import axes_for, legend_below
from ngrc.plot.looks import Look, looks_of
from ngrc.plot.style import styled
from ngrc.validation import check_level


def calibration(
    levels: Sequence[float],
    covered: Mapping[str, Sequence[float]],
    *,
    looks: Mapping[str, Look] | None = None,
    labels: Mapping[str, str] | None = None,
    diagonal: tuple[float, float] | None = None,
    legend: bool = True,
    ax: Any = None,
) -> Any:
    """Empirical against nominal coverage, one line per method; points below the diagonal undercover.

    Parameters
    ----------
    levels
        Nominal coverages.
    covered
        Share of the outcomes inside, by method, one per level.
    looks, labels
        By method, where they are to differ from the usual looks and from the names.
    diagonal
        From where to where the line of exact calibration is drawn; around the levels where None.
    legend
        Whether the methods are named under the axes.
    ax
        Axes to draw into; new ones where None.

    Examples
    --------
    >>> calibration([0.5, 0.8, 0.95], {"adaptive": [0.49, 0.81, 0.95]}).get_xlabel()
    'nominal, %'
    """
    nominal = np.array([check_level(level) for level in levels])
    wrong = [name for name, shares in covered.items() if len(shares) != nominal.size]
    if wrong:
        raise ValueError(
            f"{wrong[0]} has {len(covered[wrong[0]])} shares for {nominal.size} levels; give one each"
        )
    order = np.argsort(nominal)
    with styled():
        axes = axes_for(ax, 4.4, 4.4)
        ends = (
            (max(nominal.min() - 0.05, 0.0), min(nominal.max() + 0.05, 1.0)) if diagonal is None else diagonal
        )
        axes.plot(ends, ends, "--", color="0.25", lw=1.0)
        for name, look in looks_of(covered, looks).items():
            axes.plot(
                nominal[order],
                np.asarray(covered[name])[order],
                color=look.color,
                marker=look.marker,
                ls=look.linestyle,
                lw=1.1,
                ms=5,
                label=name if labels is None else labels[name],
            )
        axes.set_xticks(nominal[order], [f"{percent(level)}" for level in nominal[order]])
        axes.set(xlabel="nominal, %", ylabel="empirical coverage")
        if legend:
            legend_below(axes)
    return axes

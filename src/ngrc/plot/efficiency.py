"""Efficiency: what coverage costs in width, method by method."""

from collections.abc import Mapping
from typing import Any

from ngrc.plot.canvas import axes_for, legend_below
from ngrc.plot.looks import Look, looks_of
from ngrc.plot.style import styled

SIZE = 8.0
"""Points of a marker, which alone tells methods apart here."""


def efficiency(
    errors: Mapping[str, float],
    costs: Mapping[str, float],
    *,
    cost: str = "mean width",
    looks: Mapping[str, Look] | None = None,
    labels: Mapping[str, str] | None = None,
    styles: Mapping[str, Mapping[str, Any]] | None = None,
    legend: bool = True,
    ax: Any = None,
) -> Any:
    """Coverage error against width or Winkler score, one point per method: best is low, and on the line.

    Parameters
    ----------
    errors
        Coverage less its level in percentage points, by method.
    costs
        Mean width or Winkler score, by method.
    cost
        What the costs are, for the axis.
    looks, labels
        By method, where they are to differ from the usual looks and from the names.
    styles
        Further options of matplotlib's `plot` by method.
    legend
        Whether the methods are named under the axes.
    ax
        Axes to draw into; new ones where None.

    Examples
    --------
    >>> efficiency({"split": -3.0, "adaptive": 0.2}, {"split": 2.1, "adaptive": 2.6}).get_ylabel()
    'mean width'
    """
    missing = sorted(set(errors) ^ set(costs))
    if missing:
        raise ValueError(f"{missing[0]} has an error or a cost and not both; give both of every method")
    with styled():
        axes = axes_for(ax, 5.2, 4.0)
        for name, look in looks_of(errors, looks).items():
            options = {"ms": SIZE, "mec": "white", **({} if styles is None else styles[name])}
            axes.plot(
                errors[name],
                costs[name],
                color=look.color,
                marker=look.marker,
                ls="",
                label=name if labels is None else labels[name],
                **options,
            )
        axes.axvline(0.0, color="0.25", lw=1.0, zorder=0)
        axes.margins(0.15)
        axes.set(xlabel="coverage error, points", ylabel=cost)
        if legend:
            legend_below(axes)
    return axes

"""A backtest as a picture: which values of it each kind of figure shows."""

from collections.abc import Mapping
from typing import Any, Literal, get_args

import numpy as np

from ngrc import plot
from ngrc._text import percent
from ngrc._types import AnyArray, FloatArray
from ngrc.plot.canvas import entitle
from ngrc.series import Series
from ngrc.series.outward import wall_times
from ngrc.series.wording import plural

# The values are those of `results.py`, which imports this file: their types cannot be named here.

Kind = Literal["band", "coverage", "calibration", "efficiency"]
LAST = 200
"""Test targets of a band, the last: more of them hide each other on a page."""
WINDOW = 100
"""Outcomes of trailing coverage, as in the paper; fewer where the test block is short."""


def draw(
    result: Any,
    kind: Kind,
    *,
    method: str | None,
    horizon: int | None,
    window: int,
    level: float | None,
    last: int | None,
    ax: Any,
) -> Any:
    """The figure of a kind, out of one run."""
    if kind not in get_args(Kind):
        raise ValueError(f"kind must be one of {', '.join(get_args(Kind))}, got {kind!r}")
    run = result.run(horizon, window)
    if kind == "calibration":
        return _calibration(run, ax)
    wanted = max(band.level for band in run.bands) if level is None else level
    bands = {name: run.band(name, wanted) for name in dict.fromkeys(band.method for band in run.bands)}
    if kind == "efficiency":
        axes = plot.efficiency(
            {name: band.coverage_error for name, band in bands.items()},
            {name: band.winkler for name, band in bands.items()},
            cost="Winkler score",
            ax=ax,
        )
    elif kind == "coverage":
        axes = _coverage(result.series, run, bands, wanted, ax)
    else:
        best = min(bands, key=lambda name: bands[name].winkler) if method is None else method
        return _band(result.series, run, best, level, last, ax)
    entitle(axes, f"{axes.get_title(loc='left') or 'Coverage and cost'}, {percent(wanted)} %")
    return axes


def _band(series: Series, run: Any, method: str, level: float | None, last: int | None, ax: Any) -> Any:
    test = run.blocks.test
    first = 0 if last is None else max(run.blocks.test_rows - last, 0)
    own = [band for band in run.bands if band.method == method and level in (None, band.level)]
    # Where there is none of the name, `band` says which there are.
    own = own or [run.band(method, level)]
    axes = plot.band(
        run.forecasts[test][first:],
        {band.level: (band.lower[first:], band.upper[first:]) for band in own},
        x=_places(series, test, first),
        observed=_outcomes(series, test)[first:],
        ax=ax,
    )
    entitle(axes, f"{series.name}: {_ahead(run)}, {method}")
    axes.set_ylabel(series.name)
    return axes


def _coverage(series: Series, run: Any, bands: Mapping[str, Any], level: float, ax: Any) -> Any:
    test = run.blocks.test
    ends: dict[str, tuple[FloatArray, FloatArray]] = {
        name: (band.lower, band.upper) for name, band in bands.items()
    }
    outcomes = _outcomes(series, test)
    trailing = min(WINDOW, int(np.count_nonzero(~np.isnan(outcomes))))
    return plot.coverage(outcomes, ends, level, window=trailing, x=_places(series, test, 0), ax=ax)


def _calibration(run: Any, ax: Any) -> Any:
    levels = sorted({band.level for band in run.bands})
    covered = {
        name: [run.band(name, level).coverage for level in levels]
        for name in dict.fromkeys(band.method for band in run.bands)
    }
    axes = plot.calibration(levels, covered, ax=ax)
    entitle(axes, f"Calibration, {_ahead(run)}")
    return axes


def _ahead(run: Any) -> str:
    return f"{plural(run.blocks.horizon, 'step')} ahead"


def _places(series: Series, test: slice, first: int) -> AnyArray | None:
    return None if series.times is None else wall_times(series.times[test], series.style)[first:]


def _outcomes(series: Series, test: slice) -> FloatArray:
    """NaN where none came: what was carried forward over a gap is no outcome."""
    values = series.values[test]
    return values if series.missing is None else np.where(series.missing[test], np.nan, values)

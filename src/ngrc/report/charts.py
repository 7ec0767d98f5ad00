"""The charts of a record as data: places on axes and values, rounded and thinned to what a screen shows."""

from dataclasses import asdict
from typing import Any

import numpy as np

from ngrc._types import IntArray
from ngrc.report.colours import looks
from ngrc.report.plain import plain
from ngrc.report.record import Record
from ngrc.web.numbers import counted, decimals, rounded
from ngrc.web.thinning import Thinning, thinning

MOST_NUMBERS = 110_000
"""Numbers of the test block in one page: about 0.7 MB, which with Plotly's 4.8 MB stays below six."""
MOST_POINTS = 4_000
"""Points of one curve: several per dot of a wide screen, so that a first zoom still finds detail."""
RECENT = 1_500
"""Observations before the end of the series that are drawn one by one; older ones are thinned."""
MOST_OLDER = 3_000
"""Points for all that is older."""
MOST_TRAILING = 16_000
"""Points of all curves of trailing coverage together: six hundred for each of 27."""
VIEWED = 200
"""Observations before the first coming one that the chart shows at first, and four horizons of them at least."""


def charts_of(record: Record) -> dict[str, Any]:
    """Everything that the script draws, ready for JSON."""
    drawn = looks(record.methods)
    return {
        "axis": record.clock.kind,
        "name": record.subject.name,
        "horizon": record.subject.horizon,
        "level": record.subject.level,
        "levels": list(record.subject.levels),
        "methods": [{"name": name, **asdict(drawn[name])} for name in record.methods],
        "coming": _coming(record),
        "tested": _tested(record),
        "trailing": _trailing(record),
        "scores": [
            plain(
                {
                    "method": row.method,
                    "level": row.level,
                    "coverage": row.coverage,
                    "width": row.width,
                    "winkler": row.winkler,
                }
            )
            for row in record.intervals
        ],
        "calibration": [plain(curve) for curve in record.calibration],
        "residuals": _residuals(record),
    }


def digits_of(record: Record) -> int:
    """Decimals of what is drawn over time: fine beside the body of the series, and beside the narrowest intervals.

    A spike widens the range and must not coarsen the rest; a trend makes intervals small beside the series.
    """
    low, high = np.quantile(record.values, [0.01, 0.99])
    spread = float(high - low) or float(np.ptp(record.values))
    # A dot on a screen of a thousand, and a hundredth of a band, which is what one zooms in on.
    sizes = [1e-3 * spread]
    widths = np.array([row.width for row in record.intervals])
    sizes += [1e-2 * float(width) for width in widths[np.isfinite(widths) & (widths > 0.0)]]
    return decimals(min((size for size in sizes if size > 0.0), default=0.0))


def history_places(count: int) -> tuple[IntArray, Thinning | None]:
    """Positions of the older part that are drawn, and its thinning; the newest `RECENT` are drawn one by one."""
    older = max(count - RECENT, 0)
    if older <= MOST_OLDER:
        return np.arange(count), None
    kept = thinning(older, MOST_OLDER)
    return np.concatenate([kept.positions, np.arange(older, count)]), kept


def test_thinning(record: Record) -> Thinning:
    """What is drawn of the test block: everything where the ends of all intervals are few enough."""
    curves = 2 * len(record.intervals) + 2
    return thinning(record.outcomes.size, min(MOST_POINTS, max(MOST_NUMBERS // curves, 200)))


def _coming(record: Record) -> dict[str, Any] | None:
    coming, values, count = record.coming, record.values, record.values.size
    if coming is None:
        return None
    places, kept = history_places(count)
    history = (
        values if kept is None else np.concatenate([kept.of(values[: kept.count]), values[kept.count :]])
    )
    digits = digits_of(record)
    steps = count + np.arange(coming.forecast.size)
    viewed = max(count - max(VIEWED, 4 * coming.forecast.size), 0)
    axis = record.clock.axis
    return {
        "history": {"x": axis(places), "y": rounded(history, digits)},
        "x": axis(steps),
        "labels": coming.times,
        "forecast": rounded(coming.forecast, digits),
        "bands": [
            {"level": level, "lower": rounded(lower, digits), "upper": rounded(upper, digits)}
            for level, (lower, upper) in coming.bands.items()
        ],
        "recent": [axis(np.array([viewed]))[0], axis(steps[-1:])[0]],
        "method": coming.method,
    }


def _tested(record: Record) -> dict[str, Any]:
    kept, digits = test_thinning(record), digits_of(record)
    forecasts = kept.of(record.forecasts)
    places = record.test_start + kept.positions
    x = record.clock.axis(places)
    words = record.clock.words(places)
    return {
        "x": x,
        # The spelling of the source, where an axis has another.
        "labels": None if tuple(map(str, x)) == words else words,
        # Whole numbers of the last decimal, ends as their distance from the forecast: half the length of decimals.
        "digits": digits,
        "outcome": counted(kept.of(record.outcomes), digits),
        "forecast": counted(forecasts, digits),
        "bands": [
            {
                "method": row.method,
                "level": row.level,
                "lower": counted(kept.of(row.lower) - forecasts, digits),
                "upper": counted(kept.of(row.upper) - forecasts, digits),
            }
            for row in record.intervals
        ],
        "stretch": kept.stretch,
    }


def _trailing(record: Record) -> dict[str, Any]:
    first = record.window - 1
    kept = thinning(record.outcomes.size - first, max(MOST_TRAILING // len(record.intervals), 100))
    return {
        "window": record.window,
        "x": record.clock.axis(record.test_start + first + kept.positions),
        "curves": [
            {"method": row.method, "level": row.level, "y": rounded(kept.of(row.trailing[first:]), 4)}
            for row in record.intervals
        ],
        "stretch": kept.stretch,
    }


def _residuals(record: Record) -> dict[str, Any]:
    shape, clock = record.residuals, record.clock
    edges = shape.histogram.edges
    grid = np.linspace(edges[0], edges[-1], 121)
    z = (grid - shape.mean) / shape.scale if shape.scale > 0.0 else np.full(grid.size, np.nan)
    gaussian = np.exp(-0.5 * z**2) / (np.sqrt(2.0 * np.pi) * shape.scale) if shape.scale > 0.0 else z
    places = decimals(1e-4 * float(edges[-1] - edges[0]))
    height = decimals(1e-4 * float(np.max(shape.histogram.density, initial=0.0)))
    return {
        "histogram": {
            "middle": rounded(0.5 * (edges[1:] + edges[:-1]), places),
            "width": float(edges[1] - edges[0]),
            "density": rounded(shape.histogram.density, height),
            "x": rounded(grid, places),
            "gaussian": rounded(gaussian, height),
        },
        "qq": {"theory": rounded(shape.theory, 4), "sample": rounded(shape.sample, 4)},
        "correlation": {
            "lags": shape.lags.tolist(),
            "errors": rounded(shape.correlation, 4),
            "sizes": rounded(shape.size_correlation, 4),
            "bound": shape.bound,
            "overlap": record.subject.horizon - 1,
        },
        "blocks": {"x": clock.words(shape.starts), "scale": plain(shape.block_scale)},
        "cycle": plain(shape.cycle),
    }

"""The charts of a record as data: places on axes and values, rounded and thinned to what a screen shows."""

from typing import Any

import numpy as np

from ngrc.report.chance import LIKELY, coverage_error
from ngrc.report.colours import looked
from ngrc.report.fan import fan_of, observed
from ngrc.report.plain import plain
from ngrc.report.record import Record
from ngrc.web.numbers import counted, decimals, rounded
from ngrc.web.thinning import Thinning, thinning

MOST_NUMBERS = 110_000
"""Numbers of the test block in one page: about 0.7 MB, which with Plotly's 4.8 MB stays below six."""
MOST_POINTS = 4_000
"""Points of one curve: several per dot of a wide screen, so that a first zoom still finds detail."""
MOST_TRAILING = 16_000
"""Points of all curves of trailing coverage together: six hundred for each of 27."""


def charts_of(record: Record) -> dict[str, Any]:
    """Everything that the script draws, ready for JSON."""
    return {
        "axis": record.clock.kind,
        "name": record.subject.name,
        "horizon": record.subject.horizon,
        "level": record.subject.level,
        "levels": list(record.subject.levels),
        "methods": looked(_methods(record)),
        "fans": _fans(record),
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
        "chance": _chances(record, record.subject.scored),
        "calibration": _calibration(record),
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


def test_thinning(record: Record) -> Thinning:
    """What is drawn of the test block: everything where the ends of all intervals are few enough."""
    curves = 2 * len(record.intervals) + 2
    return thinning(record.outcomes.size, min(MOST_POINTS, max(MOST_NUMBERS // curves, 200)))


def _methods(record: Record) -> list[str]:
    """Those of the test, and those of the coming values alone, such as `student` where residuals are few."""
    coming = () if record.coming is None else record.coming.methods
    return list(dict.fromkeys([*record.methods, *coming]))


def _fans(record: Record) -> list[dict[str, Any]]:
    coming, name = record.coming, record.subject.name
    if coming is None:
        return []
    return [fan_of("coming", name, record.clock, record.values, record.missing, coming, digits_of(record))]


def _chances(record: Record, outcomes: int) -> dict[str, float]:
    """By level, what 95 % of the coverages of a right method stay within; keys as JavaScript writes numbers."""
    together = record.residuals.together
    return {
        f"{level:.10g}": LIKELY * coverage_error(level, outcomes, together) for level in record.subject.levels
    }


def _calibration(record: Record) -> dict[str, Any]:
    levels = np.linspace(0.0, 1.0, 51)
    scored, together = record.subject.scored, record.residuals.together
    half = np.array([LIKELY * coverage_error(float(level), scored, together) for level in levels])
    return {
        "curves": [plain(curve) for curve in record.calibration],
        "chance": {
            "level": rounded(levels, 4),
            "lower": rounded(np.clip(levels - half, 0.0, 1.0), 4),
            "upper": rounded(np.clip(levels + half, 0.0, 1.0), 4),
        },
    }


def _tested(record: Record) -> dict[str, Any]:
    kept, digits = test_thinning(record), digits_of(record)
    forecasts = kept.of(record.forecasts)
    places = record.test_start + kept.positions
    missing = None if record.missing is None else record.missing[record.test_start :][: record.outcomes.size]
    outcomes = observed(record.outcomes, missing)
    x = record.clock.axis(places)
    words = record.clock.words(places)
    return {
        "x": x,
        # The spelling of the source, where an axis has another.
        "labels": None if tuple(map(str, x)) == words else words,
        # Whole numbers of the last decimal, ends as their distance from the forecast: half the length of decimals.
        "digits": digits,
        "outcome": counted(kept.of(outcomes), digits),
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
    # Before the window is full there is no coverage; where outcomes are missing that takes longer.
    first = int(np.argmax(np.isfinite(record.intervals[0].trailing)))
    kept = thinning(record.outcomes.size - first, max(MOST_TRAILING // len(record.intervals), 100))
    return {
        "window": record.window,
        "chance": _chances(record, record.window),
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
            "size_bound": shape.size_bound,
            "overlap": record.subject.horizon - 1,
        },
        "blocks": {"x": clock.words(shape.starts), "scale": plain(shape.block_scale)},
        "cycle": plain(shape.cycle),
    }

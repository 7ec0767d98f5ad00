"""The charts of a record as data: places on axes and values, rounded and thinned to what a screen shows."""

from dataclasses import asdict
from typing import Any

import numpy as np

from ngrc._types import FloatArray, IntArray
from ngrc.report.clock import Clock
from ngrc.report.colours import looks
from ngrc.report.plain import plain
from ngrc.report.record import Record
from ngrc.web.thinning import Thinning, rounded, thinning

MOST_NUMBERS = 110_000
"""Ends of intervals in one page: about 0.7 MB, which with Plotly's 4.8 MB stays below six."""
MOST_POINTS = 4_000
"""Points of one curve: several per dot of a wide screen, so that a first zoom still finds detail."""
RECENT = 1_500
"""Observations before the end of the series that are drawn one by one; older ones are thinned."""
MOST_OLDER = 3_000
"""Points for all that is older."""
MOST_TRAILING = 600
"""Points of a curve of trailing coverage, which moves by one outcome per step."""
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


def spread_of(values: FloatArray) -> float:
    """Largest less smallest value."""
    return float(np.max(values) - np.min(values))


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
    spread = spread_of(values)
    steps = count + np.arange(coming.forecast.size)
    viewed = max(count - max(VIEWED, 4 * coming.forecast.size), 0)
    axis = record.clock.axis
    return {
        "history": {"x": axis(places), "y": rounded(history, spread)},
        "x": axis(steps),
        "labels": coming.times,
        "forecast": rounded(coming.forecast, spread),
        "bands": [
            {"level": level, "lower": rounded(lower, spread), "upper": rounded(upper, spread)}
            for level, (lower, upper) in coming.bands.items()
        ],
        "recent": [axis(np.array([viewed]))[0], axis(steps[-1:])[0]],
        "method": coming.method,
    }


def _tested(record: Record) -> dict[str, Any]:
    kept, spread = test_thinning(record), spread_of(record.values)
    places = record.test_start + kept.positions
    x = record.clock.axis(places)
    words = record.clock.words(places)
    return {
        "x": x,
        # The spelling of the source, where an axis has another.
        "labels": None if tuple(map(str, x)) == words else words,
        "outcome": rounded(kept.of(record.outcomes), spread),
        "forecast": rounded(kept.of(record.forecasts), spread),
        "bands": [
            {
                "method": row.method,
                "level": row.level,
                "lower": rounded(kept.of(row.lower), spread),
                "upper": rounded(kept.of(row.upper), spread),
            }
            for row in record.intervals
        ],
        "stretch": kept.stretch,
    }


def _trailing(record: Record) -> dict[str, Any]:
    first = record.window - 1
    kept = thinning(record.outcomes.size - first, MOST_TRAILING)
    return {
        "window": record.window,
        "x": record.clock.axis(record.test_start + first + kept.positions),
        "curves": [
            {"method": row.method, "level": row.level, "y": rounded(kept.of(row.trailing[first:]), 10.0)}
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
    spread = float(edges[-1] - edges[0])
    height = float(np.max(shape.histogram.density, initial=0.0))
    return {
        "histogram": {
            "middle": rounded(0.5 * (edges[1:] + edges[:-1]), spread),
            "width": float(edges[1] - edges[0]),
            "density": rounded(shape.histogram.density, height),
            "x": rounded(grid, spread),
            "gaussian": rounded(gaussian, height),
        },
        "qq": {"theory": rounded(shape.theory, 1.0), "sample": rounded(shape.sample, 1.0)},
        "correlation": {
            "lags": shape.lags.tolist(),
            "errors": rounded(shape.correlation, 1.0),
            "sizes": rounded(shape.size_correlation, 1.0),
            "bound": shape.bound,
            "overlap": record.subject.horizon - 1,
        },
        "blocks": {"x": clock.words(shape.starts), "scale": plain(shape.block_scale)},
        "cycle": plain(shape.cycle),
    }


def axis_kind(clock: Clock) -> str:
    """What the axis shows, in words."""
    return {"date": "time", "number": "time", "position": "observation"}[clock.kind]

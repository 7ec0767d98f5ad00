"""One run as plain numbers: the JSON of `ngrc compare`, the rows of its table and remarks on both."""

import math
from typing import Any

from ngrc.backtesting.results import Backtest, Band, Run
from ngrc.metrics import rmse


def summary(result: Backtest, level: float) -> dict[str, Any]:
    """The first run of a backtest at one level, ready for JSON, all in the series' own units.

    Numbers that do not exist (an infinite width, the penalty of a model without one) are None; `infinite` says
    how many of a method's intervals are unbounded.
    """
    run = result.runs[0]
    shown = run.diagnostics[level]
    names = ("tau_fit", "tau_cal", "tau_test", "q_cal", "shape", "scale", "rho_q")
    return {
        "series": result.series.name,
        "horizon": run.split.horizon,
        "level": level,
        "rows": {
            "fit": len(run.split.fit),
            "calibration": len(run.split.calibration),
            "test": len(run.split.test),
        },
        "features": getattr(run.model, "n_features_", None),
        "ridge": getattr(run.model, "ridge_", None),
        "d_eff": getattr(run.model, "d_eff_", None),
        "scale": {"mean": run.scale[0], "std": run.scale[1]},
        "rmse": finite(run.rmse),
        "naive_rmse": finite(naive_rmse(result, run)),
        "diagnostics": {name: finite(getattr(shown, name)) for name in names},
        "methods": {band.method: _method(band) for band in run.bands if band.level == level},
        "notes": remarks(result, run, level),
    }


def _method(band: Band) -> dict[str, Any]:
    return {
        "coverage": band.coverage,
        "width": finite(band.width),
        "winkler": finite(band.winkler),
        "seconds": band.seconds,
        "selected": dict(band.selected),
        "infinite": band.infinite,
        "guarantee": band.guarantee,
    }


def remarks(result: Backtest, run: Run, level: float) -> list[str]:
    """What a reader must know before believing the table."""
    found = list(result.series.notes)
    if result.spikes.remark:
        found.append(result.spikes.remark)
    naive = naive_rmse(result, run)
    if run.rmse > naive:
        found.append(
            f"repeating the last known value has test RMSE {naive:.4g}, less than the model's {run.rmse:.4g}: "
            "the series may have a trend or season that the lags miss; try --period, fewer lags, --degree 1, "
            "or differences"
        )
    for band in run.bands:
        if band.level != level:
            continue
        if band.infinite:
            found.append(
                f"{band.method}: {band.infinite} of {band.lower.size} intervals are infinite, as "
                f"{len(run.split.history)} calibration residuals are too few for level {level:g}"
            )
        elif band.width == 0.0:
            found.append(f"{band.method}: all intervals have width zero, as every residual it saw is zero")
    return found


def naive_rmse(result: Backtest, run: Run) -> float:
    """Test RMSE of the last value known when each forecast was made: what any model has to beat."""
    test, values = run.split.test, result.series.values
    known = values[test.start - run.split.horizon : test.stop - run.split.horizon]
    return rmse(values[test.start : test.stop], known)


def finite(value: float) -> float | None:
    """The value, or None where it is infinite or undefined."""
    return value if math.isfinite(value) else None

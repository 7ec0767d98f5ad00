"""One run as plain numbers: the JSON of `ngrc compare`, the rows of its table and remarks on both."""

import math
from dataclasses import replace
from typing import Any

import numpy as np

from ngrc.backtesting.accuracy import accuracies, naive_forecasts
from ngrc.backtesting.places import place_remarks
from ngrc.backtesting.results import Backtest, Band, Run
from ngrc.forecasters.facts import record_of
from ngrc.metrics import rmse


def summary(result: Backtest, *levels: float) -> dict[str, Any]:
    """The first run of a backtest at some levels, ready for JSON, all in the series' own units but for the diagnostics.

    `level`, `diagnostics` and `methods` are those of the first level; `levels` has them for each. `crps`, by method, is
    approximated from the ends of all of them and empty where there is one level: too little to stand for a law.

    The residual scales among them are in the units of the model's link, as a remark says where it is no identity.
    Numbers that do not exist (an infinite width, the penalty of a model without one) are None; `infinite` says
    how many of a method's intervals are unbounded.
    """
    run = result.runs[0]
    blocks, every = run.blocks, [_level(run, level) for level in levels]
    return {
        "series": result.series.name,
        "horizon": blocks.horizon,
        "level": every[0]["level"],
        "rows": {
            "fit": blocks.fit_rows,
            "calibration": blocks.calibration_rows,
            "test": blocks.test_rows,
        },
        "refits": run.refits,
        "selection": record_of(run.model),
        "features": run.facts.features,
        "ridge": plain(run.facts.ridge),
        "d_eff": plain(run.facts.d_eff),
        "scale": run.scale._asdict(),
        "rmse": finite(run.rmse),
        "naive_rmse": finite(naive_rmse(result, run)),
        "accuracy": accuracies(result, run).plain(),
        "diagnostics": every[0]["diagnostics"],
        "methods": every[0]["methods"],
        "levels": every,
        "crps": scores_of_ends(result, run) if len(levels) > 1 else {},
        "notes": remarks(result, run, *levels),
    }


def _level(run: Run, level: float) -> dict[str, Any]:
    names = ("tau_fit", "tau_cal", "tau_test", "q_cal", "shape", "scale", "rho_q")
    diagnostics = run.diagnostics[level]
    return {
        "level": level,
        "diagnostics": {name: finite(getattr(diagnostics, name)) for name in names},
        "methods": {band.method: _method(band) for band in run.bands if band.level == level},
    }


def scores_of_ends(result: Backtest, run: Run) -> dict[str, float | None]:
    """CRPS by method, approximated from the ends of all levels of a run."""
    came = result.came(run)
    outcomes = result.series.values[run.blocks.test][came]
    laws = {band.method: run.distribution(band.method) for band in run.bands}
    return {
        method: finite(replace(law, values=law.values[came]).crps(outcomes)) for method, law in laws.items()
    }


def _method(band: Band) -> dict[str, Any]:
    return {
        "coverage": band.coverage,
        "width": finite(band.width),
        "winkler": finite(band.winkler),
        "seconds": band.seconds,
        "selected": {name: plain(value) for name, value in band.selected.items()},
        "infinite": band.infinite,
        "guarantee": band.guarantee,
    }


def remarks(result: Backtest, run: Run, *levels: float) -> list[str]:
    """What a reader must know before believing the tables of some levels."""
    notes = list(result.series.notes)
    notes += place_remarks(result.series, result.spikes)
    if run.link.remark:
        notes.append(run.link.remark)
    # On the test block, which is fair here: the remark changes nothing, and a bad model should not pass unnoticed.
    naive = naive_rmse(result, run)
    if run.rmse > naive:
        notes.append(
            f"repeating the last known value has test RMSE {naive:.4g}, less than the model's {run.rmse:.4g}: "
            "the series may have a trend or season that the lags miss; try --period, fewer lags, --degree 1, "
            "or differences"
        )
    bands = [band for band in run.bands if band.level in levels]
    found = [*(_bound_remark(band) for band in bands), *(_band_remark(run, band) for band in bands)]
    # What holds at every level is said once.
    return [*notes, *dict.fromkeys(remark for remark in found if remark)]


def _bound_remark(band: Band) -> str:
    """Which bounds were found and kept to; empty where none was."""
    ends = [f"{bound:g}" for bound in (band.bounds.lower, band.bounds.upper) if bound is not None]
    if not ends:
        return ""
    bounds = " and ".join(ends)
    return (
        f"{band.method}: the series piles up on {bounds}, to which ends are cut until an outcome crosses it"
    )


def _band_remark(run: Run, band: Band) -> str:
    """What is unusual about one band; empty where nothing is."""
    count, few = band.lower.size, f"{run.blocks.history_rows} calibration residuals are too few for level"
    if band.infinite:
        # A transform whose range ends, such as the reciprocal, can make an end infinite by itself.
        other = "" if run.link.linear else f" or an end leaves the range of {run.link.transform.name}"
        return f"{band.method}: {band.infinite} of {count} intervals are infinite, as {few} {band.level:g}{other}"
    if band.width == 0.0:
        return f"{band.method}: all intervals have width zero, as every residual it saw is zero"
    # An infinite interval is no less empty for having been cut to the bounds.
    bounds = run.link.bounds
    whole = int(np.count_nonzero((band.lower == bounds.lower) & (band.upper == bounds.upper)))
    return f"{band.method}: {whole} of {count} intervals reach from bound to bound" if whole else ""


def naive_rmse(result: Backtest, run: Run) -> float:
    """Test RMSE of the last value known when each forecast was made: what any model has to beat."""
    values, came = result.series.values, result.came(run)
    return rmse(values[run.blocks.test][came], naive_forecasts(values, run.blocks)[came])


def plain(value: Any) -> Any:
    """A value for JSON: an infinite penalty, which leaves no weight, is None like any number that does not exist."""
    return finite(value) if isinstance(value, float) else value


def finite(value: float) -> float | None:
    """The value, or None where it is infinite or undefined."""
    return value if math.isfinite(value) else None

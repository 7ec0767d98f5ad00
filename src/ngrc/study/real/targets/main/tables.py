"""Tables of the one-step analysis, each number beside the printed one."""

from typing import Any

import polars as pl

from ngrc._normal import gaussian_radius
from ngrc.backtesting.diagnostics import Diagnostics
from ngrc.backtesting.results import Band, Run
from ngrc.study.harness.printed import Printed
from ngrc.study.real.cases import LEVEL, METHOD_TITLES, scores
from ngrc.study.real.origin import Origin, beside
from ngrc.study.real.printed.main import DECOMPOSED, DIAGNOSED, RMSE, SCORES, SPLIT
from ngrc.study.real.printed.selected import SELECTED

SCALED = ("tau_fit", "tau_cal", "tau_test", "q_cal")
"""Diagnostics in the series' own units, which the paper prints standardised."""


def main_table(origin: Origin) -> pl.DataFrame:
    """Scores and seconds, one row per dataset and method, and one of ResCP's own choice."""
    records = []
    for source in origin.sources:
        run = origin.runs[source.key, 1]
        for method, title in METHOD_TITLES.items():
            scored, printed = origin.scores(source.key, 1, method), SCORES[source.key, method]
            record: dict[str, Any] = {"dataset": source.title, "method": title}
            record |= beside("coverage", scored.coverage, printed["coverage"])
            record |= beside("width", scored.width, printed["width"])
            record |= beside("winkler", scored.winkler, printed["winkler"])
            record |= beside("error", 100.0 * (scored.coverage - LEVEL), printed["error"])
            record |= beside("rmse", run.rmse / run.scale[1], RMSE[source.key])
            records.append(
                record | beside("seconds", origin.seconds(source.key, 1, method), printed["seconds"])
            )
        records.append(_own_row(records[-1], run, origin.own[source.key, 1]))
    return pl.DataFrame(records, infer_schema_length=None)


def _own_row(record: dict[str, Any], run: Run, band: Band) -> dict[str, Any]:
    scored = scores(run, band)
    # The paper prints no such row: its columns stay empty, and the rest (RMSE, dataset) is that of the row above.
    own = {"method": "ResCP, own choice", "error": band.coverage_error, **scored._asdict()}
    return {name: own.get(name, None if name.endswith("_paper") else value) for name, value in record.items()}


def standardised(run: Run) -> dict[str, float]:
    """Diagnostics of a run at 95 % by name, in the paper's units."""
    diagnostics: Diagnostics = run.diagnostics[LEVEL]
    names = ("p_over_n", "d_eff_over_n", *SCALED, "rho_q", "shape", "scale")
    return {name: getattr(diagnostics, name) / (run.scale[1] if name in SCALED else 1.0) for name in names}


def diagnostics(origin: Origin) -> pl.DataFrame:
    """Theory-facing diagnostics of the one-step model."""
    records = []
    for source in origin.sources:
        run, printed = origin.runs[source.key, 1], DIAGNOSED[source.key,]
        ours = {"fit_rows": float(run.blocks.fit_rows)} | standardised(run)
        record: dict[str, Any] = {"dataset": source.title}
        for name in printed:
            record |= beside(name, ours[name], printed[name])
        records.append(record)
    return pl.DataFrame(records)


def from_rounded(printed: dict[str, Printed]) -> dict[str, float]:
    """Shape and scale computed from the rounded entries of the printed table of diagnostics."""
    scale = printed["tau_cal"].value / printed["tau_fit"].value
    radius = gaussian_radius(LEVEL) * printed["tau_cal"].value
    return {"shape": printed["q_cal"].value / radius, "scale": scale}


def decomposition(origin: Origin) -> pl.DataFrame:
    """Shape and scale factor of rho_q, and what rounded entries make of them."""
    records = []
    for source in origin.sources:
        ours, printed = standardised(origin.runs[source.key, 1]), DECOMPOSED[source.key,]
        record: dict[str, Any] = {"dataset": source.title}
        for name in printed:
            record |= beside(name, ours[name], printed[name])
        rounded = from_rounded(DIAGNOSED[source.key,])
        record |= {"shape_of_rounded": rounded["shape"], "scale_of_rounded": rounded["scale"]}
        records.append(record)
    return pl.DataFrame(records)


def selections(origin: Origin, dataset: str, horizon: int) -> dict[str, Any]:
    """What we selected, by the names of the printed table."""
    run, own = origin.runs[dataset, horizon], origin.own[dataset, horizon]
    return {
        "ridge": float(getattr(run.model, "ridge_")),  # noqa: B009 (not part of every forecaster)
        "rate": run.band("adaptive", LEVEL).selected["rate"],
        "decay": run.band("weighted", LEVEL).selected["decay"],
        "temperature": own.selected["temperature"],
        "window": own.selected["window"],
    }


def selected(origin: Origin) -> pl.DataFrame:
    """Selected hyperparameters, one row per dataset and horizon."""
    records = []
    titles = {source.key: source.title for source in origin.sources}
    for dataset, horizon in origin.runs:
        ours, printed = selections(origin, dataset, horizon), SELECTED[dataset, horizon]
        record: dict[str, Any] = {"dataset": titles[dataset], "horizon": horizon}
        for name in ("ridge", "rate", "decay", "temperature"):
            record |= beside(name, ours[name], getattr(printed, name))
        records.append(record | {"window": str(ours["window"]), "window_paper": str(printed.window)})
    return pl.DataFrame(records)


def block_sizes(origin: Origin, dataset: str, horizon: int) -> dict[str, int]:
    """Observations and rows of the three blocks."""
    blocks = origin.runs[dataset, horizon].blocks
    observations = next(source.series.values.size for source in origin.sources if source.key == dataset)
    # Rows and not observations: (k - 1)s + H of them are spent before the first row.
    rows = {"fit": blocks.fit_rows, "calibration": blocks.calibration_rows, "test": blocks.test_rows}
    return {"observations": int(observations)} | rows


def sizes(origin: Origin) -> pl.DataFrame:
    """Split sizes, one row per dataset and horizon."""
    titles = {source.key: source.title for source in origin.sources}
    records = []
    for dataset, horizon in origin.runs:
        record: dict[str, Any] = {"dataset": titles[dataset], "horizon": horizon}
        for name, rows in block_sizes(origin, dataset, horizon).items():
            record |= {name: rows, f"{name}_paper": int(SPLIT[dataset, str(horizon)][name].value)}
        records.append(record)
    return pl.DataFrame(records)

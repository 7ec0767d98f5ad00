"""What is claimed of `auto`: coverage in every cell and over windows, Winkler scores beside the paper's best."""

from collections.abc import Callable

import polars as pl

from ngrc.study.beyond.around import FORECASTERS
from ngrc.study.beyond.days import ALL, WINDOW
from ngrc.study.beyond.tables import JUDGED
from ngrc.study.harness.compare import holds, incomparable
from ngrc.study.harness.record import Cell, Check

NAME = "beyond"
METHOD = "auto"
COVERAGE = 0.01
"""Largest distance of a cell's coverage from its level."""
SHARE = 0.95
"""Least share of windows whose coverage is within four points."""
AVERAGE = 0.92
"""Largest mean over cells of the Winkler score over that of the best of six: 8 % below."""
ROUNDING = 1e-9
"""A coverage of 0.81 is one point from 0.8, whatever the rounding of the difference."""

STATEMENTS = {
    "coverage": "coverage within one point of the level in every cell",
    "windows": f"of all windows of {WINDOW} steps at least 95 % within four points of the level",
    "windows by cell": f"of the windows of {WINDOW} steps at least 95 % within four points in every cell",
    "winkler": "Winkler score at or below the best of the paper's six in every cell",
    "average": "mean over cells of the Winkler score over the best of six's at most 0.92",
}


def beyond_checks(scores: pl.DataFrame, ratios: pl.DataFrame) -> list[Check]:
    """The average over all cells, and five rows per forecaster, over what was run at the judged levels."""
    claims: dict[str, Callable[[Cell, pl.DataFrame], Check]] = {
        "coverage": _coverage,
        "windows": _windows,
        "windows by cell": _windows_by_cell,
        "winkler": _winkler,
        "average": _average,
    }
    level = pl.col("level").is_in(JUDGED)
    own = scores.filter(level & (pl.col("method") == METHOD) & (pl.col("days") == ALL))
    judged = ratios.filter(level & pl.col("judged"))
    # The claim's own average is over all cells; each forecaster's by itself says more.
    both = Cell(NAME, "average", f"{METHOD} around {' and '.join(FORECASTERS)}: {STATEMENTS['average']}")
    checks = [_average(both, judged)]
    for forecaster in FORECASTERS:
        here = pl.col("forecaster") == forecaster
        for about, judge in claims.items():
            cell = Cell(NAME, about, f"{METHOD} around {forecaster}: {STATEMENTS[about]}")
            rows = own if judge in (_coverage, _windows, _windows_by_cell) else judged
            checks.append(judge(cell, rows.filter(here)))
    return checks


def _coverage(cell: Cell, rows: pl.DataFrame) -> Check:
    rows = rows.with_columns(away=(pl.col("coverage") - pl.col("level")).abs())
    worst = rows.sort("away", descending=True).row(0, named=True)
    near = rows.filter(pl.col("away") <= COVERAGE + ROUNDING).height
    return holds(cell, near, rows.height, f"worst {worst['coverage']:.4f} at {_words(worst)}")


def _windows(cell: Cell, rows: pl.DataFrame) -> Check:
    if not rows["windows"].sum():
        return _without_windows(cell)
    share = float(rows["windows_near"].sum()) / float(rows["windows"].sum())
    return holds(cell, int(share >= SHARE), 1, f"{100 * share:.2f} % of all; {_worst_windows(rows)}")


def _windows_by_cell(cell: Cell, rows: pl.DataFrame) -> Check:
    if not rows["windows"].min():
        return _without_windows(cell)
    enough = rows.filter(pl.col("windows_near") >= SHARE * pl.col("windows")).height
    return holds(cell, enough, rows.height, _worst_windows(rows))


def _winkler(cell: Cell, rows: pl.DataFrame) -> Check:
    return holds(cell, rows.filter(pl.col(METHOD) <= 1.0).height, rows.height, _worst_ratio(rows))


def _average(cell: Cell, rows: pl.DataFrame) -> Check:
    mean = float(rows.select(pl.col(METHOD).mean()).item())
    return holds(cell, int(mean <= AVERAGE), 1, f"{mean:.4f} over {rows.height} cells; {_worst_ratio(rows)}")


def _without_windows(cell: Cell) -> Check:
    return incomparable(cell, None, f"a test block has fewer than {WINDOW} steps", kind="claim")


def _worst_windows(rows: pl.DataFrame) -> str:
    shares = rows.with_columns(share=pl.col("windows_near") / pl.col("windows"))
    worst = shares.sort("share").row(0, named=True)
    return f"worst {100 * worst['share']:.2f} % at {_words(worst)}"


def _worst_ratio(rows: pl.DataFrame) -> str:
    worst = rows.sort(METHOD, descending=True).row(0, named=True)
    return f"worst {worst[METHOD]:.4f} times {worst['best_of_six']} at {_words(worst)}"


def _words(row: dict[str, object]) -> str:
    level = row["level"]
    assert isinstance(level, float)
    days = "" if row["days"] == ALL else f" {row['days']}"
    return f"{row['dataset']}{days}, H = {row['horizon']}, {100 * level:g} %"

"""The isolated spikes of the Exchange returns, and every method's score without them."""

from collections.abc import Sequence

import numpy as np
import polars as pl

from ngrc._types import BoolArray
from ngrc.backtesting.results import Band, Run
from ngrc.metrics import coverage, width, winkler
from ngrc.series import Series
from ngrc.series.spikes import find_spikes
from ngrc.study.real.cases import DETERMINISTIC, LEVEL, METHOD_TITLES, Scores

LOOK_WRONG = (6619, 6620)
"""Returns of +15.1 % and -15.0 % on two days in a row, which undo each other: a wrong quote, by all appearance."""


def spike_days(series: Series, run: Run) -> list[int]:
    """Test targets that are spikes: the two known ones and whatever `find_spikes` flags."""
    flagged = {*LOOK_WRONG, *find_spikes(series.values).positions.tolist()}
    test = run.blocks.test
    return sorted(day for day in flagged if test.start <= day < test.stop)


def scores_without(series: Series, run: Run, band: Band, days: Sequence[int]) -> Scores:
    """Scores of a band over the test targets that are not in `days`, in the paper's units."""
    others = _others(run, days)
    test = run.blocks.test
    outcomes, lower, upper = (part[others] for part in (series.values[test], band.lower, band.upper))
    # The intervals are those issued with the spikes in the history; only the scoring leaves the days out.
    scale = run.scale[1]
    return Scores(
        coverage(outcomes, lower, upper),
        width(lower, upper) / scale,
        winkler(outcomes, lower, upper, band.level) / scale,
    )


def spike_table(series: Series, run: Run, seeded: Sequence[Band], days: Sequence[int]) -> pl.DataFrame:
    """Scores with all test days and without the spikes, one row per method; ResCP's are means over its seeds."""
    groups = {method: [run.band(method, LEVEL)] for method in DETERMINISTIC} | {"rescp": list(seeded)}
    records = []
    for method, group in groups.items():
        record: dict[str, str | float] = {"method": METHOD_TITLES[method]}
        for label, left_out in (("", ()), ("_without_spikes", days)):
            means = np.mean([scores_without(series, run, band, left_out) for band in group], axis=0)
            record |= {
                f"{name}{label}": value for name, value in zip(Scores._fields, means.tolist(), strict=True)
            }
        records.append(record)
    table = pl.DataFrame(records)
    return table.with_columns(winkler_change=pl.col("winkler_without_spikes") - pl.col("winkler"))


def spike_note(series: Series, table: pl.DataFrame, days: Sequence[int]) -> str:
    """What the isolated days decide, made of the table's own numbers."""
    if not days:
        return "Exchange: no isolated spikes in the test block."
    best, best_without = (
        table.sort(column).row(0, named=True) for column in ("winkler", "winkler_without_spikes")
    )
    weighted = table.filter(pl.col("method") == METHOD_TITLES["weighted"]).row(0, named=True)
    standing = "stays" if best["method"] == best_without["method"] else "is no longer"
    sizes = ", ".join(f"{day} ({series.values[day]:+.3g})" for day in days)
    return (
        f"Exchange, isolated spikes among the test returns: {sizes}. Scored without those days the Winkler score of "
        f"time-weighted CP is {weighted['winkler_without_spikes']:.3f} instead of {weighted['winkler']:.3f}, and "
        f"{best['method']}, the best with them, {standing} the best ({best_without['method']} with "
        f"{best_without['winkler_without_spikes']:.3f})."
    )


def _others(run: Run, days: Sequence[int]) -> BoolArray:
    others: BoolArray = ~np.isin(np.arange(run.blocks.test.start, run.blocks.test.stop), days)
    return others

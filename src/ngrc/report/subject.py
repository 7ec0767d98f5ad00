"""What the page is about: the series, the question, the cut, and what was assumed."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ngrc.backtesting.results import Backtest, Run
from ngrc.report.clock import Clock


@dataclass(frozen=True, slots=True)
class Subject:
    """The series and how it was cut; times are in the spelling of the source.

    `level` is the one that tables and diagnosis are told at, the highest of `levels`; `scored` are the test targets
    whose outcome came, `test_rows` all of them.
    """

    name: str
    observations: int
    first: str
    last: str
    spacing: str | None
    horizon: int
    level: float
    levels: tuple[float, ...]
    fit_rows: int
    calibration_rows: int
    test_rows: int
    scored: int
    test_first: str
    test_last: str
    refits: int
    assumed: tuple[str, ...]


def subject_of(
    result: Backtest, run: Run, clock: Clock, periods: Sequence[str], levels: Sequence[float]
) -> Subject:
    """What a run over a series is about."""
    blocks, count = run.blocks, len(result.series)
    first, last, test_first, test_last = clock.words(
        np.array([0, count - 1, blocks.test.start, blocks.test.stop - 1])
    )
    return Subject(
        name=result.series.name,
        observations=count,
        first=first,
        last=last,
        spacing=clock.spacing,
        horizon=blocks.horizon,
        level=max(levels),
        levels=tuple(sorted(levels)),
        fit_rows=blocks.fit_rows,
        calibration_rows=blocks.calibration_rows,
        test_rows=blocks.test_rows,
        scored=int(result.came(run).sum()),
        test_first=test_first,
        test_last=test_last,
        refits=run.refits,
        assumed=_assumed(result, run, clock, periods),
    )


def _assumed(result: Backtest, run: Run, clock: Clock, periods: Sequence[str]) -> tuple[str, ...]:
    series, blocks = result.series, run.blocks
    spacing = clock.spacing
    apart = "one after the other, without times" if spacing is None else f"{spacing} apart"
    refits = (
        "the model was fitted once"
        if not run.refits
        else f"the model was fitted again {run.refits:,} time{'s' * (run.refits > 1)} on the way"
    )
    return (
        f"Values: {series.name}, {len(series):,} observations {apart}.",
        f"Periods looked at: {', '.join(periods)}." if periods else "Periods looked at: none was found.",
        f"Cut: the first {blocks.fit_rows:,} rows for the first fit, the next {blocks.calibration_rows:,} to calibrate "
        f"intervals, the last {blocks.test_rows:,} to test; {refits}.",
        f"Every forecast of the test is {blocks.horizon} step{'s' * (blocks.horizon > 1)} ahead and uses nothing that "
        "was not known when it was made.",
        *(f"{note[0].upper()}{note[1:]}." for note in series.notes),
    )

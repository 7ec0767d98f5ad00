"""The automatic model at one horizon of one dataset: its error on the paper's test block, and what its search did."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from ngrc.automatic import AutoNGRC
from ngrc.backtesting.entry import backtest
from ngrc.backtesting.results import Run
from ngrc.metrics import rmse
from ngrc.series import Series
from ngrc.splits import FixedOrigin, Splitter, WalkForward
from ngrc.study.real.blocks import PaperBlocks
from ngrc.study.real.cases import HORIZONS
from ngrc.study.real.parallel import remembered
from ngrc.study.real.sources import Source

ORIGIN, TYPED, WALK = "the paper's rows", "FixedOrigin()", "walk forward"
WAYS = (ORIGIN, TYPED, WALK)
"""How the rows are cut: as the paper's own fit block is, which is judged; as typed, where the fit block begins and ends
a few rows earlier as the automatic model waits for no lags; and by default, with refits on ever more rows."""


@dataclass(frozen=True, slots=True)
class Plan:
    """One fit: where, how far ahead, and how the rows are cut."""

    dataset: str
    horizon: int
    way: str = ORIGIN

    def split(self) -> Splitter:
        """The cut; the study's own, so that all ways are scored on the paper's targets."""
        if self.way == ORIGIN:
            return PaperBlocks(self.dataset)
        return FixedOrigin() if self.way == TYPED else WalkForward()


class Share(NamedTuple):
    """One member of the combination, in words."""

    weight: float
    words: str
    penalty: float


class Score(NamedTuple):
    """An error over the paper's test block, and the search behind it.

    Parameters
    ----------
    rmse
        In units of the series as the paper standardises it.
    fit_rows, refits
        Rows that the model of the first test forecast was fitted to, and how many times it is fitted again.
    columns
        Of the combination.
    shares
        The combination, the heaviest member first.
    transform, periods
        Of the series, and what was proposed, in words.
    candidates, validated
        How many were tried, and on how many rows of the fit block.
    references
        Errors on those rows over the last value's: this model, naive, seasonal naive, linear on lags.
    search_seconds, seconds
        Of the search, and of all fits and forecasts.
    """

    rmse: float
    fit_rows: int
    refits: int
    columns: int
    shares: tuple[Share, ...]
    transform: str
    periods: str
    candidates: int
    validated: int
    references: dict[str, float]
    search_seconds: float
    seconds: float


Scores = Mapping[Plan, Score]


def plans(data: Sequence[Source]) -> dict[Plan, Series]:
    """Every fit with its series."""
    return {
        Plan(source.key, horizon, way): source.series
        for source in data
        for horizon in HORIZONS
        for way in WAYS
    }


def scores(wanted: Mapping[Plan, Series], *, jobs: int) -> dict[Plan, Score]:
    """The score of every plan."""
    calls = {("auto", plan): partial(score, plan, series) for plan, series in wanted.items()}
    return dict(zip(wanted, remembered(calls, name="automatic models", jobs=jobs), strict=True))


def score(plan: Plan, series: Series) -> Score:
    """Fit with nothing but the horizon given; times go along where the series has them."""
    result = backtest(series, AutoNGRC(horizon=plan.horizon), methods=("split",), split=plan.split())
    return summarised(result.run(), plan, series)


def summarised(run: Run, plan: Plan, series: Series) -> Score:
    """What a page shows of a run."""
    model = run.model
    assert isinstance(model, AutoNGRC)
    (chosen,) = model.selections_
    fitted = run.blocks.fitted
    return Score(
        rmse=paper_rmse(run, plan, series),
        fit_rows=fitted.stop - fitted.start,
        refits=run.refits,
        columns=model.n_features_,
        shares=tuple(
            Share(member.weight, member.recipe.words(), member.penalty(plan.horizon))
            for member in chosen.members
        ),
        transform="none" if chosen.transform is None else str(chosen.transform),
        periods=", ".join(f"{period.name} ({period.steps:g})" for period in chosen.periods) or "none",
        candidates=len(chosen.attempts),
        validated=chosen.rows,
        references=dict(chosen.references),
        search_seconds=chosen.seconds,
        seconds=run.model_seconds,
    )


def paper_rmse(run: Run, plan: Plan, series: Series) -> float:
    """RMSE over the paper's test targets in the paper's units, whatever rows the run was fitted to."""
    (blocks,) = PaperBlocks(plan.dataset).splits(len(series), plan.horizon, plan.horizon)
    if run.blocks.test.start > blocks.test.start:
        raise ValueError(
            f"{plan}: the run's test block begins at {run.blocks.test.start}, after the paper's at "
            f"{blocks.test.start}; choose a split whose test block holds the paper's"
        )
    unit = float(np.std(series.values[: blocks.scale_end]))
    return rmse(series.values[blocks.test], run.forecasts[blocks.test]) / unit
